// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPushButton>

namespace lockstep {

/// A push button with a menu that ends its text with an ellipsis where it has less room than its size hint asks for; an
/// ordinary one cuts the text off at both ends. Its text, which screen readers tell, stays whole.
class ElidedButton : public QPushButton {
  Q_OBJECT
 public:
  using QPushButton::QPushButton;

  /// What is drawn of the text in the room that there is now.
  [[nodiscard]] QString shownText() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace lockstep
