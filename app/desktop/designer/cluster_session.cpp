// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/cluster_session.h"

#include <QFileInfo>

#include "base/atomic_file.h"
#include "base/text/encoding.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kMaxFileBytes = 8ULL << 20;  // what ClusterDocument accepts
constexpr std::chrono::milliseconds kLookDelay{200};
constexpr std::chrono::milliseconds kDraftDelay{800};

Result<std::string> readText(const std::filesystem::path& path) {
  auto bytes = readFile(path, kMaxFileBytes);
  if (bytes && !isUtf8(*bytes)) {
    return failure(ErrorCode::DataLoss, "cannot open '" + path.string() + "'", "it is not UTF-8 text",
                   "convert it to UTF-8, or choose the train.yaml itself");
  }
  return bytes;
}

Error conflictError(const std::string& path) {
  return {ErrorCode::FailedPrecondition,
          "'" + path + "' was not saved",
          "another program changed it after it was opened here",
          "save again to overwrite it, or save under another name",
          "",
          std::nullopt};
}

}  // namespace

ClusterSession::ClusterSession(std::filesystem::path draftFolder, QObject* parent)
    : QObject(parent), drafts_(std::move(draftFolder)) {
  lookTimer_.setSingleShot(true);
  lookTimer_.setInterval(kLookDelay);  // a save by another program is several events
  draftTimer_.setSingleShot(true);
  draftTimer_.setInterval(kDraftDelay);
  connect(&lookTimer_, &QTimer::timeout, this, &ClusterSession::lookAgain);
  connect(&draftTimer_, &QTimer::timeout, this, &ClusterSession::writeDraft);
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, [this] { lookTimer_.start(); });
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, [this] { lookTimer_.start(); });
  for (BackgroundTask* task : {&saveTask_, &draftTask_})
    connect(task, &BackgroundTask::failed, this, &ClusterSession::failed);
  connect(&openTask_, &BackgroundTask::failed, this, [this](const Error& error) {  // of recover() alone
    emit nothingToRecover();
    emit failed(error);
  });
}

ClusterSession::~ClusterSession() = default;

void ClusterSession::open(const QString& path) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  openTask_.start([file = absolute.toStdString()](const std::stop_token&) { return readText(file); },
                  [this, absolute](const Result<std::string>& text) {
                    if (!text) return emit failed(text.error());
                    adopt(absolute, *text);
                    emit opened(absolute, *text);
                  });
}

void ClusterSession::save(const QString& path, const std::string& text) {
  const QString absolute = QFileInfo(path).absoluteFilePath();
  // Another program's version is in the way only if this is the file that we know and nobody was told of it
  // yet.
  const bool known = absolute == path_;
  auto work = [file = std::filesystem::path(absolute.toStdString()), bytes = text, known, expected = onDisk_,
               shown = conflictShown_](const std::stop_token&) -> Written {
    const auto now = known ? readFile(file, kMaxFileBytes) : Result<std::string>(bytes);
    if (now && known && *now != expected && *now != shown && *now != bytes) {
      return {failure(conflictError(file.string())), *now};
    }
    return {writeFileAtomically(file, bytes), std::nullopt};
  };
  saveTask_.start(work,
                  [this, absolute, text](const Written& written) { finishSave(absolute, text, written); });
}

void ClusterSession::finishSave(const QString& path, const std::string& text, const Written& written) {
  if (written.result) {
    adopt(path, text);
    emit saved(path, text);
    return;
  }
  if (written.conflict) conflictShown_ = *written.conflict;
  emit failed(written.result.error());
}

void ClusterSession::recover() {
  openTask_.start([drafts = drafts_](const std::stop_token&) { return drafts.recover(); },
                  [this](const std::optional<Draft>& draft) {
                    if (!draft) return emit nothingToRecover();
                    due_ = *draft;  // still unsaved: closing at once keeps it
                    emit recovered(*draft);
                  });
}

void ClusterSession::noteText(const QString& path, const std::string& text, bool unsaved) {
  if (!unsaved) {
    due_.reset();
    draftTimer_.stop();
    draftTask_.run([drafts = drafts_, number = ++draftNumber_](
                       const std::stop_token&, const BackgroundTask::Post&) { drafts.drop(number); });
    return;
  }
  due_ = Draft{path.toStdString(), text};
  if (!draftTimer_.isActive()) draftTimer_.start();
}

void ClusterSession::writeDraft() {
  if (!due_) return;
  draftTask_.start([drafts = drafts_, draft = *due_,
                    number = ++draftNumber_](const std::stop_token&) { return drafts.keep(draft, number); },
                   [this](const Result<void>& kept) {
                     if (!kept) emit failed(kept.error());
                   });
}

Result<void> ClusterSession::flushDraft() {
  draftTimer_.stop();
  if (!due_) return {};
  return drafts_.keep(*due_, ++draftNumber_);
}

void ClusterSession::forgetFile() {
  openTask_.cancel();
  path_.clear();
  onDisk_.clear();
  watch();
}

void ClusterSession::adopt(const QString& path, const std::string& text) {
  path_ = path;
  onDisk_ = text;
  conflictShown_.clear();
  watch();
}

void ClusterSession::watch() {
  const QStringList watched = watcher_.files() + watcher_.directories();
  if (!watched.isEmpty()) watcher_.removePaths(watched);
  if (path_.isEmpty()) return;
  // The folder as well: a program that saves by renaming takes the watched file away.
  watcher_.addPath(QFileInfo(path_).absolutePath());
  if (QFileInfo::exists(path_)) watcher_.addPath(path_);
}

void ClusterSession::lookAgain() {
  if (path_.isEmpty() || saveTask_.isRunning()) return;
  lookTask_.start([file = path_.toStdString()](const std::stop_token&) { return readText(file); },
                  [this](const Result<std::string>& onDisk) { compareWithDisk(onDisk); });
}

void ClusterSession::compareWithDisk(const Result<std::string>& onDisk) {
  if (path_.isEmpty() || saveTask_.isRunning()) return;
  if (!watcher_.files().contains(path_)) watch();
  if (!onDisk) {
    if (onDisk_.empty()) return;
    onDisk_.clear();  // told once
    emit failed(Error{onDisk.error().code, "'" + path_.toStdString() + "' cannot be read any more",
                      onDisk.error().cause, "the text is still here: save it again, or under another name",
                      "", std::nullopt});
    return;
  }
  if (*onDisk == onDisk_ || *onDisk == conflictShown_) return;
  conflictShown_ = *onDisk;
  emit changedOnDisk(path_);
}

}  // namespace lockstep
