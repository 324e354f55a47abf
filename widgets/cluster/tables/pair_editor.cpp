// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/tables/pair_editor.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

#include "widgets/cluster/fields/field_note.h"
#include "widgets/cluster/tables/table_parts.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMaxRows = 6;

QPushButton* makeButton(const QString& icon, const QString& name, const QString& tip, QWidget* parent) {
  auto* button = new QPushButton(themedIcon(icon), QString(), parent);
  button->setAccessibleName(name);
  button->setToolTip(plainToolTip(tip));
  return button;
}

}  // namespace

PairEditor::PairEditor(PairKind kind, EditableCluster* cluster, QWidget* parent)
    : QWidget(parent),
      model_(new PairModel(kind, cluster, this)),
      cluster_(cluster),
      table_(new QTableView(this)),
      note_(new FieldNote(this)) {
  const bool isMounts = kind == PairKind::Mounts;
  auto* label = new PlainLabel(isMounts ? tr("Storage mounts") : tr("Free-form tags"), this);
  makeCaption(label);
  label->setBuddy(table_);
  table_->setModel(model_);
  table_->setAccessibleName(label->text());
  table_->setToolTip(
      isMounts ? tr("oci://bucket@namespace/prefix or mount target:export, and the folder in the container")
               : tr("Set on the job; its runs get none"));
  preparePairTable(table_);
  table_->installEventFilter(this);
  add_ = makeButton(QStringLiteral("add"), isMounts ? tr("Add a storage mount") : tr("Add a tag"),
                    tr("Add (Insert)"), this);
  remove_ = makeButton(QStringLiteral("remove"), isMounts ? tr("Remove storage mounts") : tr("Remove tags"),
                       tr("Remove the selected lines (Delete)"), this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(label, 1);
  buttons->addWidget(add_);
  buttons->addWidget(remove_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addLayout(buttons);
  column->addWidget(table_);
  column->addWidget(note_);
  connect(add_, &QPushButton::clicked, this, &PairEditor::addPair);
  connect(remove_, &QPushButton::clicked, this, &PairEditor::removeSelected);
  connect(model_, &PairModel::editFailed, this, &PairEditor::editFailed);
  connect(note_, &FieldNote::fixRequested, this, &PairEditor::fixRequested);
  const auto update = [this] { remove_->setEnabled(table_->selectionModel()->hasSelection()); };
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, update);
  connect(model_, &PairModel::modelReset, this, update);
  update();
  refresh();
}

void PairEditor::refresh() {
  model_->refresh();
  const FieldPath path = model_->path();
  std::vector<Issue> issues;
  for (const Issue& issue : cluster_->lastGood().issues())
    if (issue.field.startsWith(path)) issues.push_back(issue);
  note_->setIssues(issues);
  // Nothing there is no table: one line with the way to add something.
  table_->setVisible(model_->rowCount() > 0);
  remove_->setVisible(model_->rowCount() > 0);
  fitHeight(table_, 1, kMaxRows);
}

bool PairEditor::focusField(const FieldPath& field) {
  const FieldPath path = model_->path();
  if (!field.startsWith(path)) return false;
  const auto& elements = field.elements();
  const std::size_t depth = path.elements().size();
  if (model_->rowCount() == 0) return add_->setFocus(Qt::OtherFocusReason), true;
  table_->setFocus(Qt::OtherFocusReason);
  int row = 0;
  if (elements.size() > depth) {
    if (const auto* index = std::get_if<std::size_t>(&elements[depth])) row = static_cast<int>(*index);
    if (const auto* key = std::get_if<std::string>(&elements[depth]))
      for (int i = 0; i < model_->rowCount(); ++i)
        if (model_->index(i, 0).data().toString().toStdString() == *key) row = i;
  }
  table_->setCurrentIndex(model_->index(row, 0));
  return true;
}

bool PairEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Insert) addPair();
    if (key == Qt::Key_Delete) removeSelected();
    if (key == Qt::Key_Insert || key == Qt::Key_Delete) return true;
  }
  return QWidget::eventFilter(watched, event);
}

void PairEditor::addPair() {
  const int row = model_->addPair();
  if (row < 0) return;
  refresh();
  const QModelIndex cell = model_->index(row, 0);
  table_->setCurrentIndex(cell);
  table_->scrollTo(cell);
  table_->edit(cell);
}

void PairEditor::removeSelected() {
  std::vector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows.push_back(index.row());
  if (!rows.empty()) model_->removePairs(rows);
}

}  // namespace lockstep
