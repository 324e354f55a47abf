// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_menu.h"

#include <QMenu>
#include <algorithm>
#include <map>

#include "metrics/grid/rank_order.h"
#include "metrics/rank_list.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

// An ampersand of a name is no mnemonic.
QString asEntry(const QString& name) {
  return QString(name).replace(QLatin1Char('&'), QStringLiteral("&&"));
}

}  // namespace

RankMenu::RankMenu(QWidget* parent) : QToolButton(parent), metrics_(std::make_shared<const MetricStore>()) {
  setObjectName(QStringLiteral("rankMenu"));
  setText(tr("Ranks"));
  setToolTip(tr("Draw the ranks of a node, the workers or the slowest"));
  setAccessibleDescription(toolTip());
  setPopupMode(InstantPopup);
  setAutoRaise(true);
  setMenu(new QMenu(this));
  connect(menu(), &QMenu::aboutToShow, this, &RankMenu::fill);
}

void RankMenu::add(QMenu* menu, const QString& text, const std::vector<Rank>& ranks) {
  const bool isTooMany = ranks.size() > kMaxChosen;
  QAction* const action =
      menu->addAction(isTooMany ? tr("%1 (%L2 ranks: too many curves)").arg(text).arg(ranks.size()) : text);
  action->setEnabled(!isTooMany && !ranks.empty());
  connect(action, &QAction::triggered, this, [this, ranks] { emit chosen(toQString(rankListText(ranks))); });
}

void RankMenu::fill() {
  menu()->clear();
  std::vector<Rank> slowest = slowestRanks(*metrics_, kSlowest);
  std::ranges::sort(slowest);
  add(menu(), tr("&Slowest %1").arg(kSlowest), slowest);
  std::map<QString, std::vector<Rank>> byNode;
  std::vector<QString> order;
  for (const RankNode& one : nodes_) {
    auto& ranks = byNode[one.node];
    if (ranks.empty()) order.push_back(one.node);
    ranks.push_back(one.rank);
  }
  if (!order.empty()) {
    // Rank 0 is on the main node, the others are the workers.
    std::vector<Rank> workers;
    for (const RankNode& one : nodes_)
      if (one.node != order.front()) workers.push_back(one.rank);
    add(menu(), tr("&Main node"), byNode[order.front()]);
    add(menu(), tr("&Workers"), workers);
    QMenu* const nodes = menu()->addMenu(tr("By &node"));
    for (const QString& node : order) add(nodes, asEntry(node), byNode[node]);
  }
  menu()->addSeparator();
  QAction* const none = menu()->addAction(tr("&None"));
  connect(none, &QAction::triggered, this, [this] { emit chosen(QString()); });
}

}  // namespace lockstep
