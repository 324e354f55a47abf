// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDir>
#include <QTest>

#include "cluster_canvas_samples.h"
#include "widgets/cluster/cluster_canvas.h"
#include "widgets/common/theme.h"

using namespace lockstep;

/// Draws every kind of cluster at every width, in both directions, and looks at where things are. With
/// LOCKSTEP_PICTURES=<folder> the drawings are kept there for people to look at.
class ClusterCanvasPictureTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void pictures() {
    const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
    if (folder.isEmpty()) QSKIP("LOCKSTEP_PICTURES names no folder");
    QDir().mkpath(folder);
    for (const ThemeMode mode : {ThemeMode::Light, ThemeMode::Dark}) {
      applyTheme(*qApp, mode);
      for (const auto& [name, sample] : canvasSamples())
        for (const int width : {330, 430, 900}) {
          EditableCluster cluster;
          cluster.load({}, sample.text().toStdString());
          QWidget page;
          page.setBackgroundRole(QPalette::Base);
          ClusterCanvas canvas(&cluster, &page);
          page.resize(width + 20, canvas.heightForWidth(width) + 20);
          canvas.setGeometry(10, 10, width, canvas.heightForWidth(width));
          page.show();
          const char* theme = mode == ThemeMode::Light ? "light" : "dark";
          QVERIFY(page.grab().save(
              QStringLiteral("%1/%2-%3-%4.png").arg(folder, QLatin1String(theme), name).arg(width)));
        }
    }
    applyTheme(*qApp, ThemeMode::Light);
  }
};

QTEST_MAIN(ClusterCanvasPictureTest)
#include "cluster_canvas_picture_test.moc"
