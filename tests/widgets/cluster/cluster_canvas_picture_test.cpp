// SPDX-License-Identifier: GPL-3.0-or-later
#include <QApplication>
#include <QDir>
#include <QTest>

#include "cluster_canvas_samples.h"
#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_card.h"
#include "widgets/common/theme/theme.h"

using namespace lockstep;

/// Draws every kind of cluster at every width, in both directions, and looks at where things are. With
/// LOCKSTEP_PICTURES=<folder> the drawings are kept there for people to look at.
class ClusterCanvasPictureTest : public QObject {
  Q_OBJECT
 private slots:
  void initTestCase() { applyTheme(*qApp, ThemeMode::Light); }

  void nothingOverlapsOrIsCut_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qreal>("scale");
    QTest::addColumn<bool>("mirrored");
    for (const auto& [name, sample] : canvasSamples())
      for (const qreal scale : {1.0, 2.0})
        for (const bool mirrored : {false, true})
          QTest::addRow("%s at %.0f %s", qPrintable(name), scale, mirrored ? "rtl" : "ltr")
              << sample.text() << scale << mirrored;
  }

  void nothingOverlapsOrIsCut() {
    QFETCH(QString, text);
    QFETCH(qreal, scale);
    QFETCH(bool, mirrored);
    EditableCluster cluster;
    cluster.load({}, text.toStdString());
    const CanvasModel model = canvasModelOf(cluster.document().spec());
    QFont font = QApplication::font();
    font.setPointSizeF(font.pointSizeF() * scale);
    const CanvasMetrics metrics(font);
    const qreal min = minCanvasWidth(model, metrics);
    for (const qreal width : {min, min * 1.3, min * 2, min * 3.5, min * 6})
      check(layoutCanvas(model, metrics, width, mirrored ? Qt::RightToLeft : Qt::LeftToRight), width);
  }

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

  void picturesOfWhatOneDoes() {
    const QString folder = qEnvironmentVariable("LOCKSTEP_PICTURES");
    if (folder.isEmpty()) QSKIP("LOCKSTEP_PICTURES names no folder");
    EditableCluster cluster;
    CanvasSample sample;
    sample.workers = 5;
    cluster.load({}, sample.text().toStdString());
    ClusterCanvas canvas(&cluster);
    canvas.resize(640, canvas.heightForWidth(640));
    canvas.show();
    canvas.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&canvas, 30'000));
    canvas.setFocus();
    const auto keep = [&](const char* name) {
      QVERIFY(canvas.grab().save(QStringLiteral("%1/do-%2.png").arg(folder, QLatin1String(name))));
    };
    const auto at = [&](const CanvasKey& key) { return canvas.scene().find(key)->rect.center().toPoint(); };
    canvas.setFocusedPart({CanvasKey::Kind::Node, NodeRole::Worker, 1});
    keep("focus");
    const QPoint worker = at({CanvasKey::Kind::Node, NodeRole::Worker, 1});
    QTest::mouseMove(&canvas, worker);
    QTRY_VERIFY_WITH_TIMEOUT(canvas.card() && canvas.card()->isVisible(), 10'000);
    keep("hover");
    QVERIFY(canvas.card()->grab().save(folder + QStringLiteral("/do-card.png")));
    QTest::mousePress(&canvas, Qt::LeftButton, {}, worker);
    QTest::mouseMove(&canvas, worker - QPoint(150, -40));
    QTest::mouseMove(&canvas, worker - QPoint(160, -40));
    keep("drag-more");
    QTest::mouseMove(&canvas, QPoint(620, canvas.height() - 20));
    keep("drag-less");
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, worker);
    const QPoint grip = at({CanvasKey::Kind::Grip, NodeRole::Worker, 0});
    QTest::mousePress(&canvas, Qt::LeftButton, {}, grip);
    QTest::mouseMove(&canvas, grip + QPoint(60, 10));
    QTest::mouseMove(&canvas, grip + QPoint(64, 10));
    keep("grip");
    QTest::keyClick(&canvas, Qt::Key_Escape);
    QTest::mouseRelease(&canvas, Qt::LeftButton, {}, grip);
    canvas.editCount(NodeRole::Worker, QStringLiteral("1"));
    keep("typing");
    canvas.setFocus();
    cluster.setViewText(QStringLiteral("broken: ["));
    cluster.document();
    keep("broken");
  }

 private:
  using Kind = CanvasKey::Kind;

  static bool isCard(const CanvasItem& item) {
    return item.key.kind == Kind::Node || item.key.kind == Kind::Stack || item.key.kind == Kind::Chip ||
           item.key.kind == Kind::Add;
  }

  static void check(const CanvasScene& scene, qreal width) {
    const QRectF all(-0.5, -0.5, width + 1, scene.size.height() + 1);
    for (const CanvasItem& item : scene.items) {
      QVERIFY2(all.contains(item.rect), qPrintable(item.title));
      for (const CanvasItem& other : scene.items) {
        if (&item == &other || !isCard(item)) continue;
        const bool isFrame = other.key.kind == Kind::Group && other.key.role == item.key.role;
        if (isFrame && item.key.kind != Kind::Add) {
          QVERIFY2(item.key.kind == Kind::Chip || other.rect.contains(item.rect) ||
                       item.key.role == NodeRole::Main,
                   qPrintable(item.title));
        } else if (other.key.kind == Kind::Group || isCard(other)) {
          QVERIFY2(!other.rect.intersects(item.rect),
                   qPrintable(item.title + QStringLiteral(" / ") + other.title));
        }
      }
      if (isCard(item) && item.key.kind != Kind::Chip) QVERIFY(scene.subnet.contains(item.rect));
      if (item.key.kind == Kind::Chip) QVERIFY(!scene.subnet.intersects(item.rect));
      if (isCard(item)) QVERIFY(!scene.note.intersects(item.rect));
    }
    for (const CanvasEdge& edge : scene.edges)
      for (const CanvasItem& item : scene.items)
        if (isCard(item)) QVERIFY(!edge.labelRect.intersects(item.rect));
    if (!scene.run.isNull()) QVERIFY(scene.subnet.contains(scene.run));
  }
};

QTEST_MAIN(ClusterCanvasPictureTest)
#include "cluster_canvas_picture_test.moc"
