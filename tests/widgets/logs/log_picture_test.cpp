// SPDX-License-Identifier: GPL-3.0-or-later
// The log pane with everything that it shows, in both themes, small and large: no button is cut off, and the pane is no
// wider than what it is given. With LOCKSTEP_PICTURES set to a folder, what was looked at is left there.
#include <QAbstractButton>
#include <QLineEdit>
#include <QTest>
#include <QToolButton>

#include "made_up_log.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/filters/log_highlighters_dialog.h"
#include "widgets/logs/log_matches.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"

namespace lockstep {
namespace {

const std::vector<std::string> kTexts{
    "[node] worker_1 joined, 4 ranks",
    "h1:17:18 [0] NCCL INFO Bootstrap : Using eth0:10.0.1.7<0>",
    "h1:17:18 [0] NCCL INFO Channel 00/02 : 0 1 2 3",
    "h1:17:18 [0] NCCL WARN Connect to 10.0.1.9<44321> failed, trying again",
    "Epoch 1:  12%|#2        | 12/100 [00:03<00:22, 3.91it/s]",
    "Epoch 1:  57%|#####7    | 57/100 [00:14<00:11, 3.95it/s]",
    "\033[32mINFO\033[0m epoch 1 step 200 \033[1mloss\033[0m 0.4123 \033[90mlr 3.0e-4\033[0m",
    "WARNING: the loader waits for the disk",
    "Traceback (most recent call last):",
    "  File \"/code/train.py\", line 88, in step",
    "    loss.backward()",
    "torch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 3.00 GiB",
    "\033[48;5;52;38;5;203mFAILED\033[0m shard 17 \a of \033[38;2;255;170;0mweights\033[0m",
    "epoch 1 step 201 loss 0.4101"};

std::vector<LogLine> drawnLog() {
  std::vector<LogLine> lines;
  for (int i = 0; i < 600; ++i) {
    LogLine line;
    const auto block = static_cast<std::size_t>(i) / kTexts.size();
    line.text = kTexts[static_cast<std::size_t>(i) % kTexts.size()];
    line.time = TimePoint(std::chrono::seconds(1'767'225'600) + std::chrono::milliseconds(i * 137));
    if (i % 14 != 0) line.rank = Rank(static_cast<int>(block % 12));
    line.node = "worker_" + std::to_string(block % 3);
    line.level = levelOf(line.text);
    lines.push_back(std::move(line));
  }
  return lines;
}

void fill(LogView& view) {
  view.setLog(snapshotOf(drawnLog()));
  view.setRetention(TimePoint(std::chrono::seconds(4'102'444'800)));
  view.openFind();
  view.findChild<QLineEdit*>(QStringLiteral("findText"))->setText(QStringLiteral("loss"));
  view.findNext();
  view.showOnlyRanks({Rank(0), Rank(1), Rank(4)});
  view.table()->setFocus();
  view.table()->showRow(3);
  QTest::keyClick(view.table(), Qt::Key_M);
  view.setCursorTime(view.model()->lineAt(5).time);
}

void expectWholeButtons(const QWidget& view) {
  for (const auto* button : view.findChildren<QAbstractButton*>()) {
    const auto* tool = qobject_cast<const QToolButton*>(button);
    const bool isIcon = tool && tool->toolButtonStyle() == Qt::ToolButtonIconOnly && !tool->icon().isNull();
    if (!button->isVisible() || button->text().isEmpty() || isIcon) continue;
    QVERIFY2(button->width() >= button->fontMetrics().horizontalAdvance(button->text()),
             qPrintable(button->text()));
    QVERIFY2(button->height() >= button->fontMetrics().height(), qPrintable(button->text()));
  }
}

void keepPicture(QWidget& widget, const QString& name) {
  const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
  if (!folder.isEmpty())
    QVERIFY(widget.grab().save(folder + QLatin1Char('/') + name + QStringLiteral(".png")));
}

}  // namespace

class LogPictureTest : public QObject {
  Q_OBJECT

  QFont font_;

 private slots:
  void initTestCase() { font_ = QApplication::font(); }

  void thePaneIsWhole_data() {
    QTest::addColumn<int>("width");
    QTest::addColumn<int>("percent");
    QTest::addColumn<bool>("dark");
    QTest::newRow("log-light") << 1200 << 100 << false;
    QTest::newRow("log-dark") << 1200 << 100 << true;
    QTest::newRow("log-narrow") << 640 << 100 << false;
    QTest::newRow("log-large") << 1200 << 200 << true;
  }
  void thePaneIsWhole() {
    QFETCH(int, width);
    QFETCH(int, percent);
    QFETCH(bool, dark);
    QFont font = font_;
    font.setPointSizeF(font_.pointSizeF() * percent / 100);
    QApplication::setFont(font);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light);
    LogView view;
    view.resize(width, 620);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    view.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    view.table()->setFocus();
    fill(view);
    QTRY_VERIFY(view.matches()->model()->rowCount() > 0);
    QTest::qWait(50);
    QVERIFY2(view.minimumSizeHint().width() <= width,
             qPrintable(QString::number(view.minimumSizeHint().width())));
    expectWholeButtons(view);
    QVERIFY(view.table()->viewport()->height() > 3 * view.table()->fontMetrics().height());
    keepPicture(view, QString::fromLatin1(QTest::currentDataTag()));
  }

  void theDialogIsWhole() {
    applyTheme(*qApp, ThemeMode::Light);
    LogHighlighters words;
    words.words[0] = {QStringLiteral("loss"), false};
    words.words[1] = {QStringLiteral("(nccl"), true};
    LogHighlightersDialog dialog(words);
    dialog.show();
    QVERIFY(QTest::qWaitForWindowExposed(&dialog));
    expectWholeButtons(dialog);
    keepPicture(dialog, QStringLiteral("log-words"));
  }

  void cleanupTestCase() { QApplication::setFont(font_); }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LogPictureTest)
#include "log_picture_test.moc"
