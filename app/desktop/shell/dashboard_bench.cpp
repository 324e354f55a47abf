// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/shell/dashboard_bench.h"

#include <QApplication>
#include <QJsonDocument>
#include <QJsonObject>
#include <QKeyEvent>
#include <algorithm>
#include <cstdio>

#include "app/desktop/window/start_time.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"

namespace lockstep {
namespace {

constexpr int kTickMs = 5;
constexpr qint64 kStallMs = 50;
constexpr qint64 kQuietMs = 3000;  // nothing new for so long: the run is read
constexpr qint64 kTimeoutMs = 600'000;
constexpr QSize kWindow(1920, 1080);  // six charts are in sight

/// In, to the right, to the left, and out again.
Qt::Key keyOf(int frame) {
  constexpr int kZooms = 6, kMoves = 12;
  const int at = frame % (2 * (kZooms + kMoves));
  if (at < kZooms) return Qt::Key_Plus;
  if (at < kZooms + kMoves) return Qt::Key_Right;
  if (at < kZooms + 2 * kMoves) return Qt::Key_Left;
  return Qt::Key_Minus;
}

double part(const std::vector<double>& sorted, double share) {
  return sorted[static_cast<std::size_t>(share * static_cast<double>(sorted.size() - 1))];
}

}  // namespace

DashboardBench::DashboardBench(Application& application) : application_(application) {
  connect(&application, &Application::started, this, &DashboardBench::begin);
  connect(&application.runs(), &RunsController::notFound, this,
          [this](const Error& error) { fail(toQString(describe(error))); });
  timer_.setInterval(kTickMs);
  connect(&timer_, &QTimer::timeout, this, &DashboardBench::look);
}

Dashboard& DashboardBench::dashboard() const {
  return *application_.window().runPage()->dashboard();
}

void DashboardBench::begin() {
  application_.window().resize(kWindow);
  application_.window().show();
  sinceAsked_.start();
  sinceTick_.start();
  timer_.start();
  application_.runs().open(application_.options().benchRun);
}

QList<MetricPlot*> DashboardBench::charts() const {
  QList<MetricPlot*> charts = dashboard().findChildren<MetricPlot*>();
  charts.removeIf([](const MetricPlot* chart) { return chart->visibleRegion().isEmpty(); });
  return charts;
}

bool DashboardBench::isPictureWhole() const {
  const auto isWhole = [](const MetricPlot* chart) { return chart->hasData() && chart->isWhole(); };
  return !charts().isEmpty() && std::ranges::all_of(charts(), isWhole);
}

void DashboardBench::look() {
  if (sinceTick_.restart() > kStallMs) ++stalls_;
  if (const MetricStore* const samples = &dashboard().samples();
      samples != samples_ && !samples->ranks().empty()) {
    if (samples_ == nullptr && application_.options().benchCards > 0)
      dashboard().showCharts(application_.options().benchCards);
    samples_ = samples;
    loadedMs_ = sinceAsked_.elapsed();
  }
  if (first_.ms < 0 && isPictureWhole())
    first_ = {sinceAsked_.elapsed(), application_.runs().metricBytesRead(),
              dashboard().samples().ranks().size()};
  if (sinceAsked_.elapsed() > kTimeoutMs || (samples_ == nullptr && sinceAsked_.elapsed() > 60'000))
    return fail(QStringLiteral("the run has no samples, or does not end"));
  if (samples_ != nullptr && sinceAsked_.elapsed() - loadedMs_ > kQuietMs) move();
}

void DashboardBench::move() {
  timer_.stop();
  if (charts().isEmpty())
    return fail(QStringLiteral("the layout has no chart to be moved: ask for some by --cards"));
  MetricPlot* const plot = charts().first();
  std::vector<double> frames;
  for (int frame = 0; frame < application_.options().benchFrames; ++frame) {
    QElapsedTimer spent;
    spent.start();
    QKeyEvent key(QEvent::KeyPress, keyOf(frame), Qt::NoModifier);
    QApplication::sendEvent(plot, &key);
    QApplication::processEvents();  // the charts are drawn
    QApplication::processEvents();  // and painted
    frames.push_back(static_cast<double>(spent.nsecsElapsed()) / 1e6);
    if (frames.back() > kStallMs) ++stalls_;
  }
  report(std::move(frames));
}

void DashboardBench::report(std::vector<double> frames) {
  std::sort(frames.begin(), frames.end());
  const QJsonObject times{{QStringLiteral("p50"), part(frames, 0.5)},
                          {QStringLiteral("p99"), part(frames, 0.99)},
                          {QStringLiteral("max"), frames.back()}};
  const QJsonObject line{
      {QStringLiteral("firstPictureMs"), first_.ms},
      {QStringLiteral("firstPictureBytes"), static_cast<qint64>(first_.bytes)},
      {QStringLiteral("firstPictureRanks"), static_cast<qint64>(first_.ranks)},
      {QStringLiteral("loadedMs"), loadedMs_},
      {QStringLiteral("frameMs"), times},
      {QStringLiteral("stallsOver50ms"), stalls_},
      {QStringLiteral("samples"), static_cast<qint64>(dashboard().samples().sampleCount())},
      {QStringLiteral("ranks"), static_cast<qint64>(dashboard().samples().ranks().size())},
      {QStringLiteral("bytesRead"), static_cast<qint64>(application_.runs().metricBytesRead())},
      {QStringLiteral("charts"), static_cast<qint64>(charts().size())},
      {QStringLiteral("residentMb"), residentMegabytes()}};
  std::printf("%s\n", QJsonDocument(line).toJson(QJsonDocument::Compact).constData());
  QApplication::exit(0);
}

void DashboardBench::fail(const QString& why) {
  timer_.stop();
  std::fprintf(stderr, "lockstep-desktop: %s\n", qUtf8Printable(why));
  QApplication::exit(1);
}

}  // namespace lockstep
