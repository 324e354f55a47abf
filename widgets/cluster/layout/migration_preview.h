// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

#include "plan/migration.h"

class QGridLayout;
class QLabel;
class QPushButton;

namespace lockstep {

class TextDifferenceView;

/// What another layout changes, before it is: in the cloud, in the text, and what to look at. Hidden until
/// there is something to show.
class MigrationPreview : public QFrame {
  Q_OBJECT
 public:
  explicit MigrationPreview(QWidget* parent = nullptr);

  void show(const Migration& migration, const QString& before, const QString& after);
  void clear();
  [[nodiscard]] const Migration& migration() const { return migration_; }
  /// All that it says, line by line.
  [[nodiscard]] QString plainText() const;
  [[nodiscard]] QPushButton* acceptButton() const { return accept_; }
  [[nodiscard]] QPushButton* rejectButton() const { return reject_; }

 signals:
  void accepted();
  void rejected();

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  void fillTable();
  void recolor();

  Migration migration_;
  QLabel* title_;
  QWidget* table_;
  QGridLayout* cells_;
  QLabel* warnings_;
  TextDifferenceView* difference_;
  QPushButton* accept_;
  QPushButton* reject_;
};

}  // namespace lockstep
