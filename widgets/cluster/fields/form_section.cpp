// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/form_section.h"

#include <QGridLayout>
#include <QLabel>
#include <QToolButton>
#include <algorithm>

#include "widgets/cluster/fields/field_row.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kColumns = 2;

/// Nobody's field vanishes under the hands.
bool holdsFocus(const QWidget* widget) {
  const QWidget* focused = widget->window()->focusWidget();
  return focused && widget->isAncestorOf(focused) && focused->hasFocus();
}

QWidget* firstField(QWidget* widget) {
  for (QWidget* child : widget->findChildren<QWidget*>())
    if (child->focusPolicy() & Qt::TabFocus) return child;
  return widget;
}

}  // namespace

FormSection::FormSection(const QString& title, QWidget* parent)
    : QFrame(parent),
      title_(new PlainLabel(title, this)),
      more_(new QToolButton(this)),
      grid_(new QGridLayout(this)) {
  makeCard(this);
  QString name = title;
  name.remove(QLatin1Char('&'));
  setAccessibleName(name);
  QFont bold = title_->font();
  bold.setWeight(QFont::DemiBold);
  title_->setFont(bold);
  more_->setAutoRaise(true);
  more_->setCheckable(true);
  more_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setText(tr("More"));
  more_->setToolTip(tr("Show the fields that are rarely used, too"));
  more_->setAccessibleName(tr("More fields: %1").arg(name));
  more_->setIcon(themedIcon(QStringLiteral("right"), IconColor::Muted));
  more_->hide();
  connect(more_, &QToolButton::toggled, this, [this](bool showsAll) {
    more_->setIcon(themedIcon(showsAll ? QStringLiteral("down") : QStringLiteral("right"), IconColor::Muted));
    emit showsAllChanged();
  });
  grid_->setContentsMargins(14, 10, 14, 12);
  grid_->setHorizontalSpacing(12);
  grid_->setVerticalSpacing(8);
  for (int i = 0; i < kColumns; ++i) grid_->setColumnStretch(i, 1);
  grid_->addWidget(title_, 0, 0);
  grid_->addWidget(more_, 0, 1, Qt::AlignTrailing);
  // The same height with and without the button.
  grid_->setRowMinimumHeight(0, more_->sizeHint().height());
  hide();  // until there is something in it
}

void FormSection::addRow(FieldRow* row) {
  items_.push_back({row, row, nullptr, false});
  row->hide();
}

void FormSection::addWide(QWidget* widget, Relevance isRelevant) {
  items_.push_back({widget, nullptr, isRelevant, false});
  widget->hide();
}

bool FormSection::showsAll() const {
  return more_->isChecked();
}

void FormSection::setShowsAll(bool showsAll) {
  more_->setChecked(showsAll);
}

void FormSection::refresh(const ClusterDocument& document) {
  bool isChanged = false;
  for (Item& item : items_) {
    bool isShown = item.row ? isWanted(item.row->binding(), document, showsAll())
                            : !item.isRelevant || item.isRelevant(document);
    if (!isShown && item.isShown && holdsFocus(item.widget)) isShown = true;
    isChanged = isChanged || isShown != item.isShown;
    item.isShown = isShown;
  }
  refreshMore(document);
  if (isChanged) arrange();
}

void FormSection::refreshMore(const ClusterDocument& document) {
  const bool hasMore = std::any_of(items_.begin(), items_.end(), [&](const Item& item) {
    if (!item.row || !item.row->binding().isRare) return false;
    return isWanted(item.row->binding(), document, true) && !isWanted(item.row->binding(), document, false);
  });
  more_->setVisible(hasMore);
}

void FormSection::arrange() {
  for (const Item& item : items_) grid_->removeWidget(item.widget);
  int line = 1;
  bool leftOnly = false;
  QWidget* first = nullptr;
  for (const Item& item : items_) {
    item.widget->setVisible(item.isShown);
    if (!item.isShown) continue;
    if (!first) first = item.row ? item.row->editor() : firstField(item.widget);
    const bool isHalf = item.row && item.row->binding().isHalf;
    if (isHalf && leftOnly) {
      grid_->addWidget(item.widget, line++, 1);
      leftOnly = false;
      continue;
    }
    if (leftOnly) ++line;
    leftOnly = isHalf;
    isHalf ? grid_->addWidget(item.widget, line, 0) : grid_->addWidget(item.widget, line++, 0, 1, kColumns);
  }
  title_->setBuddy(first);
  setVisible(first != nullptr);
}

}  // namespace lockstep
