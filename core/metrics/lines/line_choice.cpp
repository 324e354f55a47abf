// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/line_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_fields.h"
#include "base/outside_json.h"
#include "base/text/trimmed.h"
#include "metrics/lines/line_matcher.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxKept = 64 << 10;

std::vector<std::string> ruleIds() {
  std::vector<std::string> ids;
  for (const LineRule& rule : lineRules()) ids.emplace_back(rule.id);
  return ids;
}

/// The words between commas.
std::vector<std::string> wordsOf(std::string_view text) {
  std::vector<std::string> words;
  for (;;) {
    const std::size_t comma = text.find(',');
    words.emplace_back(trimmed(text.substr(0, comma)));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace

Result<void> checkOwnRule(const std::string& expression) {
  const auto matcher = LineMatcher::open(std::vector{expression});
  if (!matcher) return failure(matcher.error());
  return {};
}

Result<LineChoice> lineChoiceFrom(std::string_view text) {
  LineChoice choice;
  text = trimmed(text);
  if (text.empty()) return choice;
  choice.isOn = text != "off";
  if (!choice.isOn) return choice;
  const std::vector<std::string> ids = ruleIds(), words = wordsOf(text);
  const auto isRule = [&](const std::string& word) { return std::ranges::find(ids, word) != ids.end(); };
  if (std::ranges::all_of(words, isRule)) {
    choice.off.insert(ids.begin(), ids.end());
    for (const std::string& word : words) choice.off.erase(word);
    return choice;
  }
  choice.own.emplace_back(text);
  auto usable = checkOwnRule(choice.own.front());
  if (usable) return choice;
  usable.error().remedy =
      fmt::format("{}{}or name rules, with commas between them: {}", usable.error().remedy,
                  usable.error().remedy.empty() ? "" : "; ", fmt::join(ids, ", "));
  return failure(usable.error());
}

std::string keptText(const LineChoice& choice) {
  const nlohmann::json json{{"on", choice.isOn}, {"off", choice.off}, {"own", choice.own}};
  return json.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

LineChoice keptLineChoice(std::string_view text) {
  const auto json = parseOutsideJson(text, kMaxKept, "the choice of rules");
  LineChoice choice;
  if (!json) return choice;
  choice.isOn = boolField(*json, "on", true);
  const std::vector<std::string> ids = ruleIds();
  for (const auto& id : arrayField(*json, "off"))
    if (id.is_string() && std::ranges::find(ids, id.get<std::string>()) != ids.end()) choice.off.insert(id);
  for (const auto& own : arrayField(*json, "own")) {
    if (!own.is_string()) continue;
    choice.own.push_back(own);
    if (!LineMatcher::open(choice.own)) choice.own.pop_back();  // malformed, or one too many
  }
  return choice;
}

}  // namespace lockstep
