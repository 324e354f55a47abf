// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "base/error.h"
#include "oci/signing/call_audit.h"

class QAction;
class QCheckBox;
class QLabel;
class QLineEdit;
class QStackedLayout;
class QTreeView;

namespace lockstep {

class CallsFilter;
class CallsModel;
class MessageBar;

/// What Lockstep asked of the services, as it happens: filter, failures alone, copy a line for a support
/// request. New calls scroll into view unless the reader has scrolled up.
class CallsPanel : public QWidget {
  Q_OBJECT
 public:
  explicit CallsPanel(QWidget* parent = nullptr);

  void append(std::vector<oci::CallRecord> calls);
  void clear();
  /// Why the calls cannot be told.
  void showError(const Error& error);
  [[nodiscard]] CallsModel* model() const { return model_; }

 private:
  QWidget* makeToolRow();
  QWidget* makeTable();
  QWidget* makeEmptyState();
  void copySelected();
  void applyFilter();
  void showRightView();
  void updateCount();

  CallsModel* model_;
  CallsFilter* filtered_;
  MessageBar* statusBar_;
  QLineEdit* filter_ = nullptr;
  QCheckBox* failuresOnly_ = nullptr;
  QLabel* count_ = nullptr;
  QLabel* empty_ = nullptr;
  QTreeView* table_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  QAction* copy_ = nullptr;
};

}  // namespace lockstep
