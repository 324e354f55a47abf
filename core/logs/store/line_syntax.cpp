// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/line_syntax.h"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>

#include "base/bounds.h"
#include "base/text/encoding.h"
#include "logs/store/line_blocks.h"

namespace lockstep {
namespace {

using namespace std::chrono;

constexpr std::string_view kLevels = "DIWE";  // by LogLevel
constexpr std::size_t kFields = 5;            // before the text

constexpr std::int64_t kFirstTime = nanoseconds(sys_days(year{1700} / 1 / 1).time_since_epoch()).count();
constexpr std::int64_t kLastTime = nanoseconds(sys_days(year{2200} / 1 / 1).time_since_epoch()).count();

/// Reads numbers and signs from the beginning of a text; once something is not there, nothing more is.
class Head {
 public:
  explicit Head(std::string_view text) : text_(text) {}
  int digits(int count) {
    int value = 0;
    for (; count > 0; --count) {
      if (text_.empty() || text_.front() < '0' || text_.front() > '9') return fail();
      value = value * 10 + (text_.front() - '0');
      text_.remove_prefix(1);
    }
    return value;
  }
  bool has(char a, char b) {
    const bool found = !text_.empty() && (text_.front() == a || text_.front() == b);
    if (found) text_.remove_prefix(1);
    return found;
  }
  void need(char a, char b) {
    if (!has(a, b)) fail();
  }
  [[nodiscard]] bool isDigit() const {
    return !text_.empty() && text_.front() >= '0' && text_.front() <= '9';
  }
  [[nodiscard]] bool isGood() const { return isGood_; }
  [[nodiscard]] std::string_view rest() const { return text_; }

 private:
  int fail() {
    isGood_ = false;
    text_ = {};
    return 0;
  }
  std::string_view text_;
  bool isGood_ = true;
};

/// Of the day, ns since 1970; kNoTime when there is no such day, or one that 64 bits do not reach.
std::int64_t dayTime(int y, int m, int d) {
  const year_month_day date{year{y}, month{static_cast<unsigned>(m)}, day{static_cast<unsigned>(d)}};
  if (y < 1700 || y > 2200 || !date.ok()) return kNoTime;
  return nanoseconds(sys_days(date).time_since_epoch()).count();
}

std::int64_t fraction(Head& head) {
  std::int64_t nanos = 0;
  for (std::int64_t unit = 100'000'000; head.isDigit(); unit /= 10) nanos += head.digits(1) * unit;
  return nanos;
}

/// "Z", "+02:00", "+0200" or nothing.
std::int64_t offset(Head& head) {
  if (head.rest().size() < 5 || (head.rest().front() != '+' && head.rest().front() != '-')) return 0;
  Head ahead = head;
  const bool isWest = ahead.rest().front() == '-';
  ahead.need('+', '-');
  const int h = ahead.digits(2);
  (void)ahead.has(':', ':');
  const int m = ahead.digits(2);
  if (!ahead.isGood() || h > 23 || m > 59) return 0;
  return (isWest ? -1 : 1) * nanoseconds(hours(h) + minutes(m)).count();
}

/// The time that the text begins with.
std::int64_t beginningTime(std::string_view text) {
  if (text.size() < 19 || text[0] < '0' || text[0] > '9') return kNoTime;
  Head head(text);
  const int y = head.digits(4);
  head.need('-', '/');
  const int mo = head.digits(2);
  head.need('-', '/');
  const int d = head.digits(2);
  head.need('T', ' ');
  const int h = head.digits(2);
  head.need(':', ':');
  const int mi = head.digits(2);
  head.need(':', ':');
  const int s = head.digits(2);
  if (!head.isGood() || h > 23 || mi > 59 || s > 60) return kNoTime;
  const std::int64_t rest = head.has('.', ',') ? fraction(head) : 0;
  const std::int64_t day = dayTime(y, mo, d);
  if (day == kNoTime) return kNoTime;
  const std::int64_t time =
      day + nanoseconds(hours(h) + minutes(mi) + seconds(s)).count() + rest - offset(head);
  return time < kFirstTime || time > kLastTime ? kNoTime : time;
}

/// "[rank 3] " as lockstep-node writes it, or "[rank3]:" as PyTorch does; taken off.
std::optional<Rank> rankPrefix(std::string_view& text) {
  constexpr std::string_view kBegin = "[rank";
  if (!text.starts_with(kBegin)) return std::nullopt;
  std::string_view rest = text.substr(kBegin.size());
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  int value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc() || value < 0 || value >= kMaxRanks || end == rest.data() + rest.size() ||
      *end != ']')
    return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()) + 1);
  while (!rest.empty() && (rest.front() == ':' || rest.front() == ' ')) rest.remove_prefix(1);
  text = rest;
  return Rank(value);
}

std::string_view withoutReturn(std::string_view line) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::string_view afterTime(std::string_view text) {
  const std::size_t end = text.find(' ', std::min<std::size_t>(19, text.size()));
  return end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
}

LineParts takeTextApart(std::string_view line) {
  LineParts parts;
  parts.text = withoutReturn(line);
  std::string_view rest = parts.text;
  parts.rank = rankPrefix(rest);
  std::string_view stamp = rest;
  if (stamp.starts_with('[') || stamp.starts_with('(')) stamp.remove_prefix(1);
  parts.time = beginningTime(stamp);
  if (parts.time != kNoTime) rest = afterTime(stamp);
  if (!parts.rank) parts.rank = rankPrefix(rest);
  parts.level = levelOf(rest);
  return parts;
}

std::optional<LineParts> takeKeptApart(std::string_view line) {
  std::array<std::string_view, kFields> fields;
  for (auto& field : fields) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return std::nullopt;
    field = line.substr(0, tab);
    line.remove_prefix(tab + 1);
  }
  LineParts parts;
  parts.time = beginningTime(fields[0]);
  const auto rank = integerIn<int>(fields[2], 0, kMaxRanks - 1);
  const std::size_t level = fields[3].size() == 1 ? kLevels.find(fields[3][0]) : std::string_view::npos;
  if (parts.time == kNoTime || (!rank && fields[2] != "-") || level == std::string_view::npos)
    return std::nullopt;
  parts.node = fields[1];
  if (rank) parts.rank = Rank(*rank);
  parts.level = static_cast<LogLevel>(level);
  parts.id = fields[4];
  parts.text = line;
  return parts;
}

/// What would end a field is percent-encoded.
void appendField(std::string& to, std::string_view field) {
  for (const char c : field) {
    if (static_cast<unsigned char>(c) < 0x20 || c == '%')
      fmt::format_to(std::back_inserter(to), "%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    else
      to += c;
  }
  to += '\t';
}

void appendTime(std::string& to, TimePoint time) {
  const auto today = floor<days>(time);
  const year_month_day date(today);
  const hh_mm_ss clock(time - today);
  fmt::format_to(std::back_inserter(to), FMT_COMPILE("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z\t"),
                 static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                 static_cast<unsigned>(date.day()), clock.hours().count(), clock.minutes().count(),
                 clock.seconds().count(), clock.subseconds().count());
}

}  // namespace

std::optional<LineParts> takeApart(LineSyntax syntax, std::string_view line) {
  return syntax == LineSyntax::Kept ? takeKeptApart(line) : takeTextApart(line);
}

std::string_view textOf(LineSyntax syntax, std::string_view line) {
  if (syntax == LineSyntax::Text) return withoutReturn(line);
  for (std::size_t field = 0; field < kFields; ++field) {
    const std::size_t tab = line.find('\t');
    if (tab == std::string_view::npos) return {};
    line.remove_prefix(tab + 1);
  }
  return line;
}

std::int64_t timeOf(LineSyntax syntax, std::string_view line) {
  if (syntax == LineSyntax::Kept) return beginningTime(line);
  rankPrefix(line);
  if (line.starts_with('[') || line.starts_with('(')) line.remove_prefix(1);
  return beginningTime(line);
}

TimePoint keptTime(TimePoint time) {
  return std::clamp(time, TimePoint(nanoseconds(kFirstTime)), TimePoint(nanoseconds(kLastTime)));
}

void appendKept(std::string& to, const LogLine& line) {
  appendTime(to, keptTime(line.time));
  appendField(to, line.node);
  to += line.rank ? fmt::format_int(std::clamp(line.rank->value, 0, kMaxRanks - 1)).str() : "-";
  to += '\t';
  to += kLevels[static_cast<std::size_t>(line.level)];
  to += '\t';
  appendField(to, line.id);
  const std::size_t text = to.size();
  to += line.text;
  std::replace(to.begin() + static_cast<std::ptrdiff_t>(text), to.end(), '\n', ' ');
  to += '\n';
}

std::string decodeField(std::string_view field) {
  return percentDecode(field);
}

}  // namespace lockstep
