// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_filter_chips.h"

#include <QToolButton>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr qsizetype kLongestChip = 60;  // characters; all of it is in the tool tip

/// On one line, and '&' marks no key.
QString chipText(const QString& text) {
  const QString shown = text.size() > kLongestChip ? text.first(kLongestChip) + QStringLiteral("…") : text;
  return QString(shown).replace(QLatin1Char('&'), QLatin1String("&&"));
}

}  // namespace

LogFilterChips::LogFilterChips(QWidget* parent) : QWidget(parent) {
  auto* flow = new FlowLayout(this);
  flow->setContentsMargins(0, 0, 0, 0);
  setAccessibleRole(this, QAccessible::Grouping);
  setAccessibleName(tr("Filters in force"));
  hide();
}

void LogFilterChips::setChips(const std::vector<Chip>& chips) {
  // Later: the button that was pressed is one of them.
  for (QToolButton* old : findChildren<QToolButton*>()) {
    layout()->removeWidget(old);
    old->hide();
    old->setObjectName({});
    old->deleteLater();
  }
  for (const Chip& chip : chips) addChip(chip);
  if (chips.size() > 1)
    addChip({QStringLiteral("clearFilters"), tr("Clear all"), [this] { emit clearRequested(); }});
  setVisible(!chips.empty());
}

void LogFilterChips::addChip(const Chip& chip) {
  auto* button = new QToolButton(this);
  button->setObjectName(chip.name);
  button->setText(chipText(chip.text));
  button->setIcon(themedIcon(QStringLiteral("close"), IconColor::Muted));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setFocusPolicy(Qt::StrongFocus);
  button->setAccessibleName(tr("Take away the filter: %1").arg(chip.text));
  button->setToolTip(plainToolTip(tr("Take away the filter: %1").arg(chip.text)));
  connect(button, &QToolButton::clicked, this, [remove = chip.remove] { remove(); });
  layout()->addWidget(button);
  button->show();
}

}  // namespace lockstep
