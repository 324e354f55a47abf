// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace lockstep {

/// For a field on a page that scrolls: the wheel scrolls the page and never changes the field, whether it has
/// the focus or not.
void letWheelPass(QWidget* field);

}  // namespace lockstep
