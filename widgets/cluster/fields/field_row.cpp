// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/field_row.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>

#include "widgets/cluster/fields/shape_picker.h"
#include "widgets/common/layout/disconnect_fields.h"
#include "widgets/common/layout/wheel_guard.h"
#include "widgets/common/pickers/resource_picker.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMaxWorkers = 1000;

}  // namespace

FieldRow::FieldRow(const FieldBinding& binding, QWidget* parent) : QWidget(parent), binding_(binding) {
  auto* label = new PlainLabel(binding_.label, this);
  makeCaption(label);
  switch (binding_.kind) {
    case FieldKind::Suggested:
    case FieldKind::Choice:
      editor_ = makeCombo();
      break;
    case FieldKind::Shape:
      editor_ = makeShapePicker();
      break;
    case FieldKind::Resource:
      editor_ = makeResourcePicker();
      break;
    case FieldKind::Count:
      editor_ = makeSpin();
      break;
    default:
      editor_ = makeLineEdit();
  }
  label->setBuddy(editor_);
  if (combo_ && combo_->isEditable()) prepareText(combo_->lineEdit());
  const QString path = toQString(binding_.paths.front().toString());
  editor_->setProperty("fieldPath", path);
  editor_->setAccessibleName(binding_.label);
  editor_->setAccessibleDescription(binding_.help);
  editor_->setToolTip(toolTipLines({binding_.help}, path));
  editor_->setFocusPolicy(Qt::StrongFocus);
  editor_->installEventFilter(this);
  letWheelPass(editor_);

  note_ = new FieldNote(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(label);
  column->addWidget(editor_);
  column->addWidget(note_);
  column->addStretch();
}

FieldRow::~FieldRow() {
  disconnectFields(this);
}

QWidget* FieldRow::makeLineEdit() {
  line_ = new QLineEdit(this);
  if (binding_.kind == FieldKind::Arguments) {
    line_->setMinimumHeight(line_->sizeHint().height());  // no lower than its neighbors
    line_->setFont(monospaceFont());
  }
  prepareText(line_);
  return line_;
}

QWidget* FieldRow::makeCombo() {
  combo_ = new QComboBox(this);
  prepare(combo_);
  for (const FieldChoice& choice : binding_.choices)
    combo_->addItem(choice.text.isEmpty() ? choice.value : choice.text, choice.value);
  if (binding_.kind == FieldKind::Choice) {
    connect(combo_, &QComboBox::activated, this, [this](int index) {
      emit edited(combo_->itemData(index).toString());
      emit finished();
    });
    return combo_;
  }
  combo_->setEditable(true);
  combo_->setInsertPolicy(QComboBox::NoInsert);
  combo_->completer()->setFilterMode(Qt::MatchContains);
  combo_->completer()->setCompletionMode(QCompleter::PopupCompletion);
  connect(combo_, &QComboBox::activated, this,
          [this](int index) { emit edited(combo_->itemData(index).toString()); });
  return combo_;
}

QWidget* FieldRow::makeShapePicker() {
  combo_ = shape_ = new ShapePicker(this);
  connect(combo_, &QComboBox::activated, this, [this] { emit edited(combo_->currentText()); });
  return combo_;
}

QWidget* FieldRow::makeResourcePicker() {
  combo_ = resource_ = new ResourcePicker(*binding_.resource, this);
  prepare(combo_);
  connect(combo_, &QComboBox::activated, this, [this](int index) {
    if (resource_->choose(index)) emit edited(resource_->currentText());
  });
  return combo_;
}

void FieldRow::prepare(QComboBox* combo) {
  // A long choice must not make the form wider than its pane.
  combo->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo->setMinimumContentsLength(8);
}

void FieldRow::prepareText(QLineEdit* edit) {
  edit->setPlaceholderText(binding_.placeholder);
  edit->setAccessibleName(binding_.label);
  connect(edit, &QLineEdit::textEdited, this, &FieldRow::edited);
  connect(edit, &QLineEdit::editingFinished, this, &FieldRow::finished);
}

QWidget* FieldRow::makeSpin() {
  spin_ = new QSpinBox(this);
  spin_->setRange(0, kMaxWorkers);
  // Style sheets size spin boxes by themselves; beside the other fields it should look like one of them.
  spin_->setMinimumHeight(QLineEdit().sizeHint().height());
  connect(spin_, &QSpinBox::valueChanged, this, [this](int value) { emit edited(QString::number(value)); });
  connect(spin_, &QSpinBox::editingFinished, this, &FieldRow::finished);
  return spin_;
}

QString FieldRow::editorText() const {
  if (line_) return line_->text();
  if (spin_) return QString::number(spin_->value());
  return binding_.kind == FieldKind::Choice ? combo_->currentData().toString() : combo_->currentText();
}

void FieldRow::setDocumentText(const QString& text) {
  if (text == documentText_) return;
  documentText_ = text;
  showText(text);
}

void FieldRow::resetToDocument() {
  if (editorText() != documentText_) showText(documentText_);
}

void FieldRow::showText(const QString& text) {
  if (line_) {
    line_->setText(text);
    // A long id is told apart by its beginning, not by its end.
    line_->setCursorPosition(0);
  } else if (spin_) {
    const QSignalBlocker quiet(spin_);
    bool isNumber = false;
    const int count = text.toInt(&isNumber);
    // A role whose count cannot be read still has a node.
    spin_->setValue(isNumber || text.isEmpty() ? count : 1);
  } else if (binding_.kind == FieldKind::Choice) {
    showChoice(text);
  } else {
    combo_->setEditText(text);
    combo_->lineEdit()->setCursorPosition(0);
  }
}

void FieldRow::setAccessibleRemark(const QString& remark) {
  const QString description = QStringList{binding_.help, remark}.join(QLatin1Char('\n')).trimmed();
  if (editor_->accessibleDescription() != description) editor_->setAccessibleDescription(description);
}

void FieldRow::showChoice(const QString& text) {
  const int known = static_cast<int>(binding_.choices.size());
  while (combo_->count() > known) combo_->removeItem(known);
  int index = -1;
  for (int i = 0; i < known && index < 0; ++i)
    if (combo_->itemData(i).toString().compare(text, Qt::CaseInsensitive) == 0) index = i;
  if (index < 0 && !text.isEmpty()) {
    combo_->addItem(text, text);
    index = known;
  }
  combo_->setCurrentIndex(index);
}

bool FieldRow::eventFilter(QObject* watched, QEvent* event) {
  if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool undo = key->matches(QKeySequence::Undo);
    if (undo || key->matches(QKeySequence::Redo)) {
      // The field's own history would work against the document's: there is one, and it is the page's.
      event->ignore();
      if (event->type() == QEvent::KeyPress) undo ? emit undoRequested() : emit redoRequested();
      return true;
    }
  }
  if (event->type() == QEvent::KeyPress && note_ && note_->fixCount() > 0) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Period && key->modifiers() == Qt::ControlModifier) {
      note_->applyFix(0);
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace lockstep
