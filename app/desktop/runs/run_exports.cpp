// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_exports.h"

#include <QBuffer>
#include <QDir>
#include <QFileDialog>
#include <QFileInfo>

#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "metrics/sample_csv.h"
#include "portable/run_file.h"
#include "runs/training_run.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/card_export.h"
#include "widgets/metrics/charts/metric_plot.h"
#include "widgets/metrics/dashboard.h"
#include "widgets/runs/run_page.h"

namespace lockstep {
namespace {

QByteArray pngOf(const QImage& image) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  image.save(&buffer, "PNG");
  return bytes;
}

bool isSvg(const QString& file) {
  return file.endsWith(QLatin1String(".svg"), Qt::CaseInsensitive);
}

/// `file`, with `ending` where the user gave it none.
QString withEnding(const QString& file, const QString& ending) {
  return QFileInfo(file).suffix().isEmpty() ? file + ending : file;
}

/// The quantity, or the first of several.
QString nameOf(const MetricPlot& plot) {
  return toQString(plot.spec().lines.front().quantity.metric);
}

}  // namespace

QString fileNameOf(const TrainingRun& run) {
  if (run.backend == kFileBackend)
    return QFileInfo(toQString(runFilePath(run.workDir).string())).completeBaseName();
  // The id of a run in a folder is the folder's.
  return isReadOnly(run) ? toQString(run.jobId.value) : toQString(run.id.value);
}

RunExports::RunExports(MainWindow* window, QObject* parent) : QObject(parent), window_(window) {
  const Dashboard* const dashboard = window->runPage()->dashboard();
  connect(dashboard, &Dashboard::saveRequested, this, &RunExports::chooseLogFile);
  connect(dashboard, &Dashboard::savePictureRequested, this, [this](MetricPlot* plot) {
    if (const QString file = choosePicture(nameOf(*plot)); !file.isEmpty()) writePicture(*plot, file);
  });
  connect(dashboard, &Dashboard::saveValuesRequested, this, [this](MetricPlot* plot) {
    if (const QString file = chooseValues(nameOf(*plot)); !file.isEmpty()) writeValues(*plot, file);
  });
  connect(dashboard, &Dashboard::saveCardPictureRequested, this, [this](const CardExport& card) {
    const QString file = choosePicture(card.name);
    if (!file.isEmpty() && card.body) writePicture(*card.body, file);
  });
  connect(dashboard, &Dashboard::saveCardValuesRequested, this, [this](const CardExport& card) {
    if (const QString file = chooseValues(card.name); !file.isEmpty()) writeValues(card, file);
  });
}

RunExports::~RunExports() = default;

void RunExports::writePicture(MetricPlot& plot, const QString& file) {
  writeBytes(isSvg(file) ? plot.svg() : pngOf(plot.image()), file);
}

void RunExports::writePicture(QWidget& body, const QString& file) {
  writeBytes(isSvg(file) ? svgOf(body) : pngOf(imageOf(body)), file);
}

void RunExports::writeBytes(const QByteArray& bytes, const QString& file) {
  write(file, [bytes, path = toStdString(file)](const std::stop_token&) {
    return writeFileAtomically(path, {bytes.data(), static_cast<std::size_t>(bytes.size())});
  });
}

void RunExports::writeValues(MetricPlot& plot, const QString& file) {
  writeSamples(plot.samples(), plot.samplesInSight(), file);
}

void RunExports::writeValues(const CardExport& card, const QString& file) {
  writeSamples(card.samples, card.selections, file);
}

void RunExports::writeSamples(std::shared_ptr<const MetricStore> samples,
                              std::vector<SampleSelection> selections, const QString& file) {
  write(file, [samples = std::move(samples), selections = std::move(selections), path = toStdString(file)](
                  const std::stop_token& stop) { return writeSampleCsv(path, *samples, selections, stop); });
}

void RunExports::writeLines(const LogExtract& lines, const QString& file) {
  write(file, [lines, path = toStdString(file)](const std::stop_token& stop) {
    return writeFileInPieces(path, [&](const PutBytes& put) { return lines.write(put, stop); });
  });
}

void RunExports::chooseLogFile(const LogExtract& lines) {
  const QString file =
      QFileDialog::getSaveFileName(window_, tr("Save the log"), suggestedFile(QStringLiteral(".log")),
                                   tr("Log files (*.log *.txt);;All files (*)"));
  if (file.isEmpty()) return;
  writeLines(lines, file);
}

QString RunExports::choosePicture(const QString& name) {
  const QString suggested = suggestedFile(QLatin1Char('-') + name);
  const QString svg = tr("SVG drawing (*.svg)");
  QString filter;
  const QString file =
      QFileDialog::getSaveFileName(window_, tr("Save the picture"), suggested + QStringLiteral(".png"),
                                   tr("PNG picture (*.png)") + QStringLiteral(";;") + svg, &filter);
  if (file.isEmpty()) return file;
  return withEnding(file, filter == svg ? QStringLiteral(".svg") : QStringLiteral(".png"));
}

QString RunExports::chooseValues(const QString& name) {
  const QString suggested = suggestedFile(QLatin1Char('-') + name + QStringLiteral(".csv"));
  const QString file = QFileDialog::getSaveFileName(window_, tr("Save the values in sight"), suggested,
                                                    tr("CSV tables (*.csv)"));
  return file.isEmpty() ? file : withEnding(file, QStringLiteral(".csv"));
}

QString RunExports::suggestedFile(const QString& ending) const {
  return QDir::home().filePath(fileNameOf(window_->runPage()->run()) + ending);
}

void RunExports::write(const QString& file, std::function<Result<void>(const std::stop_token&)> work) {
  task_.start(std::move(work), [this, file](const Result<void>& written) {
    if (written)
      window_->showNote(tr("Saved %1").arg(file));
    else
      window_->runPage()->showError(written.error());
    emit finished(written.has_value());
  });
}

}  // namespace lockstep
