// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/choice_form.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>
#include <utility>

#include "widgets/common/layout/disconnect_fields.h"
#include "widgets/common/layout/wheel_guard.h"
#include "widgets/common/pickers/clear_button.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

/// Whether what is listed of this kind depends on what was chosen otherwise before.
bool isElsewhere(ResourceKind kind, const SetupChoices& before, const SetupChoices& now) {
  switch (kind) {
    case ResourceKind::Compartment:
    case ResourceKind::Group:
    case ResourceKind::DynamicGroup:
      return false;
    case ResourceKind::Log:
      return before.logGroupId != now.logGroupId;
    case ResourceKind::Subnet:
      return before.vcnId != now.vcnId || before.compartmentId != now.compartmentId;
    default:
      return before.compartmentId != now.compartmentId;
  }
}

}  // namespace

ChoiceForm::ChoiceForm(QWidget* parent) : QFrame(parent), grid_(new QGridLayout(this)) {
  setAccessibleName(tr("Choices of this step"));
  grid_->setContentsMargins(0, 2, 0, 6);
  grid_->setHorizontalSpacing(10);
  grid_->setVerticalSpacing(6);
  grid_->setColumnStretch(1, 1);
  hide();
}

ChoiceForm::~ChoiceForm() {
  disconnectFields(this);
}

void ChoiceForm::showStep(const std::string& stepId, const std::map<std::string, std::string>& facts,
                          const std::set<std::string>& fixes) {
  facts_ = facts;
  fixes_ = fixes;
  if (stepId != stepId_) {
    stepId_ = stepId;
    rebuild();
  }
  for (const Row& row : rows_) {
    showOffered(row);
    showHint(row);
  }
}

void ChoiceForm::setNames(const ResourceNames& names) {
  if (names == names_) return;
  names_ = names;
  for (const Row& row : rows_) {
    if (row.picker) row.picker->setNames(names_);
    showHint(row);
  }
}

void ChoiceForm::showOffered(const Row& row) {
  const ChoiceField& field = row.field;
  const bool isOffered = (!field.isOffered || field.isOffered(choices_)) &&
                         (field.withFix.empty() || fixes_.contains(field.withFix));
  row.label->setVisible(isOffered);
  row.editor->setVisible(isOffered);
}

void ChoiceForm::rebuild() {
  while (QLayoutItem* item = grid_->takeAt(0)) {
    if (item->widget()) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
  rows_.clear();
  for (ChoiceField& field : choiceFieldsOf(stepId_)) {
    Row row;
    row.field = std::move(field);
    auto* label = new PlainLabel(row.field.label, this);
    QWidget* editor = makeEditor(row);
    row.label = label;
    row.editor = editor;
    editor->setAccessibleName(row.field.label);
    label->setBuddy(row.line ? row.line : editor);
    const int line = static_cast<int>(rows_.size());
    grid_->addWidget(label, line, 0);
    grid_->addWidget(editor, line, 1);
    rows_.push_back(std::move(row));
  }
  showValues();
  setVisible(!rows_.empty());
}

QWidget* ChoiceForm::makeEditor(Row& row) {
  if (!row.field.options.empty()) return makeOptions(row);
  if (row.field.resource) return makePicker(row);
  return makeLine(row);
}

QWidget* ChoiceForm::makeOptions(Row& row) {
  row.options = new QComboBox(this);
  row.options->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  row.options->setMinimumContentsLength(12);
  for (const ChoiceField::Option& option : row.field.options)
    row.options->addItem(option.label, option.value);
  letWheelPass(row.options);
  connect(row.options, &QComboBox::activated, this, [this, id = row.field.id, box = row.options](int index) {
    commit(id, box->itemData(index).toString());
  });
  return row.options;
}

QWidget* ChoiceForm::makePicker(Row& row) {
  ResourcePicker* picker = row.picker = new ResourcePicker(*row.field.resource, this);
  letWheelPass(picker);
  picker->setNames(names_);
  if (const auto known = resources_.find(*row.field.resource); known != resources_.end())
    picker->setChoices(known->second);
  connect(picker, &ResourcePicker::choicesWanted, this, &ChoiceForm::resourcesWanted);
  connect(picker, &QComboBox::activated, this, [this, id = row.field.id, picker](int index) {
    if (picker->choose(index)) commit(id, picker->currentText());
  });
  connect(picker->lineEdit(), &QLineEdit::editingFinished, this,
          [this, id = row.field.id, picker] { commit(id, picker->currentText()); });
  return picker;
}

QWidget* ChoiceForm::makeLine(Row& row) {
  QLineEdit* line = row.line = new QLineEdit(this);
  addClearButton(line, tr("Clear the field"));
  connect(line, &QLineEdit::editingFinished, this,
          [this, id = row.field.id, line] { commit(id, line->text()); });
  if (!row.field.isFile) return line;
  auto* both = new QWidget(this);
  auto* browse = new QToolButton(both);
  browse->setIcon(themedIcon(QStringLiteral("open")));
  browse->setToolTip(tr("Choose a file …"));
  browse->setAccessibleName(tr("Choose a file"));
  connect(browse, &QToolButton::clicked, this, [this, id = row.field.id] { emit fileWanted(id); });
  auto* pair = new QHBoxLayout(both);
  pair->setContentsMargins(0, 0, 0, 0);
  pair->addWidget(line, 1);
  pair->addWidget(browse);
  line->setAccessibleName(row.field.label);
  return both;
}

void ChoiceForm::commit(const std::string& fieldId, const QString& value) {
  const auto row =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) { return r.field.id == fieldId; });
  if (row == rows_.end() || row->field.read(choices_) == value.trimmed()) return;
  const QString before = row->field.read(choices_);
  SetupChoices choices = choices_;
  row->field.write(choices, value);
  adoptChoices(choices);
  if (row->field.read(choices_) != before) emit changed(fieldId, choices_);
}

void ChoiceForm::setChoices(const SetupChoices& choices) {
  adoptChoices(choices);
}

// A choice may decide what others are about.
void ChoiceForm::adoptChoices(const SetupChoices& choices) {
  const SetupChoices before = std::exchange(choices_, choices);
  std::vector<ResourceKind> stale;
  for (const auto& [kind, known] : resources_)
    if (isElsewhere(kind, before, choices_)) stale.push_back(kind);
  for (const ResourceKind kind : stale) setResources(kind, {});
  showValues();
}

void ChoiceForm::clearResources() {
  const auto known = std::exchange(resources_, {});
  for (const auto& [kind, list] : known) setResources(kind, {});
}

void ChoiceForm::showValues() {
  for (const Row& row : rows_) {
    showOffered(row);
    showValue(row);
  }
}

void ChoiceForm::setField(const std::string& fieldId, const QString& value) {
  commit(fieldId, value);
}

void ChoiceForm::setResources(ResourceKind kind, const ResourceChoices& resources) {
  resources_[kind] = resources;
  for (const Row& row : rows_) {
    if (row.picker && row.field.resource == kind) row.picker->setChoices(resources);
    if (row.picker) showHint(row);
  }
}

void ChoiceForm::showValue(const Row& row) {
  const QString value = row.field.read(choices_);
  if (row.options) return row.options->setCurrentIndex(row.options->findData(value));
  QLineEdit* line = row.picker ? row.picker->lineEdit() : row.line;
  // Typing goes on undisturbed; what is shown already keeps its cursor.
  if (line->text() == value || (line->hasFocus() && line->isModified())) return;
  row.picker ? row.picker->setEditText(value) : row.line->setText(value);
  line->setCursorPosition(0);
}

void ChoiceForm::showHint(const Row& row) {
  if (row.options) {
    row.options->setAccessibleDescription(row.field.tip);
    const QString tip = row.field.tip.isEmpty() ? row.options->currentText() : row.field.tip;
    return row.options->setToolTip(plainToolTip(tip));
  }
  const QString used = factOf(facts_, row.field.fact);
  QLineEdit* line = row.picker ? row.picker->lineEdit() : row.line;
  const QString name = row.picker ? row.picker->nameOf(used) : QString();
  line->setPlaceholderText(used.isEmpty() ? row.field.hint
                                          : tr("in use: %1").arg(name.isEmpty() ? used : name));
  const QString value = row.field.read(choices_);
  const QString said = row.picker ? row.picker->describe(value.isEmpty() ? used : value) : QString();
  const QString tip = !said.isEmpty() ? said : row.field.tip.isEmpty() ? row.field.hint : row.field.tip;
  // The name first, the id after it: the field shows one of them at a time.
  const QString id = said.isEmpty() ? QString() : value.isEmpty() ? used : value;
  line->setToolTip(id.isEmpty() ? plainToolTip(tip) : toolTipLines({tip}, id));
  line->setAccessibleDescription(id.isEmpty() ? tip : tip + QLatin1Char('\n') + id);
}

QWidget* ChoiceForm::editorOf(const std::string& fieldId) const {
  for (const Row& row : rows_) {
    if (row.field.id != fieldId) continue;
    if (row.line) return row.line;
    return row.picker ? static_cast<QWidget*>(row.picker) : row.options;
  }
  return nullptr;
}

}  // namespace lockstep
