// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QPlainTextEdit>
#include <vector>

#include "base/issue.h"

namespace lockstep {

class YamlHighlighter;

/// The YAML pane: line numbers, colours, a mark and an underline for every issue. It keeps no history of its
/// own: undo and redo are asked of whoever owns the document. Tab inserts two blanks (Escape, then Tab leaves
/// the pane).
class YamlEditor : public QPlainTextEdit {
  Q_OBJECT
 public:
  explicit YamlEditor(QWidget* parent = nullptr);

  /// Shows another text and changes only what differs, so that cursor and scroll position stay. No edited().
  void setViewText(const QString& view);
  /// The tool tip of a line (from 1): what is wrong in it; empty: nothing.
  [[nodiscard]] QString issueTextAt(int line) const;
  /// Unlike toPlainText(), keeps no-break spaces.
  [[nodiscard]] QString viewText() const;
  void setIssues(std::vector<Issue> issues);
  /// Puts the cursor there (both from 1, clamped to the text), shows it and takes the focus.
  void goTo(int line, int column);

  [[nodiscard]] int gutterWidth() const;

 signals:
  void edited(const QString& viewText);  // by the user
  void undoRequested();
  void redoRequested();

 protected:
  bool event(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void changeEvent(QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  /// Not a file: one that is dropped is for the window to open.
  [[nodiscard]] bool canInsertFromMimeData(const QMimeData* source) const override;

 private:
  friend class YamlGutter;
  void paintGutter(QPainter& painter, const QRect& area) const;
  [[nodiscard]] const Issue* worstIssueAt(int line) const;
  void onContentsChange(int position, int removed, int added);
  void onTextChanged();
  void markIssues();
  void updateSelections();
  void updateMargins();
  void indentSelection(bool deeper);
  void insertLineBreak();
  bool handleTab(QKeyEvent* event);

  QWidget* gutter_;
  YamlHighlighter* highlighter_;
  std::vector<Issue> issues_;
  QList<QTextEdit::ExtraSelection> issueMarks_;
  QString known_;  // the text that the pane shows: kept along, since asking for all of it takes long
  bool applying_ = false;
  bool changed_ = false;
  bool tabLeaves_ = false;
};

}  // namespace lockstep
