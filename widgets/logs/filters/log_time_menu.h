// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <utility>

#include "base/clock.h"
#include "widgets/common/layout/elided_button.h"

namespace lockstep {

/// A button whose menu narrows the log to a time: counted from its newest line, or from the line that is chosen.
class LogTimeMenu : public ElidedButton {
  Q_OBJECT
 public:
  struct Times {
    std::optional<TimePoint> from, until;  // both included
    bool operator==(const Times&) const = default;
  };

  explicit LogTimeMenu(QWidget* parent = nullptr);

  void setTimes(const Times& times);
  [[nodiscard]] const Times& times() const { return times_; }
  /// What the entries count from; nullopt: there is no such line.
  void setNewest(std::optional<TimePoint> newest) { newest_ = newest; }
  void setChosen(std::optional<TimePoint> chosen) { chosen_ = chosen; }

 signals:
  void timesChanged();

 private:
  void addEntry(const QString& text, std::optional<TimePoint> LogTimeMenu::*origin,
                std::chrono::nanoseconds before, std::optional<std::chrono::nanoseconds> after);
  void choose(const Times& times);

  Times times_;
  std::optional<TimePoint> newest_, chosen_;
};

}  // namespace lockstep
