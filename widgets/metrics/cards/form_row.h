// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFormLayout>

#include "widgets/common/text/plain_text.h"

namespace lockstep {

/// Adds a field, a widget or a layout, with its label, which is never taken for marked-up text, as one that the form made
/// would be. The letter of the label goes to `buddy`.
template <class Field>
void addFormRow(QFormLayout& form, const QString& text, Field* field, QWidget* buddy) {
  auto* const label = new PlainLabel(text);
  label->setBuddy(buddy);
  form.addRow(label, field);
}

inline void addFormRow(QFormLayout& form, const QString& text, QWidget* field) {
  addFormRow(form, text, field, field);
}

}  // namespace lockstep
