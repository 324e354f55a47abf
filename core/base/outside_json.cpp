// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/outside_json.h"

#include <fmt/format.h>

#include "base/json_fields.h"
#include "base/time_text.h"

namespace lockstep {
namespace {

using Json = nlohmann::json;

constexpr int kDeepest = 6;
constexpr std::size_t kLongestText = 300;
// So that the difference of two times never overflows.
constexpr TimePoint kEarliest = std::chrono::sys_days(std::chrono::year(2000) / 1 / 1);
constexpr TimePoint kLatest = std::chrono::sys_days(std::chrono::year(2200) / 1 / 1);

bool isControl(char c) {
  return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

// Not in the middle of a UTF-8 sequence.
std::size_t cutAt(const std::string& text, std::size_t max) {
  if (text.size() <= max) return text.size();
  while (max > 0 && (static_cast<unsigned char>(text[max]) & 0xc0) == 0x80) --max;
  return max;
}

}  // namespace

Result<Json> parseOutsideJson(std::string_view text, std::size_t maxBytes, const std::string& what) {
  const std::string cannot = fmt::format("cannot read {}", what);
  if (text.size() > maxBytes)
    return failure(ErrorCode::DataLoss, cannot,
                   fmt::format("it has {} bytes, more than the {} that it may have", text.size(), maxBytes));
  const auto keep = [](int depth, Json::parse_event_t, Json&) { return depth < kDeepest; };
  Json json = Json::parse(text, keep, false);
  if (json.is_object()) return json;
  return failure(ErrorCode::DataLoss, cannot, "it is no JSON object");
}

std::string outsideText(const Json& object, const char* key) {
  std::string text = stringField(object, key);
  const bool isCut = text.size() > kLongestText;
  text.resize(cutAt(text, kLongestText));
  for (char& c : text)
    if (isControl(c)) c = ' ';
  return isCut ? text + "…" : text;
}

std::optional<std::int64_t> outsideNumber(const Json& object, const char* key, std::int64_t min,
                                          std::int64_t max) {
  const auto number = integerField(object, key);
  return number && *number >= min && *number <= max ? number : std::nullopt;
}

std::optional<TimePoint> outsideTime(const Json& object, const char* key) {
  const std::string text = outsideText(object, key);
  const auto time = text.empty() ? std::nullopt : parseRfc3339(text);
  return time && *time >= kEarliest && *time < kLatest ? time : std::nullopt;
}

}  // namespace lockstep
