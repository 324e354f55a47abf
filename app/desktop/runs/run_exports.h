// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <memory>
#include <vector>

#include "app/desktop/support/background_task.h"
#include "metrics/sample_csv.h"

class QWidget;

namespace lockstep {

class MainWindow;
class MetricPlot;
struct CardExport;
struct LogExtract;
struct TrainingRun;

/// The name that files of a run begin with: its id, or where it is only read, that of its folder or file.
[[nodiscard]] QString fileNameOf(const TrainingRun& run);

/// What goes out of the page of a run into files: the log, pictures of charts, their samples. UI thread; blocks nothing but
/// in the file dialogs. A failure shows on the page.
class RunExports : public QObject {
  Q_OBJECT
 public:
  explicit RunExports(MainWindow* window, QObject* parent = nullptr);
  ~RunExports() override;

  /// Writes the picture: SVG where the name ends so, else PNG.
  void writePicture(MetricPlot& plot, const QString& file);
  /// Writes lines of the log, however many.
  void writeLines(const LogExtract& lines, const QString& file);
  /// Writes the samples in sight as CSV.
  void writeValues(MetricPlot& plot, const QString& file);
  // The same of a card that is no chart.
  void writePicture(QWidget& body, const QString& file);
  void writeValues(const CardExport& card, const QString& file);

 signals:
  void finished(bool done);

 private:
  void chooseLogFile(const LogExtract& lines);
  /// Empty: none was chosen.
  [[nodiscard]] QString choosePicture(const QString& name);
  [[nodiscard]] QString chooseValues(const QString& name);
  void writeBytes(const QByteArray& bytes, const QString& file);
  void writeSamples(std::shared_ptr<const MetricStore> samples, std::vector<SampleSelection> selections,
                    const QString& file);
  [[nodiscard]] QString suggestedFile(const QString& ending) const;
  void write(const QString& file, std::function<Result<void>(const std::stop_token&)> work);

  MainWindow* window_;
  BackgroundTask task_;
};

}  // namespace lockstep
