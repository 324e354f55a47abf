// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/value_pairs.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "metrics/foreign_names.h"
#include "metrics/metric_catalogue.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxPairs = 64;
constexpr std::size_t kMaxName = 100;

// A number has nothing of a fraction, a time of day or a version behind it: "10/100", "12:34", "1.2.3".
#define NUMBER R"((?<value>[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?|[-+]?nan|[-+]?inf(?:inity)?))"
constexpr const char* kNamed =
    R"((?<![\w.])(?<name>[a-z_][\w/@.\-]*(?:\ [a-z_@][\w/@.\-]*){0,4}?)(?:\s*\((?<in>[a-z%]+)\))?['"]?)"
    R"((?<separator>\s*[:=]\s*|\s+)['"]?)" NUMBER R"((?:\s?(?<unit>%|(?:ms|s|sec)(?![\w/])))?(?!\.?[\w:/]))";
constexpr const char* kRates =
    R"((?<![\w.]))" NUMBER
    R"(\s*(?:(?<samples>(?:img|image|sample|example|sequence|seq)s?/s(?:ec)?)|(?<tokens>tok(?:en)?s?/s(?:ec)?))"
    R"(|(?<steps>(?:it|iter|step)s?/s(?:ec)?)|(?<ms>ms/(?:step|it|iter|batch))|(?<seconds>s/(?:step|it|iter|batch)))\b)";
#undef NUMBER

// Without a sign between name and number, "took 5" would be one.
constexpr std::array<std::string_view, 14> kSpeaking{metric::kLoss, "acc",        "lr",   "mfu",  "norm",
                                                     "ppl",         "perplexity", "time", "data", "score",
                                                     "error",       "throughput", "f1",   "auc"};
constexpr std::array<std::string_view, 9> kStepTimes{"time",
                                                     "dt",
                                                     "batch_time",
                                                     "step_time",
                                                     "iter_time",
                                                     "iteration_time",
                                                     "elapsed_time_per_iteration",
                                                     "time_per_step",
                                                     "time_per_iteration"};
constexpr std::array<std::string_view, 10> kNoQuantities{"eta",  "v_num", "rank", "local_rank", "port",
                                                         "seed", "pid",   "step", "iter",       "batch"};

template <std::size_t N>
bool isOneOf(const std::array<std::string_view, N>& all, std::string_view name) {
  return std::find(all.begin(), all.end(), name) != all.end();
}

bool speaksForItself(std::string_view name) {
  return std::any_of(kSpeaking.begin(), kSpeaking.end(),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

PatternMatcher compiled(const char* pattern) {
  return PatternMatcher(TextPattern::regex(pattern, false).value());
}

void addOnce(ValuePairs::Pairs& to, std::string name, double value) {
  const bool isThere = std::any_of(to.begin(), to.end(), [&](const auto& one) { return one.first == name; });
  if (!isThere && to.size() < kMaxPairs) to.emplace_back(std::move(name), value);
}

/// Milliseconds of a step that are given as `unit`; nullopt: a time of something else, or of an unknown unit.
std::optional<double> stepMs(std::string_view name, double value, std::string_view unit) {
  if (!isOneOf(kStepTimes, name)) return std::nullopt;
  if (unit == "ms") return value;
  return unit == "s" || unit == "sec" ? std::optional(value * 1000) : std::nullopt;
}

std::string plainName(std::string_view printed) {
  std::string name(printed.substr(0, kMaxName));
  for (char& c : name) c = c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  while (!name.empty() && (name.back() == '.' || name.back() == '-')) name.pop_back();
  return name;
}

}  // namespace

std::string quantityName(std::string_view printed) {
  return metricNameOf(plainName(printed), {});
}

std::optional<double> printedNumber(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const bool isWhole = end == text.data() + text.size();
  return error == std::errc() && isWhole && !text.empty() ? std::optional(value) : std::nullopt;
}

ValuePairs::ValuePairs() : named_(compiled(kNamed)), rates_(compiled(kRates)) {}

ValuePairs::Pairs ValuePairs::find(std::string_view text) {
  Pairs pairs;
  addNamed(text, pairs);
  addRates(text, pairs);
  return pairs;
}

void ValuePairs::addNamed(std::string_view text, Pairs& to) {
  std::size_t at = 0;
  while (const auto hit = named_.find(text, at)) {
    at = hit->end;
    const std::string plain = plainName(named_.group(text, "name").value_or(""));
    const auto value = printedNumber(named_.group(text, "value").value_or(""));
    const std::string_view separator = named_.group(text, "separator").value_or("");
    const bool isAssigned = separator.find_first_of(":=") != std::string_view::npos;
    if (!value || isOneOf(kNoQuantities, plain) || (!isAssigned && !speaksForItself(plain))) continue;
    const std::string_view unit =
        named_.group(text, "unit").value_or(named_.group(text, "in").value_or(std::string_view()));
    const std::string name = metricNameOf(plain, {});
    if (const auto ms = stepMs(plain, *value, unit))
      addOnce(to, std::string(metric::kStepMs), *ms);
    else if (unit == "%" && name == "accuracy")
      addOnce(to, std::string(metric::kAccuracy), *value);
    else if (unit == "%" && name == "mfu")
      addOnce(to, std::string(metric::kModelFlopsPercent), *value);
    else
      addOnce(to, name, *value);
  }
}

void ValuePairs::addRates(std::string_view text, Pairs& to) {
  std::size_t at = 0;
  while (const auto hit = rates_.find(text, at)) {
    at = hit->end;
    const auto value = printedNumber(rates_.group(text, "value").value_or(""));
    if (!value || !(*value > 0)) continue;
    if (rates_.group(text, "samples")) addOnce(to, std::string(metric::kSamplesPerSecond), *value);
    if (rates_.group(text, "tokens")) addOnce(to, std::string(metric::kTokensPerSecond), *value);
    if (rates_.group(text, "steps")) addOnce(to, std::string(metric::kStepMs), 1000 / *value);
    if (rates_.group(text, "ms")) addOnce(to, std::string(metric::kStepMs), *value);
    if (rates_.group(text, "seconds")) addOnce(to, std::string(metric::kStepMs), *value * 1000);
  }
}

}  // namespace lockstep
