// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card_picker.h"

#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QTest>
#include <QTreeView>

#include "widgets/common/theme/theme.h"
#include "widgets/metrics/cards/quantity_tree.h"

namespace lockstep {

class CardPickerTest : public QObject {
  Q_OBJECT

  static MetricStore measured() {
    MetricStore store;
    for (const std::string_view name : {metric::kLoss, metric::kStepMs})
      store.add({std::string(name), Rank(0), {{0, TimePoint{}, 1.0}}});
    store.add({"<b>validation</b>", Rank(0), {{0, TimePoint{}, 1.0}}});
    return store;
  }
  static QStandardItem* itemOf(const CardPicker& picker, std::string_view name, int column = 0) {
    const QuantityTree& tree = *picker.tree();
    for (int row = 0; row < tree.rowCount(); ++row)
      for (int child = 0; child < tree.item(row)->rowCount(); ++child)
        if (tree.item(row)->child(child)->data(QuantityTree::NameRole).toByteArray() ==
            QByteArray(name.data(), static_cast<qsizetype>(name.size())))
          return tree.item(row)->child(child, column);
    return nullptr;
  }
  static QPushButton* acceptOf(const CardPicker& picker) {
    for (auto* const button : picker.findChildren<QPushButton*>())
      if (button->isDefault()) return button;
    return nullptr;
  }
  static std::vector<std::string> namesOf(const DashboardCard& card) {
    std::vector<std::string> names;
    for (const CardQuantity& one : card.quantities) names.push_back(one.name);
    return names;
  }

 private slots:
  void whatTheRunMeasuresIsFirst() {
    const MetricStore store = measured();
    const CardPicker picker(&store, nullptr);
    QVERIFY(picker.tree()->item(0)->text().startsWith(QStringLiteral("Measured in this run")));
    QCOMPARE(picker.tree()->item(0)->child(0)->text(), QStringLiteral("Loss"));
    QCOMPARE(picker.tree()->item(2)->child(0)->text(), QStringLiteral("<b>validation</b>"));
    QVERIFY(picker.tree()->item(3)->text().startsWith(QStringLiteral("Not in this run")));
  }

  void whatTheRunDoesNotMeasureIsGreyAndSaysWhy() {
    const MetricStore store = measured();
    CardPicker picker(&store, nullptr);
    const QStandardItem* const here = itemOf(picker, metric::kLoss);
    QStandardItem* const missing = itemOf(picker, metric::kAccuracy);
    const QString reason = QStringLiteral("This run has not measured it");
    QVERIFY2(missing->toolTip().contains(reason), qPrintable(missing->toolTip()));
    QVERIFY(missing->data(Qt::AccessibleDescriptionRole).toString().contains(reason));
    QCOMPARE(missing->foreground().color(), mutedColor(QGuiApplication::palette()));
    QVERIFY(!here->toolTip().contains(reason) && here->foreground().style() == Qt::NoBrush);
    missing->setCheckState(Qt::Checked);  // a layout is also for other runs
    QCOMPARE(namesOf(picker.card()), std::vector{std::string(metric::kAccuracy)});
  }

  void tenThousandQuantitiesCanBeSearched() {
    std::vector<MetricSeriesBatch> batches;
    for (int i = 0; i < 10'000; ++i)
      batches.push_back({"layer." + std::to_string(i) + ".norm", Rank(0), {{0, TimePoint{}, 1.0}}});
    MetricStore store;
    store.add(batches);
    CardPicker picker(&store, nullptr);
    picker.show();
    QVERIFY(itemOf(picker, "layer.9999.norm") != nullptr);
    picker.findChild<QLineEdit*>(QStringLiteral("quantitySearch"))->setText(QStringLiteral("layer.9999"));
    QApplication::processEvents();
    itemOf(picker, "layer.9999.norm")->setCheckState(Qt::Checked);
    QCOMPARE(namesOf(picker.card()), std::vector<std::string>{"layer.9999.norm"});
  }

  void severalQuantitiesOnTwoAxes() {
    const MetricStore store = measured();
    CardPicker picker(&store, nullptr);
    QVERIFY(!acceptOf(picker)->isEnabled());
    itemOf(picker, metric::kStepMs)->setCheckState(Qt::Checked);
    itemOf(picker, metric::kLoss)->setCheckState(Qt::Checked);
    itemOf(picker, metric::kLoss, QuantityTree::RightAxisColumn)->setCheckState(Qt::Checked);
    QVERIFY(acceptOf(picker)->isEnabled());
    const DashboardCard card = picker.card();
    QCOMPARE(card.kind, CardKind::Chart);
    QCOMPARE(namesOf(card), (std::vector{std::string(metric::kStepMs), std::string(metric::kLoss)}));
    QCOMPARE(card.quantities[0].axis, CardAxis::Left);
    QCOMPARE(card.quantities[1].axis, CardAxis::Right);
  }

  void noMoreThanAChartMayHave() {
    CardPicker picker(nullptr, nullptr);
    std::size_t checked = 0;
    for (const MetricInfo& metric : metricCatalogue()) {
      QStandardItem* const item = itemOf(picker, metric.name);
      if (item == nullptr) continue;
      if (checked < DashboardLayout::kMaxQuantities) {
        item->setCheckState(Qt::Checked);
        ++checked;
      } else {
        QVERIFY2(!item->isEnabled(), metric.title);
      }
    }
    QCOMPARE(picker.card().quantities.size(), DashboardLayout::kMaxQuantities);
    itemOf(picker, metric::kLoss)->setCheckState(Qt::Unchecked);
    QVERIFY(itemOf(picker, metric::kGpuXid)->isEnabled());
  }

  void aHeatMapHasOneQuantityAndOthersNone() {
    const MetricStore store = measured();
    CardPicker picker(&store, nullptr);
    auto* const kind = picker.findChild<QComboBox*>(QStringLiteral("cardKind"));
    kind->setCurrentIndex(1);
    itemOf(picker, metric::kLoss)->setCheckState(Qt::Checked);
    itemOf(picker, metric::kStepMs)->setCheckState(Qt::Checked);
    QCOMPARE(picker.card().kind, CardKind::HeatMap);
    QCOMPARE(namesOf(picker.card()), std::vector{std::string(metric::kStepMs)});
    QCOMPARE(picker.card().rows, 2);
    kind->setCurrentIndex(3);
    QCOMPARE(picker.card().kind, CardKind::Tiles);
    QVERIFY(picker.card().quantities.empty());
    QVERIFY(acceptOf(picker)->isEnabled());
  }

  void typingFindsAndEnterTakes() {
    const MetricStore store = measured();
    CardPicker picker(&store, nullptr);
    picker.show();
    auto* const search = picker.findChild<QLineEdit*>(QStringLiteral("quantitySearch"));
    auto* const view = picker.findChild<QTreeView*>(QStringLiteral("quantities"));
    QTest::keyClicks(search, QStringLiteral("temperat"));
    QCOMPARE(view->model()->rowCount(), 1);
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(namesOf(picker.card()), std::vector{std::string(metric::kGpuTemperatureCelsius)});
    QVERIFY(search->text().isEmpty());
    QVERIFY(picker.isVisible());
    QTest::keyClick(search, Qt::Key_Down);
    QVERIFY(view->hasFocus() || !picker.isActiveWindow());
  }

  void aCardThatIsChangedKeepsTheRest() {
    DashboardCard card;
    card.quantities = {{"unknown_to_all", CardAxis::Right}};
    card.columns = 3;
    card.title = "Mine";
    CardPicker picker(nullptr, nullptr);
    picker.setCard(card);
    QVERIFY(picker.card() == card);
    itemOf(picker, metric::kLoss)->setCheckState(Qt::Checked);
    QCOMPARE(picker.card().columns, 3);
    QVERIFY(picker.card().title.empty());
    QCOMPARE(picker.card().quantities.size(), std::size_t{2});
  }

  void tenThousandQuantitiesAreFoundByTyping() {
    MetricStore store;
    std::vector<MetricSeriesBatch> batches;
    for (int i = 0; i < 10'000; ++i)
      batches.push_back({"layer_" + std::to_string(i), Rank(0), {{0, TimePoint{}, 1.0}}});
    store.add(batches);
    CardPicker picker(&store, nullptr);
    picker.show();
    auto* const search = picker.findChild<QLineEdit*>(QStringLiteral("quantitySearch"));
    search->setText(QStringLiteral("layer_9999"));
    QTest::keyClick(search, Qt::Key_Return);
    QCOMPARE(namesOf(picker.card()), std::vector{std::string("layer_9999")});
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::CardPickerTest)
#include "card_picker_test.moc"
