// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "base/issue.h"
#include "widgets/cluster/field_binding.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace lockstep {

/// A line of small text with an icon, under the thing that it is about. Hidden when there is nothing to say.
class FieldNote : public QWidget {
  Q_OBJECT
 public:
  explicit FieldNote(QWidget* parent = nullptr);
  /// `fieldName` stands in for the path of the field in the messages.
  void setIssues(const std::vector<Issue>& issues, const QString& remark = {}, const QString& fieldName = {});
  [[nodiscard]] QString text() const;

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void recolor();
  QLabel* icon_;
  QLabel* text_;
  Severity severity_ = Severity::Info;
};

/// Label, editor and note of one binding. Knows nothing of the document: it shows texts and says what the
/// user made of them. The editor carries the property `fieldPath`.
class FieldRow : public QWidget {
  Q_OBJECT
 public:
  FieldRow(const FieldBinding& binding, QWidget* parent = nullptr);

  [[nodiscard]] const FieldBinding& binding() const { return binding_; }
  [[nodiscard]] QWidget* editor() const { return editor_; }
  [[nodiscard]] FieldNote* note() const { return note_; }
  [[nodiscard]] QString editorText() const;

  /// What the document says now. The editor is left alone when that is what it already stands for, so that a
  /// cursor or a blank just typed survives.
  void setDocumentText(const QString& text);
  /// The document took what the user typed, and now says `text`.
  void acceptDocumentText(const QString& text) { documentText_ = text; }
  /// Shows what the document says, whatever was typed.
  void resetToDocument();

 signals:
  void edited(const QString& text);
  void finished();  // Enter or focus lost
  void undoRequested();
  void redoRequested();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  QWidget* makeLineEdit();
  QWidget* makeCombo();
  QWidget* makeSpin();
  void showText(const QString& text);
  void showChoice(const QString& text);

  FieldBinding binding_;
  QWidget* editor_ = nullptr;
  QLineEdit* line_ = nullptr;
  QComboBox* combo_ = nullptr;
  QSpinBox* spin_ = nullptr;
  FieldNote* note_ = nullptr;
  QString documentText_;
};

}  // namespace lockstep
