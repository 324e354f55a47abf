// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/cards_view.h"

#include <QApplication>
#include <QMenu>
#include <QShortcut>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/cards/card_grid.h"
#include "widgets/metrics/cards/card_picker.h"
#include "widgets/metrics/cards/card_texts.h"
#include "widgets/metrics/cards/layout_list.h"

namespace lockstep {
namespace {

// Kinds of changes for undo: all that a slider passes, and all that keys pass in the list of one card, is one change.
constexpr int kCurveChange = 1, kQuantityChange = 2;

}  // namespace

CardsView::CardsView(LayoutList* layouts, std::function<CardBody(const DashboardCard&)> maker,
                     QWidget* parent)
    : QWidget(parent),
      layouts_(layouts),
      metrics_(std::make_shared<const MetricStore>()),
      grid_(new CardGrid(this)),
      unmeasured_(new QWidget(this)),
      names_(new FlowLayout(unmeasured_)) {
  grid_->setMaker(std::move(maker));
  unmeasured_->setObjectName(QStringLiteral("unmeasuredCards"));
  unmeasured_->setProperty("lockstepTools", true);
  names_->setContentsMargins(2, 4, 2, 0);
  names_->setGaps(4, 0);
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(grid_, 1);
  column->addWidget(unmeasured_);
  connect(layouts_, &LayoutList::currentChanged, this, &CardsView::showLayout);
  connect(grid_, &CardGrid::asked, this, &CardsView::onAsked);
  connect(grid_, &CardGrid::moved, this, &CardsView::moveCard);
  connect(grid_, &CardGrid::sized, this, &CardsView::sizeCard);
  const auto onKeys = [this](QKeySequence::StandardKey keys, auto what) {
    connect(new QShortcut(keys, this, nullptr, nullptr, Qt::WidgetWithChildrenShortcut),
            &QShortcut::activated, layouts_->undoStack(), what);
  };
  onKeys(QKeySequence::Undo, &QUndoStack::undo);
  onKeys(QKeySequence::Redo, &QUndoStack::redo);
}

void CardsView::setMetrics(std::shared_ptr<const MetricStore> metrics) {
  metrics_ = std::move(metrics);
  showMeasured();
}

void CardsView::showLayout() {
  const DashboardLayout& layout = layouts_->current();
  grid_->showCards(layout.cards);
  for (const Card* const card : grid_->cards()) emit cardShown(card->body(), card->card());
  for (const Card* const card : grid_->cards())
    emit curvesChanged(card->body(), card->card().curves.value_or(layout.curves));
  showMeasured();
}

void CardsView::showMeasured() {
  const bool isEmpty = metrics_->ranks().empty();
  std::vector<bool> shown;
  std::vector<int> named;
  for (const DashboardCard& card : layouts_->current().cards) {
    const bool isThere = isEmpty ? !card.onlyWhereMeasured : isMeasured(card, *metrics_);
    if (!isThere && !card.onlyWhereMeasured) named.push_back(static_cast<int>(shown.size()));
    shown.push_back(isThere);
  }
  grid_->setShown(shown);
  nameUnmeasured(named);
}

void CardsView::nameUnmeasured(const std::vector<int>& cards) {
  unmeasured_->setVisible(!cards.empty() && grid_->maximized() == nullptr);
  std::vector<std::pair<int, QString>> named;
  for (const int card : cards)
    named.emplace_back(card, titleOfCard(layouts_->current().cards[static_cast<std::size_t>(card)]));
  if (named == named_) return;
  named_ = named;
  while (QLayoutItem* const item = names_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  auto* const head = new PlainLabel(tr("Not measured in this run:"), unmeasured_);
  makeCaption(head);
  names_->addWidget(head);
  for (const auto& [card, title] : named) {
    auto* const button = new QToolButton(unmeasured_);
    button->setText(QString(title).replace(QLatin1Char('&'), QStringLiteral("&&")));
    button->setAutoRaise(true);
    button->setPopupMode(QToolButton::InstantPopup);
    button->setAccessibleName(tr("%1: not measured in this run").arg(title));
    auto* const menu = new QMenu(button);
    // Later: what is chosen takes the button away.
    const auto add = [&, card = card](const QString& text, void (CardsView::*what)(int)) {
      connect(
          menu->addAction(text), &QAction::triggered, this, [this, at = card, what] { (this->*what)(at); },
          Qt::QueuedConnection);
    };
    add(tr("&Quantities …"), &CardsView::editCard);
    add(tr("&Remove"), &CardsView::removeCard);
    button->setMenu(menu);
    names_->addWidget(button);
    button->show();
  }
  head->show();
}

// The keyboard goes along, so that Escape leads back.
void CardsView::maximize(int card) {
  Card* const asked = grid_->cards()[static_cast<std::size_t>(card)];
  grid_->maximize(grid_->maximized() == asked ? nullptr : asked);
  showMeasured();
  if (asked->isAncestorOf(QApplication::focusWidget())) return;
  for (QWidget* const part : asked->findChildren<QWidget*>()) {
    if ((part->focusPolicy() & Qt::TabFocus) == 0) continue;
    return part->setFocus(Qt::OtherFocusReason);
  }
}

void CardsView::onAsked(int card, CardAction what) {
  const DashboardCard& now = layouts_->current().cards[static_cast<std::size_t>(card)];
  switch (what) {
    case CardAction::Edit:
      return editCard(card);
    case CardAction::Maximize:
      return maximize(card);
    case CardAction::Wider:
      return sizeCard(card, now.columns + 1, now.rows);
    case CardAction::Narrower:
      return sizeCard(card, now.columns - 1, now.rows);
    case CardAction::Taller:
      return sizeCard(card, now.columns, now.rows + 1);
    case CardAction::Lower:
      return sizeCard(card, now.columns, now.rows - 1);
    case CardAction::Earlier:
      return moveCard(card, card - 1);
    case CardAction::Later:
      return moveCard(card, card + 1);
    case CardAction::Remove:
      return removeCard(card);
    case CardAction::CopyPicture:
    case CardAction::SavePicture:
    case CardAction::SaveValues:
      emit exportAsked(grid_->cards()[static_cast<std::size_t>(card)]->body(), what);
  }
}

void CardsView::moveCard(int from, int to) {
  DashboardLayout next = layouts_->current();
  const auto size = static_cast<int>(next.cards.size());
  if (from == to || std::min(from, to) < 0 || std::max(from, to) >= size) return;
  const DashboardCard card = next.cards[static_cast<std::size_t>(from)];
  next.cards.erase(next.cards.begin() + from);
  next.cards.insert(next.cards.begin() + to, card);
  layouts_->change(tr("Move the card %1").arg(titleOfCard(card)), next);
  grid_->reveal(grid_->cards()[static_cast<std::size_t>(to)]);
}

void CardsView::sizeCard(int card, int columns, int rows) {
  DashboardLayout next = layouts_->current();
  DashboardCard& sized = next.cards[static_cast<std::size_t>(card)];
  sized.columns = std::clamp(columns, 1, DashboardLayout::kMaxColumns);
  sized.rows = std::clamp(rows, 1, DashboardLayout::kMaxRows);
  layouts_->change(tr("Size the card %1").arg(titleOfCard(sized)), next);
}

void CardsView::removeCard(int card) {
  DashboardLayout next = layouts_->current();
  const QString title = titleOfCard(next.cards[static_cast<std::size_t>(card)]);
  const bool hadFocus =
      grid_->cards()[static_cast<std::size_t>(card)]->isAncestorOf(QApplication::focusWidget());
  next.cards.erase(next.cards.begin() + card);
  layouts_->change(tr("Remove the card %1").arg(title), next);
  if (!hadFocus || grid_->cards().empty()) return;
  // The keyboard goes on with the card that has come to its place.
  const auto at = std::min(static_cast<std::size_t>(card), grid_->cards().size() - 1);
  grid_->cards()[at]->body()->setFocus(Qt::OtherFocusReason);
}

void CardsView::addCard() {
  if (layouts_->current().cards.size() >= DashboardLayout::kMaxCards) return;
  auto* const picker = new CardPicker(metrics_.get(), this);
  picker->setAttribute(Qt::WA_DeleteOnClose);
  connect(picker, &CardPicker::accepted, this, [this, picker] {
    DashboardLayout next = layouts_->current();
    next.cards.push_back(picker->card());
    layouts_->change(tr("Add the card %1").arg(titleOfCard(next.cards.back())), next);
    grid_->reveal(grid_->cards().back());
  });
  picker->open();
}

void CardsView::editCard(int card) {
  auto* const picker = new CardPicker(metrics_.get(), this);
  picker->setAttribute(Qt::WA_DeleteOnClose);
  picker->setCard(layouts_->current().cards[static_cast<std::size_t>(card)]);
  connect(picker, &CardPicker::accepted, this, [this, picker, card] {
    DashboardLayout next = layouts_->current();
    if (static_cast<std::size_t>(card) >= next.cards.size()) return;
    next.cards[static_cast<std::size_t>(card)] = picker->card();
    layouts_->change(tr("Change the card %1").arg(titleOfCard(picker->card())), next);
  });
  picker->open();
}

void CardsView::setCurves(std::optional<int> card, const std::optional<CurveOptions>& options) {
  DashboardLayout next = layouts_->current();
  if (card && static_cast<std::size_t>(*card) < next.cards.size())
    next.cards[static_cast<std::size_t>(*card)].curves = options;
  else
    next.curves = options.value_or(CurveOptions{});
  layouts_->change(tr("Draw curves in another way"), next, kCurveChange);
}

void CardsView::setQuantity(const QWidget* body, const std::string& name) {
  changeCard(body, [&name](DashboardCard& card) {
    card.quantities = {{name, CardAxis::Left}};
    card.title.clear();
  });
}

void CardsView::setOverTime(const QWidget* body, bool overTime) {
  changeCard(body, [overTime](DashboardCard& card) { card.overTime = overTime; });
}

void CardsView::changeCard(const QWidget* body, const std::function<void(DashboardCard&)>& change) {
  const auto& cards = grid_->cards();
  const auto found = std::ranges::find(cards, body, &Card::body);
  if (found == cards.end()) return;
  const auto at = found - cards.begin();
  DashboardLayout next = layouts_->current();
  DashboardCard& card = next.cards[static_cast<std::size_t>(at)];
  const DashboardCard before = card;
  change(card);
  if (card.quantities == before.quantities && card.overTime == before.overTime) return;
  layouts_->change(tr("Change the card %1").arg(titleOfCard(card)), next,
                   kQuantityChange + static_cast<int>(at));
}

}  // namespace lockstep
