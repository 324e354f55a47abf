// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace lockstep {

/// What an empty place stands for: nothing is there yet, or it is not known.
enum class Filling {
  Loading,     // what there is is still being fetched
  Live,        // all that there is so far is here, and more may come
  Ended,       // nothing more is going to come
  Stopped,     // the user wanted no more to be fetched
  Unreadable,  // it cannot be fetched now; a message says why
};

}  // namespace lockstep
