// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_go_bar.h"

#include <QDateTime>
#include <QTest>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {

class LogGoBarTest : public QObject {
  Q_OBJECT

  const QDateTime day_{QDate(2026, 3, 4), QTime(15, 0)};

  std::optional<TimePoint> timeOf(const char* text) {
    const auto place = parseLogPlace(QString::fromLatin1(text), toTimePoint(day_));
    const auto* time = place ? std::get_if<TimePoint>(&*place) : nullptr;
    return time ? std::optional(*time) : std::nullopt;
  }

 private slots:
  void readsLinesAndTimes() {
    QCOMPARE(std::get<std::size_t>(parseLogPlace(QStringLiteral(" 17 "), {}).value()), std::size_t{17});
    const auto local = [](int hour, int minute, int second, int ms = 0) {
      return toTimePoint(QDateTime(QDate(2026, 3, 4), QTime(hour, minute, second, ms)));
    };
    QVERIFY(timeOf("12:04:10") == local(12, 4, 10));
    QVERIFY(timeOf("12:04:10.250") == local(12, 4, 10, 250));
    QVERIFY(timeOf("9:05") == local(9, 5, 0));
    QVERIFY(timeOf("2026-03-04 12:04") == local(12, 4, 0));
    QVERIFY(timeOf("2026-03-04T12:04:00Z") ==
            toTimePoint(QDateTime(QDate(2026, 3, 4), QTime(12, 4), Qt::UTC)));
  }

  void refusesWhatIsNeither() {
    for (const char* text : {"", "0", "-3", "soon", "25:00", "12:", "2026-13-01", "99999-01-01", "1.5"})
      QVERIFY2(!parseLogPlace(QString::fromLatin1(text), toTimePoint(day_)), text);
  }
};

}  // namespace lockstep

QTEST_APPLESS_MAIN(lockstep::LogGoBarTest)
#include "log_go_bar_test.moc"
