// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/time_texts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QStringList>

#include "metrics/rank_list.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

struct TimeTexts {
  Q_DECLARE_TR_FUNCTIONS(TimeTexts)
};

constexpr qsizetype kMaxClocks = 12;

QString alertText(const RunMark& mark) {
  const QString rank = mark.rank ? QString::number(mark.rank->value) : QString();
  if (mark.code == "no-heartbeat") return TimeTexts::tr("Rank %1 fell silent").arg(rank);
  if (mark.code == "nobody-behind") return TimeTexts::tr("A collective did not end");
  return TimeTexts::tr("Rank %1 kept others waiting").arg(rank);
}

QString titleOf(const RunMark& mark) {
  switch (mark.kind) {
    case RunMark::Kind::Checkpoint:
      return TimeTexts::tr("Checkpoint");
    case RunMark::Kind::Restart:
      return TimeTexts::tr("Restart");
    case RunMark::Kind::Evaluation:
      return TimeTexts::tr("Evaluation: %1 %").arg(QLocale().toString(mark.value, 'f', 1));
    case RunMark::Kind::Alert:
      break;
  }
  return alertText(mark);
}

}  // namespace

QString momentText(TimePoint time, std::chrono::nanoseconds span) {
  const bool isLong = span >= std::chrono::hours(24);
  return QLocale().toString(toQDateTime(time).toLocalTime(),
                            isLong ? QStringLiteral("ddd HH:mm:ss") : QStringLiteral("HH:mm:ss"));
}

QString windowText(const RunWindow& window, std::chrono::nanoseconds span) {
  const QString times =
      QStringLiteral("%1–%2").arg(momentText(window.from, span), momentText(window.to, span));
  if (window.ranks.empty()) return times;
  const QString ranks = toQString(rankListText(window.ranks));
  return window.ranks.size() == 1 ? TimeTexts::tr("%1, rank %2").arg(times, ranks)
                                  : TimeTexts::tr("%1, ranks %2").arg(times, ranks);
}

QString markText(const RunMark& mark) {
  const QString title = titleOf(mark);
  if (!mark.step) return title;
  return TimeTexts::tr("%1, step %2").arg(title, QLocale().toString(*mark.step));
}

QStringList clockLines(const ClockOffsets& clocks) {
  QStringList lines;
  for (const auto& [rank, clock] : clocks.newest()) {
    if (lines.size() == kMaxClocks) {
      lines << TimeTexts::tr("and %1 more").arg(static_cast<qsizetype>(clocks.newest().size()) - kMaxClocks);
      break;
    }
    const double seconds = std::chrono::duration<double>(clock.offset).count();
    const QString size = QLocale().toString(std::abs(seconds), 'f', 1);
    lines << (seconds > 0 ? TimeTexts::tr("Rank %1: %2 s ahead").arg(rank.value).arg(size)
                          : TimeTexts::tr("Rank %1: %2 s behind").arg(rank.value).arg(size));
  }
  return lines;
}

QString speedText(double speed) {
  if (speed <= RunClock::kWhole)
    return TimeTexts::tr("All in %1 s").arg(static_cast<qlonglong>(RunClock::kWholeTakes.count()));
  return TimeTexts::tr("%1×").arg(QLocale().toString(speed, 'g', 4));
}

}  // namespace lockstep
