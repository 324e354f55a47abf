// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <string>
#include <vector>

#include "setup/step/setup_step.h"

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace lockstep {

class FixPreview;

/// The fixes of a step, a line each with "Preview change…"; the preview opens below its line, one at a time.
class FixList : public QWidget {
  Q_OBJECT
 public:
  explicit FixList(QWidget* parent = nullptr);

  /// A preview that is open stays when its fix is still offered and says the same.
  void setFixes(const std::vector<ProposedFix>& fixes);
  /// Opens the preview of the first fix, or leads to it; false when there is none.
  bool openFirst();
  void open(const std::string& fixId);
  void closePreview();
  /// The fix is being applied; empty: none is.
  void setApplying(const std::string& fixId);
  [[nodiscard]] const std::string& openFix() const { return open_; }  // empty: none
  [[nodiscard]] FixPreview* preview() const { return preview_; }
  [[nodiscard]] QPushButton* previewButton(const std::string& fixId) const;  // null: no such fix

 signals:
  void applyRequested(const std::string& fixId);
  void previewOpened();

 private:
  struct Row {
    ProposedFix fix;
    QWidget* line = nullptr;
    QPushButton* button = nullptr;
  };
  void addRow(const ProposedFix& fix);
  void removeRows();
  [[nodiscard]] const Row* find(const std::string& fixId) const;
  void refreshButtons();

  QVBoxLayout* column_;
  QLabel* title_;
  FixPreview* preview_;
  std::vector<Row> rows_;
  std::string open_, applying_;
};

}  // namespace lockstep
