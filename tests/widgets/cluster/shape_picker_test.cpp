// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QCompleter>
#include <QDir>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "widgets/cluster/fields/shape_picker.h"
#include "widgets/cluster/fields/shape_table_model.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;

namespace {

int rowOf(const QAbstractItemModel& model, const QString& name) {
  for (int row = 0; row < model.rowCount(); ++row)
    if (model.index(row, ShapeTableModel::Name).data().toString() == name) return row;
  return -1;
}

/// A table with a price for one GPU shape and for one flex shape alone.
PriceTable somePrices() {
  PriceTable prices;
  prices.currency = "EUR";
  prices.asOf = "2026-01-31";
  prices.source = "a test";
  ShapePrice gpu;
  gpu.perGpuHour = 2.0;
  ShapePrice flex;
  flex.perOcpuHour = 0.025;
  flex.perGbHour = 0.0015;
  prices.shapes = {{"VM.GPU.A10.*", gpu}, {"VM.Standard.E4.Flex", flex}};
  return prices;
}

struct Stage {
  Stage() {
    picker.setPrices(somePrices());
    picker.resize(260, picker.sizeHint().height());
    picker.show();
    picker.activateWindow();
    if (!QTest::qWaitForWindowActive(&picker, 30'000)) qWarning("the picker did not become active");
    picker.setFocus();
  }
  ShapePicker picker;
};

}  // namespace

class ShapePickerTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void theModelIsSound() {
    for (const auto headings : {ShapeTableModel::Headings::Shown, ShapeTableModel::Headings::Omitted}) {
      ShapeTableModel model(headings);
      QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
      model.setPrices(somePrices());
      QVERIFY(model.rowCount() > 10);
    }
  }

  void groupsByGpuWithHeadingsThatCannotBeChosen() {
    ShapeTableModel model(ShapeTableModel::Headings::Shown);
    QVERIFY(model.isHeading(0));
    QCOMPARE(model.flags(model.index(0, 0)), Qt::NoItemFlags);
    const int gpu = rowOf(model, QStringLiteral("VM.GPU.A10.2"));
    const int cpu = rowOf(model, QStringLiteral("VM.Standard.E4.Flex"));
    QVERIFY(gpu > 0 && cpu > gpu);
    int headings = 0;
    for (int row = 0; row < model.rowCount(); ++row) headings += model.isHeading(row) ? 1 : 0;
    QCOMPARE(headings, 2);
  }

  void showsWhatMattersAndNeverAPriceOfZero() {
    ShapeTableModel model(ShapeTableModel::Headings::Omitted);
    model.setPrices(somePrices());
    const int row = rowOf(model, QStringLiteral("VM.GPU.A10.2"));
    QCOMPARE(model.index(row, ShapeTableModel::Gpus).data().toString(), QStringLiteral("2 × NVIDIA A10"));
    QCOMPARE(model.index(row, ShapeTableModel::GpuMemory).data().toString(), QStringLiteral("24 GB each"));
    QCOMPARE(model.index(row, ShapeTableModel::Price).data().toString(), QStringLiteral("4.00 EUR"));
    const int unpriced = rowOf(model, QStringLiteral("BM.GPU4.8"));
    QVERIFY(unpriced >= 0);
    const QModelIndex price = model.index(unpriced, ShapeTableModel::Price);
    QCOMPARE(price.data().toString(), QStringLiteral("—"));
    QCOMPARE(price.data(Qt::ToolTipRole).toString(), QStringLiteral("No price known"));
    const int flex = rowOf(model, QStringLiteral("VM.Standard.E4.Flex"));
    QCOMPARE(model.index(flex, ShapeTableModel::Price).data().toString(),
             QStringLiteral("0.0250 EUR per OCPU + 0.0015 EUR per GB"));
    QVERIFY(model.headerData(ShapeTableModel::Price, Qt::Horizontal, Qt::DisplayRole)
                .toString()
                .contains(QLatin1String("2026-01-31")));
  }

  void describesAShapeInOneLine() {
    const QString words = ShapePicker::describeShape(QStringLiteral("VM.GPU.A10.2"), somePrices());
    for (const char* part : {"2 × NVIDIA A10, 24 GB each", "OCPUs", "4.00 EUR/h (as of 2026-01-31)"})
      QVERIFY2(words.contains(QString::fromUtf8(part)), qPrintable(words));
    QVERIFY(ShapePicker::describeShape(QStringLiteral("BM.GPU4.8"), somePrices())
                .contains(QLatin1String("no price known")));
    QVERIFY(ShapePicker::describeShape(QStringLiteral("VM.Nonsense"), somePrices()).isEmpty());
  }

  void everyShapeOfTheCatalogueCanBeDescribed() {
    for (const Shape& shape : ShapeCatalogue::builtIn().shapes()) {
      const QString words = ShapePicker::describeShape(QString::fromStdString(shape.name), builtInPrices());
      QVERIFY2(!words.isEmpty() && !words.contains(QLatin1String(" 0.00 ")), shape.name.c_str());
    }
  }

  void takesAnyTextAndChoosesNothingByItself() {
    Stage stage;
    QCOMPARE(stage.picker.currentText(), QString());
    QTest::keyClicks(stage.picker.lineEdit(), QStringLiteral("VM.Future.9"));
    QCOMPARE(stage.picker.currentText(), QStringLiteral("VM.Future.9"));
  }

  void typingNarrowsTheTable() {
    Stage stage;
    QTest::keyClicks(stage.picker.lineEdit(), QStringLiteral("a10"));
    QCompleter* completer = stage.picker.completer();
    QVERIFY(completer->popup()->isVisible());
    QVERIFY(completer->completionCount() >= 2);
    QVERIFY(completer->completionCount() < completer->model()->rowCount());
    for (int row = 0; row < completer->completionCount(); ++row)
      QVERIFY(completer->completionModel()->index(row, 0).data().toString().contains(QLatin1String("A10"),
                                                                                     Qt::CaseInsensitive));
    QSignalSpy chosen(&stage.picker, &QComboBox::activated);
    QTest::keyClick(completer->popup(), Qt::Key_Down);
    QTest::keyClick(completer->popup(), Qt::Key_Return);
    QVERIFY2(stage.picker.currentText().contains(QLatin1String("A10")),
             qPrintable(stage.picker.currentText()));
  }

  void thePopupIsATableThatChoosesTheNameOfARow() {
    Stage stage;
    stage.picker.setEditText(QStringLiteral("VM.GPU.A10.1"));
    QSignalSpy chosen(&stage.picker, &QComboBox::activated);
    stage.picker.showPopup();
    QAbstractItemView* table = stage.picker.view();
    QTRY_VERIFY_WITH_TIMEOUT(table->isVisible(), 10'000);
    QCOMPARE(table->currentIndex().row(), rowOf(*table->model(), QStringLiteral("VM.GPU.A10.1")));
    if (const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES"); !folder.isEmpty()) {
      QDir().mkpath(folder);
      QVERIFY(table->window()->grab().save(folder + QStringLiteral("/shape-popup.png")));
    }
    const int row = rowOf(*table->model(), QStringLiteral("VM.GPU.A10.2"));
    const QRect cell = table->visualRect(table->model()->index(row, ShapeTableModel::Memory));
    QTest::mouseMove(table->viewport(), cell.center());
    QTest::qWait(300);  // Qt ignores a release too soon after the popup opened
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, cell.center());
    QTRY_COMPARE_WITH_TIMEOUT(stage.picker.currentText(), QStringLiteral("VM.GPU.A10.2"), 10'000);
    QVERIFY(!chosen.isEmpty());
    QVERIFY(stage.picker.toolTip().contains(QLatin1String("NVIDIA A10")));
  }
};

QTEST_MAIN(ShapePickerTest)
#include "shape_picker_test.moc"
