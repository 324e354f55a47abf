// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <atomic>
#include <functional>
#include <list>
#include <memory>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

#include "app/desktop/support/handover.h"
#include "base/error.h"

namespace lockstep {

/// The one way in which the desktop runs something that blocks. The work runs in a thread of its own; what it
/// yields is delivered on the thread that owns this object, and only while the work is the newest one:
/// starting again (or cancelling) asks the older work to stop and drops whatever it still delivers.
/// Destroying it asks to stop and waits a while; work that does not hear ends behind the window, at the
/// latest with the program, so it must own what it uses. Work that throws has failed: see start() and
/// failed(). Every member function belongs to the owning thread.
class BackgroundTask : public QObject {
  Q_OBJECT
 public:
  /// Hands a function to the owning thread while the work goes on; callable from the work's thread, and from those that end
  /// before it does.
  using Post = std::function<void(std::function<void()>)>;
  using Work = std::function<void(const std::stop_token&, const Post&)>;

  explicit BackgroundTask(QObject* parent = nullptr);
  ~BackgroundTask() override;

  /// Runs `work(stop)` and hands its value to `deliver`. What is thrown is delivered as the failure of a
  /// Result, or as the `problem` of what has one; for other values, failed() says it.
  template <class Function, class Deliver>
  void start(Function work, Deliver deliver) {
    run([work = std::move(work), deliver = std::move(deliver)](const std::stop_token& stop,
                                                               const Post& post) {
      using Value = std::invoke_result_t<const Function&, const std::stop_token&>;
      auto value = std::make_shared<Value>(valueOf<Value>(work, stop));
      post([value, deliver] { deliver(std::move(*value)); });
    });
  }

  /// The general form: the work posts as often as it wants to.
  void run(Work work);
  void cancel();
  /// Whether the newest work has not ended yet (cancelled work does not count).
  [[nodiscard]] bool isRunning() const;

 signals:
  /// The newest work ended, after its last delivery. Not sent for superseded or cancelled work.
  void finished();
  /// The newest work threw what start() could not deliver. Before finished().
  void failed(const lockstep::Error& error);

 private:
  struct Link;
  struct Job {
    quint64 generation = 0;
    std::shared_ptr<std::atomic<bool>> hasEnded;
    std::jthread thread;
  };

  template <class Value, class Function>
  static Value valueOf(const Function& work, const std::stop_token& stop) {
    if constexpr (std::is_constructible_v<Value, tl::unexpected<Error>>) {
      try {
        return work(stop);
      } catch (...) {
        return Value(tl::unexpected<Error>(errorOfException()));
      }
    } else if constexpr (requires(Value value, Error error) { value.problem = error; }) {
      try {
        return work(stop);
      } catch (...) {
        Value failed{};
        failed.problem = errorOfException();
        return failed;
      }
    } else {
      return work(stop);
    }
  }
  /// What the exception that is being handled says.
  static Error errorOfException();
  void retire(quint64 generation);

  Handover handover_;
  std::shared_ptr<Link> link_;
  std::list<Job> jobs_;
  quint64 generation_ = 0;
};

}  // namespace lockstep
