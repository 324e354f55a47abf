// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <string_view>

#include "base/error.h"

namespace lockstep::trainer {

/// How many bytes the records of a zip file take together once they are unpacked, as its central directory
/// says (APPNOTE.TXT 4.3.12, 4.3.14 to 4.3.16, 4.5.3), found in the places where LibTorch's reader looks.
/// That one makes room for a record before anything else is known of it, also while it opens the file.
/// Nothing is unpacked here. DataLoss: there is no directory, or it reaches out of the file.
Result<std::uint64_t> zipContentBytes(std::string_view file);

/// The same as a yes or no: DataLoss when they are far larger than the file, as no file of torch.save is,
/// which stores its records as they are.
Result<void> checkZipContents(std::string_view file);

}  // namespace lockstep::trainer
