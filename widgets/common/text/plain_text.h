// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>
#include <QString>
#include <QStringList>

namespace lockstep {

/// Text of any origin as a tool tip. Qt takes a tool tip that looks like markup for markup, and then opens
/// every file that it names; such text is shown as it is written instead. Very long text is cut.
[[nodiscard]] QString plainToolTip(const QString& text);

/// The same for several lines, which are wrapped where they are long; the last one in italics.
[[nodiscard]] QString toolTipLines(const QStringList& lines, const QString& inItalics = {});

/// A label that shows its text as it is written: one that guesses takes "<img src=…>" of a service or of a
/// file for an image. Every label is one, except those that build their own markup.
class PlainLabel : public QLabel {
 public:
  explicit PlainLabel(QWidget* parent = nullptr) : QLabel(parent) { setTextFormat(Qt::PlainText); }
  explicit PlainLabel(const QString& text, QWidget* parent = nullptr) : PlainLabel(parent) { setText(text); }
};

}  // namespace lockstep
