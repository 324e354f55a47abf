// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "base/issue.h"

class QLabel;

namespace lockstep {

/// What is to be said of one field, in small text under it: its issues, each with its fix as a link, and a
/// remark. Hidden when there is nothing to say. Setting what it already says costs nothing.
class FieldNote : public QWidget {
  Q_OBJECT
 public:
  explicit FieldNote(QWidget* parent = nullptr);
  /// `fieldName` stands in for the path of the field in the messages.
  void setIssues(const std::vector<Issue>& issues, const QString& remark = {}, const QString& fieldName = {});
  [[nodiscard]] QString text() const { return text_; }
  /// How many fixes are offered, and taking one of them up (also by its link).
  [[nodiscard]] int fixCount() const;
  void applyFix(int index);

 signals:
  void fixRequested(const lockstep::Issue& issue);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  struct Line {
    QWidget* row;
    QLabel* icon;
    QLabel* text;
    QLabel* fix;
  };
  Line makeLine();
  void showLine(std::size_t index, Severity severity, const QString& text, const QString& fix);
  void recolor();

  std::vector<Line> lines_;  // the first `used_` of them are shown
  std::size_t used_ = 0;
  std::vector<Issue> issues_;
  std::vector<Severity> severities_;
  std::vector<Issue> fixable_;
  QString remark_, fieldName_, text_;
};

}  // namespace lockstep
