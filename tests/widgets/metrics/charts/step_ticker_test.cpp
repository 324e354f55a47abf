// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/step_ticker.h"

#include <QLocale>
#include <QTest>
#include <cmath>

#include "widgets/metrics/charts/value_ticker.h"

namespace lockstep {
namespace {

const auto kBegin = TimePoint(std::chrono::seconds(1'700'000'000));  // 2023-11-14 22:13:20 UTC

/// A step a second, 100 steps an epoch, 50 samples a step.
std::shared_ptr<const MetricStore> run(Step steps) {
  std::vector<MetricSeriesBatch> batches;
  const auto add = [&](std::string_view name, auto value) {
    MetricSeriesBatch batch{std::string(name), Rank(0), {}};
    for (Step i = 0; i < steps; ++i) batch.points.push_back({i, kBegin + std::chrono::seconds(i), value(i)});
    batches.push_back(std::move(batch));
  };
  add(metric::kLoss, [](Step) { return 1.0; });
  add(metric::kStepMs, [](Step) { return 1000.0; });
  add(metric::kSamplesPerSecond, [](Step) { return 50.0; });
  add(metric::kEpoch, [](Step i) { return std::floor(static_cast<double>(i) / 100); });
  MetricStore store;
  store.add(batches);
  return store.snapshot();
}

struct Ticks {
  QVector<double> steps;
  QStringList labels;
};

Ticks ticksOf(StepUnit unit, Step steps, const QCPRange& range) {
  StepTicker ticker;
  ticker.setTickCount(5);
  ticker.setScale(StepScale::make(unit, run(steps), metric::kLoss));
  Ticks ticks;
  QVector<QString> labels;
  QVector<double> between;
  ticker.generate(range, QLocale::c(), QLatin1Char('g'), 4, ticks.steps, &between, &labels);
  ticks.labels = QStringList(labels.begin(), labels.end());
  return ticks;
}

}  // namespace

class StepTickerTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() {
    qputenv("TZ", "UTC");
    tzset();
    QLocale::setDefault(QLocale(QLocale::English, QLocale::UnitedStates));
  }
  void cleanupTestCase() { QLocale::setDefault(QLocale::c()); }

  void stepsAreWhole() {
    StepTicker ticker;
    QVector<double> steps;
    QVector<QString> labels;
    ticker.generate({0, 3}, QLocale::c(), QLatin1Char('g'), 4, steps, nullptr, &labels);
    for (const double step : steps) QCOMPARE(step, std::round(step));
    ticker.generate({0, 4e6}, QLocale::c(), QLatin1Char('g'), 4, steps, nullptr, &labels);
    QVERIFY(labels.contains(QStringLiteral("2M")));
  }

  void largeValuesHaveNoPowersOfTen() {
    QVector<double> values;
    QVector<QString> labels;
    ValueTicker<QCPAxisTicker> linear;
    linear.generate({0, 8e10}, QLocale(), QLatin1Char('g'), 4, values, nullptr, &labels);
    QVERIFY2(labels.contains(QStringLiteral("20G")), qPrintable(QStringList(labels).join(QLatin1Char(' '))));
    linear.generate({0, 0.4}, QLocale(), QLatin1Char('g'), 4, values, nullptr, &labels);
    QVERIFY2(labels.contains(QStringLiteral("0.2")), qPrintable(QStringList(labels).join(QLatin1Char(' '))));
    ValueTicker<QCPAxisTickerLog> logarithmic;
    logarithmic.generate({1, 1e7}, QLocale(), QLatin1Char('g'), 4, values, nullptr, &labels);
    QVERIFY2(labels.contains(QStringLiteral("1M")), qPrintable(QStringList(labels).join(QLatin1Char(' '))));
  }

  void epochsStandWhereTheyBegin() {
    const Ticks ticks = ticksOf(StepUnit::Epoch, 1000, {50, 650});
    QVERIFY2(ticks.labels.contains(QStringLiteral("4")), qPrintable(ticks.labels.join(QLatin1Char(' '))));
    const double begin = ticks.steps[ticks.labels.indexOf(QStringLiteral("4"))];
    QVERIFY2(std::fabs(begin - 400) <= 1, qPrintable(QString::number(begin)));
    QVERIFY(!ticks.labels.contains(QStringLiteral("0")));  // it began before
  }

  void timesAreRound() {
    const Ticks since = ticksOf(StepUnit::RelativeTime, 1000, {0, 600});
    QCOMPARE(since.labels.join(QLatin1Char(' ')), QStringLiteral("0:00 2:00 4:00 6:00 8:00 10:00"));
    QVERIFY(std::fabs(since.steps[1] - 120) < 1);
    const Ticks wall = ticksOf(StepUnit::WallTime, 1000, {0, 600});
    QCOMPARE(wall.labels.join(QLatin1Char(' ')), QStringLiteral("22:14 22:16 22:18 22:20 22:22"));
    QVERIFY(std::fabs(wall.steps[0] - 40) < 1);
    const Ticks seconds = ticksOf(StepUnit::RelativeTime, 1000, {0, 40});
    QCOMPARE(seconds.labels.join(QLatin1Char(' ')), QStringLiteral("0 s 10 s 20 s 30 s 40 s"));
  }

  void samplesAreCounted() {
    const Ticks ticks = ticksOf(StepUnit::Samples, 1000, {0, 999});
    QCOMPARE(ticks.labels.join(QLatin1Char(' ')), QStringLiteral("10,000 20,000 30,000 40,000 50,000"));
    QVERIFY(std::fabs(ticks.steps[0] - 199) < 1);
  }

  void saysWhatIsReachedAtAStep() {
    const auto reached = [](StepUnit unit) {
      return reachedText(*StepScale::make(unit, run(1000), metric::kLoss), 320);
    };
    QCOMPARE(reached(StepUnit::Steps), QString());
    QCOMPARE(reached(StepUnit::Epoch), QStringLiteral("epoch 3"));
    QCOMPARE(reached(StepUnit::RelativeTime), QStringLiteral("5:20"));
    QCOMPARE(reached(StepUnit::WallTime), QStringLiteral("22:18:40"));
    QCOMPARE(reached(StepUnit::Samples), QStringLiteral("16,050 samples"));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::StepTickerTest)
#include "step_ticker_test.moc"
