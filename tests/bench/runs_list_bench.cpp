// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's list of runs costs: a keystroke in its search, a look of the history, a sort; until it is painted.
#include <QApplication>
#include <QLineEdit>
#include <QTreeView>
#include <algorithm>
#include <cstdio>
#include <ctime>

#include "metrics/metric_catalogue.h"
#include "widgets/runs/runs_model.h"
#include "widgets/runs/runs_page.h"

namespace {

using namespace lockstep;

constexpr int kRuns = 10'000, kRounds = 9;

std::vector<RunSummary> manyRuns() {
  std::vector<RunSummary> runs;
  for (int i = 0; i < kRuns; ++i) {
    RunSummary& run = runs.emplace_back();
    run.id = RunId("cifar-ddp-" + std::to_string(i));
    run.name = i % 7 == 0 ? "bert-" + std::to_string(i) : "cifar-ddp";
    run.profile = "TEAM";
    run.state = i % 5 == 0 ? RunState::Failed : RunState::Succeeded;
    run.created = TimePoint(std::chrono::seconds(1'700'000'000 - i * 60));
    run.finished = run.created + std::chrono::hours(1);
    run.nodes = 4;
    run.isPriced = true;
    run.perHour = 12.5;
    run.currency = "USD";
    run.nodeTime.ended = std::chrono::hours(4);
    if (i % 4 == 0) run.marks.tags = {"paper"};
    run.results = {{std::string(metric::kLoss), (i % 100) / 100.0, 1000, 0.1, 900, 0.5, 0.01}};
  }
  return runs;
}

/// Of this process: other programs of the machine do not count.
double processorMs() {
  return 1e3 * static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

template <class Work>
void measure(const char* name, Work work) {
  std::vector<double> times;
  for (int round = 0; round < kRounds; ++round) {
    const double before = processorMs();
    work(round);
    QApplication::processEvents();  // and paints
    times.push_back(processorMs() - before);
  }
  std::sort(times.begin(), times.end());
  std::printf("%-34s n=%d median %.2f ms of a processor, least %.2f, most %.2f\n", name, kRounds,
              times[kRounds / 2], times.front(), times.back());
}

}  // namespace

int main(int argc, char** argv) {
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  RunsPage page;
  page.resize(1280, 800);
  page.show();
  const std::vector<RunSummary> runs = manyRuns();
  const double before = processorMs();
  page.setRuns(runs);
  QApplication::processEvents();
  std::printf("%-34s n=1 %.2f ms of a processor\n", "first 10,000 runs", processorMs() - before);
  auto* field = page.findChild<QLineEdit*>();
  const char* words[] = {"b", "be", "ber", "bert", "bert tag:paper", "loss<0.5", "state:fail", "c", ""};
  measure("a keystroke in the search", [&](int round) { field->setText(QLatin1String(words[round])); });
  field->clear();
  measure("a look without news", [&](int) { page.setRuns(runs); });
  measure("a look with one other run", [&](int round) {
    auto changed = runs;
    changed[500].marks.note = std::to_string(round);
    page.setRuns(changed);
  });
  measure("a sort by result", [&](int round) {
    page.model()->sort(RunsModel::kResult, round % 2 ? Qt::AscendingOrder : Qt::DescendingOrder);
  });
  return 0;
}
