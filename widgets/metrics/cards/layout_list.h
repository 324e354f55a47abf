// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QObject>
#include <QUndoStack>
#include <vector>

#include "base/error.h"
#include "metrics/layouts/dashboard_layout.h"

namespace lockstep {

/// The layouts that there are, those of the program and the user's own, and the one that is shown. Changes can be undone as
/// long as that one is shown; they are kept beside the layout, and become part of one of the user's own when it is saved.
class LayoutList : public QObject {
  Q_OBJECT
 public:
  static constexpr std::size_t kMaxOwn = 100;

  explicit LayoutList(QObject* parent = nullptr);

  [[nodiscard]] const DashboardLayout& current() const { return current_; }
  [[nodiscard]] bool isOwn() const;
  /// It is not as it was saved, or as it comes with the program.
  [[nodiscard]] bool isChanged() const;
  [[nodiscard]] const std::vector<DashboardLayout>& own() const { return own_; }
  [[nodiscard]] QUndoStack* undoStack() { return &undo_; }

  /// Shows `next` instead, and keeps what was shown for undo. `what`: "Remove the card Loss". Changes one after another with
  /// the same `kind` (above 0) are undone at once.
  void change(const QString& what, const DashboardLayout& next, int kind = 0);
  /// False: there is none of that name, and nothing changes.
  bool choose(const std::string& name);
  /// As one of the user's own, which it replaces if there is one of that name. Error: the name is empty, too long or that of
  /// one of the program's, or there are too many.
  [[nodiscard]] Result<void> saveAs(const std::string& name);
  /// Of the user's own. Error: likewise, or the name is taken.
  [[nodiscard]] Result<void> rename(const std::string& name);
  /// Deletes the user's own that is shown, and shows the first of the program's.
  void removeCurrent();
  /// As it was saved, or comes with the program. Can be undone.
  void reset();

  /// The user's own, changes that were not saved, and which is shown. restore() leaves out what makes no sense.
  [[nodiscard]] QByteArray save() const;
  void restore(const QByteArray& saved);

 signals:
  void currentChanged();
  /// Names, or which is shown.
  void listChanged();

 private:
  friend class LayoutChange;
  void show(const DashboardLayout& layout);
  [[nodiscard]] const DashboardLayout* stored(const std::string& name) const;
  [[nodiscard]] Result<void> checkName(const std::string& name) const;
  void keepDraft();

  DashboardLayout current_;
  std::vector<DashboardLayout> own_;     // by the order in which they were made
  std::vector<DashboardLayout> drafts_;  // changes of layouts that are not shown now, by their names
  QUndoStack undo_;
};

}  // namespace lockstep
