// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_time_menu.h"

#include <QAction>
#include <QMenu>

namespace lockstep {
namespace {

using std::chrono::hours;
using std::chrono::minutes;
using std::chrono::seconds;

}  // namespace

LogTimeMenu::LogTimeMenu(QWidget* parent) : ElidedButton(parent) {
  setObjectName(QStringLiteral("timeFilter"));
  setText(tr("Time"));
  setToolTip(tr("Show only lines of a time"));
  setAccessibleDescription(toolTip());
  auto* menu = new QMenu(this);
  setMenu(menu);
  connect(menu->addAction(tr("All times")), &QAction::triggered, this, [this] { choose({}); });
  menu->addSeparator();
  addEntry(tr("Last minute"), &LogTimeMenu::newest_, minutes(1), std::nullopt);
  addEntry(tr("Last 10 minutes"), &LogTimeMenu::newest_, minutes(10), std::nullopt);
  addEntry(tr("Last hour"), &LogTimeMenu::newest_, hours(1), std::nullopt);
  menu->addSeparator();
  addEntry(tr("30 seconds around the chosen line"), &LogTimeMenu::chosen_, seconds(30), seconds(30));
  connect(menu->addAction(tr("From the chosen line")), &QAction::triggered, this, [this] {
    if (chosen_) choose({chosen_, times_.until});
  });
  connect(menu->addAction(tr("Until the chosen line")), &QAction::triggered, this, [this] {
    if (chosen_) choose({times_.from, chosen_});
  });
}

void LogTimeMenu::addEntry(const QString& text, std::optional<TimePoint> LogTimeMenu::*origin,
                           std::chrono::nanoseconds before, std::optional<std::chrono::nanoseconds> after) {
  connect(menu()->addAction(text), &QAction::triggered, this, [this, origin, before, after] {
    const std::optional<TimePoint> at = this->*origin;
    if (at) choose({*at - before, after ? std::optional(*at + *after) : std::nullopt});
  });
}

void LogTimeMenu::setTimes(const Times& times) {
  times_ = times;
}

void LogTimeMenu::choose(const Times& times) {
  if (times == times_) return;
  times_ = times;
  emit timesChanged();
}

}  // namespace lockstep
