// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include "app/desktop/support/background_task.h"
#include "widgets/logs/log_searcher.h"

namespace lockstep {

/// Searches a log in threads of its own, as many as leave the window and the training enough of the machine; what is found
/// comes some 20 times a second. A search that is cancelled ends after a few thousand lines, and nothing of it comes any
/// more. UI thread.
class BackgroundLogSearcher : public LogSearcher {
  Q_OBJECT
 public:
  explicit BackgroundLogSearcher(QObject* parent = nullptr);
  ~BackgroundLogSearcher() override;

  void search(Request request) override;
  void cancel() override;
  [[nodiscard]] bool isSearching() const { return task_.isRunning(); }

 private:
  BackgroundTask task_;
};

}  // namespace lockstep
