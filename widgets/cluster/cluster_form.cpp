// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/cluster_form.h"

#include <QStyle>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/cluster/env_editor.h"
#include "widgets/cluster/field_row.h"
#include "widgets/cluster/topology_strip.h"
#include "widgets/common/message_bar.h"
#include "widgets/common/qt_convert.h"
#include "widgets/common/theme.h"

namespace lockstep {
namespace {

constexpr int kColumns = 2;

bool edits(const FieldBinding& binding, const FieldPath& field) {
  for (const FieldPath& path : binding.paths)
    if (field.startsWith(path)) return true;
  return false;
}

QString fieldName(const FieldBinding& binding) {
  QString name = binding.label;
  return name.remove(QLatin1Char('&'));
}

}  // namespace

ClusterForm::ClusterForm(EditableCluster* cluster, QWidget* parent) : QScrollArea(parent), cluster_(cluster) {
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
  addRows(sections);
  column->addWidget(fields_);
  column->addStretch();
  setWidget(page);
  // In a narrow window the text pane gives way first: a form that is cut off at the right cannot be used.
  setMinimumWidth(page->minimumSizeHint().width() + style()->pixelMetric(QStyle::PM_ScrollBarExtent));
  connect(cluster_, &EditableCluster::documentChanged, this, &ClusterForm::refresh);
  refresh();
}

void ClusterForm::addRows(QVBoxLayout* column) {
  QString section;
  QGridLayout* grid = nullptr;
  const QString nodes = tr("Nodes");
  for (const FieldBinding& binding : clusterFormBindings()) {
    if (binding.section != section) {
      section = binding.section;
      grid = addSection(column, section);
      if (binding.removedAtZero || section == nodes) {
        topology_ = new TopologyStrip(grid->parentWidget());
        grid->addWidget(topology_, 1, 0, 1, kColumns);
      }
    }
    placeRow(grid, makeRow(binding));
  }
  QGridLayout* environment = addSection(column, tr("Environment"));
  env_ = new EnvEditor(cluster_, environment->parentWidget());
  environment->addWidget(env_, 1, 0, 1, kColumns);
  connect(env_, &EnvEditor::editFailed, this, &ClusterForm::editFailed);
}

QGridLayout* ClusterForm::addSection(QVBoxLayout* column, const QString& title) {
  auto* card = new QFrame(fields_);
  makeCard(card);
  auto* grid = new QGridLayout(card);
  grid->setContentsMargins(14, 10, 14, 12);
  grid->setHorizontalSpacing(12);
  grid->setVerticalSpacing(8);
  for (int i = 0; i < kColumns; ++i) grid->setColumnStretch(i, 1);
  auto* heading = new QLabel(title, card);
  QFont bold = heading->font();
  bold.setWeight(QFont::DemiBold);
  heading->setFont(bold);
  grid->addWidget(heading, 0, 0, 1, kColumns);
  column->addWidget(card);
  return grid;
}

void ClusterForm::placeRow(QGridLayout* grid, FieldRow* row) {
  const int last = grid->rowCount() - 1;
  const bool leftOnly = last > 0 && grid->itemAtPosition(last, 0) && !grid->itemAtPosition(last, 1);
  if (!row->binding().isHalf)
    grid->addWidget(row, last + 1, 0, 1, kColumns);
  else if (leftOnly)
    grid->addWidget(row, last, 1);
  else
    grid->addWidget(row, last + 1, 0);
}

FieldRow* ClusterForm::makeRow(const FieldBinding& binding) {
  auto* row = new FieldRow(binding, fields_);
  connect(row, &FieldRow::edited, this, [this, row](const QString& text) { onEdited(*row, text); });
  connect(row, &FieldRow::finished, this, [this, row] { onFinished(*row); });
  connect(row, &FieldRow::undoRequested, this, &ClusterForm::undoRequested);
  connect(row, &FieldRow::redoRequested, this, &ClusterForm::redoRequested);
  rows_.push_back(row);
  return row;
}

void ClusterForm::refresh() {
  const ClusterDocument& document = cluster_->lastGood();
  for (FieldRow* row : rows_) refreshRow(*row, document);
  topology_->setSpec(document.spec());
  env_->refresh();
  showBroken();
}

void ClusterForm::refreshRow(FieldRow& row, const ClusterDocument& document) {
  const QString text = textOf(row.binding(), document).value_or(QString());
  &row == writing_ ? row.acceptDocumentText(text) : row.setDocumentText(text);
  std::vector<Issue> issues;
  for (const Issue& issue : document.issues())
    if (edits(row.binding(), issue.field)) issues.push_back(issue);
  row.note()->setIssues(issues, issues.empty() ? resolvedNote(row.binding(), document) : QString(),
                        fieldName(row.binding()));
  row.editor()->setAccessibleDescription(
      QStringList{row.binding().help, row.note()->text()}.join(QLatin1Char('\n')).trimmed());
}

void ClusterForm::onEdited(FieldRow& row, const QString& text) {
  const FieldBinding& binding = row.binding();
  const QString commandText = tr("change %1").arg(fieldName(binding));
  const QString removeText = tr("remove %1").arg(fieldName(binding));
  const bool isRemoval = binding.removedAtZero && text == QLatin1String("0");
  QUndoStack& undo = *cluster_->undoStack();
  writing_ = &row;
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
  const FieldBinding& binding = row.binding();
  const bool isText = binding.kind != FieldKind::Count && binding.kind != FieldKind::Choice;
  const ClusterDocument& document = cluster_->document();
  if (isText && binding.isOptional && document.isParsable() && row.editorText().isEmpty()) {
    const FieldPath path = pathIn(binding, document);
    const auto scalar = document.scalar(path);
    if (scalar && scalar->raw.empty())
      if (const auto done = cluster_->remove(path, tr("clear %1").arg(fieldName(binding))); !done)
        emit editFailed(done.error());
  }
  cluster_->document();
  row.resetToDocument();
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
  QPushButton* button = broken_->addButton(tr("&Go there"));
  connect(button, &QPushButton::clicked, this,
          [this, place = issue.place] { emit goToRequested(place.line, place.column); });
}

FieldRow* ClusterForm::rowFor(const FieldPath& field) const {
  for (FieldRow* row : rows_)
    if (edits(row->binding(), field)) return row;
  return nullptr;
}

bool ClusterForm::focusField(const FieldPath& field) {
  if (field.empty()) return false;
  FieldRow* target = rowFor(field);
  if (!target && EnvEditor::owns(field)) {
    ensureWidgetVisible(env_);
    return env_->focusField(field);
  }
  // A mapping that the form edits in parts: its first part.
  for (auto row = rows_.begin(); !target && row != rows_.end(); ++row)
    if ((*row)->binding().paths.front().startsWith(field)) target = *row;
  if (!target) return false;
  target->editor()->setFocus(Qt::OtherFocusReason);
  ensureWidgetVisible(target, 20, 60);
  return true;
}

}  // namespace lockstep
