// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/python_time.h"

#include <fmt/format.h>

#include <chrono>

namespace lockstep {
namespace {

struct Parts {
  int year = 0, month = 0, day = 0;
  bool hasTime = false;
  int hour = 0, minute = 0, second = 0, microsecond = 0;
  bool hasZone = false;
  int zoneMinutes = 0;  // with sign
};

/// Reads from the front of a text; every function leaves the place alone when it does not match.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}
  [[nodiscard]] bool atEnd() const { return rest_.empty(); }
  bool character(char c) {
    if (!rest_.starts_with(c)) return false;
    rest_.remove_prefix(1);
    return true;
  }
  /// `min` to `max` digits, as many as there are.
  bool number(std::size_t min, std::size_t max, int& value) {
    std::size_t count = 0;
    while (count < max && count < rest_.size() && isDigit(rest_[count])) ++count;
    if (count < min) return false;
    value = 0;
    for (std::size_t i = 0; i < count; ++i) value = value * 10 + (rest_[i] - '0');
    rest_.remove_prefix(count);
    return true;
  }
  std::size_t blanks() {
    const std::size_t count = std::min(rest_.find_first_not_of(" \t"), rest_.size());
    rest_.remove_prefix(count);
    return count;
  }
  /// The first six digits of a fraction, padded with zeros; further digits are dropped, as Python's loader
  /// does.
  int fraction() {
    int value = 0;
    std::size_t count = 0;
    for (; count < rest_.size() && isDigit(rest_[count]); ++count) {
      if (count < 6) value = value * 10 + (rest_[count] - '0');
    }
    rest_.remove_prefix(count);
    for (std::size_t i = count; i < 6; ++i) value *= 10;
    return value;
  }

 private:
  static bool isDigit(char c) { return c >= '0' && c <= '9'; }
  std::string_view rest_;
};

bool readZone(Reader& in, Parts& p) {
  in.blanks();
  if (in.atEnd()) return false;  // blanks must be followed by a zone
  p.hasZone = true;
  if (in.character('Z')) return true;
  const bool minus = in.character('-');
  if (!minus && !in.character('+')) return false;
  int hours = 0;
  int minutes = 0;
  if (!in.number(1, 2, hours)) return false;
  if (in.character(':') && !in.number(2, 2, minutes)) return false;
  p.zoneMinutes = (hours * 60 + minutes) * (minus ? -1 : 1);
  return true;
}

bool readTime(Reader& in, Parts& p) {
  if (!in.character('T') && !in.character('t') && in.blanks() == 0) return false;
  p.hasTime = true;
  if (!in.number(1, 2, p.hour) || !in.character(':') || !in.number(2, 2, p.minute) || !in.character(':') ||
      !in.number(2, 2, p.second))
    return false;
  if (in.character('.')) p.microsecond = in.fraction();
  return in.atEnd() || readZone(in, p);
}

std::optional<Parts> readParts(std::string_view text) {
  const bool dateOnly = text.size() == 10;
  Parts p;
  Reader in(text);
  const std::size_t min = dateOnly ? 2 : 1;
  if (!in.number(4, 4, p.year) || !in.character('-') || !in.number(min, 2, p.month) || !in.character('-') ||
      !in.number(min, 2, p.day))
    return std::nullopt;
  if (in.atEnd()) return dateOnly ? std::optional(p) : std::nullopt;
  if (!readTime(in, p) || !in.atEnd()) return std::nullopt;
  return p;
}

std::string errorOf(const Parts& p) {
  using namespace std::chrono;
  if (p.year < 1) return "year 0 is out of range";
  if (!(year(p.year) / p.month / p.day).ok()) return "there is no such day";
  if (p.hour > 23 || p.minute > 59 || p.second > 59) return "there is no such time of day";
  if (std::abs(p.zoneMinutes) >= 24 * 60) return "the offset from UTC is 24 hours or more";
  return {};
}

std::string zoneText(const Parts& p) {
  if (!p.hasZone) return {};
  const int minutes = std::abs(p.zoneMinutes);
  return fmt::format("{}{:02}:{:02}", p.zoneMinutes < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string strOf(const Parts& p) {
  std::string text = fmt::format("{:04}-{:02}-{:02}", p.year, p.month, p.day);
  if (!p.hasTime) return text;
  text += fmt::format(" {:02}:{:02}:{:02}", p.hour, p.minute, p.second);
  if (p.microsecond != 0) text += fmt::format(".{:06}", p.microsecond);
  return text + zoneText(p);
}

std::string zoneRepr(const Parts& p) {
  if (p.zoneMinutes == 0) return "datetime.timezone.utc";
  const int days = p.zoneMinutes < 0 ? -1 : 0;
  const int seconds = (p.zoneMinutes - days * 24 * 60) * 60;
  const std::string delta = days == 0      ? fmt::format("seconds={}", seconds)
                            : seconds == 0 ? fmt::format("days={}", days)
                                           : fmt::format("days={}, seconds={}", days, seconds);
  return fmt::format("datetime.timezone(datetime.timedelta({}))", delta);
}

std::string reprOf(const Parts& p) {
  if (!p.hasTime) return fmt::format("datetime.date({}, {}, {})", p.year, p.month, p.day);
  std::string text =
      fmt::format("datetime.datetime({}, {}, {}, {}, {}", p.year, p.month, p.day, p.hour, p.minute);
  if (p.second != 0 || p.microsecond != 0) text += fmt::format(", {}", p.second);
  if (p.microsecond != 0) text += fmt::format(", {}", p.microsecond);
  if (p.hasZone) text += ", tzinfo=" + zoneRepr(p);
  return text + ")";
}

}  // namespace

std::optional<PythonTime> readTimestamp(std::string_view text) {
  const auto parts = readParts(text);
  if (!parts) return std::nullopt;
  if (std::string error = errorOf(*parts); !error.empty()) return PythonTime{"", "", std::move(error)};
  return PythonTime{strOf(*parts), reprOf(*parts), ""};
}

}  // namespace lockstep
