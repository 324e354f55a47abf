// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "plan/node_details.h"

class QLabel;

namespace lockstep {

/// "main" or, when there are several, which; and what people want to know of it, as HTML for the card.
[[nodiscard]] QString nodeCardText(const QString& title, const NodeDetails& details);
/// The same in one plain paragraph, for screen readers; the environment as a count.
[[nodiscard]] QString nodeCardWords(const QString& title, const NodeDetails& details);

/// A small window beside a part of a drawing that tells more about it. Takes no focus and no mouse.
class NodeCard : public QFrame {
  Q_OBJECT
 public:
  explicit NodeCard(QWidget* parent);
  /// Shows the text below the part (above it where there is no room), inside the screen. `part` in global
  /// coordinates.
  void showBeside(const QRect& part, const QString& html);
  [[nodiscard]] QString text() const;

 private:
  QLabel* label_;
};

}  // namespace lockstep
