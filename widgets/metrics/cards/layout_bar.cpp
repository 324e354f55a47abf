// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/layout_bar.h"

#include <QAction>
#include <QHBoxLayout>
#include <QMenu>
#include <QSignalBlocker>
#include <QToolButton>

#include "metrics/layouts/built_in_layouts.h"
#include "widgets/common/layout/elided_combo.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/cards/card_texts.h"
#include "widgets/metrics/cards/layout_list.h"
#include "widgets/metrics/cards/name_dialog.h"

namespace lockstep {

LayoutBar::LayoutBar(LayoutList* layouts, QWidget* parent)
    : QWidget(parent), layouts_(layouts), choice_(new ElidedCombo(this)), menu_(new QToolButton(this)) {
  setProperty("lockstepTools", true);  // looks as the other tools do
  choice_->setObjectName(QStringLiteral("layoutChoice"));
  choice_->setAccessibleName(tr("Layout of the cards"));
  choice_->setToolTip(tr("Which cards are shown"));
  choice_->setMaxVisibleItems(20);
  choice_->setMinimumContentsLength(14);
  choice_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  menu_->setObjectName(QStringLiteral("layoutMenu"));
  menu_->setText(tr("Cards"));
  menu_->setPopupMode(QToolButton::InstantPopup);
  menu_->setAutoRaise(true);
  menu_->setToolTip(tr("Add a card, undo a change, save this layout"));
  menu_->setAccessibleDescription(menu_->toolTip());
  createMenu();
  auto* const row = new QHBoxLayout(this);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(4);
  row->addWidget(choice_);
  row->addWidget(menu_);
  connect(choice_, &QComboBox::activated, this,
          [this] { layouts_->choose(choice_->currentData().toByteArray().toStdString()); });
  connect(layouts_, &LayoutList::listChanged, this, &LayoutBar::fill);
  fill();
}

void LayoutBar::createMenu() {
  auto* const menu = new QMenu(menu_);
  menu_->setMenu(menu);
  const auto add = [&](const char* name, const char* icon, const QString& text, auto what) {
    QAction* const action = menu->addAction(themedIcon(QString::fromLatin1(icon)), text);
    action->setObjectName(QString::fromLatin1(name));
    connect(action, &QAction::triggered, this, what);
    return action;
  };
  add("addCard", "add", tr("&Add a card …"), [this] { emit addRequested(); });
  menu->addSeparator();
  for (QAction* const action : {layouts_->undoStack()->createUndoAction(this, tr("Undo:")),
                                layouts_->undoStack()->createRedoAction(this, tr("Redo:"))})
    menu->addAction(action);
  reset_ = add("resetLayout", "refresh", tr("&Reset this layout"), [this] { layouts_->reset(); });
  menu->addSeparator();
  add("saveLayout", "save", tr("&Save as …"), [this] { askForName(true); });
  rename_ = add("renameLayout", "setup", tr("Re&name …"), [this] { askForName(false); });
  remove_ = add("deleteLayout", "remove", tr("&Delete"), [this] { layouts_->removeCurrent(); });
}

void LayoutBar::fill() {
  const QSignalBlocker said(choice_);
  choice_->clear();
  const auto add = [this](const DashboardLayout& layout) {
    const bool isShown = layout.name == layouts_->current().name;
    const QString title = titleOfLayout(layout.name);
    choice_->addItem(isShown && layouts_->isChanged() ? tr("%1 (changed)").arg(title) : title,
                     QByteArray::fromStdString(layout.name));
    if (isShown) choice_->setCurrentIndex(choice_->count() - 1);
  };
  for (const DashboardLayout& layout : builtInLayouts()) add(layout);
  if (!layouts_->own().empty()) choice_->insertSeparator(choice_->count());
  for (const DashboardLayout& layout : layouts_->own()) add(layout);
  rename_->setEnabled(layouts_->isOwn());
  remove_->setEnabled(layouts_->isOwn());
  reset_->setEnabled(layouts_->isChanged());
}

void LayoutBar::askForName(bool isNew) {
  const QString name = isNew && !layouts_->isOwn() ? QString() : toQString(layouts_->current().name);
  const auto take = [this, isNew](const std::string& given) {
    return isNew ? layouts_->saveAs(given) : layouts_->rename(given);
  };
  auto* const dialog =
      new NameDialog(isNew ? tr("Save the layout") : tr("Rename the layout"), name, take, this);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->open();
}

}  // namespace lockstep
