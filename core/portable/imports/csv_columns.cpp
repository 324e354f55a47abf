// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/csv_columns.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <string_view>

#include "base/bounds.h"
#include "base/text/trimmed.h"
#include "metrics/foreign_names.h"
#include "metrics/metric_catalogue.h"

namespace lockstep {
namespace {

constexpr std::string_view kOfRun = " - ";  // "brisk-sun-3 - train/loss"

std::string lowered(std::string_view text) {
  std::string result(trimmed(text));
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::replace(result.begin(), result.end(), ' ', '_');
  return result;
}

using Words = std::span<const std::string_view>;
constexpr std::string_view kSteps[]{"step",      "_step",  "global_step",  "trainer/global_step",
                                    "iteration", "iter",   "steps",        "batch",
                                    "update",    "_epoch", metric::kEpoch, "epochs"};
constexpr std::string_view kTimes[]{"time",     "timestamp", "_timestamp", "wall_time",
                                    "walltime", "datetime",  "date"};
constexpr std::string_view kRelativeTimes[]{
    "_runtime", "runtime",     "relative_time_(process)", "relative_time_(wall)", "relative_time",
    "elapsed",  "elapsed_time"};
constexpr std::string_view kRanks[]{"rank", "global_rank", "_rank"};
constexpr std::string_view kValues[]{"value"};
constexpr std::string_view kNames[]{"name", "metric", "tag", "key", "quantity"};

/// The columns of a header that has not been given a part yet.
class Header {
 public:
  explicit Header(std::span<const std::string> fields) {
    for (const std::string& field : fields) words_.push_back(lowered(field));
    isTaken_.assign(words_.size(), false);
  }
  /// The first of `words` that there is, in their order.
  std::optional<std::size_t> take(Words words) {
    for (const std::string_view word : words) {
      const auto found = std::find(words_.begin(), words_.end(), word);
      if (found == words_.end()) continue;
      const auto at = static_cast<std::size_t>(found - words_.begin());
      if (isTaken_[at]) continue;
      isTaken_[at] = true;
      return at;
    }
    return std::nullopt;
  }
  [[nodiscard]] bool isTaken(std::size_t at) const { return isTaken_[at]; }

 private:
  std::vector<std::string> words_;
  std::vector<bool> isTaken_;
};

bool isBand(std::string_view field) {  // of a chart of Weights & Biases: how far a smoothed line may be off
  return field.ends_with("__MIN") || field.ends_with("__MAX");
}

bool isNumber(std::string_view field) {
  return !field.empty() && field.find_first_not_of("0123456789.+-eE") == std::string_view::npos;
}

/// Gives each quantity of each run a name of its own, in the catalogue's words where they are free.
class QuantityNames {
 public:
  std::string of(std::size_t run, const std::string& field) {
    const std::string known = metricNameOf(field, "");
    return taken_.insert({run, known}).second ? known : field;
  }

 private:
  std::set<std::pair<std::size_t, std::string>> taken_;
};

std::size_t runNamed(CsvColumns& columns, const std::string& name) {
  const auto known = std::find(columns.runs.begin(), columns.runs.end(), name);
  if (known != columns.runs.end()) return static_cast<std::size_t>(known - columns.runs.begin());
  columns.runs.push_back(name);
  return columns.runs.size() - 1;
}

// "exp1-tag-train_loss.csv" -> "train_loss"
std::string nameIn(const std::string& fileName) {
  std::string stem = fileName.substr(0, fileName.rfind('.'));
  const std::size_t tag = stem.rfind("tag-");
  return tag == std::string::npos ? stem : stem.substr(tag + 4);
}

void addQuantities(CsvColumns& columns, const Header& header, std::span<const std::string> fields) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (!header.isTaken(i) && !isBand(fields[i]) && !trimmed(fields[i]).empty()) all.push_back(i);
  const bool isChart = !all.empty() && std::all_of(all.begin(), all.end(), [&](std::size_t i) {
    return fields[i].find(kOfRun) != std::string::npos;
  });
  QuantityNames names;
  for (const std::size_t i : all) {
    const std::string field(trimmed(fields[i]));
    const std::size_t split = isChart ? field.rfind(kOfRun) : std::string::npos;
    const std::size_t run = runNamed(columns, isChart ? field.substr(0, split) : "");
    columns.quantities.push_back(
        {i, names.of(run, isChart ? field.substr(split + kOfRun.size()) : field), run});
  }
}

}  // namespace

std::optional<CsvColumns> csvColumnsOf(std::span<const std::string> fields, const std::string& fileName) {
  if (fields.empty() || std::all_of(fields.begin(), fields.end(), isNumber)) return std::nullopt;
  Header header(fields);
  CsvColumns columns;
  columns.step = header.take(kSteps);
  columns.time = header.take(kTimes);
  if (!columns.time && (columns.time = header.take(kRelativeTimes)))
    columns.timeIs = CsvColumns::Time::Relative;
  columns.rank = header.take(kRanks);
  if ((columns.value = header.take(kValues))) {
    columns.name = header.take(kNames);
    if (columns.name) {
      columns.runs = {""};
      return columns;
    }
    columns.quantities = {{*columns.value, metricNameOf(nameIn(fileName), ""), 0}};
    columns.value.reset();
    columns.runs = {""};
  }
  addQuantities(columns, header, fields);
  return columns.quantities.empty() ? std::nullopt : std::optional(columns);
}

}  // namespace lockstep
