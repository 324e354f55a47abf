// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFileSystemWatcher>
#include <QObject>
#include <QString>
#include <QTimer>
#include <filesystem>
#include <optional>
#include <string>

#include "app/desktop/designer/draft_store.h"
#include "app/desktop/support/background_task.h"
#include "base/error.h"

namespace lockstep {

/// The train.yaml of the designer as a file: opens and saves it in the background, notices when another
/// program changes it, and keeps what is not saved yet as a draft. Knows nothing of the editor. Belongs to
/// the UI thread.
class ClusterSession : public QObject {
  Q_OBJECT
 public:
  explicit ClusterSession(std::filesystem::path draftFolder, QObject* parent = nullptr);
  ~ClusterSession() override;

  void open(const QString& path);
  /// Writes the text. A file that another program changed since it was read is not overwritten at once: the
  /// first try fails and says so, the next one overwrites it.
  void save(const QString& path, const std::string& text);
  /// Looks for a draft that a window left behind; answers with recovered() or nothingToRecover().
  void recover();

  /// What the editor holds now. Unsaved text is written into the draft a moment later; saved text drops the
  /// draft.
  void noteText(const QString& path, const std::string& text, bool unsaved);
  /// Writes the draft now if one is due; blocks on disk. For closing.
  Result<void> flushDraft();
  /// The file this session watches: the one opened or saved last.
  [[nodiscard]] QString path() const { return path_; }
  /// Goes on with this file, whose text is known already; open() and save() do it by themselves.
  void adopt(const QString& path, const std::string& text);
  /// Goes on without a file (a new cluster).
  void forgetFile();

 signals:
  void opened(const QString& path, const std::string& text);
  void saved(const QString& path, const std::string& text);
  void failed(const lockstep::Error& error);
  /// Another program wrote or removed the file.
  void changedOnDisk(const QString& path);
  void recovered(const lockstep::Draft& draft);
  void nothingToRecover();

 private:
  struct Written {
    Result<void> result;
    std::optional<std::string> conflict{};  // what another program wrote
  };
  void watch();
  void lookAgain();
  void compareWithDisk(const Result<std::string>& onDisk);
  void finishSave(const QString& path, const std::string& text, const Written& written);
  void writeDraft();

  DraftStore drafts_;
  QFileSystemWatcher watcher_;
  QTimer lookTimer_, draftTimer_;
  QString path_;
  std::string onDisk_;         // as we read or wrote it last
  std::string conflictShown_;  // what another program wrote and the user was told of
  std::optional<Draft> due_;
  std::uint64_t draftNumber_ = 0;
  BackgroundTask openTask_, saveTask_, lookTask_, draftTask_;
};

}  // namespace lockstep
