// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/page/cluster_form.h"

#include <QEvent>
#include <QPushButton>
#include <QRadioButton>
#include <QStyle>
#include <QVBoxLayout>
#include <utility>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/fields/field_row.h"
#include "widgets/cluster/fields/form_bindings.h"
#include "widgets/cluster/fields/form_section.h"
#include "widgets/cluster/fields/shape_picker.h"
#include "widgets/cluster/layout/layout_panel.h"
#include "widgets/cluster/tables/env_editor.h"
#include "widgets/cluster/tables/pair_editor.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

ClusterForm::ClusterForm(EditableCluster* cluster, QWidget* parent)
    : QScrollArea(parent), cluster_(cluster), prices_(builtInPrices()) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAsNeeded);
  setAccessibleName(tr("Cluster form"));
  auto* page = new QWidget(this);
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(10, 10, 10, 10);
  column->setSpacing(10);
  broken_ = new MessageBar(page);
  column->addWidget(broken_);
  fields_ = new QWidget(page);
  auto* sections = new QVBoxLayout(fields_);
  sections->setContentsMargins(0, 0, 0, 0);
  sections->setSpacing(10);
  addSections(sections);
  column->addWidget(fields_);
  column->addStretch();
  setWidget(page);
  connect(cluster_, &EditableCluster::documentChanged, this, &ClusterForm::refresh);
  refresh();
  page->installEventFilter(this);
  fitWidth();
}

bool ClusterForm::eventFilter(QObject* watched, QEvent* event) {
  if (watched == widget() && event->type() == QEvent::LayoutRequest) fitWidth();
  return QScrollArea::eventFilter(watched, event);
}

/// In a narrow window the text pane gives way first: a form that is cut off at the right cannot be used.
void ClusterForm::fitWidth() {
  const int bar = style()->pixelMetric(QStyle::PM_ScrollBarExtent, nullptr, this);
  const int width = widget()->minimumSizeHint().width() + bar;
  if (minimumWidth() != width) setMinimumWidth(width);
}

// The order of making is the order of Tab.
void ClusterForm::addSections(QVBoxLayout* column) {
  FormSection* at = nullptr;
  QString title;
  for (const FieldBinding& binding : clusterFormBindings()) {
    if (!at || binding.section != title) {
      if (at) endSection(column, at, title);
      title = binding.section;
      at = addSection(column, title);
      if (title == FormSections::nodes()) {
        canvas_ = new ClusterCanvas(cluster_, at);
        at->addWide(canvas_, isClusterFile);
        connect(canvas_, &ClusterCanvas::editFailed, this, &ClusterForm::editFailed);
        connect(canvas_, &ClusterCanvas::fieldRequested, this, &ClusterForm::focusField);
      }
    }
    at->addRow(makeRow(binding, at));
  }
  endSection(column, at, title);
}

FormSection* ClusterForm::addSection(QVBoxLayout* column, const QString& title) {
  auto* made = new FormSection(title, fields_);
  connect(made, &FormSection::showsAllChanged, this, &ClusterForm::refresh);
  column->addWidget(made);
  sections_.push_back(made);
  return made;
}

/// What follows the rows of a section: parts that are no rows, in it or in sections of their own.
void ClusterForm::endSection(QVBoxLayout* column, FormSection* section, const QString& title) {
  if (title == FormSections::nodes()) {
    FormSection* environment = addSection(column, FormSections::environment());
    env_ = new EnvEditor(cluster_, environment);
    environment->addWide(env_);
    connect(env_, &EnvEditor::editFailed, this, &ClusterForm::editFailed);
    connect(env_, &EnvEditor::fixRequested, this, &ClusterForm::fixRequested);
  }
  if (title == FormSections::machine()) {
    section->addWide(addPairs(new PairEditor(PairKind::Mounts, cluster_, section)));
    FormSection* layout = addSection(column, FormSections::layout());
    layout_ = new LayoutPanel(cluster_, layout);
    layout->addWide(layout_);
    connect(layout_, &LayoutPanel::editFailed, this, &ClusterForm::editFailed);
  }
  if (title == FormSections::code()) {
    FormSection* tags = addSection(column, FormSections::tags());
    tags->addWide(addPairs(new PairEditor(PairKind::Tags, cluster_, tags)));
  }
}

PairEditor* ClusterForm::addPairs(PairEditor* editor) {
  connect(editor, &PairEditor::editFailed, this, &ClusterForm::editFailed);
  connect(editor, &PairEditor::fixRequested, this, &ClusterForm::fixRequested);
  pairs_.push_back(editor);
  return editor;
}

FieldRow* ClusterForm::makeRow(const FieldBinding& binding, QWidget* parent) {
  auto* row = new FieldRow(binding, parent);
  connect(row, &FieldRow::edited, this, [this, row](const QString& text) { onEdited(*row, text); });
  connect(row, &FieldRow::finished, this, [this, row] { onFinished(*row); });
  connect(row, &FieldRow::undoRequested, this, &ClusterForm::undoRequested);
  connect(row, &FieldRow::redoRequested, this, &ClusterForm::redoRequested);
  connect(row->note(), &FieldNote::fixRequested, this, &ClusterForm::fixRequested);
  if (row->resourcePicker()) {
    row->resourcePicker()->setNames(names_);
    connect(row->resourcePicker(), &ResourcePicker::choicesWanted, this, &ClusterForm::resourcesWanted);
  }
  rows_.push_back(row);
  for (const FieldPath& path : binding.paths) rowsByPath_.emplace(path, row);
  return row;
}

void ClusterForm::setResources(ResourceKind kind, const ResourceChoices& choices) {
  const ClusterDocument& document = cluster_->lastGood();
  for (FieldRow* row : rows_) {
    if (row->binding().resource != kind) continue;
    row->resourcePicker()->setChoices(choices);
    refreshRow(*row, document, issuesByRow(document)[row]);
  }
}

void ClusterForm::setNames(const ResourceNames& names) {
  if (names == names_) return;
  names_ = names;
  for (FieldRow* row : rows_)
    if (row->resourcePicker()) row->resourcePicker()->setNames(names_);
  refresh();
}

void ClusterForm::setPrices(const PriceTable& prices) {
  prices_ = prices;
  for (FieldRow* row : rows_)
    if (row->shapePicker()) row->shapePicker()->setPrices(prices_);
  refresh();
}

std::map<const FieldRow*, std::vector<Issue>> ClusterForm::issuesByRow(
    const ClusterDocument& document) const {
  std::map<const FieldRow*, std::vector<Issue>> issues;
  for (const Issue& issue : document.issues())
    if (const FieldRow* row = rowFor(issue.field)) issues[row].push_back(issue);
  return issues;
}

void ClusterForm::refresh() {
  const ClusterDocument& document = cluster_->lastGood();
  forgetStaleChoices(document);
  for (FormSection* section : sections_) section->refresh(document);
  auto issues = issuesByRow(document);
  for (FieldRow* row : rows_)
    if (!row->isHidden()) refreshRow(*row, document, issues[row]);
  env_->refresh();
  for (PairEditor* pairs : pairs_) pairs->refresh();
  showBroken();
}

void ClusterForm::refreshRow(FieldRow& row, const ClusterDocument& document,
                             const std::vector<Issue>& issues) {
  const QString text = textOf(row.binding(), document).value_or(QString());
  &row == writing_ ? row.acceptDocumentText(text) : row.setDocumentText(text);
  row.note()->setIssues(issues, remarkFor(row, document, !issues.empty()), row.name());
  row.setAccessibleRemark(row.note()->text());
}

QString ClusterForm::remarkFor(const FieldRow& row, const ClusterDocument& document, bool hasIssues) const {
  const FieldBinding& binding = row.binding();
  QStringList remarks;
  if (!hasIssues) remarks << resolvedNote(binding, document);
  const auto scalar = document.scalar(pathIn(binding, document));
  const QString value = scalar ? toQString(scalar->value) : QString();
  if (row.resourcePicker()) remarks << row.resourcePicker()->describe(value);
  if (row.shapePicker()) remarks << ShapePicker::describeShape(value, prices_);
  if (binding.hint) remarks << binding.hint(document);
  remarks.removeAll(QString());
  return remarks.join(QLatin1Char('\n'));
}

/// Choices are those of a compartment and of a log group: with another one they have to be asked for again.
void ClusterForm::forgetStaleChoices(const ClusterDocument& document) {
  const Infrastructure& there = document.spec().infrastructure;
  const bool isMoved = there.compartmentId.value_or("") != compartment_;
  const bool isRegrouped = there.logGroupId.value_or("") != logGroup_;
  compartment_ = there.compartmentId.value_or("");
  logGroup_ = there.logGroupId.value_or("");
  if (!isMoved && !isRegrouped) return;
  for (FieldRow* row : rows_) {
    const auto kind = row->binding().resource;
    if (!kind || *kind == ResourceKind::Compartment) continue;
    if (isMoved || *kind == ResourceKind::Log) row->resourcePicker()->setChoices({});
  }
}

void ClusterForm::onEdited(FieldRow& row, const QString& text) {
  const FieldBinding& binding = row.binding();
  const QString commandText = tr("change %1").arg(row.name());
  const QString removeText = tr("remove %1").arg(row.name());
  const bool isRemoval = binding.removedAtZero && text == QLatin1String("0");
  QUndoStack& undo = *cluster_->undoStack();
  writing_ = &row;
  touched_ = &row;
  // Down to none and up again: what stood there (names, comments) comes back rather than a bare count.
  if (binding.removedAtZero && !isRemoval && undo.undoText() == removeText) undo.undo();
  const QString key = isRemoval ? QString() : QStringLiteral("field %1 %2").arg(commandText).arg(visit_);
  const auto done = cluster_->edit(isRemoval ? removeText : commandText, key,
                                   stepsToSet(binding, cluster_->document(), text));
  cluster_->document();
  writing_ = nullptr;
  if (!done) emit editFailed(done.error());
}

void ClusterForm::onFinished(FieldRow& row) {
  ++visit_;
  // Passing by changes nothing: only what was edited just now is cleared away.
  if (std::exchange(touched_, nullptr) == &row) removeEmptied(row);
  cluster_->document();
  row.resetToDocument();
}

void ClusterForm::removeEmptied(FieldRow& row) {
  const FieldBinding& binding = row.binding();
  const ClusterDocument& document = cluster_->document();
  if (!binding.isOptional || binding.kind == FieldKind::Count || binding.kind == FieldKind::Choice) return;
  if (!document.isParsable() || !row.editorText().isEmpty()) return;
  const FieldPath path = pathIn(binding, document);
  const auto scalar = document.scalar(path);
  const bool isEmpty = scalar ? scalar->raw.empty() : document.lengthAt(path) == std::size_t{0};
  if (!isEmpty) return;
  if (const auto done = cluster_->remove(path, tr("clear %1").arg(row.name())); !done)
    emit editFailed(done.error());
}

void ClusterForm::showBroken() {
  const ClusterDocument& document = cluster_->document();
  fields_->setEnabled(document.isParsable());
  if (document.isParsable() || document.issues().empty()) return broken_->clear();
  const Issue issue = document.issues().front();
  broken_->showMessage(
      Severity::Error,
      tr("The text breaks at line %1, column %2").arg(issue.place.line).arg(issue.place.column),
      tr("%1. The form shows the last state that could be read.").arg(asSentence(issue.message)));
  QPushButton* button = broken_->addButton(tr("Show the &place"));
  connect(button, &QPushButton::clicked, this,
          [this, place = issue.place] { emit goToRequested(place.line, place.column); });
}

FieldRow* ClusterForm::rowFor(const FieldPath& field) const {
  // The nearest binding around the place.
  for (FieldPath at = field; !at.empty(); at = at.parent()) {
    const auto [first, last] = rowsByPath_.equal_range(at);
    if (first == last) continue;
    for (auto it = first; it != last; ++it)
      if (!it->second->isHidden()) return it->second;
    return first->second;
  }
  return nullptr;
}

bool ClusterForm::focusField(const FieldPath& field) {
  if (field.empty()) return false;
  FieldRow* target = rowFor(field);
  if (!target && env_->owns(field)) {
    ensureWidgetVisible(env_);
    return env_->focusField(field);
  }
  for (PairEditor* pairs : pairs_)
    if (!target && pairs->focusField(field)) return ensureWidgetVisible(pairs), true;
  if (!target && field.startsWith(FieldPath{"spec", "multiNode"}) && layout_->isVisibleTo(this)) {
    layout_->nodesButton()->setFocus(Qt::OtherFocusReason);
    return ensureWidgetVisible(layout_), true;
  }
  // A mapping that the form edits in parts: its first part.
  for (auto row = rows_.begin(); !target && row != rows_.end(); ++row)
    if (!(*row)->isHidden() && (*row)->binding().paths.front().startsWith(field)) target = *row;
  if (!target) return false;
  reveal(target);
  target->editor()->setFocus(Qt::OtherFocusReason);
  ensureWidgetVisible(target, 20, 60);
  return true;
}

/// A rarely used field is shown when somebody is led to it.
void ClusterForm::reveal(FieldRow* row) {
  if (!row->isHidden()) return;
  for (FormSection* section : sections_)
    if (section->isAncestorOf(row)) section->setShowsAll(true);
}

}  // namespace lockstep
