// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

#include "widgets/cluster/fields/field_binding.h"
#include "widgets/cluster/fields/field_note.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace lockstep {

class ResourcePicker;
class ShapePicker;

/// Label, editor and note of one binding. Knows nothing of the document: it shows texts and says what the
/// user made of them. The editor carries the property `fieldPath`.
class FieldRow : public QWidget {
  Q_OBJECT
 public:
  FieldRow(const FieldBinding& binding, QWidget* parent = nullptr);
  ~FieldRow() override;

  [[nodiscard]] const FieldBinding& binding() const { return binding_; }
  [[nodiscard]] QWidget* editor() const { return editor_; }
  [[nodiscard]] FieldNote* note() const { return note_; }
  /// The editor of a field of kind Resource or Shape; nullptr for others.
  [[nodiscard]] ResourcePicker* resourcePicker() const { return resource_; }
  [[nodiscard]] ShapePicker* shapePicker() const { return shape_; }
  /// The label and name of the field, without a mnemonic.
  [[nodiscard]] QString name() const { return binding_.label; }
  void setAccessibleRemark(const QString& remark);
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
  QWidget* makeShapePicker();
  QWidget* makeResourcePicker();
  void prepare(QComboBox* combo);
  void prepareText(QLineEdit* edit);
  QWidget* makeSpin();
  void showText(const QString& text);
  void showChoice(const QString& text);

  FieldBinding binding_;
  QWidget* editor_ = nullptr;
  QLineEdit* line_ = nullptr;
  QComboBox* combo_ = nullptr;
  ResourcePicker* resource_ = nullptr;
  ShapePicker* shape_ = nullptr;
  QSpinBox* spin_ = nullptr;
  FieldNote* note_ = nullptr;
  QString documentText_;
};

}  // namespace lockstep
