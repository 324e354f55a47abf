// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/issues/issues_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyledItemDelegate>
#include <algorithm>

#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr double kFixShare = 0.34;  // of the width, when there are fixes
constexpr int kMaxFixChars = 60;

/// A fix looks like the link that it is.
class LinkDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

 protected:
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    QStyledItemDelegate::initStyleOption(option, index);
    option->font.setUnderline(true);
    if (!(option->state & QStyle::State_Selected))
      option->palette.setColor(QPalette::Text, accentColor(option->palette));
  }
};

bool isSameProblem(const Issue& one, const Issue& other) {
  return one.code == other.code && one.field == other.field && one.message == other.message;
}

}  // namespace

IssuesView::IssuesView(QWidget* parent) : QTreeView(parent), model_(new IssuesModel(this)) {
  setModel(model_);
  setAccessibleName(tr("Problems"));
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setAllColumnsShowFocus(true);
  setTextElideMode(Qt::ElideRight);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setTabKeyNavigation(false);
  setMouseTracking(true);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setItemDelegateForColumn(IssuesModel::FixColumn, new LinkDelegate(this));
  header()->setStretchLastSection(false);
  header()->setSectionResizeMode(IssuesModel::SeverityColumn, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(IssuesModel::PlaceColumn, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(IssuesModel::MessageColumn, QHeaderView::Stretch);
  header()->setSectionResizeMode(IssuesModel::FixColumn, QHeaderView::Fixed);
  header()->setSectionsClickable(false);
  connect(model_, &IssuesModel::modelReset, this, &IssuesView::fitColumns);
  connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
    const Issue* issue = model_->issueAt(index.row());
    if (issue) emit issueActivated(Issue(*issue));  // a copy: the slot may change the list
  });
  connect(this, &QTreeView::clicked, this, [this](const QModelIndex& index) {
    if (index.column() == IssuesModel::FixColumn) requestFix(index);
  });
  fitColumns();
}

void IssuesView::setIssues(std::vector<Issue> issues) {
  const Issue* current = model_->issueAt(currentIndex().row());
  const std::optional<Issue> kept = current ? std::optional(*current) : std::nullopt;
  model_->setIssues(std::move(issues));
  if (!kept || currentIndex().isValid()) return;
  for (int row = 0; row < model_->rowCount(); ++row)
    if (isSameProblem(*model_->issueAt(row), *kept)) return setCurrentIndex(model_->index(row, 0));
}

void IssuesView::requestFix(const QModelIndex& index) {
  const Issue* issue = model_->issueAt(index.row());
  if (issue && issue->fix) emit fixRequested(Issue(*issue));
}

void IssuesView::fitColumns() {
  const bool hasFixes = model_->fixCount() > 0;
  setColumnHidden(IssuesModel::FixColumn, !hasFixes);
  if (!hasFixes) return;
  const int max = std::min(fontMetrics().averageCharWidth() * kMaxFixChars,
                           static_cast<int>(viewport()->width() * kFixShare));
  setColumnWidth(IssuesModel::FixColumn, std::min(max, sizeHintForColumn(IssuesModel::FixColumn)));
}

void IssuesView::resizeEvent(QResizeEvent* event) {
  QTreeView::resizeEvent(event);
  fitColumns();
}

void IssuesView::mouseMoveEvent(QMouseEvent* event) {
  const QModelIndex index = indexAt(event->position().toPoint());
  const Issue* issue = index.column() == IssuesModel::FixColumn ? model_->issueAt(index.row()) : nullptr;
  viewport()->setCursor(issue && issue->fix ? Qt::PointingHandCursor : Qt::ArrowCursor);
  QTreeView::mouseMoveEvent(event);
}

void IssuesView::keyPressEvent(QKeyEvent* event) {
  const QModelIndex index = currentIndex();
  const Issue* issue = model_->issueAt(index.row());
  if (issue && event->matches(QKeySequence::Copy)) {
    QApplication::clipboard()->setText(toQString(describe(*issue, "train.yaml")));
    return;
  }
  if (issue && event->key() == Qt::Key_Period && event->modifiers() == Qt::ControlModifier)
    return requestFix(index);
  QTreeView::keyPressEvent(event);
}

}  // namespace lockstep
