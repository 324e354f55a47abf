// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>

class QAction;
class QComboBox;
class QToolButton;

namespace lockstep {

class LayoutList;

/// Which layout is shown, and what can be done with it: cards added, changes undone, the layout saved, renamed, deleted.
class LayoutBar : public QWidget {
  Q_OBJECT
 public:
  explicit LayoutBar(LayoutList* layouts, QWidget* parent = nullptr);

 signals:
  void addRequested();

 private:
  void createMenu();
  void fill();
  void askForName(bool isNew);

  LayoutList* layouts_;
  QComboBox* choice_;
  QToolButton* menu_;
  QAction* rename_ = nullptr;
  QAction* remove_ = nullptr;
  QAction* reset_ = nullptr;
};

}  // namespace lockstep
