// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/dashboard_tools.h"

#include <QHBoxLayout>
#include <QToolButton>

#include "metrics/rank_list.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/cards/curve_button.h"
#include "widgets/metrics/cards/layout_bar.h"
#include "widgets/metrics/cards/layout_list.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/line_rules_button.h"
#include "widgets/metrics/rank_legend.h"
#include "widgets/metrics/rank_menu.h"
#include "widgets/metrics/rank_picker.h"

namespace lockstep {

DashboardTools::DashboardTools(LayoutList* layouts, QWidget* parent)
    : QWidget(parent),
      row_(new ToolRow(this)),
      layouts_(new LayoutBar(layouts, this)),
      legend_(new RankLegend(this)),
      choice_(new QWidget(this)),
      picker_(new RankPicker(choice_)),
      menu_(new RankMenu(choice_)),
      curves_(new CurveButton(this)),
      lineRules_(new LineRulesButton(this)) {
  createRanks();
  createHistory();
  row_->setMargins({2, 0, 2, 0});
  row_->addWidget(layouts_);
  row_->addWidget(legend_, 1);
  row_->addWidget(choice_, 1);
  row_->setOffered(choice_, false);
  row_->addWidget(curves_);
  row_->addButton(lineRules_);
  row_->setOffered(lineRules_, false);
  for (QToolButton* const button : {back_, forward_, showAll_}) row_->addButton(button);
  auto* const column = new QHBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(row_);
  connect(layouts_, &LayoutBar::addRequested, this, &DashboardTools::addRequested);
  const auto show = [this, layouts] { curves_->showLayout(layouts->current()); };
  connect(layouts, &LayoutList::currentChanged, this, show);
  show();
}

void DashboardTools::createRanks() {
  choice_->setProperty("lockstepTools", true);  // looks as the other tools do
  auto* const row = new QHBoxLayout(choice_);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(2);
  row->addWidget(picker_, 1);
  row->addWidget(menu_);
  connect(menu_, &RankMenu::chosen, picker_, &RankPicker::setText);
  connect(picker_, &RankPicker::chosenChanged, this, &DashboardTools::ranksChanged);
  connect(legend_, &RankLegend::hiddenRanksChanged, this, &DashboardTools::ranksChanged);
}

QToolButton* DashboardTools::makeButton(const char* name, const char* icon, const QString& text,
                                        const QString& toolTip) {
  auto* const button = new QToolButton(this);
  button->setObjectName(QString::fromLatin1(name));
  button->setText(text);
  button->setAccessibleName(text);
  button->setToolTip(plainToolTip(toolTip));
  button->setAutoRaise(true);
  button->setEnabled(false);
  if (*icon != '\0') button->setIcon(themedIcon(QString::fromLatin1(icon)));
  return button;
}

void DashboardTools::createHistory() {
  back_ =
      makeButton("viewBack", "left", tr("View before"), tr("The steps that were in view before (Alt+Left)"));
  forward_ = makeButton("viewForward", "right", tr("View after"),
                        tr("The steps that were in view after (Alt+Right)"));
  showAll_ =
      makeButton("showAll", "", tr("All steps"), tr("Show all steps in every plot (double click on a plot)"));
  connect(back_, &QToolButton::clicked, this, &DashboardTools::backRequested);
  connect(forward_, &QToolButton::clicked, this, &DashboardTools::forwardRequested);
  connect(showAll_, &QToolButton::clicked, this, &DashboardTools::allRequested);
}

void DashboardTools::setRanks(const std::vector<Rank>& ranks) {
  const bool isMany = ranks.size() > MetricPlot::kMaxCurves;
  legend_->setRanks(isMany ? std::vector<Rank>() : ranks);
  picker_->setEnd(isMany ? ranks.back().value + 1 : 0);
  row_->setOffered(legend_, !isMany);
  row_->setOffered(choice_, isMany);
}

void DashboardTools::setNodes(const std::vector<RankNode>& nodes) {
  menu_->setNodes(nodes);
}

void DashboardTools::setSamples(const std::shared_ptr<const MetricStore>& samples) {
  menu_->setMetrics(samples);
  curves_->setMetrics(samples);
}

void DashboardTools::setReadsLines(bool readsLines) {
  row_->setOffered(lineRules_, readsLines);
}

void DashboardTools::clearRanks() {
  picker_->clear();
}

void DashboardTools::chooseRanks(const std::vector<Rank>& ranks) {
  if (ranks.size() <= MetricPlot::kMaxCurves) picker_->setText(toQString(rankListText(ranks)));
}

void DashboardTools::toggleRank(Rank rank) {
  std::set<Rank> ranks = chosenRanks();
  if (ranks.erase(rank) == 0) ranks.insert(rank);
  chooseRanks({ranks.begin(), ranks.end()});
}

void DashboardTools::setStale(const std::vector<StaleRank>& stale) {
  legend_->setStale(stale);
}

const std::set<Rank>& DashboardTools::hiddenRanks() const {
  return legend_->hiddenRanks();
}

const std::set<Rank>& DashboardTools::chosenRanks() const {
  return picker_->chosen();
}

void DashboardTools::setHistory(bool hasBack, bool hasForward, bool showsAll) {
  back_->setEnabled(hasBack);
  forward_->setEnabled(hasForward);
  showAll_->setEnabled(!showsAll);
}

}  // namespace lockstep
