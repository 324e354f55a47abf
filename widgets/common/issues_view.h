// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QTreeView>

#include "base/issue.h"
#include "widgets/common/issues_model.h"

namespace lockstep {

/// The list of problems. Double click or Enter on one asks to be taken to its place; Ctrl+C copies it.
class IssuesView : public QTreeView {
  Q_OBJECT
 public:
  explicit IssuesView(QWidget* parent = nullptr);

  void setIssues(std::vector<Issue> issues);
  [[nodiscard]] IssuesModel* issuesModel() const { return model_; }

 signals:
  void issueActivated(const lockstep::Issue& issue);

 protected:
  void keyPressEvent(QKeyEvent* event) override;

 private:
  IssuesModel* model_;
};

}  // namespace lockstep
