// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_file_export.h"

#include <QDir>
#include <QFileDialog>
#include <QFileInfo>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "app/desktop/runs/run_exports.h"
#include "app/desktop/window/main_window.h"
#include "base/atomic_file.h"
#include "base/user_dirs.h"
#include "diagnosis/diagnosis.h"
#include "diagnosis/findings/finding_words.h"
#include "history/run_price.h"
#include "launch/saved/open_run_file.h"
#include "logs/store/log_reader.h"
#include "metrics/run_progress.h"
#include "report/run_report.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/number_text.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/runs/file_bar.h"

namespace lockstep {
namespace {

constexpr double kLinesPerObject = 256;  // what takes as long as an object, for the bar

/// Hands over all lines of the log; null: none.
Result<void> putLines(const std::shared_ptr<const LogSnapshot>& log, const PutLine& put) {
  LogReader reader(log);
  for (std::uint64_t i = 0; i < reader.size(); ++i) {
    const LogLineView view = reader.line(i);
    LogLine line;
    line.time = view.time;
    line.node = view.node;
    line.rank = view.rank;
    line.level = view.level;
    line.text = view.text;
    if (reader.isCut()) line.text = reader.wholeText(i);
    if (auto done = put(line); !done) return done;
  }
  return {};
}

/// A JSON array; empty: nobody has looked.
std::string findingsOf(const RunInSight& run) {
  if (!run.report) return {};
  auto findings = nlohmann::json::array();
  for (const RunFinding& finding : run.report->findings) findings.push_back(toJson(finding));
  return findings.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

RunFileExport::RunFileExport(MainWindow* window, QObject* parent) : QObject(parent), window_(window) {
  connect(window->runPage(), &RunPage::saveRequested, this, &RunFileExport::choose);
  connect(window->runPage()->fileBar(), &FileBar::cancelRequested, this, [this] { stop_.request_stop(); });
  connect(&task_, &BackgroundTask::failed, this, [this](const Error& error) { fail({}, error); });
}

RunFileExport::~RunFileExport() = default;

Result<RunFileExport::Written> RunFileExport::write(const RunInSight& run, const PassPhrases& passPhrases,
                                                    const std::string& file,
                                                    const SaveProgressHandler& progress,
                                                    const std::stop_token& stop) {
  auto services = servicesOf(run.run, passPhrases);
  if (!services) return failure(std::move(services.error()));
  std::function<Result<void>(const PutLine&)> lines;
  if (run.log) lines = [log = run.log](const PutLine& put) { return putLines(log, put); };
  auto parts = partsToSave(run.run, *services, std::move(lines));
  if (!parts) return failure(std::move(parts.error()));
  parts->findings = findingsOf(run);
  const auto saved = saveRun(*parts, file, progress, stop);
  if (!saved) return failure(saved.error());
  std::error_code ec;
  const auto size = std::filesystem::file_size(file, ec);
  return Written{*saved, ec ? 0 : size};
}

Result<void> RunFileExport::writePage(const RunInSight& run, const std::string& file,
                                      const std::stop_token& stop) {
  const auto loaded = loadPrices(userConfigDir() / "prices.json");
  const PriceTable& prices = loaded ? *loaded : builtInPrices();
  RunSummary summary = summaryOf(run.run);
  summary.perHour = pricePerHour(run.run.trainYaml, prices);
  summary.currency = prices.currency;
  RunProgress progress;
  progress.update(*run.samples);
  const TimePoint now = SystemClock().now();
  const std::string page =
      runReport({run.run, *run.samples, run.report ? run.report->findings : std::vector<RunFinding>(),
                 costOf(summary, now, progress.remaining(now)), homeDir().string(), now});
  if (stop.stop_requested()) return failure(ErrorCode::Cancelled, "the report was not written", "cancelled");
  return writeFileAtomically(file, page);
}

void RunFileExport::choose(RunDocument document) {
  if (isRunning()) return;
  const RunId asked = window_->runPage()->run().id;
  const bool isReport = document == RunDocument::Report;
  const QString ending = isReport ? QStringLiteral("html") : QStringLiteral("lockstep");
  QFileDialog dialog(window_, isReport ? tr("Save the report") : tr("Save the run into a file"),
                     QDir::homePath(),
                     isReport ? tr("HTML pages (*.html)") : tr("Runs in a file (*.lockstep)"));
  dialog.setAcceptMode(QFileDialog::AcceptSave);
  dialog.setDefaultSuffix(ending);
  dialog.selectFile(fileNameOf(window_->runPage()->run()) + QLatin1Char('.') + ending);
  if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty()) return;
  if (!isShown(asked)) return;
  const QString file = dialog.selectedFiles().constFirst();
  isReport ? writeReport(file) : writeRun(file);
}

void RunFileExport::begin(const QString& file) {
  stop_ = std::stop_source();
  window_->runPage()->fileBar()->begin(tr("Saving %1").arg(QFileInfo(file).fileName()));
}

void RunFileExport::run(const QString& file,
                        std::function<void(const std::stop_token&, const BackgroundTask::Post&)> work) {
  begin(file);
  task_.run(
      [work = std::move(work), own = stop_](const std::stop_token& stop, const BackgroundTask::Post& post) {
        auto asked = own;
        const std::stop_callback whenLetGo(stop, [&asked] { asked.request_stop(); });
        work(asked.get_token(), post);
      });
}

void RunFileExport::writeRun(const QString& file) {
  const RunInSight run = window_->runPage()->inSight();
  const std::uint64_t lines = run.log ? run.log->size() : 0;
  this->run(file, [this, run, file, lines, passPhrases = passPhrases_](const std::stop_token& stop,
                                                                       const BackgroundTask::Post& post) {
    const auto progress = [&](const SaveProgress& p) { post([this, p, lines] { showProgress(p, lines); }); };
    const auto written = write(run, passPhrases, toStdString(file), progress, stop);
    post([this, run, file, written] { finish(run, file, written); });
  });
}

void RunFileExport::writeReport(const QString& file) {
  const RunInSight run = window_->runPage()->inSight();
  this->run(file, [this, run, file](const std::stop_token& stop, const BackgroundTask::Post& post) {
    const auto written = writePage(run, toStdString(file), stop);
    post([this, id = run.run.id, file, written] {
      written ? succeed(id, file, tr("Any browser shows it; secrets are not in it."))
              : fail(id, written.error());
    });
  });
}

void RunFileExport::showProgress(const SaveProgress& progress, std::uint64_t lines) {
  const double done =
      static_cast<double>(progress.objects) + static_cast<double>(progress.lines) / kLinesPerObject;
  const double of = static_cast<double>(progress.ofObjects) + static_cast<double>(lines) / kLinesPerObject;
  const bool isCounted = progress.ofObjects > 0 || progress.lines > 0;
  window_->runPage()->fileBar()->setProgress(isCounted && of > 0 ? done / of : -1,
                                             bytesText(static_cast<double>(progress.bytes)));
}

bool RunFileExport::isShown(const RunId& run) const {
  return run == window_->runPage()->run().id;
}

QString RunFileExport::factsOf(const Written& written, bool areLinesWhole) {
  const SavedRun& saved = written.saved;
  const auto count = [](std::uint64_t number) {
    return static_cast<int>(std::min<std::uint64_t>(number, std::numeric_limits<int>::max()));
  };
  const QString size = bytesText(static_cast<double>(written.size));
  QStringList facts;
  if (saved.written.lines == 0) {
    facts << tr("%1, without lines").arg(size);
  } else {
    facts << tr("%1, with %2").arg(size, tr("%Ln line(s)", nullptr, count(saved.written.lines)));
    facts << (saved.shortenedLines > 0
                  ? tr("secrets were taken out of %Ln line(s)", nullptr, count(saved.shortenedLines))
                  : tr("no line had a secret in it"));
  }
  facts << (saved.hasTrainYaml ? tr("train.yaml is in it, without secrets") : tr("train.yaml is not in it"));
  if (saved.leftOut > 0) facts << tr("%Ln torn object(s) were left out", nullptr, count(saved.leftOut));
  if (!areLinesWhole) facts << tr("lines that had not been read yet are not in it");
  return facts.join(QStringLiteral("; ")) + QLatin1Char('.');
}

void RunFileExport::finish(const RunInSight& run, const QString& file, const Result<Written>& written) {
  if (written)
    succeed(run.run.id, file, factsOf(*written, run.areLinesWhole));
  else
    fail(run.run.id, written.error());
}

void RunFileExport::succeed(const RunId& run, const QString& file, const QString& facts) {
  window_->runPage()->fileBar()->end();
  const QString title = tr("Saved %1").arg(toShownLine(toStdString(file)));
  if (isShown(run))
    window_->runPage()->showMessage(title, facts);
  else
    window_->banner()->showMessage(Severity::Info, title, facts);
  emit finished(true);
}

void RunFileExport::fail(const RunId& run, Error error) {
  window_->runPage()->fileBar()->end();
  if (error.code == ErrorCode::Cancelled) {
    error.what = toStdString(tr("The file was not written"));
    error.cause = toStdString(tr("you cancelled it; nothing is left of the file"));
  }
  if (isShown(run))
    window_->runPage()->showError(error);
  else
    window_->banner()->showError(error);
  emit finished(false);
}

}  // namespace lockstep
