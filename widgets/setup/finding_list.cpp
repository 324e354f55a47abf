// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/finding_list.h"

#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/theme/theme.h"
#include "widgets/setup/finding_card.h"

namespace lockstep {
namespace {

constexpr std::size_t kShownOfOneKind = 2;
constexpr std::size_t kWorthFolding = 2;  // a fold takes about as much room as one card

QVBoxLayout* makeColumn(QWidget* of) {
  auto* column = new QVBoxLayout(of);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  return column;
}

}  // namespace

FindingList::FindingList(std::span<const Finding> findings, QWidget* parent)
    : QWidget(parent), column_(makeColumn(this)) {
  for (auto rest = findings; !rest.empty();) {
    const auto another = std::find_if(rest.begin(), rest.end(), [&](const Finding& one) {
      return one.code.empty() || one.code != rest.front().code;
    });
    const auto length = std::max<std::size_t>(1, static_cast<std::size_t>(another - rest.begin()));
    addRun(rest.first(length));
    rest = rest.subspan(length);
  }
}

void FindingList::addRun(std::span<const Finding> run) {
  const bool isLong = run.size() >= kShownOfOneKind + kWorthFolding;
  const std::size_t shown = isLong ? kShownOfOneKind : run.size();
  for (const Finding& finding : run.first(shown)) column_->addWidget(new FindingCard(finding));
  if (isLong) addFold(run.subspan(shown));
}

void FindingList::addFold(std::span<const Finding> findings) {
  auto* fold = new QToolButton(this);
  fold->setCheckable(true);
  fold->setAutoRaise(true);
  fold->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  fold->setFocusPolicy(Qt::TabFocus);
  auto* others = new QWidget(this);
  auto* column = makeColumn(others);
  for (const Finding& finding : findings) column->addWidget(new FindingCard(finding));
  const int count = static_cast<int>(findings.size());
  const auto show = [this, fold, others, count](bool open) {
    fold->setIcon(themedIcon(open ? QStringLiteral("down") : QStringLiteral("right")));
    fold->setText(open ? tr("Show fewer") : tr("Show %Ln more of this kind", nullptr, count));
    others->setVisible(open);
    emit folded();
  };
  connect(fold, &QToolButton::toggled, this, show);
  column_->addWidget(fold, 0, Qt::AlignLeft);
  column_->addWidget(others);
  show(false);
}

}  // namespace lockstep
