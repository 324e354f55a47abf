// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

class QLineEdit;

namespace lockstep {

/// Gives a field Qt's button that empties it, with what Qt leaves out: a name, a tool tip, and a place in the
/// order of Tab, where it shows that it has the focus.
void addClearButton(QLineEdit* field, const QString& name);
/// A magnifying glass at the beginning of a field, which leads into the field.
void addSearchIcon(QLineEdit* field, const QString& name);

}  // namespace lockstep
