// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "diagnosis/findings/finding.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace lockstep {

class StackAnswerView;
struct StackAnswer;

/// One finding about a run: what it is, since when, what was measured and what was not, why (likely), what to do, how sure
/// that is. Shows newer numbers of the same finding in place, so that what is selected or focused stays.
class RunFindingCard : public QFrame {
  Q_OBJECT
 public:
  explicit RunFindingCard(QWidget* parent = nullptr);
  void show(const RunFinding& finding, TimePoint now, bool isMuted);
  /// What is known of where its ranks are. `canAsk`: the nodes can be asked now.
  void setStacks(const StackAnswer& answer, bool canAsk);
  [[nodiscard]] QWidget* stacks() const;
  [[nodiscard]] const RunFinding& finding() const { return finding_; }

 signals:
  /// The charts and the log are to show that time.
  void jumpRequested(const lockstep::RunFinding& finding);
  /// The nodes are to be asked where in their code its ranks are.
  void whereRequested(const lockstep::RunFinding& finding);
  void muteRequested(const lockstep::RunFinding& finding, bool isMuted);

 protected:
  void changeEvent(QEvent* event) override;

 private:
  QLabel* addLine(const QString& name);
  void setLine(QLabel* value, const QString& text);
  void setIcon();

  RunFinding finding_;
  QGridLayout* grid_;
  QLabel *icon_, *what_, *since_, *evidence_, *unmeasured_, *cause_, *remedy_, *confidence_;
  QToolButton *jump_, *where_, *mute_, *copy_;
  StackAnswerView* stacks_;
};

}  // namespace lockstep
