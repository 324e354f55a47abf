// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/tool_row.h"

#include <QAbstractButton>
#include <QAction>
#include <QEvent>
#include <QFrame>
#include <QHBoxLayout>
#include <QMenu>
#include <QToolButton>
#include <algorithm>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kSpacing = 4;
constexpr int kSeparatorMargin = 5;

/// The width below which a layout does not squeeze it.
int minWidth(const QWidget& widget) {
  const bool shrinks = widget.sizePolicy().horizontalPolicy() & QSizePolicy::ShrinkFlag;
  const int wanted = shrinks ? widget.minimumSizeHint().width() : widget.sizeHint().width();
  return std::clamp(wanted, widget.minimumWidth(), std::max(widget.minimumWidth(), widget.maximumWidth()));
}

QString nameOf(const QAbstractButton& button) {
  for (const QString& name : {button.text(), button.accessibleName(), button.toolTip()})
    if (!name.isEmpty()) return name;
  return {};
}

}  // namespace

ToolRow::ToolRow(QWidget* parent)
    : QWidget(parent), row_(new QHBoxLayout(this)), more_(new QToolButton(this)), menu_(new QMenu(more_)) {
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  row_->setContentsMargins(0, 0, 0, 0);
  row_->setSpacing(kSpacing);
  row_->setSizeConstraint(QLayout::SetNoConstraint);  // fit() makes it as narrow as it has to be
  setProperty("lockstepTools", true);                 // the style sheet knows it
  more_->setObjectName(QStringLiteral("moreTools"));
  more_->setIcon(themedIcon(QStringLiteral("more")));
  more_->setAccessibleName(tr("More actions"));
  more_->setToolTip(tr("More actions"));
  more_->setPopupMode(QToolButton::InstantPopup);
  more_->setAutoRaise(true);
  more_->setFocusPolicy(Qt::TabFocus);
  more_->setMenu(menu_);
  menu_->setToolTipsVisible(true);
  more_->hide();
  row_->addWidget(more_);
  connect(menu_, &QMenu::aboutToShow, this, [this] { fillMenu(shown_); });
}

QToolButton* ToolRow::addTool(QAction* action, Place place) {
  auto* button = new QToolButton(this);
  button->setDefaultAction(action);
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  addButton(button, place);
  return button;
}

void ToolRow::addButton(QAbstractButton* button, Place place) {
  add(button, place == Place::Stays ? Kind::Fixed : Kind::Tool);
}

void ToolRow::addWidget(QWidget* widget, int stretch) {
  add(widget, Kind::Fixed, stretch);
}

void ToolRow::addSeparator() {
  auto* line = new QFrame(this);
  line->setObjectName(QStringLiteral("toolSeparator"));
  line->setFrameShape(QFrame::VLine);
  line->setFixedWidth(2 * kSeparatorMargin + 1);
  add(line, Kind::Separator);
}

void ToolRow::addStretch() {
  row_->addStretch(1);
}

/// The button for the rest stands behind the last tool that can go into it.
void ToolRow::add(QWidget* widget, Kind kind, int stretch) {
  widget->setParent(this);
  row_->addWidget(widget, stretch);
  parts_.push_back({widget, kind});
  shown_.push_back(true);
  if (kind != Kind::Tool) return;
  row_->removeWidget(more_);
  row_->addWidget(more_);
  QWidget::setTabOrder(widget, more_);
}

void ToolRow::setOffered(QWidget* part, bool isOffered) {
  for (Part& p : parts_)
    if (p.widget == part) p.isOffered = isOffered;
  updateGeometry();
  fit();
}

void ToolRow::setMargins(const QMargins& margins) {
  row_->setContentsMargins(margins);
}

int ToolRow::widthOf(const std::vector<bool>& shown, bool withMore) const {
  const QMargins margins = row_->contentsMargins();
  int width = margins.left() + margins.right() + (withMore ? more_->sizeHint().width() + row_->spacing() : 0);
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (shown[i]) width += minWidth(*parts_[i].widget) + row_->spacing();
  return width;
}

std::vector<bool> ToolRow::fitting() const {
  std::vector<bool> shown;
  for (const Part& part : parts_) shown.push_back(part.isOffered);
  if (widthOf(shown, false) <= width()) return shown;
  for (std::size_t i = parts_.size(); i-- > 0 && widthOf(shown, true) > width();)
    if (parts_[i].kind != Kind::Fixed) shown[i] = false;
  // A line that parts nothing any more.
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool isLast = i + 1 == parts_.size() || !shown[i + 1];
    if (parts_[i].kind == Kind::Separator && isLast) shown[i] = false;
  }
  return shown;
}

void ToolRow::fit() {
  const std::vector<bool> shown = fitting();
  bool hasMore = false;
  bool hidesFocus = false;
  for (std::size_t i = 0; i < parts_.size(); ++i) {
    const bool isMissing = parts_[i].isOffered && !shown[i] && parts_[i].kind == Kind::Tool;
    hasMore |= isMissing;
    hidesFocus |= isMissing && parts_[i].widget->hasFocus();
  }
  more_->setVisible(hasMore);
  if (hidesFocus) more_->setFocus(Qt::OtherFocusReason);
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].widget->isHidden() == shown[i]) parts_[i].widget->setVisible(shown[i]);
  if (shown == shown_ && menu_->isEmpty() != hasMore) return;
  shown_ = shown;
  fillMenu(shown);
}

void ToolRow::fillMenu(const std::vector<bool>& shown) {
  menu_->clear();
  for (std::size_t i = 0; i < parts_.size(); ++i)
    if (parts_[i].kind == Kind::Tool && parts_[i].isOffered && !shown[i])
      addEntries(static_cast<const QAbstractButton*>(parts_[i].widget));
}

void ToolRow::addEntries(const QAbstractButton* button) {
  const auto* tool = qobject_cast<const QToolButton*>(button);
  if (tool && tool->defaultAction()) {
    menu_->addAction(tool->defaultAction());
    if (tool->menu()) menu_->addMenu(tool->menu());
    return;
  }
  QMenu* more = tool ? tool->menu() : nullptr;
  QAction* entry = more ? menu_->addMenu(more) : menu_->addAction(button->icon(), nameOf(*button));
  if (more) return;
  entry->setEnabled(button->isEnabled());
  entry->setCheckable(button->isCheckable());
  entry->setChecked(button->isChecked());
  connect(entry, &QAction::triggered, button, &QAbstractButton::click);
}

QSize ToolRow::sizeHint() const {
  const QMargins margins = row_->contentsMargins();
  QSize size(margins.left() + margins.right(), minimumSizeHint().height());
  for (const Part& part : parts_)
    if (part.isOffered) size.rwidth() += part.widget->sizeHint().width() + row_->spacing();
  return size;
}

QSize ToolRow::minimumSizeHint() const {
  std::vector<bool> min;
  int height = more_->sizeHint().height();
  bool hasTools = false;
  for (const Part& part : parts_) {
    hasTools |= part.isOffered && part.kind == Kind::Tool;
    min.push_back(part.isOffered && part.kind == Kind::Fixed);
    if (part.isOffered && part.kind != Kind::Separator)
      height = std::max(height, part.widget->sizeHint().height());
  }
  const QMargins margins = row_->contentsMargins();
  return {widthOf(min, hasTools), height + margins.top() + margins.bottom()};
}

bool ToolRow::event(QEvent* event) {
  const bool handled = QWidget::event(event);
  if (event->type() == QEvent::LayoutRequest || event->type() == QEvent::Show) fit();
  return handled;
}

void ToolRow::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fit();
}

}  // namespace lockstep
