// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/env_editor.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QTableView>
#include <algorithm>

#include "widgets/cluster/field_row.h"
#include "widgets/common/qt_convert.h"
#include "widgets/common/theme.h"

namespace lockstep {
namespace {

constexpr int kFewestRows = 2;
constexpr int kMostRows = 8;

const std::vector<FieldPath>& lists() {
  static const std::vector<FieldPath> kLists{
      {"spec", "cluster", "spec", "config", "env"},
      {"spec", "cluster", "spec", "main", "config", "env"},
      {"spec", "cluster", "spec", "worker", "config", "env"},
      {"spec", "runtime", "spec", "env"},
  };
  return kLists;
}

}  // namespace

EnvEditor::EnvEditor(EditableCluster* cluster, QWidget* parent)
    : QWidget(parent),
      cluster_(cluster),
      model_(new EnvModel(cluster, this)),
      scope_(new QComboBox(this)),
      table_(new QTableView(this)),
      add_(new QPushButton(themedIcon(QStringLiteral("add")), tr("&Add"), this)),
      remove_(new QPushButton(themedIcon(QStringLiteral("remove")), tr("Remo&ve"), this)),
      note_(new FieldNote(this)) {
  auto* scopeLabel = new QLabel(tr("Set for (&1)"), this);
  makeCaption(scopeLabel);
  scopeLabel->setBuddy(scope_);
  for (const QString& text :
       {tr("all nodes"), tr("the main node"), tr("the workers"), tr("the training code")})
    scope_->addItem(text);
  scope_->setAccessibleDescription(tr("Which nodes get the variables below"));
  scope_->setFocusPolicy(Qt::StrongFocus);
  scope_->installEventFilter(this);

  table_->setModel(model_);
  table_->setAccessibleName(tr("Environment variables"));
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setAlternatingRowColors(true);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(EnvModel::NameColumn, QHeaderView::Interactive);
  table_->horizontalHeader()->setStretchLastSection(true);
  table_->horizontalHeader()->setHighlightSections(false);
  table_->horizontalHeader()->setDefaultAlignment(Qt::AlignLeading | Qt::AlignVCenter);
  table_->setColumnWidth(EnvModel::NameColumn, fontMetrics().averageCharWidth() * 24);
  table_->installEventFilter(this);
  add_->setToolTip(tr("Add a variable (Insert)"));
  remove_->setToolTip(tr("Remove the selected variables (Delete)"));

  auto* buttons = new QHBoxLayout;
  buttons->addWidget(scopeLabel);
  buttons->addWidget(scope_, 1);
  buttons->addWidget(add_);
  buttons->addWidget(remove_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addLayout(buttons);
  column->addWidget(table_);
  column->addWidget(note_);

  connect(scope_, &QComboBox::currentIndexChanged, this, [this](int index) {
    model_->setPath(lists()[static_cast<std::size_t>(std::max(0, index))]);
    refresh();
  });
  connect(add_, &QPushButton::clicked, this, &EnvEditor::addVariable);
  connect(remove_, &QPushButton::clicked, this, &EnvEditor::removeSelected);
  connect(table_->selectionModel(), &QItemSelectionModel::selectionChanged, this, &EnvEditor::updateButtons);
  connect(model_, &EnvModel::modelReset, this, &EnvEditor::updateButtons);
  connect(model_, &EnvModel::editFailed, this, &EnvEditor::editFailed);
  model_->setPath(lists().front());
  refresh();
}

void EnvEditor::refresh() {
  model_->refresh();
  std::vector<Issue> issues;
  for (const Issue& issue : cluster_->lastGood().issues())
    if (issue.field.startsWith(model_->path())) issues.push_back(issue);
  note_->setIssues(issues);
  updateHeight();
  updateButtons();
}

bool EnvEditor::owns(const FieldPath& field) {
  return std::any_of(lists().begin(), lists().end(),
                     [&](const FieldPath& list) { return field.startsWith(list); });
}

bool EnvEditor::focusField(const FieldPath& field) {
  for (std::size_t i = 0; i < lists().size(); ++i) {
    if (!field.startsWith(lists()[i])) continue;
    scope_->setCurrentIndex(static_cast<int>(i));
    table_->setFocus(Qt::OtherFocusReason);
    const auto& elements = field.elements();
    const std::size_t depth = lists()[i].elements().size();
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
  if (watched == scope_ && event->type() == QEvent::Wheel && !scope_->hasFocus()) {
    event->ignore();
    return true;
  }
  if (watched == table_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key == Qt::Key_Insert) addVariable();
    if (key == Qt::Key_Delete) removeSelected();
    if (key == Qt::Key_Insert || key == Qt::Key_Delete) return true;
  }
  return QWidget::eventFilter(watched, event);
}

void EnvEditor::addVariable() {
  const int row = model_->addVariable();
  if (row < 0) return;
  const QModelIndex cell = model_->index(row, EnvModel::NameColumn);
  table_->setCurrentIndex(cell);
  table_->scrollTo(cell);
  table_->edit(cell);
}

void EnvEditor::removeSelected() {
  std::vector<int> rows;
  for (const QModelIndex& index : table_->selectionModel()->selectedRows()) rows.push_back(index.row());
  if (!rows.empty()) model_->removeVariables(rows);
}

void EnvEditor::updateHeight() {
  const int rows = std::clamp(model_->rowCount(), kFewestRows, kMostRows);
  const int rowHeight = table_->verticalHeader()->defaultSectionSize();
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() + rows * rowHeight +
                         2 * table_->frameWidth() + 2);
}

void EnvEditor::updateButtons() {
  remove_->setEnabled(table_->selectionModel()->hasSelection());
}

}  // namespace lockstep
