// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "diagnosis/findings/finding.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/diagnosis/stack_answer.h"

class QLabel;
class QScrollArea;
class QToolButton;
class QVBoxLayout;

namespace lockstep {

class RunFindingCard;

/// What is wrong with a run, on one line: the worst finding, and how many more there are. Opened, it shows a card of each, those
/// that are over or muted behind the others, and what nobody can say since it was not measured. Hidden while nothing was found.
class FindingBar : public QFrame {
  Q_OBJECT
 public:
  explicit FindingBar(QWidget* parent = nullptr);

  /// The worst first. `unmeasured`: of these kinds nothing can be said.
  void setFindings(std::vector<RunFinding> findings, std::vector<FindingKind> unmeasured, TimePoint now);
  /// Keys of findings that are not told.
  void setMuted(std::set<std::string> keys);
  /// Whether the nodes of the run can be asked where its ranks are: it goes on.
  void setAskable(bool isAskable);
  /// What they have answered about the finding of that key.
  void setStacks(const std::string& finding, StackAnswer answer);
  void clear();
  void setOpen(bool isOpen);
  [[nodiscard]] bool isOpen() const;
  [[nodiscard]] QString headline() const;
  [[nodiscard]] std::vector<RunFindingCard*> cards() const;  // from above

 signals:
  void jumpRequested(const lockstep::RunFinding& finding);
  void whereRequested(const lockstep::RunFinding& finding);
  void muteRequested(const lockstep::RunFinding& finding, bool isMuted);

 protected:
  void changeEvent(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  void refresh();
  void refreshHead();
  void refreshCards();
  [[nodiscard]] RunFindingCard* makeCard();
  [[nodiscard]] std::vector<const RunFinding*> told() const;  // that go on and are not muted
  [[nodiscard]] BadgeTone tone() const;
  [[nodiscard]] QString unmeasuredText() const;
  void fitHeight();

  std::vector<RunFinding> findings_;
  std::vector<FindingKind> unmeasured_;
  std::set<std::string> muted_;
  std::map<std::string, StackAnswer> stacks_;  // by key
  bool isAskable_ = false;
  TimePoint now_{};
  QString announced_;
  QLabel *icon_, *headline_, *gaps_;
  QToolButton* toggle_;
  QScrollArea* area_;
  QVBoxLayout* list_;
  std::map<std::string, RunFindingCard*> cards_;  // by key
};

}  // namespace lockstep
