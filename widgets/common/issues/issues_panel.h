// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QWidget>
#include <vector>

#include "base/issue.h"

class QPushButton;
class QToolButton;

namespace lockstep {

class IssuesView;
class StateBadge;
class ToolRow;

/// The list of problems under a line that counts them: one button per severity shows and hides those, one
/// applies all fixes, and the first folds the list.
class IssuesPanel : public QWidget {
  Q_OBJECT
 public:
  explicit IssuesPanel(QWidget* parent = nullptr);

  void setIssues(std::vector<Issue> issues);
  [[nodiscard]] IssuesView* view() const { return view_; }
  /// Whether the list is shown when there are problems.
  [[nodiscard]] bool isUnfolded() const { return unfolded_; }
  void setUnfolded(bool unfolded);
  /// Whether the list is shown now.
  [[nodiscard]] bool isListShown() const;
  /// What the panel takes up with the list folded.
  [[nodiscard]] int foldedHeight() const;
  [[nodiscard]] QPushButton* fixAllButton() const { return fixAll_; }
  [[nodiscard]] QToolButton* severityButton(Severity severity) const;

 signals:
  void issueActivated(const lockstep::Issue& issue);
  void fixRequested(const lockstep::Issue& issue);
  void fixAllRequested();
  /// The list was shown or hidden.
  void listShown(bool isShown);

 private:
  void refresh();

  ToolRow* line_;
  StateBadge* calm_;
  QToolButton* fold_;
  QList<QToolButton*> severities_;  // errors, warnings, notes
  QPushButton* fixAll_ = nullptr;
  IssuesView* view_ = nullptr;
  bool unfolded_ = true;
  bool wasShown_ = true;
};

}  // namespace lockstep
