// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/cards_view.h"

#include <QAction>
#include <QLabel>
#include <QMenu>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>

#include "metrics/layouts/built_in_layouts.h"
#include "widgets/metrics/cards/card_grid.h"
#include "widgets/metrics/cards/card_picker.h"
#include "widgets/metrics/cards/card_texts.h"
#include "widgets/metrics/cards/layout_list.h"
#include "widgets/metrics/cards/quantity_tree.h"

namespace lockstep {

class CardsViewTest : public QObject {
  Q_OBJECT

  struct Shown {
    LayoutList layouts;
    CardsView view{&layouts, [](const DashboardCard&) {
                     auto* const body = new QLabel(QStringLiteral("body"));
                     body->setFocusPolicy(Qt::TabFocus);
                     return CardBody{body, nullptr, nullptr};
                   }};
    Shown() {
      view.resize(800, 600);
      view.show();
      view.showLayout();
    }
    [[nodiscard]] Card* at(std::size_t i) const { return view.grid()->cards()[i]; }
    [[nodiscard]] QStringList titles() const {
      QStringList titles;
      for (const Card* const card : view.grid()->cards()) titles << titleOfCard(card->card());
      return titles;
    }
    void measure(std::initializer_list<std::string_view> names) {
      MetricStore store;
      for (const std::string_view name : names)
        store.add({std::string(name), Rank(0), {{0, TimePoint{}, 1.0}}});
      view.setMetrics(store.snapshot());
    }
  };

 private slots:
  void cardsAreMovedSizedAndRemovedAndAllOfItUndone() {
    Shown shown;
    shown.view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&shown.view));
    const QStringList was = shown.titles();
    shown.at(1)->action(CardAction::Earlier)->trigger();
    QCOMPARE(shown.titles().first(), was[1]);
    shown.at(0)->action(CardAction::Wider)->trigger();
    shown.at(0)->action(CardAction::Taller)->trigger();
    QCOMPARE(shown.layouts.current().cards[0].columns, 2);
    QCOMPARE(shown.layouts.current().cards[0].rows, 2);
    emit shown.view.grid()->moved(0, 2);
    QCOMPARE(shown.titles()[2], was[1]);
    shown.at(2)->action(CardAction::Remove)->trigger();
    QVERIFY(!shown.titles().contains(was[1]));
    QCOMPARE(shown.layouts.undoStack()->undoText(), QStringLiteral("Remove the card %1").arg(was[1]));
    shown.at(0)->body()->setFocus();
    for (int i = 0; i < 5; ++i) QTest::keyClick(shown.at(0)->body(), Qt::Key_Z, Qt::ControlModifier);
    QCOMPARE(shown.titles(), was);
    QVERIFY(!shown.layouts.isChanged());
  }

  void theKeyboardDoesWhatTheMouseDoes() {
    Shown shown;
    const QStringList was = shown.titles();
    shown.view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&shown.view));
    shown.at(0)->body()->setFocus();
    QTest::keyClick(shown.at(0)->body(), Qt::Key_PageDown, Qt::ControlModifier | Qt::ShiftModifier);
    QCOMPARE(shown.titles()[1], was[0]);
    QTest::keyClick(shown.at(1)->body(), Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);
    QCOMPARE(shown.layouts.current().cards[1].columns, 2);
    QTest::keyClick(shown.at(1)->body(), Qt::Key_Return);
    QCOMPARE(shown.view.grid()->maximized(), shown.at(1));
    QTest::keyClick(shown.at(1)->body(), Qt::Key_Escape);
    QCOMPARE(shown.view.grid()->maximized(), nullptr);
    QTest::keyClick(shown.at(1)->body(), Qt::Key_Delete);
    QVERIFY(!shown.titles().contains(was[0]));
  }

  void anotherLayoutHasOtherCards() {
    Shown shown;
    for (const DashboardLayout& layout : builtInLayouts()) {
      QVERIFY(shown.layouts.choose(layout.name));
      QCOMPARE(shown.view.grid()->cards().size(), layout.cards.size());
    }
  }

  void whatTheRunHasNotIsNamedBelowOrHidden() {
    Shown shown;
    auto* const below = shown.view.findChild<QWidget*>(QStringLiteral("unmeasuredCards"));
    const auto isPlaced = [&](std::size_t card) { return !shown.at(card)->isHidden(); };
    // Before the first sample nobody knows.
    shown.measure({});
    QVERIFY(isPlaced(0) && isPlaced(1) && isPlaced(2));
    QVERIFY2(!isPlaced(3), "GPUs are shown where there are any");
    QVERIFY(!below->isVisible());
    shown.measure({metric::kLoss, metric::kCpuPercent});
    QVERIFY(isPlaced(0) && !isPlaced(1) && isPlaced(2) && !isPlaced(3));
    QVERIFY(below->isVisible());
    const auto named = below->findChildren<QToolButton*>();
    QCOMPARE(named.size(), 1);
    QCOMPARE(named[0]->text(), QStringLiteral("Samples per second"));
    QVERIFY(named[0]->accessibleName().contains(QStringLiteral("not measured")));
    shown.measure({metric::kLoss, metric::kCpuPercent, metric::kStepMs});
    QCOMPARE(below->findChildren<QToolButton*>(), named);  // nobody loses the focus while samples come
    shown.measure({metric::kLoss, metric::kCpuPercent, metric::kSamplesPerSecond, metric::kGpuPercent});
    QVERIFY(isPlaced(1) && isPlaced(3));
    QVERIFY(!below->isVisible());
  }

  void aCardIsAddedAndChanged() {
    Shown shown;
    const std::size_t was = shown.layouts.current().cards.size();
    shown.view.addCard();
    auto* picker = shown.view.findChild<CardPicker*>();
    QVERIFY(picker != nullptr && picker->isVisible());
    picker->tree()->setChosen({{std::string(metric::kGradientNorm), CardAxis::Left}});
    picker->accept();
    QCOMPARE(shown.titles().last(), QStringLiteral("Gradient norm"));
    QCOMPARE(shown.titles().size(), static_cast<qsizetype>(was + 1));
    QTRY_VERIFY(shown.view.findChild<CardPicker*>() == nullptr);
    shown.at(was)->action(CardAction::Edit)->trigger();
    picker = shown.view.findChild<CardPicker*>();
    QVERIFY(picker != nullptr);
    picker->tree()->setChosen({{std::string(metric::kStepMs), CardAxis::Left}});
    picker->reject();
    QCOMPARE(shown.titles().last(), QStringLiteral("Gradient norm"));
    QTRY_VERIFY(shown.view.findChild<CardPicker*>() == nullptr);
    shown.at(was)->action(CardAction::Edit)->trigger();
    picker = shown.view.findChild<CardPicker*>();
    picker->tree()->setChosen({{std::string(metric::kStepMs), CardAxis::Left}});
    picker->accept();
    QCOMPARE(shown.titles().last(), QStringLiteral("Step"));
  }

  void curvesAreThoseOfTheCardOrOfAll() {
    Shown shown;
    QSignalSpy told(&shown.view, &CardsView::curvesChanged);
    CurveOptions smooth;
    smooth.smoothing = CurveSmoothing::Gaussian;
    shown.view.setCurves(1, smooth);
    const auto toldOf = [&](std::size_t card) {
      CurveOptions last;
      for (const auto& one : told)
        if (one[0].value<QWidget*>() == shown.at(card)->body()) last = one[1].value<CurveOptions>();
      return last;
    };
    QVERIFY(toldOf(1) == smooth);
    QVERIFY(toldOf(0) == CurveOptions{});
    smooth.scale = CurveScale::Logarithmic;
    shown.view.setCurves(std::nullopt, smooth);
    QVERIFY(toldOf(0) == smooth);
    QVERIFY(toldOf(1) != smooth);
    shown.view.setCurves(1, std::nullopt);
    QVERIFY(toldOf(1) == smooth);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::CardsViewTest)
#include "cards_view_test.moc"
