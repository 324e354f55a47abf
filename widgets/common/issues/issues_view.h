// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTreeView>

#include "base/issue.h"
#include "widgets/common/issues/issues_model.h"

namespace lockstep {

/// The list of problems. Double click or Enter on one asks to be taken to its place, Ctrl+. or a click on its
/// fix for that to be applied; Ctrl+C copies it.
class IssuesView : public QTreeView {
  Q_OBJECT
 public:
  explicit IssuesView(QWidget* parent = nullptr);

  /// The current row stays the current one while its problem is there.
  void setIssues(std::vector<Issue> issues);
  [[nodiscard]] IssuesModel* issuesModel() const { return model_; }

 signals:
  void issueActivated(const lockstep::Issue& issue);
  void fixRequested(const lockstep::Issue& issue);  // issue.fix is set

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void requestFix(const QModelIndex& index);
  void fitColumns();

  IssuesModel* model_;
};

}  // namespace lockstep
