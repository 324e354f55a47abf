// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPoint>
#include <QScrollArea>
#include <functional>
#include <optional>
#include <vector>

#include "widgets/metrics/cards/card.h"
#include "widgets/metrics/cards/card_places.h"

namespace lockstep {

/// Cards in as many columns as the width has room for, scrolled from top to bottom; where all of them fit, they take all the
/// height. Cards are dragged by their titles and sized by their corners: the grid shows what would become of it, and asks for
/// it when the mouse is released. What a card shows is made by somebody else, who is told which bodies are in sight, so that
/// no other is drawn. Cost of a change: the cards.
class CardGrid : public QScrollArea {
  Q_OBJECT
 public:
  explicit CardGrid(QWidget* parent = nullptr);

  /// Makes the body of a card; the card then owns it. Call it before showCards().
  void setMaker(std::function<CardBody(const DashboardCard&)> maker) { maker_ = std::move(maker); }
  /// These cards, in this order. A card that shows the same as one that is there keeps its body, and so does one that can become
  /// (canBecome) what is wanted in its place.
  void showCards(const std::vector<DashboardCard>& cards);
  /// Which of them have a place; as many as there are cards.
  void setShown(const std::vector<bool>& shown);

  [[nodiscard]] const std::vector<Card*>& cards() const { return cards_; }
  [[nodiscard]] bool isInSight(const Card* card) const;
  /// That card alone takes all the room; null: all of them again.
  void maximize(Card* card);
  [[nodiscard]] Card* maximized() const { return maximized_; }
  void reveal(Card* card);

  [[nodiscard]] QSize sizeHint() const override { return {720, 420}; }
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void asked(int card, lockstep::CardAction what);
  void moved(int from, int to);
  void sized(int card, int columns, int rows);
  void sightChanged(QWidget* body, bool isInSight);
  void maximizedChanged(bool isMaximized);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  struct Drag {
    Card* card = nullptr;
    bool isSizing = false;
    bool isMoving = false;       // else the mouse is where it was pressed
    QPoint pressed;              // global
    QPoint offset;               // from the card's top left to the mouse
    const Card* over = nullptr;  // so that two cards do not change places forever
    CardSpan span;
    QSizeF cell;  // stays as it was while a card is sized, else the size that is asked for would move away
  };
  [[nodiscard]] Card* makeCard(const DashboardCard& card);
  [[nodiscard]] static std::vector<Card*> keepCards(const std::vector<DashboardCard>& cards,
                                                    std::vector<Card*>& old);
  [[nodiscard]] int columnsInSight() const;
  [[nodiscard]] int lineHeight(const std::vector<Card*>& shown, const std::vector<CardPlace>& places,
                               int lines) const;
  [[nodiscard]] QRect rectOf(const CardPlace& place) const;
  void arrange();
  void chainFocus();
  void tellSight();
  void press(Card* card, bool isSizing, QPoint global);
  void drag(QPoint global);
  void dragOver(QPoint position);
  void sizeTo(QPoint position);
  void drop();
  [[nodiscard]] int indexOf(const Card* card) const;

  std::function<CardBody(const DashboardCard&)> maker_;
  std::vector<Card*> cards_;  // in the order of the layout
  std::vector<Card*> order_;  // the same as they are shown: while one is dragged, where it would go
  std::vector<const Card*> inSight_;
  Card* maximized_ = nullptr;
  std::optional<Drag> drag_;
  QSizeF cell_;  // of the last arrangement, without gaps
};

}  // namespace lockstep
