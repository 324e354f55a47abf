// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card.h"

#include <QAction>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/cards/card_texts.h"

namespace lockstep {
namespace {

/// The corner by which a card is sized with the mouse; the menu and the keyboard do it without.
class CardGrip final : public QWidget {
 public:
  explicit CardGrip(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("cardGrip"));
    setCursor(Qt::SizeFDiagCursor);
    setToolTip(Card::tr("Drag to size the card"));
    setFocusPolicy(Qt::NoFocus);
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(borderColor(palette()), 1.5));
    const int edge = std::min(width(), height()) - 3;
    for (const int from : {edge / 3, edge * 2 / 3, edge - 1})
      painter.drawLine(QPoint(from, edge), QPoint(edge, from));
  }
};

}  // namespace

Card::Card(const DashboardCard& card, const CardBody& body, QWidget* parent)
    : QFrame(parent), card_(card), body_(body.widget), title_(body.title), grip_(nullptr) {
  makeCard(this);
  setAccessibleRole(this, QAccessible::Grouping);
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 1, 1);
  column->setSpacing(0);
  QMenu* menu = body.menu;
  if (title_ == nullptr) {
    addOwnTitle();
    menu = title_->findChild<QToolButton*>()->menu();
  } else if (menu != nullptr) {
    menu->addSeparator();
  }
  column->addWidget(body_, 1);
  title_->setCursor(Qt::OpenHandCursor);
  grip_ = new CardGrip(this);
  addActions(menu);
  showTitle();
  updateActions();
}

void Card::addOwnTitle() {
  title_ = new QWidget(this);
  auto* const row = new QHBoxLayout(title_);
  row->setContentsMargins(10, 4, 8, 0);
  titleText_ = new ElidedLabel(title_);
  titleText_->setAttribute(Qt::WA_TransparentForMouseEvents);
  auto* const button = new QToolButton(title_);
  button->setObjectName(QStringLiteral("cardMenu"));
  button->setIcon(themedIcon(QStringLiteral("more")));
  button->setAutoRaise(true);
  button->setCursor(Qt::ArrowCursor);
  button->setPopupMode(QToolButton::InstantPopup);
  button->setMenu(new QMenu(button));
  button->setToolTip(tr("What can be done with this card"));
  row->addWidget(titleText_, 1);
  row->addWidget(button);
  static_cast<QVBoxLayout*>(layout())->addWidget(title_);
}

void Card::addActions(QMenu* menu) {
  const auto add = [&](CardAction what, const char* name, const QString& text, const QKeySequence& keys) {
    auto* const action = new QAction(text, this);
    action->setObjectName(QString::fromLatin1(name));
    action->setShortcut(keys);
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    connect(action, &QAction::triggered, this, [this, what] { emit asked(what); });
    actions_[static_cast<std::size_t>(what)] = action;
    addAction(action);
    if (menu != nullptr) menu->addAction(action);
  };
  if (titleText_ != nullptr) {
    add(CardAction::CopyPicture, "copyPicture", tr("&Copy picture"), {});
    add(CardAction::SavePicture, "savePicture", tr("Save &picture …"), {});
    add(CardAction::SaveValues, "saveValues", tr("Save the &values in sight …"), {});
    menu->addSeparator();
  }
  add(CardAction::Edit, "editCard", tr("&Quantities …"), Qt::Key_F2);
  add(CardAction::Maximize, "maximizeCard", tr("Ma&ximize"), {});
  if (menu != nullptr) menu->addSeparator();
  add(CardAction::Wider, "widerCard", tr("&Wider"), Qt::ALT | Qt::SHIFT | Qt::Key_Right);
  add(CardAction::Narrower, "narrowerCard", tr("&Narrower"), Qt::ALT | Qt::SHIFT | Qt::Key_Left);
  add(CardAction::Taller, "tallerCard", tr("&Taller"), Qt::ALT | Qt::SHIFT | Qt::Key_Down);
  add(CardAction::Lower, "lowerCard", tr("&Lower"), Qt::ALT | Qt::SHIFT | Qt::Key_Up);
  add(CardAction::Earlier, "moveCardEarlier", tr("Move to the &front"),
      Qt::CTRL | Qt::SHIFT | Qt::Key_PageUp);
  add(CardAction::Later, "moveCardLater", tr("Move to the &back"), Qt::CTRL | Qt::SHIFT | Qt::Key_PageDown);
  if (menu != nullptr) menu->addSeparator();
  add(CardAction::Remove, "removeCard", tr("&Remove"), {});
}

void Card::setCard(const DashboardCard& card) {
  card_ = card;
  showTitle();
  updateActions();
}

void Card::showTitle() {
  const QString title = titleOfCard(card_);
  setAccessibleName(title);
  if (titleText_ == nullptr) return;
  titleText_->setText(title);
  title_->findChild<QToolButton*>()->setAccessibleName(tr("%1: menu").arg(title));
}

void Card::setMaximized(bool isMaximized) {
  isMaximized_ = isMaximized;
  grip_->setVisible(!isMaximized);
  action(CardAction::Maximize)->setText(isMaximized ? tr("&Back to all cards") : tr("Ma&ximize"));
  updateActions();
}

void Card::setNeighbours(bool before, bool behind) {
  hasBefore_ = before;
  hasBehind_ = behind;
  updateActions();
}

void Card::updateActions() {
  const auto enable = [this](CardAction what, bool isPossible) {
    action(what)->setEnabled(isPossible && !isMaximized_);
  };
  enable(CardAction::Wider, card_.columns < DashboardLayout::kMaxColumns);
  enable(CardAction::Narrower, card_.columns > 1);
  enable(CardAction::Taller, card_.rows < DashboardLayout::kMaxRows);
  enable(CardAction::Lower, card_.rows > 1);
  enable(CardAction::Earlier, hasBefore_);
  enable(CardAction::Later, hasBehind_);
  enable(CardAction::Remove, true);
  action(CardAction::Edit)->setEnabled(card_.kind == CardKind::Chart || card_.kind == CardKind::HeatMap);
}

void Card::keyPressEvent(QKeyEvent* event) {
  const bool isEnter = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter;
  if (isEnter || (event->key() == Qt::Key_Escape && isMaximized_)) return emit asked(CardAction::Maximize);
  if (event->key() == Qt::Key_Delete && !isMaximized_) return emit asked(CardAction::Remove);
  QFrame::keyPressEvent(event);
}

void Card::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  const int edge = std::max(14, fontMetrics().height());
  grip_->setGeometry(width() - edge - 1, height() - edge - 1, edge, edge);
  grip_->raise();
}

}  // namespace lockstep
