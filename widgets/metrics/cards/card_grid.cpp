// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card_grid.h"

#include <QApplication>
#include <QMouseEvent>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

namespace lockstep {
namespace {

constexpr int kGap = 8;
constexpr int kMaxColumnsInSight = 4;
constexpr int kLettersAcross = 44;  // the least of a column
constexpr int kLinesDown = 10;      // the least of a line of cards

}  // namespace

CardGrid::CardGrid(QWidget* parent) : QScrollArea(parent) {
  setObjectName(QStringLiteral("cardGrid"));
  setFrameShape(NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setFocusPolicy(Qt::NoFocus);
  auto* const content = new QWidget(this);
  setWidget(content);
  content->setAutoFillBackground(false);
  viewport()->setAutoFillBackground(false);
  setAccessibleName(tr("Cards"));
  connect(verticalScrollBar(), &QScrollBar::valueChanged, this, &CardGrid::tellSight);
}

QSize CardGrid::minimumSizeHint() const {
  const QFontMetrics letters = fontMetrics();
  return {letters.averageCharWidth() * kLettersAcross * 3 / 4, letters.height() * kLinesDown};
}

Card* CardGrid::makeCard(const DashboardCard& card) {
  auto* const made = new Card(card, maker_(card), widget());
  made->title()->installEventFilter(this);
  made->grip()->installEventFilter(this);
  connect(made, &Card::asked, this, [this, made](CardAction what) {
    if (const int at = indexOf(made); at >= 0) emit asked(at, what);
  });
  return made;
}

/// Takes from `old` those that stay, to their places among the new ones; null: there is none.
std::vector<Card*> CardGrid::keepCards(const std::vector<DashboardCard>& cards, std::vector<Card*>& old) {
  std::vector<Card*> kept(cards.size(), nullptr);
  const auto keep = [&](std::size_t at, std::size_t from, const auto& isFit) {
    if (kept[at] == nullptr && from < old.size() && old[from] != nullptr &&
        isFit(old[from]->card(), cards[at]))
      kept[at] = std::exchange(old[from], nullptr);
  };
  for (std::size_t i = 0; i < cards.size(); ++i)
    keep(i, i, showSame);  // so that of two that are alike none moves
  for (std::size_t i = 0; i < cards.size(); ++i)
    for (std::size_t from = 0; from < old.size(); ++from) keep(i, from, showSame);
  for (std::size_t i = 0; i < cards.size(); ++i) keep(i, i, canBecome);
  return kept;
}

void CardGrid::showCards(const std::vector<DashboardCard>& cards) {
  drag_.reset();
  std::vector<Card*> old = std::exchange(cards_, {});
  const std::vector<Card*> kept = keepCards(cards, old);
  for (std::size_t i = 0; i < cards.size(); ++i) {
    if (kept[i] != nullptr) kept[i]->setCard(cards[i]);
    cards_.push_back(kept[i] != nullptr ? kept[i] : makeCard(cards[i]));
  }
  for (Card* const gone : old) {
    if (gone == nullptr) continue;
    std::erase(inSight_, gone);
    if (gone == maximized_) maximize(nullptr);
    gone->hide();
    gone->deleteLater();
  }
  for (std::size_t i = 0; i < cards_.size(); ++i) cards_[i]->setNeighbours(i > 0, i + 1 < cards_.size());
  order_ = cards_;
  arrange();
  chainFocus();
}

void CardGrid::setShown(const std::vector<bool>& shown) {
  bool isChanged = false;
  for (std::size_t i = 0; i < cards_.size() && i < shown.size(); ++i) {
    isChanged = isChanged || cards_[i]->isPlaced() != shown[i];
    cards_[i]->setPlaced(shown[i]);
  }
  if (isChanged) arrange();
}

int CardGrid::indexOf(const Card* card) const {
  const auto found = std::find(cards_.begin(), cards_.end(), card);
  return found == cards_.end() ? -1 : static_cast<int>(found - cards_.begin());
}

int CardGrid::columnsInSight() const {
  const int least = fontMetrics().averageCharWidth() * kLettersAcross;
  return std::clamp((viewport()->width() + kGap) / std::max(1, least + kGap), 1, kMaxColumnsInSight);
}

int CardGrid::lineHeight(const std::vector<Card*>& shown, const std::vector<CardPlace>& places,
                         int lines) const {
  const int room = viewport()->height();
  if (maximized_ != nullptr) return room;
  if (drag_ && drag_->isSizing) return static_cast<int>(drag_->cell.height());
  int height = std::max(fontMetrics().height() * kLinesDown, (room - kGap * (lines - 1)) / lines);
  for (std::size_t i = 0; i < shown.size(); ++i)
    height = std::max(height,
                      (shown[i]->minimumSizeHint().height() - kGap * (places[i].rows - 1)) / places[i].rows);
  return height;
}

QRect CardGrid::rectOf(const CardPlace& place) const {
  const double left = place.column * (cell_.width() + kGap), top = place.row * (cell_.height() + kGap);
  const double right = left + place.columns * (cell_.width() + kGap) - kGap;
  const double bottom = top + place.rows * (cell_.height() + kGap) - kGap;
  return {QPoint(static_cast<int>(std::lround(left)), static_cast<int>(std::lround(top))),
          QPoint(static_cast<int>(std::lround(right)) - 1, static_cast<int>(std::lround(bottom)) - 1)};
}

void CardGrid::arrange() {
  const QSize room = viewport()->size();
  std::vector<Card*> shown;
  for (Card* const card : order_) {
    const bool isShown = maximized_ != nullptr ? card == maximized_ : card->isPlaced();
    card->setVisible(isShown);
    if (isShown) shown.push_back(card);
  }
  const int columns = maximized_ != nullptr ? 1 : columnsInSight();
  std::vector<CardSpan> spans;
  for (const Card* const card : shown)
    spans.push_back(drag_ && drag_->isSizing && drag_->card == card
                        ? drag_->span
                        : CardSpan{card->card().columns, card->card().rows});
  if (maximized_ != nullptr) spans.assign(shown.size(), CardSpan{});
  const auto places = placeCards(spans, columns);
  const int lines = std::max(1, linesOf(places));
  const int height = lineHeight(shown, places, lines);
  cell_ = QSizeF((room.width() - kGap * (columns - 1.0)) / columns, height);
  widget()->resize(room.width(), lines * (height + kGap) - kGap);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool isHeld = drag_ && drag_->isMoving && !drag_->isSizing && drag_->card == shown[i];
    if (!isHeld) shown[i]->setGeometry(rectOf(places[i]));
  }
  verticalScrollBar()->setSingleStep(fontMetrics().height() * 2);
  tellSight();
}

// Tab goes from card to card as they are read.
void CardGrid::chainFocus() {
  QWidget* last = nullptr;
  for (const Card* const card : cards_)
    for (QWidget* const next : card->findChildren<QWidget*>()) {
      if ((next->focusPolicy() & Qt::TabFocus) == 0 || next->window() != window()) continue;
      if (last != nullptr) setTabOrder(last, next);
      last = next;
    }
}

bool CardGrid::isInSight(const Card* card) const {
  return std::find(inSight_.begin(), inSight_.end(), card) != inSight_.end();
}

void CardGrid::tellSight() {
  const QRect sight(-widget()->pos(), viewport()->size());
  for (const Card* const card : cards_) {
    const bool isSeen = !card->isHidden() && card->geometry().intersects(sight);
    if (isSeen == isInSight(card)) continue;
    if (isSeen)
      inSight_.push_back(card);
    else
      std::erase(inSight_, card);
    emit sightChanged(card->body(), isSeen);
  }
}

void CardGrid::maximize(Card* card) {
  if (card == maximized_) return;
  if (maximized_ != nullptr) maximized_->setMaximized(false);
  maximized_ = card;
  if (card != nullptr) card->setMaximized(true);
  emit maximizedChanged(card != nullptr);
  arrange();
}

void CardGrid::reveal(Card* card) {
  ensureWidgetVisible(card, 0, kGap);
}

bool CardGrid::eventFilter(QObject* watched, QEvent* event) {
  const auto found = std::find_if(cards_.begin(), cards_.end(), [&](const Card* card) {
    return card->title() == watched || card->grip() == watched;
  });
  if (found == cards_.end()) return QScrollArea::eventFilter(watched, event);
  Card* const card = *found;
  // It is one of the mouse's only where its type says so.
  const auto mouse = [event] { return static_cast<const QMouseEvent*>(event); };
  switch (event->type()) {
    case QEvent::MouseButtonPress:
      if (mouse()->button() == Qt::LeftButton)
        press(card, card->grip() == watched, mouse()->globalPosition().toPoint());
      return true;
    case QEvent::MouseMove:
      drag(mouse()->globalPosition().toPoint());
      return true;
    case QEvent::MouseButtonRelease:
      drop();
      return true;
    case QEvent::MouseButtonDblClick:
      drag_.reset();
      if (card->title() == watched) emit asked(indexOf(card), CardAction::Maximize);
      return true;
    default:
      return QScrollArea::eventFilter(watched, event);
  }
}

void CardGrid::press(Card* card, bool isSizing, QPoint global) {
  if (maximized_ != nullptr) return;
  Drag drag;
  drag.card = card;
  drag.isSizing = isSizing;
  drag.pressed = global;
  drag.offset = card->mapFromGlobal(global);
  drag.span = {card->card().columns, card->card().rows};
  drag.cell = cell_;
  drag_ = drag;
}

void CardGrid::drag(QPoint global) {
  if (!drag_) return;
  if (!drag_->isMoving && (global - drag_->pressed).manhattanLength() < QApplication::startDragDistance())
    return;
  if (!std::exchange(drag_->isMoving, true)) drag_->card->raise();
  const QPoint position = widget()->mapFromGlobal(global);
  if (drag_->isSizing)
    sizeTo(position);
  else
    dragOver(position);
  ensureVisible(position.x(), position.y(), 0, fontMetrics().height() * 2);
}

void CardGrid::dragOver(QPoint position) {
  drag_->card->move(position - drag_->offset);
  const auto under = std::find_if(order_.begin(), order_.end(), [&](const Card* card) {
    return card != drag_->card && !card->isHidden() && card->geometry().contains(position);
  });
  const Card* const over = under == order_.end() ? nullptr : *under;
  if (over == std::exchange(drag_->over, over) || over == nullptr) return;
  const auto to = under - order_.begin();
  std::erase(order_, drag_->card);
  order_.insert(order_.begin() + to, drag_->card);
  arrange();
}

void CardGrid::sizeTo(QPoint position) {
  const QPoint size = position - drag_->card->pos();
  const auto cells = [](double length, double cell, int most) {
    return std::clamp(static_cast<int>(std::lround((length + kGap) / (cell + kGap))), 1, most);
  };
  const CardSpan span{cells(size.x(), cell_.width(), DashboardLayout::kMaxColumns),
                      cells(size.y(), cell_.height(), DashboardLayout::kMaxRows)};
  if (span.columns == drag_->span.columns && span.rows == drag_->span.rows) return;
  drag_->span = span;
  arrange();
}

void CardGrid::drop() {
  if (!drag_) return;
  const Drag done = *std::exchange(drag_, std::nullopt);
  const int from = indexOf(done.card);
  const int to = static_cast<int>(std::find(order_.begin(), order_.end(), done.card) - order_.begin());
  order_ = cards_;
  arrange();
  if (!done.isMoving || from < 0) return;
  if (done.isSizing)
    emit sized(from, done.span.columns, done.span.rows);
  else if (to != from)
    emit moved(from, to);
}

void CardGrid::resizeEvent(QResizeEvent* event) {
  QScrollArea::resizeEvent(event);
  arrange();
}

void CardGrid::changeEvent(QEvent* event) {
  QScrollArea::changeEvent(event);
  if (event->type() == QEvent::FontChange) arrange();
}

}  // namespace lockstep
