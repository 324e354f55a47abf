// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lockstep {

/// For the destructor of a form that listens to its fields: the one that has the focus loses it only after that, in QWidget's
/// destructor, and says editingFinished() to a form that is no longer one.
void disconnectFields(QWidget* form);

}  // namespace lockstep
