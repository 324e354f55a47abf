// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QIcon>
#include <QWidget>

#include "widgets/common/theme/theme.h"

namespace lockstep {

/// How a state is meant. Each has its own icon, so that no state is told by colour alone.
enum class BadgeTone { Neutral, Busy, Info, Ok, Warning, Error, Off, Skipped };

[[nodiscard]] QIcon iconFor(BadgeTone tone);
[[nodiscard]] QColor colorFor(BadgeTone tone, const QPalette& palette);

/// A pill with an icon and a word: the state of a run, a step or a rank.
class StateBadge : public QWidget {
  Q_OBJECT
 public:
  explicit StateBadge(QWidget* parent = nullptr);
  void setState(BadgeTone tone, const QString& text);
  [[nodiscard]] BadgeTone tone() const { return tone_; }
  [[nodiscard]] QString text() const { return text_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  BadgeTone tone_ = BadgeTone::Neutral;
  QString text_;
};

}  // namespace lockstep
