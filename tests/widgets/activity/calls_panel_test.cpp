// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QAction>
#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLineEdit>
#include <QTest>
#include <QTreeView>

#include "widgets/activity/calls_model.h"
#include "widgets/activity/calls_panel.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

oci::CallRecord callNamed(const std::string& operation, int status = 200) {
  oci::CallRecord call;
  call.at = TimePoint(1'700'000'000s);
  call.method = "GET";
  call.service = "Data Science";
  call.operation = operation;
  call.httpStatus = status;
  call.requestId = "ID/" + operation;
  call.duration = 12ms;
  if (status >= 400) call.errorCode = "NotAuthorizedOrNotFound";
  return call;
}

QString cell(const CallsModel& model, int row, int column) {
  return model.index(row, column).data().toString();
}

class CallsPanelTest : public QObject {
  Q_OBJECT
 private slots:
  void saysWhatBecameOfACall() {
    CallsModel model;
    const QAbstractItemModelTester tester(&model);
    oci::CallRecord silent = callNamed("ListJobs", 0);
    silent.errorCode = "Unavailable";
    model.append({callNamed("GetJob"), callNamed("GetJob", 404), silent});
    QCOMPARE(cell(model, 0, CallsModel::kOutcome), QStringLiteral("200"));
    QCOMPARE(cell(model, 1, CallsModel::kOutcome), QStringLiteral("404 NotAuthorizedOrNotFound"));
    QVERIFY(cell(model, 2, CallsModel::kOutcome).contains(QStringLiteral("Unavailable")));
    QVERIFY(cell(model, 0, CallsModel::kDuration).startsWith(QStringLiteral("12")));
  }

  void keepsTheNewestOfMany() {
    CallsModel model(3);
    const QAbstractItemModelTester tester(&model);
    for (int i = 0; i < 5; ++i) model.append({callNamed("Op" + std::to_string(i))});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 0, CallsModel::kOperation), QStringLiteral("Op2"));
    model.append({callNamed("a"), callNamed("b"), callNamed("c"), callNamed("d")});
    QCOMPARE(model.rowCount(), 3);
    QCOMPARE(cell(model, 2, CallsModel::kOperation), QStringLiteral("d"));
  }

  void filtersByTextAndByFailure() {
    CallsPanel panel;
    panel.append({callNamed("GetJob"), callNamed("CreateJob", 404), callNamed("GetObject", 500)});
    auto* table = panel.findChild<QTreeView*>();
    QCOMPARE(table->model()->rowCount(), 3);
    panel.findChild<QCheckBox*>()->setChecked(true);
    QCOMPARE(table->model()->rowCount(), 2);
    panel.findChild<QLineEdit*>()->setText(QStringLiteral("createjob"));
    QCOMPARE(table->model()->rowCount(), 1);
    panel.findChild<QCheckBox*>()->setChecked(false);
    panel.findChild<QLineEdit*>()->clear();
    QCOMPARE(table->model()->rowCount(), 3);
  }

  void copiesTheRequestId() {
    CallsPanel panel;
    panel.append({callNamed("GetJob"), callNamed("GetObject")});
    auto* table = panel.findChild<QTreeView*>();
    table->selectAll();
    for (QAction* action : table->actions()) action->trigger();
    const QString copied = QGuiApplication::clipboard()->text();
    QVERIFY2(copied.contains(QStringLiteral("ID/GetJob")), qPrintable(copied));
    QCOMPARE(copied.count(QLatin1Char('\n')), 1);
  }
};

}  // namespace
}  // namespace lockstep

QTEST_MAIN(lockstep::CallsPanelTest)
#include "calls_panel_test.moc"
