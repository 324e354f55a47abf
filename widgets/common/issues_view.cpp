// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/issues_view.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>

#include "widgets/common/qt_convert.h"

namespace lockstep {

IssuesView::IssuesView(QWidget* parent) : QTreeView(parent), model_(new IssuesModel(this)) {
  setModel(model_);
  setAccessibleName(tr("Problems"));
  setRootIsDecorated(false);
  setUniformRowHeights(true);
  setAllColumnsShowFocus(true);
  setTextElideMode(Qt::ElideRight);
  setSelectionBehavior(QAbstractItemView::SelectRows);
  setTabKeyNavigation(false);
  header()->setStretchLastSection(true);
  header()->setSectionResizeMode(IssuesModel::SeverityColumn, QHeaderView::ResizeToContents);
  header()->setSectionResizeMode(IssuesModel::PlaceColumn, QHeaderView::ResizeToContents);
  header()->setSectionsClickable(false);
  connect(this, &QTreeView::activated, this, [this](const QModelIndex& index) {
    const auto& all = model_->issues();
    if (index.isValid() && static_cast<std::size_t>(index.row()) < all.size())
      emit issueActivated(
          Issue(all[static_cast<std::size_t>(index.row())]));  // a copy: the slot may change the list
  });
}

void IssuesView::setIssues(std::vector<Issue> issues) {
  model_->setIssues(std::move(issues));
}

void IssuesView::keyPressEvent(QKeyEvent* event) {
  const QModelIndex index = currentIndex();
  if (event->matches(QKeySequence::Copy) && index.isValid()) {
    const Issue& issue = model_->issues()[static_cast<std::size_t>(index.row())];
    QApplication::clipboard()->setText(toQString(describe(issue, "train.yaml")));
    return;
  }
  QTreeView::keyPressEvent(event);
}

}  // namespace lockstep
