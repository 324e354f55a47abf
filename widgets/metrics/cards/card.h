// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <array>

#include "metrics/layouts/dashboard_layout.h"

class QAction;
class QMenu;

namespace lockstep {

class ElidedLabel;

/// What a card holds. The card owns `widget`; the other two are parts of it.
struct CardBody {
  QWidget* widget = nullptr;
  QWidget* title = nullptr;  // by which the card is dragged; null: the card writes its own title
  QMenu* menu = nullptr;     // gets what can be done with the card; null: the card has a menu of its own
};

/// The last three are those of a card without a menu of its body's own.
enum class CardAction {
  Edit,
  Maximize,
  Wider,
  Narrower,
  Taller,
  Lower,
  Earlier,
  Later,
  Remove,
  CopyPicture,
  SavePicture,
  SaveValues
};

/// A raised area of the dashboard: a body, a title to drag it by, a corner to size it by, and a menu. It only asks; whoever
/// has the layout does it. Enter or a double click on the title asks for Maximize, Escape to go back from it.
class Card : public QFrame {
  Q_OBJECT
 public:
  Card(const DashboardCard& card, const CardBody& body, QWidget* parent);

  [[nodiscard]] const DashboardCard& card() const { return card_; }
  /// The same with another size or other curves; of a heat map also with another quantity.
  void setCard(const DashboardCard& card);
  void setMaximized(bool isMaximized);
  /// Whether it has a place in the grid: else it waits until the run has measured what it shows.
  void setPlaced(bool isPlaced) { isPlaced_ = isPlaced; }
  [[nodiscard]] bool isPlaced() const { return isPlaced_; }
  /// Whether there are cards before and behind it.
  void setNeighbours(bool before, bool behind);

  [[nodiscard]] QWidget* body() const { return body_; }
  [[nodiscard]] QWidget* title() const { return title_; }
  [[nodiscard]] QWidget* grip() const { return grip_; }
  [[nodiscard]] QAction* action(CardAction what) const { return actions_[static_cast<std::size_t>(what)]; }

 signals:
  void asked(lockstep::CardAction what);

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void addOwnTitle();
  void showTitle();
  void addActions(QMenu* menu);
  void updateActions();

  DashboardCard card_;
  QWidget* body_;
  QWidget* title_;
  ElidedLabel* titleText_ = nullptr;  // null: the body writes it
  QWidget* grip_;
  std::array<QAction*, 12> actions_{};  // null: not of this card
  bool isMaximized_ = false;
  bool isPlaced_ = true;
  bool hasBefore_ = false, hasBehind_ = false;
};

}  // namespace lockstep
