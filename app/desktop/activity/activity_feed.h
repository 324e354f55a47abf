// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <filesystem>
#include <vector>

#include "app/desktop/support/background_task.h"
#include "base/error.h"
#include "oci/signing/call_audit.h"

namespace lockstep {

/// Follows the log of calls while somebody looks: what this window asked of the services, and what the
/// command line of the same user did. Reads in a thread of its own; UI thread.
class ActivityFeed : public QObject {
  Q_OBJECT
 public:
  explicit ActivityFeed(std::filesystem::path file, QObject* parent = nullptr);

  /// Starting over tells the newest calls again.
  void setRunning(bool running);

 signals:
  /// From the beginning: what was told before is to be forgotten.
  void started();
  void called(const std::vector<lockstep::oci::CallRecord>& calls);
  /// The log cannot be read; it is tried again.
  void failed(const lockstep::Error& error);

 private:
  const std::filesystem::path file_;
  BackgroundTask task_;
};

}  // namespace lockstep
