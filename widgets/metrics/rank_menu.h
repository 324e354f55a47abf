// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QToolButton>
#include <memory>
#include <vector>

#include "metrics/metric_store.h"
#include "widgets/metrics/rank_views/rank_node.h"

namespace lockstep {

/// Which of many ranks are to have a curve, without typing: those of a node, of the main node, of the workers, or the slowest.
/// What they are is found out when the menu opens. Entries with more ranks than kMaxChosen cannot be chosen.
class RankMenu : public QToolButton {
  Q_OBJECT
 public:
  static constexpr std::size_t kSlowest = 8, kMaxChosen = 64;

  explicit RankMenu(QWidget* parent = nullptr);

  void setNodes(const std::vector<RankNode>& nodes) { nodes_ = nodes; }
  void setMetrics(std::shared_ptr<const MetricStore> metrics) { metrics_ = std::move(metrics); }

 signals:
  /// A list such as "0-3, 17"; empty: none.
  void chosen(const QString& ranks);

 private:
  void fill();
  void add(QMenu* menu, const QString& text, const std::vector<Rank>& ranks);

  std::vector<RankNode> nodes_;
  std::shared_ptr<const MetricStore> metrics_;
};

}  // namespace lockstep
