// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QToolButton;
class QWidget;

namespace lockstep {

class LogTable;

/// A switch that is on while the table keeps its newest line in sight.
QToolButton* makeFollowButton(LogTable* table, QWidget* parent);

}  // namespace lockstep
