// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

namespace lockstep {

/// Two versions of a text line by line, added and removed lines marked by sign and colour, equal stretches
/// folded.
class TextDifferenceView : public QWidget {
  Q_OBJECT
 public:
  explicit TextDifferenceView(QWidget* parent = nullptr);
  void setTexts(const QString& before, const QString& beforeName, const QString& after,
                const QString& afterName);
};

}  // namespace lockstep
