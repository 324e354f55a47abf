// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>
#include <random>

#include "widgets/cluster/document/editable_cluster.h"
#include "widgets/cluster/document/text_view.h"
#include "widgets/cluster/fields/arguments_edit.h"
#include "widgets/cluster/tables/env_model.h"

using namespace lockstep;

namespace {

const FieldPath kName{"spec", "cluster", "spec", "name"};
const FieldPath kEnv{"spec", "cluster", "spec", "config", "env"};
const FieldPath kArgs{"spec", "runtime", "spec", "args"};

constexpr auto kText = R"(kind: distributed
spec:
  cluster:
    kind: PYTORCH   # the framework
    spec:
      name: first   # the name
      config:
        env:
          - name: A
            value: "1"   # one
          - {name: B, value: "2"}
      main: {}
  runtime:
    spec:
      args:
        - --epochs 4   # how long
        - --lr
        - "0.1"
)";

QString lineOf(const EditableCluster& cluster, const char* part) {
  for (const QString& line : cluster.viewText().split(QLatin1Char('\n')))
    if (line.contains(QLatin1String(part))) return line;
  return {};
}

int changedLines(const QString& before, const QString& after) {
  const QStringList a = before.split(QLatin1Char('\n'));
  const QStringList b = after.split(QLatin1Char('\n'));
  if (a.size() != b.size()) return -1;
  int changed = 0;
  for (qsizetype i = 0; i < a.size(); ++i) changed += a[i] != b[i] ? 1 : 0;
  return changed;
}

void setArguments(EditableCluster& cluster, const std::string& line) {
  QVERIFY(cluster.edit(QStringLiteral("args"), {}, stepsToSetArguments(cluster.document(), kArgs, line))
              .has_value());
  QCOMPARE(QString::fromStdString(argumentsLine(cluster.document(), kArgs).value_or("")),
           QString::fromStdString(line));
}

}  // namespace

class EditableClusterTest : public QObject {
  Q_OBJECT
 private slots:
  void viewAndBytesMeetAtEveryCharacter() {
    const std::string bytes =
        "\xEF\xBB\xBF"
        "a\r\nb\xC3\xA9\xF0\x9F\x98\x80\xFFz\rq\xE2\x80\xA9w";
    const QString view = toView(bytes);
    QCOMPARE(view, QChar(0xFEFF) + QString::fromUtf16(u"a\nb\u00E9\U0001F600\uFFFDz\nq\nw"));
    QCOMPARE(byteOffset(bytes, 0), std::size_t{0});
    QCOMPARE(byteOffset(bytes, 3), std::size_t{6});  // behind "\r\n"
    QCOMPARE(byteOffset(bytes, view.size()), bytes.size());
  }

  void anEditInTheViewLeavesOtherBytesAlone() {
    const std::string bytes = "a: \xFF\r\nb: 1\r\nc: \xF0\x9F\x98\x80\r\n";
    QString view = toView(bytes);
    view.replace(QLatin1String("b: 1"), QLatin1String("b: 1\nx: 2"));
    QCOMPARE(applyEdit(bytes, editTowards(bytes, view)),
             std::string("a: \xFF\r\nb: 1\r\nx: 2\r\nc: \xF0\x9F\x98\x80\r\n"));
  }

  void halfACharacterIsNeverCut() {
    const std::string bytes = "\xF0\x9F\x98\x80";  // U+1F600; U+1F601 shares its first UTF-16 unit
    const std::string other = "\xF0\x9F\x98\x81";
    QCOMPARE(applyEdit(bytes, editTowards(bytes, toView(other))), other);
  }

  void editsThatTouchCompose() {
    const std::string text = "0123456789";
    for (std::size_t a = 0; a < 8; ++a)
      for (std::size_t b = 0; b < 9; ++b) {
        const TextEdit first{a, text.substr(a, 2), "xyz"};
        const std::string middle = applyEdit(text, first);
        const TextEdit second{b, middle.substr(b, 2), "Q"};
        const auto both = composed(first, second);
        const std::string after = applyEdit(middle, second);
        const TextEdit across = composedAcross(first, second, after);
        QCOMPARE(applyEdit(text, across), after);
        QCOMPARE(applyEdit(after, {across.offset, across.inserted, across.removed}), text);
        if (!both) continue;
        QCOMPARE(applyEdit(text, *both), applyEdit(middle, second));
        QCOMPARE(applyEdit(applyEdit(text, *both), {both->offset, both->inserted, both->removed}), text);
      }
    QVERIFY(!composed({0, "0", "x"}, {5, "5", "y"}));
  }

  void aFieldEditChangesOneLineAndUndoBringsTheBytesBack() {
    EditableCluster cluster;
    cluster.load(QStringLiteral("/x/train.yaml"), kText);
    const QString before = cluster.viewText();
    QVERIFY(
        cluster.setScalar(kName, QStringLiteral("second"), false, QStringLiteral("change name")).has_value());
    QCOMPARE(changedLines(before, cluster.viewText()), 1);
    QCOMPARE(lineOf(cluster, "name: second"), QStringLiteral("      name: second   # the name"));
    QVERIFY(cluster.isDirty());
    cluster.undoStack()->undo();
    QCOMPARE(cluster.text(), std::string(kText));
    QVERIFY(!cluster.isDirty());
    cluster.undoStack()->redo();
    QCOMPARE(lineOf(cluster, "name: second"), QStringLiteral("      name: second   # the name"));
  }

  void typingInAFieldIsOneCommandAndTwoVisitsAreTwo() {
    EditableCluster cluster;
    cluster.load({}, kText);
    for (const char* text : {"s", "se", "sec"})
      QVERIFY(
          cluster.setScalar(kName, QLatin1String(text), false, QStringLiteral("n"), QStringLiteral("visit 1"))
              .has_value());
    QCOMPARE(cluster.undoStack()->count(), 1);
    QVERIFY(
        cluster.setScalar(kName, QStringLiteral("x"), false, QStringLiteral("n"), QStringLiteral("visit 2"))
            .has_value());
    QCOMPARE(cluster.undoStack()->count(), 2);
    cluster.undoStack()->undo();
    QCOMPARE(cluster.document().scalar(kName)->value, std::string("sec"));
    cluster.undoStack()->undo();
    QCOMPARE(cluster.text(), std::string(kText));
  }

  void aBurstInThePaneIsOneCommandAndAPauseEndsIt() {
    EditableCluster cluster;
    cluster.load({}, kText);
    cluster.setBurstPause(3'600'000);
    QString view = cluster.viewText();
    const qsizetype end = view.indexOf(QLatin1String("first")) + 5;
    for (const char c : std::string("ly")) {
      view.insert(end, QLatin1Char(c));
      cluster.setViewText(view);
    }
    QCOMPARE(cluster.undoStack()->count(), 1);
    cluster.setBurstPause(-1);
    view.insert(end, QLatin1Char('!'));
    cluster.setViewText(view);
    QCOMPARE(cluster.undoStack()->count(), 2);
    cluster.undoStack()->undo();
    cluster.undoStack()->undo();
    QCOMPARE(cluster.text(), std::string(kText));
  }

  void aValueSetBackIsWrittenAsItWas() {
    const std::string text = "a: 'b'\nc: |\n  two\n  lines\n\nd: \"\\x41\"  # e\nf: >-\n  g\n";
    EditableCluster cluster;
    cluster.load({}, text);
    for (const auto& [key, value] : {std::pair("a", "b"), {"c", "two\nlines\n"}, {"d", "A"}, {"f", "g"}}) {
      const FieldPath path{std::string(key)};
      QVERIFY(cluster.setScalar(path, QStringLiteral("other"), false, QStringLiteral("n")).has_value());
      QVERIFY(cluster.isDirty());
      QVERIFY(cluster.setScalar(path, QLatin1String(value), false, QStringLiteral("n")).has_value());
      QCOMPARE(cluster.text(), text);
      QVERIFY(!cluster.isDirty());
      QCOMPARE(cluster.document().scalar(path)->raw, std::string(value));
    }
    // A comment that was changed meanwhile is not undone with it.
    cluster.setViewText(cluster.viewText().replace(QLatin1String("# e"), QLatin1String("# why")));
    QVERIFY(cluster.setScalar({"a"}, QStringLiteral("x"), false, QStringLiteral("n")).has_value());
    QVERIFY(cluster.setScalar({"a"}, QStringLiteral("b"), false, QStringLiteral("n")).has_value());
    QVERIFY(cluster.text().find("# why") != std::string::npos);
    while (cluster.undoStack()->canUndo()) cluster.undoStack()->undo();
    QCOMPARE(cluster.text(), text);
  }

  void viewAndDocumentFollowEveryEdit() {
    const std::string texts[] = {"a: b\r\nc: [d, e]\r\n",
                                 "\xEF\xBB\xBF"
                                 "a: \xF0\x9F\x9A\x80\rb: \xFFx\r\nc: d",
                                 "a: \xE2\x80\xA9"
                                 "b\nc: \"d\"  # e\n",
                                 std::string("a: \0b\nc: d\n", 11)};
    std::mt19937 random(7);  // always the same edits
    const QString pieces[] = {QStringLiteral("x"),
                              QStringLiteral("\n"),
                              QStringLiteral(": "),
                              QString(),
                              QStringLiteral("\u00e9\U0001F680"),
                              QStringLiteral("'"),
                              QStringLiteral("[")};
    for (const std::string& text : texts) {
      EditableCluster cluster;
      cluster.setBurstPause(-1);
      cluster.load({}, text);
      for (int i = 0; i < 120; ++i) {
        QString view = cluster.viewText();
        qsizetype at = static_cast<qsizetype>(random() % static_cast<unsigned>(view.size() + 1));
        if (at < view.size() && view[at].isLowSurrogate()) --at;
        qsizetype length = static_cast<qsizetype>(random() % 3);
        if (at + length < view.size() && length > 0 && view[at + length].isLowSurrogate()) ++length;
        view.replace(at, std::min(length, view.size() - at), pieces[random() % std::size(pieces)]);
        cluster.setViewText(view);
        QCOMPARE(cluster.viewText(), view);
        QCOMPARE(toView(cluster.text()), view);
        if (i % 3 == 0) {
          const ClusterDocument fresh(cluster.text());
          QVERIFY(cluster.document().issues() == fresh.issues());
          QCOMPARE(cluster.document().text(), cluster.text());
        }
        if (i % 7 == 0) cluster.undoStack()->undo();
        QCOMPARE(cluster.viewText(), toView(cluster.text()));
      }
      while (cluster.undoStack()->canUndo()) cluster.undoStack()->undo();
      QCOMPARE(cluster.text(), text);
    }
  }

  void brokenTextKeepsTheLastGoodDocument() {
    EditableCluster cluster;
    cluster.load({}, kText);
    QSignalSpy parsed(&cluster, &EditableCluster::documentChanged);
    cluster.setViewText(
        QString(cluster.viewText()).replace(QLatin1String("main: {}"), QLatin1String("main: {")));
    QVERIFY(parsed.wait(10'000));  // by itself, a moment later
    QVERIFY(!cluster.document().isParsable());
    QVERIFY(cluster.document().issues().front().place.line > 0);
    QCOMPARE(cluster.lastGood().scalar(kName)->value, std::string("first"));
    cluster.undoStack()->undo();
    QVERIFY(cluster.document().isParsable());
  }

  void aRefusedEditChangesNothing() {
    EditableCluster cluster;
    cluster.load({}, "a: [1");
    const auto done = cluster.setScalar(kName, QStringLiteral("x"), false, QStringLiteral("n"));
    QVERIFY(!done.has_value());
    QVERIFY(!done.error().what.empty());
    QCOMPARE(cluster.text(), std::string("a: [1"));
    QCOMPARE(cluster.undoStack()->count(), 0);
  }

  void dirtyFollowsTheBytesNotTheHistory() {
    EditableCluster cluster;
    cluster.load(QStringLiteral("/x"), "a: 1\n");
    cluster.setViewText(QStringLiteral("a: 12\n"));
    QVERIFY(cluster.isDirty());
    cluster.setSaved(QStringLiteral("/y"));
    QVERIFY(!cluster.isDirty());
    QCOMPARE(cluster.path(), QStringLiteral("/y"));
    cluster.undoStack()->undo();
    QVERIFY(cluster.isDirty());
    cluster.setViewText(QStringLiteral("a: 12\n"));
    QVERIFY(!cluster.isDirty());
    cluster.setFileDiffers();
    QVERIFY(cluster.isDirty());
  }

  void argumentListsKeepWhatIsNotTouched() {
    EditableCluster cluster;
    cluster.load({}, kText);
    setArguments(cluster, "--epochs 4 --lr 0.2");
    QCOMPARE(changedLines(QString::fromLatin1(kText), cluster.viewText()), 1);
    QCOMPARE(lineOf(cluster, "--epochs"), QStringLiteral("        - --epochs 4   # how long"));
    setArguments(cluster, "--epochs 9 --lr 0.2");
    QCOMPARE(lineOf(cluster, "--epochs"), QStringLiteral("        - --epochs 9   # how long"));
    setArguments(cluster, "--epochs 9 --lr 0.2 --nesterov");
    setArguments(cluster, "--seed 1 --epochs 9 --lr 0.2 --nesterov");
    setArguments(cluster, "--lr 0.2 --nesterov");
    setArguments(cluster, "--lr --nesterov x y z");
    while (cluster.undoStack()->canUndo()) cluster.undoStack()->undo();
    QCOMPARE(cluster.text(), std::string(kText));
  }

  void anEmptyOrMissingArgumentListBecomesText() {
    for (const char* text :
         {"spec:\n  runtime:\n    spec:\n      args: []\n", "spec:\n  runtime:\n    spec: {}\n"}) {
      EditableCluster cluster;
      cluster.load({}, text);
      setArguments(cluster, "--epochs 4");
      setArguments(cluster, "--epochs 42");
    }
  }

  void variablesAreEditedInPlace() {
    EditableCluster cluster;
    cluster.load({}, kText);
    EnvModel model(&cluster);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    const auto refresh = [&] { model.refresh(EnvPrecedence(cluster.document())); };
    connect(&cluster, &EditableCluster::documentChanged, &model, refresh);
    model.setView({false, EnvLevel::AllNodes});
    refresh();
    QCOMPARE(model.rowCount(), 2);
    QVERIFY(model.setData(model.index(0, EnvModel::ValueColumn), QStringLiteral("yes"), Qt::EditRole));
    cluster.document();
    QCOMPARE(lineOf(cluster, "# one"), QStringLiteral("            value: \"yes\"   # one"));
    QCOMPARE(model.index(0, EnvModel::ValueColumn).data().toString(), QStringLiteral("yes"));

    const int row = model.addVariable();
    QCOMPARE(row, 2);
    QVERIFY(model.setData(model.index(row, EnvModel::NameColumn), QStringLiteral("C"), Qt::EditRole));
    cluster.document();
    QCOMPARE(cluster.document().spec().clusterEnv.size(), std::size_t{3});
    QCOMPARE(cluster.document().spec().clusterEnv[2].name, std::string("C"));

    model.removeVariables({0, 2});
    cluster.document();
    QCOMPARE(model.rowCount(), 1);
    QCOMPARE(model.index(0, EnvModel::NameColumn).data().toString(), QStringLiteral("B"));
    while (cluster.undoStack()->canUndo()) cluster.undoStack()->undo();
    QCOMPARE(cluster.text(), std::string(kText));
  }
};

QTEST_MAIN(EditableClusterTest)
#include "editable_cluster_test.moc"
