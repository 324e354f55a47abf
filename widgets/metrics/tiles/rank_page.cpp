// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/tiles/rank_page.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/layout/elided_label.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/tiles/rank_tiles.h"

namespace lockstep {

RankPage::RankPage(QWidget* parent)
    : QWidget(parent),
      back_(new QToolButton(this)),
      title_(new PlainLabel(this)),
      node_(new ElidedLabel(this)),
      before_(new QToolButton(this)),
      next_(new QToolButton(this)),
      tiles_(new RankTiles(this)) {
  setObjectName(QStringLiteral("rankPage"));
  back_->setObjectName(QStringLiteral("backToCards"));
  back_->setText(tr("Back"));
  back_->setIcon(themedIcon(QStringLiteral("left")));
  back_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  back_->setAutoRaise(true);
  back_->setToolTip(tr("Back to the cards (Escape)"));
  makeHeading(title_);
  node_->setMuted(true);
  const auto turn = [this](QToolButton* button, const char* icon, const QString& text, int by) {
    button->setIcon(themedIcon(QString::fromLatin1(icon)));
    button->setAutoRaise(true);
    button->setToolTip(plainToolTip(text));
    button->setAccessibleName(text);
    connect(button, &QToolButton::clicked, this, [this, by] {
      const auto at = std::ranges::find(ranks_, rank_) - ranks_.begin() + by;
      if (at >= 0 && at < std::ssize(ranks_)) setRank(ranks_[static_cast<std::size_t>(at)]);
    });
  };
  turn(before_, "up", tr("The rank before"), -1);
  turn(next_, "down", tr("The next rank"), 1);
  auto* const head = new QHBoxLayout;
  head->addWidget(back_);
  head->addWidget(title_);
  head->addWidget(node_, 1);
  head->addWidget(before_);
  head->addWidget(next_);
  auto* const column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(head);
  column->addWidget(tiles_, 1);
  setFocusProxy(tiles_);
  connect(back_, &QToolButton::clicked, this, &RankPage::backRequested);
}

void RankPage::setRank(Rank rank) {
  rank_ = rank;
  tiles_->setRank(rank);
  showTitle();
}

void RankPage::setMetrics(const std::shared_ptr<const MetricStore>& metrics) {
  ranks_ = metrics ? metrics->ranks() : std::vector<Rank>{};
  tiles_->setMetrics(metrics);
  showTitle();
}

void RankPage::setNodes(const std::vector<RankNode>& nodes) {
  nodes_ = nodes;
  showTitle();
}

void RankPage::setSteps(const TileSteps& steps) {
  tiles_->setSteps(steps);
}

void RankPage::refreshNow() {
  tiles_->setRank(rank_);
  tiles_->refreshNow();
}

void RankPage::showTitle() {
  title_->setText(tr("Rank %1").arg(rank_.value));
  const auto known = std::ranges::find(nodes_, rank_, &RankNode::rank);
  const QStringList said = known == nodes_.end() ? QStringList() : QStringList{known->node, known->state};
  node_->setText(said.join(QStringLiteral("  ")));
  before_->setEnabled(!ranks_.empty() && ranks_.front() < rank_);
  next_->setEnabled(!ranks_.empty() && rank_ < ranks_.back());
}

void RankPage::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape) return emit backRequested();
  QWidget::keyPressEvent(event);
}

}  // namespace lockstep
