// SPDX-License-Identifier: GPL-3.0-or-later
// The cursor that all charts share, steps and boxes that are chosen, marks, and the end of a replay.
#include <qcustomplot.h>

#include <QLabel>
#include <QSignalSpy>

#include "chart_test_tools.h"
#include "widgets/common/theme/rank_palette.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/charts/plot_marks.h"

namespace lockstep {
namespace {

TimePoint second(double at) {
  return TimePoint(std::chrono::milliseconds(static_cast<long long>(at * 1000)));
}

}  // namespace

class ChartCursorTest : public QObject {
  Q_OBJECT

  MetricStore store_;
  std::unique_ptr<MetricPlot> plot_;

  [[nodiscard]] QCustomPlot* inner() const { return plot_->findChild<QCustomPlot*>(); }
  [[nodiscard]] QLabel* box() const { return inner()->findChild<QLabel*>(); }
  [[nodiscard]] QPoint at(double step, double height = 0.5) const {
    const QRect rect = inner()->axisRect()->rect();
    return {static_cast<int>(std::lround(inner()->xAxis->coordToPixel(step))),
            rect.top() + static_cast<int>(rect.height() * height)};
  }
  void drag(const QPoint& from, const QPoint& to, Qt::KeyboardModifiers keys) {
    QTest::mousePress(inner(), Qt::LeftButton, keys, from);
    for (const QPoint& on : {(from + to) / 2, to}) {
      QMouseEvent move(QEvent::MouseMove, on, inner()->mapToGlobal(on), Qt::NoButton, Qt::LeftButton, keys);
      QCoreApplication::sendEvent(inner(), &move);
    }
    QTest::mouseRelease(inner(), Qt::LeftButton, keys, to);
  }
  void hover(const QPoint& position) {
    QMouseEvent move(QEvent::MouseMove, position, inner()->mapToGlobal(position), Qt::NoButton, Qt::NoButton,
                     {});
    QCoreApplication::sendEvent(inner(), &move);
  }
  void make(const char* name = "loss") {
    plot_ = std::make_unique<MetricPlot>(quantityOf(name));
    plot_->setSamples(store_.snapshot());
    pictureOf(*plot_);
  }

 private slots:
  void init() {
    applyTheme(*qApp, ThemeMode::Light);
    store_ = {};
    for (int rank = 0; rank < 2; ++rank) store_.add(waveOf("loss", rank, rank + 1.0));
    for (int rank = 0; rank < 30; ++rank) store_.add(waveOf("many", rank, rank + 1.0));
  }
  void cleanup() { plot_.reset(); }

  void hoveringPointsAtASampleAndLeavingAtNone() {
    make();
    QSignalSpy moved(plot_.get(), &MetricPlot::cursorMoved);
    hover(at(50.3));
    QCOMPARE(moved.count(), 1);
    QVERIFY(plot_->cursor());
    QCOMPARE(plot_->cursor()->step, Step(50));
    QCOMPARE(plot_->cursor()->time, second(51));
    QVERIFY(box()->isVisible());
    QVERIFY(box()->text().contains(QStringLiteral("step 50")));
    hover(at(50.3));
    QCOMPARE(moved.count(), 1);
    QEvent leave(QEvent::Leave);
    QCoreApplication::sendEvent(inner(), &leave);
    QCOMPARE(moved.count(), 2);
    QVERIFY(!plot_->cursor());
    QVERIFY(!box()->isVisible());
  }

  void aCursorThatIsSetIsReadOutWhereItIs() {
    make("many");
    QSignalSpy moved(plot_.get(), &MetricPlot::cursorMoved);
    plot_->setCursor(ChartCursor{120, second(121)});
    QVERIFY(box()->isVisible());
    QVERIFY(box()->text().contains(QStringLiteral("Median")));
    QVERIFY2(std::abs(box()->x() - at(120).x()) < box()->width() + 20, "beside its line");
    plot_->setView({false, false, 0, 50});
    QVERIFY2(!box()->isVisible(), "it is not in sight");
    plot_->setView({});
    QVERIFY(box()->isVisible());
    plot_->setCursor(std::nullopt);
    QVERIFY(!box()->isVisible());
    QCOMPARE(moved.count(), 0);
  }

  void keysMoveItAndEscapeClearsIt() {
    make();
    QSignalSpy moved(plot_.get(), &MetricPlot::cursorMoved);
    QTest::keyClick(plot_.get(), Qt::Key_Left, Qt::ControlModifier);
    QVERIFY(plot_->cursor());
    QCOMPARE(plot_->cursor()->step, Step(199));
    QTest::keyClick(plot_.get(), Qt::Key_Left, Qt::ControlModifier);
    QCOMPARE(plot_->cursor()->step, Step(198));
    QTest::keyClick(plot_.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(plot_->cursor()->step, Step(199));
    QVERIFY(plot_->view().showsAll);
    QTest::keyClick(plot_.get(), Qt::Key_Escape);
    QVERIFY(!plot_->cursor());
    QCOMPARE(moved.count(), 4);
  }

  void keysReachASampleThatIsFarAway() {
    store_ = {};
    store_.add({"loss", Rank(0), {{0, second(1), 1.0}, {1000, second(2), 2.0}, {9000, second(3), 3.0}}});
    make();
    plot_->setCursor(ChartCursor{0, second(1)});
    QTest::keyClick(plot_.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(plot_->cursor()->step, Step(1000));
    QTest::keyClick(plot_.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(plot_->cursor()->step, Step(9000));
    QTest::keyClick(plot_.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(plot_->cursor()->step, Step(9000));
  }

  void theViewGoesAlongWithIt() {
    make();
    plot_->setView({false, false, 50, 60});
    plot_->setCursor(ChartCursor{60, second(61)});
    QTest::keyClick(plot_.get(), Qt::Key_Right, Qt::ControlModifier);
    QCOMPARE(plot_->cursor()->step, Step(61));
    QVERIFY(plot_->view().from > 50 && plot_->view().to >= 61);
  }

  void shiftAndDragChoosesSteps() {
    make();
    QSignalSpy brushed(plot_.get(), &MetricPlot::rangeBrushed);
    const PlotView before = plot_->view();
    drag(at(39.6), at(80.4), Qt::ShiftModifier);
    QCOMPARE(brushed.count(), 1);
    QVERIFY(std::abs(brushed[0][0].value<Step>() - 40) <= 1);
    QVERIFY(std::abs(brushed[0][1].value<Step>() - 80) <= 1);
    QCOMPARE(brushed[0][2].value<TimePoint>(), second(static_cast<double>(brushed[0][0].value<Step>() + 1)));
    QCOMPARE(plot_->view(), before);
    drag(at(40), at(40), Qt::ShiftModifier);
    QCOMPARE(brushed.count(), 1);
  }

  void keysChooseSteps() {
    make();
    QSignalSpy brushed(plot_.get(), &MetricPlot::rangeBrushed);
    plot_->setCursor(ChartCursor{100, second(101)});
    for (int i = 0; i < 3; ++i)
      QTest::keyClick(plot_.get(), Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(brushed.count(), 3);
    QCOMPARE(brushed.last()[0].value<Step>(), Step(100));
    QCOMPARE(brushed.last()[1].value<Step>(), Step(103));
    QTest::keyClick(plot_.get(), Qt::Key_Right, Qt::ControlModifier);
    QTest::keyClick(plot_.get(), Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(brushed.last()[0].value<Step>(), Step(103));
    QCOMPARE(brushed.last()[1].value<Step>(), Step(104));
  }

  void controlAndDragZoomsIntoABoxUntilAllIsShown() {
    make();
    QSignalSpy changed(plot_.get(), &MetricPlot::viewChanged);
    const QCPRange values = inner()->yAxis->range();
    drag(at(50, 0.25), at(100, 0.5), Qt::ControlModifier);
    QCOMPARE(changed.count(), 1);
    QVERIFY(std::fabs(plot_->view().from - 50) < 2 && std::fabs(plot_->view().to - 100) < 2);
    QVERIFY(inner()->yAxis->range().size() < values.size() * 0.3);
    QTest::keyClick(plot_.get(), Qt::Key_Right);
    QVERIFY2(inner()->yAxis->range().size() < values.size() * 0.3, "the box stays");
    QTest::keyClick(plot_.get(), Qt::Key_Home);
    QVERIFY(plot_->view().showsAll);
    QVERIFY(inner()->yAxis->range().size() > values.size() * 0.9);
    QTest::keyClick(plot_.get(), Qt::Key_Plus, Qt::ControlModifier);
    QVERIFY(inner()->yAxis->range().size() < values.size() * 0.8);
    plot_->showAll();
    QVERIFY(inner()->yAxis->range().size() > values.size() * 0.9);
  }

  void escapeGivesUpABox() {
    make();
    QTest::mousePress(inner(), Qt::LeftButton, Qt::ControlModifier, at(50));
    QTest::keyClick(plot_.get(), Qt::Key_Escape);
    QTest::mouseRelease(inner(), Qt::LeftButton, Qt::ControlModifier, at(100));
    QVERIFY(plot_->view().showsAll);
  }

  void marksAreSeenAndSpoken() {
    make();
    const int before = pixelsNear(pictureOf(*plot_), warningColor(plot_->palette()));
    plot_->setMarks(
        {{second(101), std::nullopt, QStringLiteral("<b>rank 3</b> came back"), ChartMark::Kind::Restart},
         {{}, Step(40), {}, ChartMark::Kind::Checkpoint},
         {{}, Step(9999), {}, ChartMark::Kind::Alert}});
    QVERIFY(pixelsNear(pictureOf(*plot_), warningColor(plot_->palette())) > before + 20);
    const QString spoken = plot_->textAlternative();
    QVERIFY2(spoken.contains(QStringLiteral("Restart at step 100: <b>rank 3</b> came back")),
             qPrintable(spoken));
    QVERIFY(spoken.contains(QStringLiteral("Checkpoint at step 40")));
    QVERIFY(!spoken.contains(QStringLiteral("9,999")) && !spoken.contains(QStringLiteral("9999")));
    PlotMarks* marks = nullptr;
    for (int i = 0; i < inner()->itemCount(); ++i)
      if (auto* const found = qobject_cast<PlotMarks*>(inner()->item(i))) marks = found;
    QVERIFY(marks);
    QVERIFY(marks->textAt(at(100, 0.01)).contains(QStringLiteral("Restart")));
    QVERIFY(marks->textAt(at(100, 0.6)).isEmpty());
    QVERIFY(marks->textAt(at(150, 0.01)).isEmpty());
  }

  void manyEvaluationsLeaveTheCurvesFree() {
    make();
    const QRect rect = inner()->axisRect()->rect().translated(inner()->mapTo(plot_.get(), QPoint()));
    const auto below = [&] { return pictureOf(*plot_).copy(rect.adjusted(0, 12, 0, 0)); };
    const auto atTop = [&] { return pictureOf(*plot_).copy(QRect(rect.topLeft(), QSize(rect.width(), 6))); };
    const QImage without = below(), edge = atTop();
    std::vector<ChartMark> marks;
    for (int i = 0; i < 100; ++i) marks.push_back({{}, Step(i * 2), {}, ChartMark::Kind::Evaluation});
    plot_->setMarks(marks);
    QCOMPARE(below(), without);
    QVERIFY(atTop() != edge);
    plot_->setMarks({marks.begin() + 40, marks.begin() + 42});
    QVERIFY(below() != without);
  }

  void tenThousandMarksDoNoHarm() {
    make();
    std::vector<ChartMark> marks;
    for (int i = 0; i < 10'000; ++i) marks.push_back({{}, Step(i % 200), {}, ChartMark::Kind::Alert});
    plot_->setMarks(marks);
    pictureOf(*plot_);
    QVERIFY(plot_->textAlternative().size() < 2000);
  }

  void nothingLaterThanTheEndIsDrawnOrTold() {
    make();
    plot_->setEnd(second(100));
    const QImage image = pictureOf(*plot_);
    const QRect rect = inner()->axisRect()->rect().translated(inner()->mapTo(plot_.get(), QPoint()));
    const QColor color = rankColor(Rank(0), plot_->palette());
    const auto part = [&](double from, double to) {
      return image.copy(rect.left() + static_cast<int>(rect.width() * from), rect.top(),
                        static_cast<int>(rect.width() * (to - from)), rect.height());
    };
    QVERIFY(pixelsNear(part(0, 0.48), color) > 50);
    QCOMPARE(pixelsNear(part(0.53, 1), color), 0);
    QVERIFY(plot_->textAlternative().contains(QStringLiteral("at step 99")));
    QVERIFY(plot_->view().showsAll);
    plot_->setEnd(second(0.5));
    pictureOf(*plot_);
    QVERIFY(plot_->drawnRanks().empty());
    plot_->setEnd(std::nullopt);
    QVERIFY(pixelsNear(
                pictureOf(*plot_).copy(rect.center().x() + 20, rect.top(), rect.width() / 3, rect.height()),
                color) > 50);
  }

  void beforeARestartNothingOfItIsDrawn() {
    store_ = {};
    for (int rank = 0; rank < 30; ++rank) {
      auto batch = waveOf("loss", rank, 1);
      for (Step i = 100; i < 200; ++i)
        batch.points.push_back({i, second(1000.0 + static_cast<double>(i)), 50.0});
      store_.add(batch);
    }
    for (const int hidden : {0, 20}) {  // as a band, and as curves
      make();
      std::set<Rank> ranks;
      for (int rank = 0; rank < hidden; ++rank) ranks.insert(Rank(rank));
      plot_->setHiddenRanks(ranks);
      pictureOf(*plot_);
      QVERIFY(inner()->yAxis->range().upper > 40);
      plot_->setEnd(second(500));
      pictureOf(*plot_);
      QVERIFY(inner()->yAxis->range().upper < 2);
      plot_->setEnd(second(5000));
      pictureOf(*plot_);
      QVERIFY(inner()->yAxis->range().upper > 40);
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::ChartCursorTest)
#include "chart_cursor_test.moc"
