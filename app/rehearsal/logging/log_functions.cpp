// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_functions.h"

#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ctime>

namespace lockstep::rehearsal {
namespace {

using Arguments = std::vector<LogValue>;

std::string textOf(const LogValue& value) {
  if (value.is_null()) return "";
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, LogValue::error_handler_t::replace);
}

std::string lowered(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 128 ? std::tolower(c) : c); });
  return text;
}

LogValue lower(const Arguments& a) {
  return a[0].is_null() ? LogValue() : LogValue(lowered(textOf(a[0])));
}

LogValue upper(const Arguments& a) {
  if (a[0].is_null()) return nullptr;
  std::string text = textOf(a[0]);
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(c < 128 ? std::toupper(c) : c); });
  return text;
}

// Whether the first argument contains any of the others.
LogValue containsExactly(const Arguments& a) {
  const std::string text = textOf(a[0]);
  return std::any_of(a.begin() + 1, a.end(),
                     [&](const LogValue& part) { return text.find(textOf(part)) != std::string::npos; });
}

LogValue containsAnyCase(const Arguments& a) {
  Arguments low;
  for (const LogValue& value : a) low.emplace_back(lowered(textOf(value)));
  return containsExactly(low);
}

LogValue concat(const Arguments& a) {
  std::string text;
  for (const LogValue& value : a) text += textOf(value);
  return text;
}

// By characters of UTF-8, from 0; a start or length beyond the text is none.
LogValue substr(const Arguments& a) {
  if (!a[0].is_string() || !a[1].is_number() || (a.size() == 3 && !a[2].is_number())) return nullptr;
  const std::string text = a[0].get<std::string>();
  std::vector<std::size_t> starts;
  for (std::size_t i = 0; i < text.size(); ++i)
    if ((static_cast<unsigned char>(text[i]) & 0xC0) != 0x80) starts.push_back(i);
  starts.push_back(text.size());
  const auto last = static_cast<double>(starts.size() - 1);
  const double from = std::clamp(a[1].get<double>(), 0.0, last);
  const double length = a.size() == 3 ? std::clamp(a[2].get<double>(), 0.0, last - from) : last - from;
  const std::size_t begin = starts[static_cast<std::size_t>(from)];
  return text.substr(begin, starts[static_cast<std::size_t>(from + length)] - begin);
}

LogValue isNull(const Arguments& a) {
  return a[0].is_null();
}
LogValue isNotNull(const Arguments& a) {
  return !a[0].is_null();
}

// rounddown(datetime, '5m'), rounddown(7.5, 2).
LogValue roundDown(const Arguments& a) {
  if (!a[0].is_number()) return nullptr;
  const auto duration =
      a[1].is_string() ? parseLogDuration(a[1].get<std::string>()) : std::optional<long long>();
  const double step = duration ? static_cast<double>(*duration) : a[1].is_number() ? a[1].get<double>() : 0.0;
  if (step <= 0) return nullptr;
  const double rounded = std::floor(a[0].get<double>() / step) * step;
  if (std::abs(rounded) < 9e15 && rounded == std::floor(rounded)) return static_cast<long long>(rounded);
  return rounded;
}

// The letters of a date pattern ("yyyy-MM-dd HH:mm") as those of strftime.
std::string asStrftime(const std::string& pattern) {
  static const std::pair<const char*, const char*> kLetters[] = {
      {"yyyy", "%Y"}, {"MMMM", "%B"}, {"MMM", "%b"}, {"MM", "%m"}, {"EEEE", "%A"}, {"EEE", "%a"},
      {"dd", "%d"},   {"HH", "%H"},   {"mm", "%M"},  {"ss", "%S"}, {"yy", "%y"}};
  std::string format;
  for (std::size_t i = 0; i < pattern.size();) {
    const auto* found = std::find_if(std::begin(kLetters), std::end(kLetters), [&](const auto& letters) {
      return pattern.compare(i, std::char_traits<char>::length(letters.first), letters.first) == 0;
    });
    if (found == std::end(kLetters)) {
      format += pattern[i++];
      continue;
    }
    format += found->second;
    i += std::char_traits<char>::length(found->first);
  }
  return format;
}

LogValue timeFormat(const Arguments& a) {
  if (!a[0].is_number() || !a[1].is_string()) return nullptr;
  const double seconds = std::floor(a[0].get<double>() / 1000);
  if (std::abs(seconds) > 4e11) return nullptr;
  std::string format = a[1].get<std::string>().substr(0, 100);
  if (format.find('%') == std::string::npos) format = asStrftime(format);
  const auto at = static_cast<std::time_t>(seconds);
  std::tm parts{};
  ::gmtime_r(&at, &parts);
  char text[1024];
  const std::size_t length = std::strftime(text, sizeof text, format.c_str(), &parts);
  return std::string(text, length);
}

const LogFunction kFunctions[] = {{"contains_ci", 2, 100, containsAnyCase},
                                  {"contains_cs", 2, 100, containsExactly},
                                  {"rounddown", 2, 2, roundDown},
                                  {"time_format", 2, 2, timeFormat},
                                  {"concat", 1, 100, concat},
                                  {"upper", 1, 1, upper},
                                  {"lower", 1, 1, lower},
                                  {"substr", 2, 3, substr},
                                  {"isnull", 1, 1, isNull},
                                  {"isnotnull", 1, 1, isNotNull}};

}  // namespace

const LogFunction* findLogFunction(const std::string& name) {
  for (const LogFunction& function : kFunctions)
    if (::strcasecmp(name.c_str(), function.name) == 0) return &function;
  return nullptr;
}

std::optional<long long> parseLogDuration(const std::string& text) {
  static const std::pair<const char*, long long> kUnits[] = {
      {"ms", 1}, {"s", 1000}, {"m", 60'000}, {"h", 3'600'000}, {"d", 86'400'000}, {"w", 7 * 86'400'000LL}};
  long long number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number < 1 || number > 1'000'000'000) return std::nullopt;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  for (const auto& [name, ms] : kUnits)
    if (unit == name) return number * ms;
  return std::nullopt;
}

}  // namespace lockstep::rehearsal
