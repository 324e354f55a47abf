// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/field_row.h"

#include <QComboBox>
#include <QCompleter>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QSpinBox>
#include <algorithm>

#include "widgets/common/issues_model.h"
#include "widgets/common/qt_convert.h"
#include "widgets/common/theme.h"

namespace lockstep {
namespace {

constexpr int kMostWorkers = 1000;

QString withoutMnemonic(QString label) {
  return label.remove(QLatin1Char('&'));
}

/// Right under its field a message need not spell the whole path.
QString textOf(const Issue& issue, const QString& fieldName) {
  QString message = asSentence(issue.message);
  if (!fieldName.isEmpty() && !issue.field.empty())
    message.replace(toQString(issue.field.toString()), fieldName);
  return issue.remedy.empty() ? message : QStringLiteral("%1. %2").arg(message, asSentence(issue.remedy));
}

}  // namespace

FieldNote::FieldNote(QWidget* parent) : QWidget(parent), icon_(new QLabel(this)), text_(new QLabel(this)) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(1, 1, 0, 0);
  row->setSpacing(5);
  row->addWidget(icon_, 0, Qt::AlignTop);
  row->addWidget(text_, 1);
  text_->setWordWrap(true);
  text_->setTextFormat(Qt::PlainText);
  text_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  QFont small = text_->font();
  small.setPointSizeF(small.pointSizeF() * 0.92);
  text_->setFont(small);
  hide();
}

QString FieldNote::text() const {
  return text_->text();
}

void FieldNote::setIssues(const std::vector<Issue>& issues, const QString& remark, const QString& fieldName) {
  QStringList lines;
  severity_ = Severity::Info;
  for (const Issue& issue : issues) {
    severity_ = std::max(severity_, issue.severity);
    lines << textOf(issue, fieldName);
  }
  if (!remark.isEmpty()) lines << remark;
  text_->setText(lines.join(QLatin1Char('\n')));
  recolor();
  setVisible(!lines.isEmpty());
}

void FieldNote::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // The label's own palette is set below; only the window's change is news.
  if (event->type() == QEvent::PaletteChange) recolor();
}

void FieldNote::recolor() {
  const int side = text_->fontMetrics().height();
  icon_->setPixmap(iconFor(severity_).pixmap(QSize(side, side), devicePixelRatioF()));
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText,
                  severity_ == Severity::Info ? mutedColor(colors) : colorFor(severity_, colors));
  text_->setPalette(colors);
}

FieldRow::FieldRow(const FieldBinding& binding, QWidget* parent) : QWidget(parent), binding_(binding) {
  auto* label = new QLabel(binding_.label, this);
  makeCaption(label);
  switch (binding_.kind) {
    case FieldKind::Suggested:
    case FieldKind::Choice:
      editor_ = makeCombo();
      break;
    case FieldKind::Count:
      editor_ = makeSpin();
      break;
    default:
      editor_ = makeLineEdit();
  }
  label->setBuddy(editor_);
  const QString path = toQString(binding_.paths.front().toString());
  editor_->setProperty("fieldPath", path);
  editor_->setAccessibleName(withoutMnemonic(binding_.label));
  editor_->setAccessibleDescription(binding_.help);
  editor_->setToolTip(QStringLiteral("<p>%1</p><p><i>%2</i></p>").arg(binding_.help.toHtmlEscaped(), path));
  editor_->setFocusPolicy(Qt::StrongFocus);
  editor_->installEventFilter(this);

  note_ = new FieldNote(this);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(label);
  column->addWidget(editor_);
  column->addWidget(note_);
  column->addStretch();
}

QWidget* FieldRow::makeLineEdit() {
  line_ = new QLineEdit(this);
  line_->setPlaceholderText(binding_.placeholder);
  if (binding_.kind == FieldKind::Arguments) line_->setFont(monospaceFont());
  connect(line_, &QLineEdit::textEdited, this, &FieldRow::edited);
  connect(line_, &QLineEdit::editingFinished, this, &FieldRow::finished);
  return line_;
}

QWidget* FieldRow::makeCombo() {
  combo_ = new QComboBox(this);
  // A long choice must not make the form wider than its pane.
  combo_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  combo_->setMinimumContentsLength(8);
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
  combo_->lineEdit()->setPlaceholderText(binding_.placeholder);
  combo_->lineEdit()->setAccessibleName(withoutMnemonic(binding_.label));
  connect(combo_->lineEdit(), &QLineEdit::textEdited, this, &FieldRow::edited);
  connect(combo_, &QComboBox::activated, this,
          [this](int index) { emit edited(combo_->itemData(index).toString()); });
  connect(combo_->lineEdit(), &QLineEdit::editingFinished, this, &FieldRow::finished);
  return combo_;
}

QWidget* FieldRow::makeSpin() {
  spin_ = new QSpinBox(this);
  spin_->setRange(0, kMostWorkers);
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
  }
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
  if (event->type() == QEvent::Wheel && !editor_->hasFocus()) {
    event->ignore();  // scrolling past a field must not change it
    return true;
  }
  return QWidget::eventFilter(watched, event);
}

}  // namespace lockstep
