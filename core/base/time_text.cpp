// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/time_text.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>

namespace lockstep {
namespace {

using namespace std::chrono;

constexpr std::array<const char*, 12> kMonths{"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                              "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
constexpr std::array<const char*, 7> kWeekdays{"Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"};

// Nanoseconds since 1970 in 64 bits reach some months farther at either end.
constexpr int kFirstYear = 1678, kLastYear = 2261;

std::optional<TimePoint> timeOf(int y, int mo, int d, int h, int mi, int s, nanoseconds rest) {
  const year_month_day date{year{y}, month{static_cast<unsigned>(mo)}, day{static_cast<unsigned>(d)}};
  if (y < kFirstYear || y > kLastYear || mo < 1 || d < 1 || !date.ok() || h < 0 || h > 23 || mi < 0 ||
      mi > 59 || s < 0 || s > 60)
    return std::nullopt;
  return TimePoint(sys_days(date)) + hours(h) + minutes(mi) + seconds(s) + rest;
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

nanoseconds parseFraction(std::string_view& text) {
  long long nanos = 0;
  long long unit = 100'000'000;
  for (text.remove_prefix(1); !text.empty() && isDigit(text.front()); text.remove_prefix(1), unit /= 10)
    nanos += (text.front() - '0') * unit;
  return nanoseconds(nanos);
}

std::optional<minutes> parseOffset(std::string_view text) {
  if (text == "Z" || text == "z") return minutes(0);
  int h = 0, m = 0;
  char sign = 0;
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%c%2d:%2d", &sign, &h, &m) != 3 || (sign != '+' && sign != '-'))
    return std::nullopt;
  return (sign == '-' ? -1 : 1) * minutes(h * 60 + m);
}

}  // namespace

std::string toRfc3339(TimePoint time) {
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<milliseconds>(time - day));
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     clock.hours().count(), clock.minutes().count(), clock.seconds().count(),
                     clock.subseconds().count());
}

std::optional<TimePoint> parseRfc3339(std::string_view text) {
  int y = 0, mo = 0, d = 0, h = 0, mi = 0, s = 0;
  const std::string head(text.substr(0, 19));
  char separator = 0;
  if (std::sscanf(head.c_str(), "%4d-%2d-%2d%c%2d:%2d:%2d", &y, &mo, &d, &separator, &h, &mi, &s) != 7 ||
      (separator != 'T' && separator != 't' && separator != ' '))
    return std::nullopt;
  text.remove_prefix(std::min<std::size_t>(19, text.size()));
  const nanoseconds rest = !text.empty() && text.front() == '.' ? parseFraction(text) : nanoseconds(0);
  const auto offset = parseOffset(text);
  const auto local = timeOf(y, mo, d, h, mi, s, rest);
  if (!offset || !local) return std::nullopt;
  return *local - *offset;
}

std::string toRfc1123(TimePoint time) {
  const auto day = floor<days>(time);
  const year_month_day date(day);
  const hh_mm_ss clock(floor<seconds>(time - day));
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT", kWeekdays[weekday(day).c_encoding()],
                     static_cast<unsigned>(date.day()), kMonths[static_cast<unsigned>(date.month()) - 1],
                     static_cast<int>(date.year()), clock.hours().count(), clock.minutes().count(),
                     clock.seconds().count());
}

std::optional<TimePoint> parseRfc1123(std::string_view text) {
  int d = 0, y = 0, h = 0, mi = 0, s = 0;
  char month[4] = {};
  const std::string copy(text);
  if (std::sscanf(copy.c_str(), "%*3s, %2d %3s %4d %2d:%2d:%2d GMT", &d, month, &y, &h, &mi, &s) != 6)
    return std::nullopt;
  for (std::size_t i = 0; i < kMonths.size(); ++i)
    if (std::string_view(kMonths[i]) == month)
      return timeOf(y, static_cast<int>(i) + 1, d, h, mi, s, nanoseconds(0));
  return std::nullopt;
}

std::string elapsedText(nanoseconds duration) {
  const long long total = std::max<long long>(0, duration_cast<seconds>(duration).count());
  if (total < 3600) return fmt::format("{}:{:02}", total / 60, total % 60);
  return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

}  // namespace lockstep
