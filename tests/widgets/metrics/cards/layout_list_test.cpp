// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/layout_list.h"

#include <QSignalSpy>
#include <QTest>

#include "metrics/layouts/built_in_layouts.h"

namespace lockstep {

class LayoutListTest : public QObject {
  Q_OBJECT

  static DashboardLayout without(DashboardLayout layout, std::size_t card) {
    layout.cards.erase(layout.cards.begin() + static_cast<std::ptrdiff_t>(card));
    return layout;
  }

 private slots:
  void beginsWithTheFirst() {
    const LayoutList list;
    QCOMPARE(list.current().name, builtInLayouts().front().name);
    QVERIFY(!list.isChanged());
    QVERIFY(!list.isOwn());
  }

  void changesAreUndone() {
    LayoutList list;
    const DashboardLayout was = list.current();
    QSignalSpy shown(&list, &LayoutList::currentChanged);
    list.change(QStringLiteral("Remove"), without(was, 0));
    QVERIFY(list.isChanged());
    QCOMPARE(list.undoStack()->undoText(), QStringLiteral("Remove"));
    list.undoStack()->undo();
    QVERIFY(list.current() == was);
    list.undoStack()->redo();
    QCOMPARE(list.current().cards.size(), was.cards.size() - 1);
    list.reset();
    QVERIFY(!list.isChanged());
    list.undoStack()->undo();
    QVERIFY(list.isChanged());
    QCOMPARE(shown.size(), 5);
    list.change(QStringLiteral("Nothing"), list.current());
    QCOMPARE(shown.size(), 5);
  }

  void whatASliderPassesIsOneChange() {
    LayoutList list;
    for (const double amount : {0.1, 0.2, 0.3}) {
      DashboardLayout next = list.current();
      next.curves.amount = amount;
      list.change(QStringLiteral("Smooth"), next, 1);
    }
    QCOMPARE(list.undoStack()->count(), 1);
    list.undoStack()->undo();
    QVERIFY(!list.isChanged());
  }

  void changesWaitBesideTheirLayout() {
    LayoutList list;
    list.change(QStringLiteral("Remove"), without(list.current(), 0));
    const DashboardLayout changed = list.current();
    QVERIFY(list.choose("Speed"));
    QVERIFY(!list.isChanged());
    QVERIFY(!list.undoStack()->canUndo());
    QVERIFY(list.choose(changed.name));
    QVERIFY(list.current() == changed);
    QVERIFY(!list.choose("Unicorns"));
    QVERIFY(list.current() == changed);
  }

  void aLayoutIsSavedRenamedAndDeleted() {
    LayoutList list;
    list.change(QStringLiteral("Remove"), without(list.current(), 0));
    const std::size_t cards = list.current().cards.size();
    QVERIFY(list.saveAs("Mine"));
    QVERIFY(list.isOwn() && !list.isChanged());
    QCOMPARE(list.current().cards.size(), cards);
    QVERIFY(list.rename("My own"));
    QCOMPARE(list.current().name, std::string("My own"));
    QVERIFY(!list.choose("Mine"));
    list.removeCurrent();
    QVERIFY(list.own().empty());
    QCOMPARE(list.current().name, builtInLayouts().front().name);
    list.removeCurrent();  // those of the program stay
    QCOMPARE(list.current().name, builtInLayouts().front().name);
  }

  void namesThatCannotBeHadAreRefused() {
    LayoutList list;
    const auto complaint = [&](const std::string& name) {
      const auto saved = list.saveAs(name);
      return saved ? std::string() : describe(saved.error());
    };
    QVERIFY(complaint("").find("no name") != std::string::npos);
    QVERIFY(complaint("  ").find("no name") != std::string::npos);
    QVERIFY(complaint("Speed").find("comes with the program") != std::string::npos);
    QVERIFY(complaint(std::string(201, 'x')).find("too long") != std::string::npos);
    QVERIFY(!list.rename("New"));
    QVERIFY(list.saveAs("One") && list.saveAs("Two"));
    const auto taken = list.rename("One");
    QVERIFY(!taken && taken.error().what.find("already") != std::string::npos);
    for (std::size_t i = list.own().size(); i < LayoutList::kMaxOwn; ++i)
      QVERIFY(list.saveAs(std::to_string(i)));
    QVERIFY(complaint("one more").find("delete one") != std::string::npos);
    QVERIFY(complaint("One").empty());
  }

  void allComesBack() {
    QByteArray saved;
    DashboardLayout changed, own;
    {
      LayoutList list;
      list.choose("Speed");
      list.change(QStringLiteral("Remove"), without(list.current(), 1));
      changed = list.current();
      QVERIFY(list.choose("GPUs"));
      QVERIFY(list.saveAs("Mine"));
      own = list.current();
      saved = list.save();
    }
    LayoutList list;
    QSignalSpy shown(&list, &LayoutList::currentChanged);
    list.restore(saved);
    QCOMPARE(shown.size(), 1);
    QVERIFY(list.current() == own);
    QVERIFY(list.choose("Speed"));
    QVERIFY(list.current() == changed);
  }

  void whatMakesNoSenseIsLeftOut() {
    LayoutList list;
    for (const QByteArray& odd :
         {QByteArray(), QByteArray("garbage"), QByteArray("[1]"), QByteArray("{\"own\":7,\"shown\":{}}"),
          QByteArray("{\"shown\":\"x\",\"own\":[\"{\\\"name\\\":\\\"x\\\"\", "
                     "\"{\\\"name\\\":\\\"Speed\\\",\\\"cards\\\":[]}\"]}"),
          QByteArray(
              "{\"shown\":\"gone\",\"changed\":[\"{\\\"name\\\":\\\"gone\\\",\\\"cards\\\":[]}\"]}")}) {
      list.restore(odd);
      QVERIFY2(list.current() == builtInLayouts().front(), odd.constData());
      QVERIFY(list.own().empty());
    }
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::LayoutListTest)
#include "layout_list_test.moc"
