// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>

namespace lockstep {

/// A list to choose from that ends the text of what is chosen with an ellipsis where it has too little room; an ordinary one
/// cuts it off within a letter. The text, which screen readers tell, stays whole.
class ElidedCombo : public QComboBox {
  Q_OBJECT
 public:
  using QComboBox::QComboBox;

  /// What is drawn of the chosen text in the room that there is now.
  [[nodiscard]] QString shownText() const;

 protected:
  void paintEvent(QPaintEvent* event) override;
};

}  // namespace lockstep
