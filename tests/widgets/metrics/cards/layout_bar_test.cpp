// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/layout_bar.h"

#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTest>

#include "metrics/layouts/built_in_layouts.h"
#include "widgets/metrics/cards/layout_list.h"
#include "widgets/metrics/cards/name_dialog.h"

namespace lockstep {

class LayoutBarTest : public QObject {
  Q_OBJECT

  struct Made {
    LayoutList layouts;
    LayoutBar bar{&layouts};
    Made() { bar.show(); }
    [[nodiscard]] QComboBox* choice() const { return bar.findChild<QComboBox*>(); }
    [[nodiscard]] QAction* action(const char* name) const {
      return bar.findChild<QAction*>(QString::fromLatin1(name));
    }
  };

 private slots:
  void theLayoutsOfTheProgramAreOffered() {
    const Made made;
    QCOMPARE(made.choice()->count(), static_cast<int>(builtInLayouts().size()));
    QCOMPARE(made.choice()->currentText(), QStringLiteral("Overview"));
    QVERIFY(!made.action("renameLayout")->isEnabled());
    QVERIFY(!made.action("deleteLayout")->isEnabled());
    QVERIFY(!made.action("resetLayout")->isEnabled());
  }

  void choosingShowsAnother() {
    Made made;
    made.choice()->setCurrentIndex(3);
    emit made.choice()->activated(3);
    QCOMPARE(made.layouts.current().name, std::string("GPUs"));
  }

  void aChangeIsTold() {
    Made made;
    DashboardLayout next = made.layouts.current();
    next.cards.pop_back();
    made.layouts.change(QStringLiteral("Remove"), next);
    QCOMPARE(made.choice()->currentText(), QStringLiteral("Overview (changed)"));
    made.action("resetLayout")->trigger();
    QCOMPARE(made.choice()->currentText(), QStringLiteral("Overview"));
  }

  void aLayoutIsSavedUnderANameThatCanBeHad() {
    Made made;
    made.action("saveLayout")->trigger();
    auto* const dialog = made.bar.findChild<NameDialog*>();
    auto* const mistake = dialog->findChild<QLabel*>(QStringLiteral("nameMistake"));
    dialog->findChild<QLineEdit*>()->setText(QStringLiteral("Speed"));
    dialog->accept();
    QVERIFY(dialog->isVisible());
    QVERIFY2(mistake->text().contains(QStringLiteral("comes with the program")), qPrintable(mistake->text()));
    dialog->findChild<QLineEdit*>()->setText(QStringLiteral("Mine"));
    dialog->accept();
    QVERIFY(!dialog->isVisible());
    QCOMPARE(made.choice()->currentText(), QStringLiteral("Mine"));
    QVERIFY(made.action("renameLayout")->isEnabled());
    made.action("deleteLayout")->trigger();
    QCOMPARE(made.choice()->findText(QStringLiteral("Mine")), -1);
  }

  void addingIsAskedFor() {
    Made made;
    QSignalSpy added(&made.bar, &LayoutBar::addRequested);
    made.action("addCard")->trigger();
    QCOMPARE(added.size(), 1);
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LayoutBarTest)
#include "layout_bar_test.moc"
