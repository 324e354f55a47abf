// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QString>
#include <QTimer>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "cluster/document/cluster_document.h"

namespace lockstep {

enum class MergeRule;

/// The train.yaml that is being edited. The text is the document; form and YAML pane are two ways to change
/// it and share one undo stack. What is derived from the text (values, issues) follows a moment after the
/// last change, or at once when somebody asks for it. No I/O: whoever owns it reads and writes the file. UI
/// thread.
class EditableCluster : public QObject {
  Q_OBJECT
 public:
  /// One step of a form edit: the change that it wants in the document as the step before left it.
  using Step = std::function<Result<TextEdit>(const ClusterDocument&)>;

  explicit EditableCluster(QObject* parent = nullptr);
  ~EditableCluster() override;

  /// A new document: undo history is gone and nothing is dirty.
  void load(const QString& path, std::string text);
  /// The present text now stands in the file at `path`.
  void setSaved(const QString& path);
  /// The file no longer holds what was saved (it changed or vanished on disk): dirty until saved again.
  void setFileDiffers();

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] QString path() const { return path_; }  // empty: never saved
  [[nodiscard]] bool isDirty() const { return dirty_; }
  [[nodiscard]] QUndoStack* undoStack() { return &undo_; }

  /// The document of the present text.
  const ClusterDocument& document();
  /// The last document that was YAML: what the form shows while the text is broken. Refreshed with
  /// document().
  [[nodiscard]] const ClusterDocument& lastGood() const { return *lastGood_; }

  /// Does the steps as one undoable command, or nothing and says why. Commands in a row with the same
  /// non-empty `mergeKey` become one (typing in a field). Without an effect on the text there is no command.
  /// A value that is set to what it was when the file was read or saved is written as it was then.
  Result<void> edit(const QString& commandText, const QString& mergeKey, const std::vector<Step>& steps);
  Result<void> setScalar(const FieldPath& path, const QString& value, bool plain, const QString& commandText,
                         const QString& mergeKey = {});
  Result<void> remove(const FieldPath& path, const QString& commandText, const QString& mergeKey = {});

  /// The text as a text widget shows it, and an edit made there. A burst of typing becomes one command.
  [[nodiscard]] QString viewText() const;
  void setViewText(const QString& view);
  /// How long a pause ends a burst of typing.
  void setBurstPause(int milliseconds) { burstPauseMs_ = milliseconds; }

 signals:
  void textChanged();      // at once
  void documentChanged();  // document() is up to date again
  void dirtyChanged(bool isDirty);
  void pathChanged(const QString& path);

 private:
  friend class TextCommand;
  void apply(const TextEdit& edit);
  void push(const TextEdit& edit, const QString& commandText, const QString& mergeKey, MergeRule rule);
  void noteChange();
  [[nodiscard]] std::optional<TextEdit> asSaved(const ClusterDocument& document);
  void parse();
  void updateDirty();

  std::string text_;
  std::string savedText_;
  bool fileDiffers_ = false;
  bool dirty_ = false;
  QString path_;
  QUndoStack undo_;
  QTimer parseTimer_;
  bool stale_ = false;
  mutable std::optional<QString> view_;  // toView(text_), once somebody asked
  std::shared_ptr<const ClusterDocument> document_;
  std::shared_ptr<const ClusterDocument> savedDocument_;  // of savedText_, once it was needed
  /// What leads from document_ to the text while that is stale; nullopt: more than one edit does.
  std::optional<TextEdit> sinceParsed_;
  std::shared_ptr<const ClusterDocument> prepared_;  // of the present text, when a form edit has made it
  std::shared_ptr<const ClusterDocument> lastGood_;
  QElapsedTimer lastTyped_;
  int burst_ = 0;
  int burstPauseMs_ = 1500;
};

}  // namespace lockstep
