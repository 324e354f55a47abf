// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

class QTimer;

namespace lockstep {

/// A place in a run that somebody looks at.
struct RunCursor {
  TimePoint time{};
  std::optional<Step> step;  // absent: before the first
  bool operator==(const RunCursor&) const = default;
};

/// A stretch of a run that somebody has chosen.
struct RunWindow {
  TimePoint from{}, to{};
  std::vector<Rank> ranks;  // ascending; empty: all
  bool operator==(const RunWindow&) const = default;
};

/// The one time of a run's page: whether it is live, or up to which time it shows the run, what the cursor is on, and which
/// stretch is chosen. Views set it and listen to it instead of to each other. Times are those of the run's one clock
/// (RunTimeline). UI thread; no I/O. A setter that changes nothing says nothing.
class RunClock : public QObject {
  Q_OBJECT
 public:
  enum class Mode {
    Live,    // everything that is here, and what comes
    Paused,  // the run as it was at end()
    Playing  // likewise, and end() moves on
  };
  static constexpr double kWhole = 0;  // a speed: the whole run in kWholeTakes
  static constexpr std::chrono::seconds kWholeTakes{30};

  explicit RunClock(QObject* parent = nullptr);

  /// Forgets the run.
  void clear();
  /// From the first sample to the newest one; nothing: there is none, and the time cannot be moved.
  void setSpan(const std::optional<std::pair<TimePoint, TimePoint>>& span);
  [[nodiscard]] const std::optional<std::pair<TimePoint, TimePoint>>& span() const { return span_; }

  [[nodiscard]] Mode mode() const { return mode_; }
  /// What is later is not shown; nothing: live.
  [[nodiscard]] std::optional<TimePoint> end() const;
  /// end(), or that of the span where it is live; the beginning of time without one.
  [[nodiscard]] TimePoint position() const;
  /// How many seconds of the run pass in a second; kWhole.
  [[nodiscard]] double speed() const { return speed_; }

  void goLive();
  void pause();
  /// From where it is; from the beginning where it is live. Becomes live at the end of the span.
  void play();
  void togglePlay();
  /// At or behind the newest sample that is live. Goes on playing where it did, else it is paused there.
  void seek(TimePoint time);
  void setSpeed(double speed);
  /// What has passed since the last call, while it plays; a timer of its own calls it.
  void advance(SteadyPoint now);

  [[nodiscard]] const std::optional<RunCursor>& cursor() const { return cursor_; }
  void setCursor(const std::optional<RunCursor>& cursor);
  [[nodiscard]] const std::optional<RunWindow>& window() const { return window_; }
  void setWindow(std::optional<RunWindow> window);

 signals:
  void spanChanged();
  /// Live, paused or playing.
  void modeChanged();
  void endChanged();
  void cursorChanged();
  void windowChanged();

 private:
  /// `from`: the time to begin at when it was live; absent: where it is.
  void setMode(Mode mode, std::optional<TimePoint> from = std::nullopt);
  void setEnd(TimePoint end);

  std::optional<std::pair<TimePoint, TimePoint>> span_;
  Mode mode_ = Mode::Live;
  TimePoint end_{};  // while it is not live
  double speed_ = 1;
  SteadyPoint last_{};  // when it advanced
  std::optional<RunCursor> cursor_;
  std::optional<RunWindow> window_;
  QTimer* timer_;
};

}  // namespace lockstep
