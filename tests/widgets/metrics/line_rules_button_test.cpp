// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/line_rules_button.h"

#include <QCheckBox>
#include <QFrame>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>

#include "metrics/lines/line_rules.h"

namespace lockstep {

class LineRulesButtonTest : public QObject {
  Q_OBJECT

  static LineRuleUse use(const char* id, long long lines, bool isActive, const char* offBecause = "") {
    return {
        id,       "",        lines, TimePoint(std::chrono::seconds(1'800'000'000)), "<b>step</b> 1: loss 0.5",
        isActive, offBecause};
  }
  static QCheckBox* boxOf(const LineRulesButton& button, const char* id) {
    return button.panel()->findChild<QCheckBox*>(QStringLiteral("rule-") + QLatin1String(id));
  }
  template <class Widget>
  static Widget* part(const LineRulesButton& button, const char* name) {
    return button.panel()->findChild<Widget*>(QLatin1String(name));
  }
  static LineChoice choiceOf(const QSignalSpy& chosen) { return chosen.last().at(0).value<LineChoice>(); }

 private slots:
  void saysWhichRuleReadsTheLines() {
    LineRulesButton button;
    QCOMPARE(button.text(), QStringLiteral("Lines"));
    button.setUses({use("json", 3, false, "its steps go back"), use("keras", 1412, true)});
    QCOMPARE(button.text(), QStringLiteral("Lines: keras"));
    QVERIFY2(boxOf(button, "keras")->text().contains(QStringLiteral("1,412 lines")),
             qPrintable(boxOf(button, "keras")->text()));
    QVERIFY(boxOf(button, "keras")->toolTip().contains(QStringLiteral("&lt;b&gt;step")));
    QVERIFY(boxOf(button, "json")->toolTip().contains(QStringLiteral("its steps go back")));
    QCOMPARE(boxOf(button, "tqdm")->text(), QStringLiteral("tqdm"));
    QVERIFY(button.accessibleDescription().contains(QStringLiteral("keras: 1,412 lines")));
    button.setUses({});
    QCOMPARE(button.text(), QStringLiteral("Lines"));
  }

  void hasABoxForEveryRule() {
    const LineRulesButton button;
    for (const LineRule& rule : lineRules())
      QVERIFY(boxOf(button, std::string(rule.id).c_str())->isChecked());
  }

  void aRuleIsSwitchedOffWhenThatIsApplied() {
    LineRulesButton button;
    const QSignalSpy chosen(&button, &LineRulesButton::chosen);
    button.click();
    QVERIFY(button.panel()->isVisible());
    boxOf(button, "keras")->setChecked(false);
    QCOMPARE(chosen.size(), 0);
    part<QPushButton>(button, "applyRules")->click();
    QVERIFY(!button.panel()->isVisible());
    QCOMPARE(chosen.size(), 1);
    QVERIFY((choiceOf(chosen) == LineChoice{true, {"keras"}, {}}));
    button.click();
    QVERIFY(!boxOf(button, "keras")->isChecked());
    part<QPushButton>(button, "applyRules")->click();
    QCOMPARE(chosen.size(), 1);  // nothing has changed
  }

  void allIsSwitchedOff() {
    LineRulesButton button;
    const QSignalSpy chosen(&button, &LineRulesButton::chosen);
    button.click();
    part<QCheckBox>(button, "readsLines")->setChecked(false);
    QVERIFY(!boxOf(button, "keras")->isEnabled() && !part<QLineEdit>(button, "ownRule")->isEnabled());
    part<QPushButton>(button, "applyRules")->click();
    QVERIFY(!choiceOf(chosen).isOn);
    QCOMPARE(button.text(), QStringLiteral("Lines: not read"));
  }

  void anOwnExpressionIsCheckedWhereItIsTyped() {
    LineRulesButton button;
    const QSignalSpy chosen(&button, &LineRulesButton::chosen);
    button.click();
    auto* const own = part<QLineEdit>(button, "ownRule");
    auto* const problem = part<QLabel>(button, "ownRuleProblem");
    QVERIFY(problem->isHidden());
    for (const char* wrong : {"(?<loss>", "loss (\\d+)"}) {
      own->setText(QLatin1String(wrong));
      QVERIFY(!problem->isHidden() && !problem->text().isEmpty());
      QVERIFY(!part<QPushButton>(button, "applyRules")->isEnabled());
      QTest::keyClick(own, Qt::Key_Return);
      QCOMPARE(chosen.size(), 0);
    }
    own->setText(QStringLiteral("cost=(?<cost>\\S+)"));
    QVERIFY(problem->isHidden());
    QTest::keyClick(own, Qt::Key_Return);
    QCOMPARE(chosen.size(), 1);
    QVERIFY((choiceOf(chosen).own == std::vector<std::string>{"cost=(?<cost>\\S+)"}));
  }

  void whatIsChosenElsewhereIsShown() {
    LineRulesButton button;
    button.setChoice({true, {"json", "keras"}, {"cost=(?<cost>\\S+)"}});
    button.click();
    QVERIFY(!boxOf(button, "json")->isChecked() && boxOf(button, "tqdm")->isChecked());
    QCOMPARE(part<QLineEdit>(button, "ownRule")->text(), QStringLiteral("cost=(?<cost>\\S+)"));
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LineRulesButtonTest)
#include "line_rules_button_test.moc"
