// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/tables/env_editor.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "widgets/cluster/fields/field_note.h"
#include "widgets/cluster/fields/form_bindings.h"
#include "widgets/cluster/tables/table_parts.h"
#include "widgets/common/layout/wheel_guard.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMinRows = 2;
constexpr int kMaxRows = 8;
constexpr double kEffectShare = 0.36;

}  // namespace

EnvEditor::EnvEditor(EditableCluster* cluster, QWidget* parent)
    : QWidget(parent),
      cluster_(cluster),
      model_(new EnvModel(cluster, this)),
      views_(new QComboBox(this)),
      table_(new QTableView(this)),
      add_(new QPushButton(themedIcon(QStringLiteral("add")), tr("&Add"), this)),
      remove_(new QPushButton(themedIcon(QStringLiteral("remove")), tr("&Remove"), this)),
      order_(new PlainLabel(this)),
      note_(new FieldNote(this)) {
  views_->setAccessibleName(tr("Level"));
  views_->setAccessibleDescription(tr("Which nodes get the variables below"));
  views_->setToolTip(tr("Which nodes get the variables below"));
  views_->setFocusPolicy(Qt::StrongFocus);
  views_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  views_->setMinimumContentsLength(12);
  views_->installEventFilter(this);
  letWheelPass(views_);
  table_->setModel(model_);
  table_->setAccessibleName(tr("Environment variables"));
  preparePairTable(table_);
  table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->installEventFilter(this);
  add_->setToolTip(tr("Add a variable (Insert)"));
  remove_->setToolTip(tr("Remove the selected variables (Delete)"));
  makeCaption(order_);
  order_->setWordWrap(true);

  auto* buttons = new QHBoxLayout;
  buttons->addWidget(views_, 1);
  buttons->addWidget(add_);
  buttons->addWidget(remove_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(buttons);
  column->addWidget(table_);
  column->addWidget(order_);
  column->addWidget(note_);

  connect(views_, &QComboBox::activated, this, &EnvEditor::show);
  connect(add_, &QPushButton::clicked, this, &EnvEditor::addVariable);
  connect(remove_, &QPushButton::clicked, this, &EnvEditor::removeSelected);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &EnvEditor::updateButtons);
  connect(model_, &EnvModel::modelReset, this, &EnvEditor::updateButtons);
  connect(model_, &EnvModel::editFailed, this, &EnvEditor::editFailed);
  connect(note_, &FieldNote::fixRequested, this, &EnvEditor::fixRequested);
  refresh();
}

void EnvEditor::refresh() {
  const ClusterDocument& document = cluster_->lastGood();
  // Most edits are somewhere else: they cost no more here than the comparison.
  EnvSettings lists = envSettings(document);
  const bool isSame = lists == lists_ && document.issues() == issues_;
  if (isSame && !model_->view().isResult) return;
  const EnvPrecedence precedence(document, lists);
  lists_ = std::move(lists);
  issues_ = document.issues();
  listViews(precedence);
  model_->refresh(precedence);
  refreshParts();
}

void EnvEditor::listViews(const EnvPrecedence& precedence) {
  const std::vector<EnvView> views = envViews(cluster_->lastGood());
  if (views != shown_) {
    const EnvView kept = model_->view();
    shown_ = views;
    views_->clear();
    bool isBefore = true;
    for (const EnvView& view : shown_) {
      if (view.isResult && std::exchange(isBefore, false)) views_->insertSeparator(views_->count());
      views_->addItem(QString(), static_cast<int>(&view - shown_.data()));
    }
    if (!setView(kept)) setView(shown_.front());
  }
  for (int item = 0; item < views_->count(); ++item) {
    const QVariant index = views_->itemData(item);
    if (!index.isValid()) continue;
    const EnvView& view = shown_[static_cast<std::size_t>(index.toInt())];
    const QString text =
        view.isResult ? tr("Result on %1").arg(nameOf(view.role))
                      : tr("Set for %1 (%2)")
                            .arg(nameOf(isJobFile(cluster_->lastGood()) ? EnvLevel::AllNodes : view.level))
                            .arg(precedence.count(view.level));
    if (views_->itemText(item) != text) views_->setItemText(item, text);
  }
}

void EnvEditor::show(int item) {
  const QVariant index = views_->itemData(item);
  if (index.isValid()) setView(shown_[static_cast<std::size_t>(index.toInt())]);
}

bool EnvEditor::setView(const EnvView& view) {
  const auto at = std::find(shown_.begin(), shown_.end(), view);
  if (at == shown_.end()) return false;
  views_->setCurrentIndex(views_->findData(static_cast<int>(at - shown_.begin())));
  model_->setView(view);
  refreshParts();
  return true;
}

/// What stands around the table.
void EnvEditor::refreshParts() {
  const FieldPath list = model_->path();
  std::vector<Issue> issues;
  for (const Issue& issue : cluster_->lastGood().issues())
    if (!list.empty() && issue.field.startsWith(list)) issues.push_back(issue);
  note_->setIssues(issues);
  const bool isResult = model_->view().isResult;
  order_->setText(isResult
                      ? tr("All that the container sees from the file and from the launch, in this order.")
                      : tr("What is set for some nodes wins over the training code, and that over all "
                           "nodes; of two lines in one list the last."));
  order_->setVisible(!isJobFile(cluster_->lastGood()) || isResult);
  table_->setColumnHidden(EnvModel::EffectColumn, !model_->hasEffects());
  fitColumns();
  fitHeight(table_, kMinRows, kMaxRows);
  updateButtons();
}

void EnvEditor::fitColumns() {
  // The value gives way: it can be read in its tool tip, too.
  const int width = table_->viewport()->width();
  QHeaderView* header = table_->horizontalHeader();
  header->setStretchLastSection(!model_->hasEffects());
  if (!model_->hasEffects()) return;
  header->setSectionResizeMode(EnvModel::ValueColumn, QHeaderView::Stretch);
  header->setSectionResizeMode(EnvModel::EffectColumn, QHeaderView::Fixed);
  const int effect = static_cast<int>(width * kEffectShare);
  if (table_->columnWidth(EnvModel::EffectColumn) != effect)
    table_->setColumnWidth(EnvModel::EffectColumn, effect);
}

bool EnvEditor::owns(const FieldPath& field) const {
  return std::any_of(shown_.begin(), shown_.end(), [&](const EnvView& view) {
    return !view.isResult && field.startsWith(pathOf(view.level, cluster_->lastGood()));
  });
}

bool EnvEditor::focusField(const FieldPath& field) {
  for (const EnvView& view : shown_) {
    const FieldPath list = pathOf(view.level, cluster_->lastGood());
    if (view.isResult || !field.startsWith(list)) continue;
    setView(EnvView(view));
    table_->setFocus(Qt::OtherFocusReason);
    const auto& elements = field.elements();
    const std::size_t depth = list.elements().size();
    if (elements.size() > depth)
      if (const auto* row = std::get_if<std::size_t>(&elements[depth])) {
        const bool isName = field.elements().back() == FieldPath::Element(std::string("name"));
        table_->setCurrentIndex(
            model_->index(static_cast<int>(*row), isName ? EnvModel::NameColumn : EnvModel::ValueColumn));
      }
    return true;
  }
  return false;
}

bool EnvEditor::eventFilter(QObject* watched, QEvent* event) {
  if (watched == table_ && event->type() == QEvent::Resize) fitColumns();
  if (watched == table_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Insert) addVariable();
    if (key == Qt::Key_Delete) removeSelected();
    if (key == Qt::Key_Insert || key == Qt::Key_Delete) return true;
  }
  return QWidget::eventFilter(watched, event);
}

void EnvEditor::addVariable() {
  if (model_->view().isResult) return;
  const int row = model_->addVariable();
  if (row < 0) return;
  const QModelIndex cell = model_->index(row, EnvModel::NameColumn);
  table_->setCurrentIndex(cell);
  table_->scrollTo(cell);
  table_->edit(cell);
}

void EnvEditor::removeSelected() {
  if (model_->view().isResult) return;
  std::vector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows.push_back(index.row());
  if (!rows.empty()) model_->removeVariables(rows);
}

void EnvEditor::updateButtons() {
  const bool isResult = model_->view().isResult;
  add_->setEnabled(!isResult);
  remove_->setEnabled(!isResult && table_->selectionModel()->hasSelection());
}

}  // namespace lockstep
