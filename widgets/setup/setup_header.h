// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <QStringList>
#include <utility>
#include <vector>

class QAction;
class QComboBox;
class QHBoxLayout;
class QLabel;
class QProgressBar;
class QPushButton;

namespace lockstep {

class ElidedLabel;

/// The head of the set-up page: the profile and what is known of it, the actions, how many steps are ready,
/// and when they were checked.
class SetupHeader : public QFrame {
  Q_OBJECT
 public:
  /// The actions are whoever's they are.
  SetupHeader(QAction* check, QAction* rehearsal, const QList<QAction*>& more, QWidget* parent = nullptr);
  ~SetupHeader() override;

  /// Emits nothing. A current one that is not among the names is a profile that is still to be made.
  void setProfiles(const QStringList& names, const QString& current);
  [[nodiscard]] QString currentProfile() const;
  void setSummary(const QString& text);
  /// `ready` of `all` steps need nothing any more, `checked` have an answer; while `isChecking` a bar shows
  /// it. Where all have one and none is `blocked`, nothing prevents a launch.
  void setCounts(int ready, int all, int checked, bool isChecking, int blocked = 0);
  void setLastCheck(const QString& text);
  [[nodiscard]] QString countsText() const;
  [[nodiscard]] QComboBox* profileBox() const { return profiles_; }

 signals:
  /// One of the list, or a name that was typed.
  void profileChosen(const QString& name);

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QLayout* makeActions(QAction* check, QAction* rehearsal, const QList<QAction*>& more);
  QLayout* makeProgress();
  void choose(const QString& name);

  QComboBox* profiles_ = nullptr;
  ElidedLabel* summary_ = nullptr;
  QPushButton* check_ = nullptr;
  QHBoxLayout* actions_ = nullptr;
  std::vector<std::pair<QPushButton*, QString>> foldable_;  // to icons, where it is narrow; and their texts
  QLabel* counts_ = nullptr;
  QProgressBar* progress_ = nullptr;
  ElidedLabel* lastCheck_ = nullptr;
  QString shown_;  // the profile whose steps are shown
};

}  // namespace lockstep
