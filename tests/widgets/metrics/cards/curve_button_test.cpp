// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/curve_button.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QSlider>
#include <QTest>

#include "metrics/layouts/built_in_layouts.h"

namespace lockstep {

class CurveButtonTest : public QObject {
  Q_OBJECT

  struct Made {
    CurveButton button;
    std::optional<int> card;
    std::optional<CurveOptions> options;
    int count = 0;

    Made() {
      button.showLayout(*findBuiltIn("Learning"));
      connect(&button, &CurveButton::chosen, &button,
              [this](std::optional<int> of, const std::optional<CurveOptions>& to) {
                card = of;
                options = to;
                ++count;
              });
    }
    [[nodiscard]] QComboBox* box(const char* name) const {
      return button.findChild<QComboBox*>(QString::fromLatin1(name));
    }
  };

 private slots:
  void showsHowTheLayoutIsDrawn() {
    const Made made;
    QCOMPARE(made.box("smoothing")->currentData().toInt(), static_cast<int>(CurveSmoothing::Debiased));
    QCOMPARE(made.button.findChild<QSlider*>()->value(), 600);
    QCOMPARE(made.box("curveTarget")->count(), 1 + 6);
    QCOMPARE(made.box("curveTarget")->itemText(1), QStringLiteral("Loss"));
    QCOMPARE(made.count, 0);
  }

  void asksForAllOrForOneCard() {
    Made made;
    made.box("scale")->setCurrentIndex(2);
    QVERIFY(made.options && made.options->scale == CurveScale::Logarithmic);
    QCOMPARE(made.options->smoothing, CurveSmoothing::Debiased);
    QCOMPARE(made.card, std::nullopt);
    made.box("curveTarget")->setCurrentIndex(2);
    QCOMPARE(made.count, 1);
    made.button.findChild<QSlider*>()->setValue(250);
    QCOMPARE(made.card, std::optional(1));
    QCOMPARE(made.options->amount, 0.25);
    made.box("xAxis")->setCurrentIndex(made.box("xAxis")->findData(static_cast<int>(CurveAxis::WallTime)));
    QCOMPARE(made.options->x, CurveAxis::WallTime);
  }

  void aCardThatIsDrawnOtherwiseCanBeAsAllAgain() {
    Made made;
    DashboardLayout layout = *findBuiltIn("Learning");
    layout.cards[0].curves = CurveOptions{};
    made.button.showLayout(layout);
    auto* const asAll = made.button.findChild<QToolButton*>(QStringLiteral("asAllCharts"));
    QVERIFY(!asAll->isEnabled());
    made.box("curveTarget")->setCurrentIndex(1);
    QVERIFY(asAll->isEnabled());
    QVERIFY2(!made.button.findChild<QSlider*>()->isEnabled(), "nothing is smoothed");
    asAll->click();
    QCOMPARE(made.card, std::optional(0));
    QVERIFY(!made.options);
  }

  void xAxesThatTheRunHasNotMeasuredCannotBeChosen() {
    Made made;
    const auto offered = [&made] {
      made.button.click();
      std::vector<CurveAxis> axes;
      const QComboBox* const box = made.box("xAxis");
      for (int i = 0; i < box->count(); ++i) {
        const bool isOffered = box->model()->flags(box->model()->index(i, 0)).testFlag(Qt::ItemIsEnabled);
        if (isOffered) axes.push_back(static_cast<CurveAxis>(box->itemData(i).toInt()));
        const QString why = box->itemData(i, Qt::ToolTipRole).toString();
        if (why.isEmpty() != isOffered) return std::vector<CurveAxis>();
      }
      made.button.findChild<QFrame*>(QStringLiteral("curvePanel"))->close();
      return axes;
    };
    using enum CurveAxis;
    const std::vector all{Steps, Epochs, RelativeTime, WallTime, Samples};
    made.button.show();
    QCOMPARE(offered(), all);  // nothing is known yet
    MetricStore store;
    const auto add = [&](std::string_view name, double value) {
      MetricSeriesBatch batch{std::string(name), Rank(0), {}};
      for (Step step = 0; step < 20; ++step)
        batch.points.push_back(
            {step, TimePoint(std::chrono::seconds(step + 1)), value + static_cast<double>(step) * 0.1});
      store.add(batch);
      made.button.setMetrics(store.snapshot());
    };
    made.button.setMetrics(store.snapshot());
    QCOMPARE(offered(), all);
    add(metric::kLoss, 1);
    QCOMPARE(offered(), (std::vector{Steps, RelativeTime, WallTime}));
    add(metric::kEpoch, 0);
    QCOMPARE(offered(), (std::vector{Steps, Epochs, RelativeTime, WallTime}));
    add(metric::kSamplesPerSecond, 640);
    QCOMPARE(offered(), (std::vector{Steps, Epochs, RelativeTime, WallTime}));
    add(metric::kStepMs, 100);
    QCOMPARE(offered(), all);
  }

  void anAxisThatComesToBeMeasuredIsOfferedWhileThePanelIsOpen() {
    Made made;
    MetricStore store;
    store.add({std::string(metric::kLoss), Rank(0), {{0, TimePoint{}, 1.0}}});
    made.button.setMetrics(store.snapshot());
    made.button.show();
    made.button.click();
    const auto isEnabled = [&](CurveAxis axis) {
      const QComboBox* const box = made.box("xAxis");
      const int row = box->findData(static_cast<int>(axis));
      return box->model()->flags(box->model()->index(row, 0)).testFlag(Qt::ItemIsEnabled);
    };
    QVERIFY2(!isEnabled(CurveAxis::WallTime), "no row has a time");
    store.add({std::string(metric::kLoss), Rank(0), {{1, TimePoint(std::chrono::seconds(9)), 1.0}}});
    made.button.setMetrics(store.snapshot());
    QVERIFY(!isEnabled(CurveAxis::Epochs));
    store.add({std::string(metric::kEpoch), Rank(0), {{2, TimePoint(std::chrono::seconds(10)), 1.0}}});
    made.button.setMetrics(store.snapshot());
    QVERIFY(isEnabled(CurveAxis::Epochs));
  }

  void thePanelOpensByTheButton() {
    Made made;
    made.button.show();
    made.button.click();
    auto* const panel = made.button.findChild<QFrame*>(QStringLiteral("curvePanel"));
    QVERIFY(panel->isVisible());
    for (const QComboBox* const box : panel->findChildren<QComboBox*>()) QVERIFY(box->isVisible());
    panel->close();
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::CurveButtonTest)
#include "curve_button_test.moc"
