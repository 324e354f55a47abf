// SPDX-License-Identifier: GPL-3.0-or-later
// What a frame costs while six charts side by side are zoomed and moved, as wall and as processor time.
//   chart_bench [FRAMES [RANKS STEPS]]        without ranks: 3, 16, 64 and 1,024 of them
#include <QApplication>
#include <QElapsedTimer>
#include <QGridLayout>
#include <QKeyEvent>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace {

using namespace lockstep;

constexpr std::string_view kNames[] = {metric::kLoss,       metric::kStepMs,     metric::kSamplesPerSecond,
                                       metric::kCpuPercent, metric::kGpuPercent, metric::kWaitMs};

std::shared_ptr<const MetricStore> drawn(int ranks, Step steps) {
  MetricStore store;
  for (int rank = 0; rank < ranks; ++rank) {
    std::vector<MetricSeriesBatch> batches;
    for (std::size_t name = 0; name < std::size(kNames); ++name) {
      MetricSeriesBatch batch{std::string(kNames[name]), Rank(rank), {}};
      for (Step i = 0; i < steps; ++i) {
        const auto noise =
            static_cast<double>((i * 7919 + rank * 104'729 + static_cast<Step>(name) * 31) % 1009);
        batch.points.push_back({i, TimePoint(std::chrono::milliseconds(90 * (i + 1))), 80 + noise / 50});
      }
      batches.push_back(std::move(batch));
    }
    store.add(batches);
  }
  return store.snapshot();
}

/// In, to the right, to the left, and out again, as lockstep-desktop --bench-dashboard.
Qt::Key keyOf(int frame) {
  constexpr int kZooms = 6, kMoves = 12;
  const int at = frame % (2 * (kZooms + kMoves));
  if (at < kZooms) return Qt::Key_Plus;
  if (at < kZooms + kMoves) return Qt::Key_Right;
  if (at < kZooms + 2 * kMoves) return Qt::Key_Left;
  return Qt::Key_Minus;
}

struct Page {
  QWidget window;
  std::vector<MetricPlot*> plots;

  explicit Page(const std::shared_ptr<const MetricStore>& samples) {
    auto* const grid = new QGridLayout(&window);
    for (const std::string_view name : kNames) {
      const int place = static_cast<int>(plots.size());
      plots.push_back(new MetricPlot(plotQuantity(name)));
      grid->addWidget(plots.back(), place / 2, place % 2);
      plots.back()->setSamples(samples);
      QObject::connect(plots.back(), &MetricPlot::viewChanged, &window, [this](const PlotView& view) {
        for (MetricPlot* plot : plots) plot->setView(view);
      });
    }
    window.resize(1200, 800);
    window.show();
  }
};

void print(const char* what, std::vector<double>& milliseconds) {
  std::sort(milliseconds.begin(), milliseconds.end());
  const auto at = [&](double share) {
    return milliseconds[static_cast<std::size_t>(share * static_cast<double>(milliseconds.size() - 1))];
  };
  std::printf("  %s ms: p50 %.2f, p90 %.2f, p99 %.2f, max %.2f", what, at(0.5), at(0.9), at(0.99), at(1));
}

void measure(int ranks, Step steps, int frames) {
  Page page(drawn(ranks, steps));
  QElapsedTimer since;
  since.start();
  for (MetricPlot* plot : page.plots) plot->refreshNow();
  QApplication::processEvents();
  std::printf("%d ranks x %lld steps: first whole picture %lld ms\n", ranks, steps, since.elapsed());
  std::vector<double> wall, processor;
  for (int frame = 0; frame < frames; ++frame) {
    const auto begin = std::clock();
    since.start();
    QKeyEvent key(QEvent::KeyPress, keyOf(frame), Qt::NoModifier);
    QApplication::sendEvent(page.plots.front(), &key);
    QApplication::processEvents();  // the charts are drawn
    QApplication::processEvents();  // and painted
    wall.push_back(static_cast<double>(since.nsecsElapsed()) / 1e6);
    processor.push_back(1e3 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  print("wall", wall);
  print("processor", processor);
  std::printf("  (%d frames of %zu charts)\n", frames, page.plots.size());
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  const int frames = argc > 1 ? std::max(1, std::atoi(argv[1])) : 360;
  if (argc == 4) {
    measure(std::max(1, std::atoi(argv[2])), std::max(2LL, std::atoll(argv[3])), frames);
    return 0;
  }
  measure(3, 20'000, frames);
  measure(16, 20'000, frames);
  measure(64, 20'000, frames);
  measure(1024, 2'000, frames);
}
