// SPDX-License-Identifier: GPL-3.0-or-later
// The designer with every starter, in both themes and in two sizes: nothing is cut off and nothing scrolls
// sideways. With LOCKSTEP_PICTURES set to a folder, what was looked at is left there.
#include <QAbstractScrollArea>
#include <QLabel>
#include <QPushButton>
#include <QScrollBar>
#include <QTest>

#include "cluster/document/cluster_document.h"
#include "starter/starter.h"
#include "widgets/cluster/fields/field_row.h"
#include "widgets/cluster/page/cluster_form.h"
#include "widgets/cluster/page/designer_page.h"
#include "widgets/common/issues/issues_view.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;

namespace {

void keepPicture(QWidget& page, const QString& name) {
  const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
  if (!folder.isEmpty()) page.grab().save(QStringLiteral("%1/%2.png").arg(folder, name));
}

/// The form at its full height, as nobody's screen has it.
void keepWholeForm(ClusterForm& form, const QString& name) {
  if (qEnvironmentVariableIsEmpty("LOCKSTEP_PICTURES")) return;
  keepPicture(*form.widget(), name);
}

}  // namespace

class DesignerPictureTest : public QObject {
  Q_OBJECT
 private slots:
  void everyStarterFits_data() {
    QTest::addColumn<QString>("starter");
    QTest::addColumn<bool>("dark");
    for (const Starter& starter : starters())
      for (const bool dark : {false, true}) {
        const QString name = QString::fromStdString(starter.name);
        QTest::newRow(qPrintable(name + (dark ? "-dark" : "-light"))) << name << dark;
      }
  }

  void problemsWithMendsFit() {
    applyTheme(*qApp, ThemeMode::Light);
    std::string text(findStarter("pytorch")->files.front().content);
    const auto replace = [&](const std::string& from, const std::string& to) {
      const std::size_t at = text.find(from);
      QVERIFY2(at != std::string::npos, from.c_str());
      text.replace(at, from.size(), to);
    };
    replace("blockStorageSize:", "blockStorageSizeGB:");
    replace("NCCL_DEBUG", "NCCL_SOCKET_IFRAME");
    replace("workDir:", "workdir:");
    DesignerPage page;
    page.setDocument(QStringLiteral("/home/ada/train.yaml"), text);
    page.resize(1280, 800);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page, 30'000));
    QTest::qWait(10);
    QVERIFY(page.problems()->issuesModel()->fixCount() >= 2);
    keepPicture(page, QStringLiteral("fixes"));
    keepWholeForm(*page.form(), QStringLiteral("fixes-form"));
    QVERIFY(!page.form()->horizontalScrollBar()->isVisible());
    page.showFileChangedOnDisk();
    page.showDifference(
        QString::fromStdString(text), QStringLiteral("/home/ada/train.yaml"),
        QString::fromStdString(text).replace(QLatin1String("replicas: 2"), QLatin1String("replicas: 3")),
        QStringLiteral("the text here"));
    QTest::qWait(10);
    keepPicture(page, QStringLiteral("difference"));
    checkLabels(page);
  }

  void aJobFileFits() {
    applyTheme(*qApp, ThemeMode::Light);
    DesignerPage page;
    page.setDocument(QStringLiteral("/home/ada/job.yaml"), QStringLiteral(R"(kind: job
spec:
  name: finetune
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    spec:
      compartmentId: ocid1.compartment.oc1..aaaaaaaalockstep
      projectId: ocid1.datascienceproject.oc1.iad.aaaaaaaalockstep
      shapeName: VM.GPU.A10.2
  runtime:
    kind: runtime
    type: pyTorchDistributed
    spec:
      replicas: 2
      conda: {type: service, slug: pytorch20_p39_gpu_v2}
      git: {url: https://example.com/team/finetune.git, branch: main}
      command: torchrun train.py --epochs 3
)"));
    page.resize(1280, 800);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page, 30'000));
    QTest::qWait(10);
    keepWholeForm(*page.form(), QStringLiteral("job-form"));
    QVERIFY(!page.form()->horizontalScrollBar()->isVisible());
    checkLabels(page);
  }

  void everyStarterFits() {
    QFETCH(const QString, starter);
    QFETCH(const bool, dark);
    applyTheme(*qApp, dark ? ThemeMode::Dark : ThemeMode::Light);
    const Starter* files = findStarter(starter.toStdString());
    QVERIFY(files && !files->files.empty());
    DesignerPage page;
    page.setTemplates({{"a", "A", "b"}});
    page.setExportTargets({ExportTarget::Compose});
    page.setDocument(QStringLiteral("/home/ada/train.yaml"), std::string(files->files.front().content));
    for (const QSize size : {QSize(1280, 800), QSize(860, 560)}) {
      page.resize(size);
      page.show();
      QVERIFY(QTest::qWaitForWindowExposed(&page, 30'000));
      QTest::qWait(10);
      keepPicture(page, QStringLiteral("%1-%2-%3").arg(starter, dark ? "dark" : "light").arg(size.width()));
      if (page.form()->horizontalScrollBar()->isVisible()) qWarning("%s", qPrintable(widest(page)));
      QVERIFY(!page.form()->horizontalScrollBar()->isVisible());
      checkLabels(page);
    }
    page.resize(1280, 800);
    QTest::qWait(10);
    keepWholeForm(*page.form(), QStringLiteral("%1-%2-form").arg(starter, dark ? "dark" : "light"));
  }

 private:
  /// Who asks for how much.
  static QString widest(const DesignerPage& page) {
    QStringList all;
    for (const QWidget* widget : page.form()->widget()->findChildren<QWidget*>())
      if (widget->isVisible() && widget->minimumSizeHint().width() > 330)
        all << QStringLiteral("%1 %2")
                   .arg(widget->metaObject()->className())
                   .arg(widget->minimumSizeHint().width());
    return all.join(QStringLiteral(", "));
  }

  static void checkLabels(DesignerPage& page) {
    for (const QLabel* label : page.form()->findChildren<QLabel*>()) {
      if (!label->isVisible() || label->text().isEmpty() || label->wordWrap()) continue;
      QVERIFY2(label->width() >= label->sizeHint().width(), qPrintable(label->text()));
    }
    for (const QPushButton* button : page.form()->findChildren<QPushButton*>())
      if (button->isVisible())
        QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(button->text()));
  }
};

QTEST_MAIN(DesignerPictureTest)
#include "designer_picture_test.moc"
