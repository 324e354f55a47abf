// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/comparison/comparison_page.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

#include "base/clock.h"
#include "comparison/overlay.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/tool_row.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/text/text_difference_view.h"
#include "widgets/common/theme/theme.h"
#include "widgets/comparison/comparison_tables.h"
#include "widgets/comparison/verdict_text.h"
#include "widgets/metrics/charts/metric_texts.h"
#include "widgets/metrics/charts/overlay/overlay_plot.h"

namespace lockstep {

ComparisonPage::ComparisonPage(QWidget* parent)
    : QWidget(parent),
      verdict_(new PlainLabel(this)),
      loading_(new PlainLabel(tr("Reading what the runs have measured …"), this)),
      metric_(new QComboBox(this)),
      axis_(new QComboBox(this)),
      plot_(new OverlayPlot(this)),
      messages_(new MessageBar(this)),
      tabs_(new QTabWidget(this)),
      results_(new ComparisonTable(this)),
      differences_(new ComparisonTable(this)),
      from_(new QComboBox(this)),
      to_(new QComboBox(this)),
      texts_(new TextDifferenceView(this)) {
  verdict_->setWordWrap(true);
  verdict_->setAccessibleName(tr("Verdict"));
  makeHeading(verdict_);
  loading_->hide();
  texts_->setClosable(false);
  auto* choice = new QHBoxLayout;
  choice->addWidget(from_, 1);
  choice->addWidget(to_, 1);
  auto* textPage = new QWidget(this);
  auto* textLayout = new QVBoxLayout(textPage);
  textLayout->addLayout(choice);
  textLayout->addWidget(texts_, 1);
  from_->setAccessibleName(tr("The run whose text stands before"));
  to_->setAccessibleName(tr("The run whose text stands after"));
  tabs_->addTab(makeTable(results_, tr("Results of the runs")), tr("Results"));
  tabs_->addTab(makeTable(differences_, tr("Differences between the runs")), tr("Differences"));
  tabs_->addTab(textPage, tr("train.yaml"));
  auto* parts = new QSplitter(Qt::Vertical, this);
  parts->addWidget(plot_);
  parts->addWidget(tabs_);
  parts->setChildrenCollapsible(false);
  parts->setStretchFactor(0, 3);
  parts->setStretchFactor(1, 2);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(20, 16, 20, 16);
  layout->setSpacing(10);
  layout->addWidget(makeTools());
  layout->addWidget(messages_);
  layout->addWidget(verdict_);
  layout->addWidget(loading_);
  layout->addWidget(parts, 1);
  connect(metric_, &QComboBox::currentIndexChanged, this, &ComparisonPage::showQuantity);
  connect(axis_, &QComboBox::currentIndexChanged, this, &ComparisonPage::showQuantity);
  connect(from_, &QComboBox::currentIndexChanged, this, &ComparisonPage::showTexts);
  connect(to_, &QComboBox::currentIndexChanged, this, &ComparisonPage::showTexts);
}

QWidget* ComparisonPage::makeTools() {
  auto* row = new ToolRow(this);
  auto* back = new QAction(themedIcon(QStringLiteral("left")), tr("&Runs"), this);
  back->setToolTip(tr("Back to the runs (Esc)"));
  back->setShortcut(QKeySequence(Qt::Key_Escape));
  back->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  addAction(back);
  connect(back, &QAction::triggered, this, &ComparisonPage::backRequested);
  row->addTool(back, ToolRow::Place::Stays);
  row->addStretch();
  metric_->setAccessibleName(tr("Quantity"));
  metric_->setToolTip(tr("What the curves and the verdict are of"));
  axis_->addItem(tr("By step"));
  axis_->addItem(tr("By time"));
  axis_->setAccessibleName(tr("What the curves are laid over each other by"));
  row->addWidget(metric_);
  row->addWidget(axis_);
  return row;
}

QTreeView* ComparisonPage::makeTable(ComparisonTable* model, const QString& name) {
  auto* table = new QTreeView(this);
  table->setModel(model);
  table->setRootIsDecorated(false);
  table->setUniformRowHeights(true);
  table->setAlternatingRowColors(true);
  table->setAllColumnsShowFocus(true);
  table->setAccessibleName(name);
  table->header()->setSectionResizeMode(QHeaderView::Interactive);
  connect(model, &QAbstractItemModel::modelReset, table, [table] {
    for (int column = 0; column < table->model()->columnCount(); ++column)
      table->resizeColumnToContents(column);
  });
  return table;
}

void ComparisonPage::setRuns(std::vector<ComparedRun> runs) {
  runs_ = std::move(runs);
  messages_->clear();
  const auto labels = labelsOf(runs_);
  fillMetrics();
  for (QComboBox* box : {from_, to_}) {
    const QSignalBlocker blocker(box);
    const int before = box->currentIndex();
    box->clear();
    for (const std::string& label : labels) box->addItem(toShownLine(label));
    box->setCurrentIndex(before >= 0 && before < box->count() ? before
                         : box == from_                       ? 0
                         : box->count() > 1                   ? 1
                                                              : 0);
  }
  showTables();
  showTexts();
  showQuantity();
}

void ComparisonPage::fillMetrics() {
  const QSignalBlocker blocker(metric_);
  const QString before = metric_->currentData().toString();
  metric_->clear();
  for (const std::string& metric : metricsOf(runs_))
    metric_->addItem(titleOfResult(metric), toQString(metric));
  const int again = metric_->findData(before);
  metric_->setCurrentIndex(again >= 0 ? again : metric_->findData(toQString(mainMetricOf(runs_))));
}

void ComparisonPage::showQuantity() {
  const std::string metric = toStdString(metric_->currentData().toString());
  verdict_->setText(verdictText(runs_, metric));
  showCurves(metric);
}

void ComparisonPage::showCurves(const std::string& metric) {
  const OverlayAxis axis = axis_->currentIndex() == 1 ? OverlayAxis::Time : OverlayAxis::Steps;
  const auto labels = labelsOf(runs_);
  std::vector<OverlayPlot::Curve> curves;
  for (std::size_t i = 0; i < runs_.size(); ++i) {
    OverlayPlot::Curve& curve = curves.emplace_back();
    curve.name = toShownLine(labels[i]);
    if (!runs_[i].samples) continue;
    curve.extent = overlayExtent(*runs_[i].samples, metric, axis);
    if (!curve.extent) curve.name = tr("%1 (no samples)").arg(curve.name);
    curve.points = [samples = runs_[i].samples, metric, axis](double from, double to, int columns) {
      std::vector<QPointF> points;
      for (const OverlayPoint& point : overlayOf(*samples, metric, axis, from, to, columns))
        points.emplace_back(point.x, point.value);
      return points;
    };
  }
  const MetricInfo* info = findMetric(metric);
  plot_->setCurves(std::move(curves),
                   axis == OverlayAxis::Time ? tr("Seconds since the first step") : tr("Step"),
                   info == nullptr ? toShownLine(metric) : headingOfMetric(*info));
}

void ComparisonPage::showTables() {
  QStringList heads{QString()};
  for (const std::string& label : labelsOf(runs_)) heads << toShownLine(label);
  results_->setRows(heads, resultRows(runs_, SystemClock().now()));
  std::vector<QStringList> differences = differenceRows(runs_);
  tabs_->setTabText(1, tr("Differences (%1)").arg(differences.size()));
  differences_->setRows(heads, std::move(differences));
}

void ComparisonPage::showTexts() {
  const int from = from_->currentIndex(), to = to_->currentIndex();
  const int count = static_cast<int>(runs_.size());
  if (from < 0 || to < 0 || from >= count || to >= count) return;
  const TrainingRun& before = runs_[static_cast<std::size_t>(from)].run;
  const TrainingRun& after = runs_[static_cast<std::size_t>(to)].run;
  texts_->setTexts(toShownText(before.trainYaml), from_->currentText(), toShownText(after.trainYaml),
                   to_->currentText());
}

void ComparisonPage::setLoading(bool isLoading) {
  loading_->setVisible(isLoading);
}

void ComparisonPage::showError(const Error& error) {
  messages_->showError(error);
}

QString ComparisonPage::verdict() const {
  return verdict_->text();
}

}  // namespace lockstep
