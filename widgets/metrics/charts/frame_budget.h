// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <chrono>

namespace lockstep {

/// The time that all charts of a page may take together in one turn of the event loop, for what can be drawn more finely later.
/// A turn begins with the first question and ends when the event loop is back. UI thread.
class FrameBudget final : public QObject {
 public:
  using QObject::QObject;

  /// Whether this turn has taken longer than `limit` already.
  [[nodiscard]] bool isOver(std::chrono::steady_clock::duration limit) {
    const auto now = std::chrono::steady_clock::now();
    if (!isRunning_) {
      isRunning_ = true;
      begin_ = now;
      QMetaObject::invokeMethod(
          this, [this] { isRunning_ = false; }, Qt::QueuedConnection);
    }
    return now - begin_ >= limit;
  }

 private:
  std::chrono::steady_clock::time_point begin_;
  bool isRunning_ = false;
};

}  // namespace lockstep
