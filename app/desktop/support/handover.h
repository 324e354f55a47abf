// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <deque>
#include <functional>
#include <mutex>

namespace lockstep {

/// Calls that other threads hand over to the thread of this object, which makes them one after another from its event loop.
/// They wait behind a lock of ours, and the events alone go through Qt, whose locks the thread sanitizer does not see. Calls
/// that were not made end with this object.
class Handover : public QObject {
 public:
  using Call = std::function<void()>;
  using QObject::QObject;

  /// Any thread, for as long as the object is there.
  void post(Call call);

 protected:
  void customEvent(QEvent* event) override;

 private:
  std::mutex mutex_;
  std::deque<Call> waiting_;
};

}  // namespace lockstep
