// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/csv_samples.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/bounds.h"
#include "base/text/trimmed.h"
#include "base/time_text.h"
#include "portable/imports/csv_columns.h"
#include "portable/imports/csv_rows.h"

namespace lockstep {
namespace {

using std::chrono::nanoseconds;

constexpr std::int64_t kMaxStep = 1LL << 53;
constexpr double kMaxSeconds = 7.2e9;  // since 1970; the year 2198

std::optional<double> numberIn(std::string_view cell) {
  cell = trimmed(cell);
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  return error == std::errc() && end == cell.data() + cell.size() && !cell.empty() ? std::optional(value)
                                                                                   : std::nullopt;
}

nanoseconds ofSeconds(double seconds) {
  const double whole = std::floor(seconds);
  return std::chrono::seconds(static_cast<std::int64_t>(whole)) +
         nanoseconds(static_cast<std::int64_t>(std::llround((seconds - whole) * 1e9)));
}

// Seconds or milliseconds since 1970, or a date with a time, with a T or a blank between them, in UTC where it says nothing.
std::optional<TimePoint> timeIn(std::string_view cell) {
  cell = trimmed(cell);
  if (const auto number = numberIn(cell)) {
    const double seconds = *number > kMaxSeconds ? *number / 1000 : *number;
    if (!(seconds >= 0 && seconds <= kMaxSeconds)) return std::nullopt;
    return TimePoint(ofSeconds(seconds));
  }
  std::string text(cell);
  if (text.size() > 10 && text[10] == ' ') text[10] = 'T';
  if (const auto time = parseRfc3339(text)) return time;
  return parseRfc3339(text + "Z");
}

std::optional<nanoseconds> elapsedIn(std::string_view cell) {
  const auto number = numberIn(cell);
  if (!number || !(*number >= 0 && *number <= kMaxSeconds)) return std::nullopt;
  return ofSeconds(*number);
}

TimePoint changeTimeOf(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return TimePoint(std::chrono::seconds(0));
  return TimePoint(std::chrono::seconds(info.st_mtim.tv_sec) + nanoseconds(info.st_mtim.tv_nsec));
}

/// Rows become samples. Times that are relative or missing count from 1970 until all is read.
class CsvSamples {
 public:
  explicit CsvSamples(const std::filesystem::path& path) : path_(path) {}

  Result<void> add(std::span<const std::string> fields) {
    if (columns_) return addRow(fields);
    columns_ = csvColumnsOf(fields, path_.filename().string());
    if (!columns_)
      return failure(ErrorCode::InvalidArgument, {}, "its first line names no quantities",
                     "give it a first line such as: step,time,loss");
    for (const std::string& name : columns_->runs) {
      runs_.emplace_back();
      runs_.back().name = name.empty() ? path_.stem().string() : name;
    }
    return {};
  }

  Result<std::vector<ImportedRun>> take() {
    std::erase_if(runs_, [](const ImportedRun& run) { return run.samples == 0; });
    if (runs_.empty())
      return failure(ErrorCode::InvalidArgument, fmt::format("cannot import '{}'", path_.string()),
                     "there are no samples in it");
    if (!columns_->time || columns_->timeIs == CsvColumns::Time::Relative) moveTimes();
    for (ImportedRun& run : runs_) alignSteps(run);
    return std::move(runs_);
  }

 private:
  Result<void> addRow(std::span<const std::string> fields) {
    const std::int64_t row = row_++;
    const auto cell = [&](std::optional<std::size_t> column) -> std::string_view {
      return column && *column < fields.size() ? std::string_view(fields[*column]) : std::string_view();
    };
    const auto step = stepOf(cell(columns_->step), row);
    const auto time = timeOf(cell(columns_->time), row);
    const auto rank =
        columns_->rank ? integerIn<int>(trimmed(cell(columns_->rank)), 0, kMaxRanks - 1) : std::optional(0);
    if (!step || !time || !rank) {
      ++runs_.front().passedOver;
      return {};
    }
    if (columns_->name)
      return addCell(0, Rank(*rank), trimmed(cell(columns_->name)), cell(columns_->value), *step, *time);
    for (const CsvColumns::Quantity& one : columns_->quantities)
      if (auto done = addCell(one.run, Rank(*rank), one.name, cell(one.column), *step, *time); !done)
        return done;
    return {};
  }

  Result<void> addCell(std::size_t run, Rank rank, std::string_view name, std::string_view cell, Step step,
                       TimePoint time) {
    if (trimmed(cell).empty()) return {};
    const auto value = numberIn(cell);
    if (value) return addSample(runs_[run], rank, name, {step, time, *value});
    ++runs_[run].passedOver;
    return {};
  }

  // Steps are whole numbers, also where a table writes all numbers with a point.
  [[nodiscard]] std::optional<Step> stepOf(std::string_view cell, std::int64_t row) const {
    if (!columns_->step) return row;
    const auto number = numberIn(cell);
    const auto step = number ? integerIn(*number, -kMaxStep, kMaxStep) : std::nullopt;
    return step ? std::optional<Step>(*step) : std::nullopt;
  }

  [[nodiscard]] std::optional<TimePoint> timeOf(std::string_view cell, std::int64_t row) const {
    if (!columns_->time) return TimePoint(std::chrono::milliseconds(row));
    if (columns_->timeIs == CsvColumns::Time::Absolute) return timeIn(cell);
    const auto elapsed = elapsedIn(cell);
    return elapsed ? std::optional(TimePoint(*elapsed)) : std::nullopt;
  }

  // The last row was written when the file was.
  void moveTimes() {
    TimePoint last{};
    for (const ImportedRun& run : runs_) last = std::max(last, timesOf(run).second);
    const nanoseconds by = std::max(changeTimeOf(path_) - last, nanoseconds(0));
    for (ImportedRun& run : runs_) {
      run.hasTimes = columns_->time.has_value();
      for (auto& [rank, series] : run.ranks)
        for (auto& [name, points] : series)
          for (MetricPoint& point : points) point.time += by;
    }
  }

  const std::filesystem::path& path_;
  std::optional<CsvColumns> columns_;
  std::vector<ImportedRun> runs_;
  std::int64_t row_ = 0;
};

}  // namespace

Result<std::vector<ImportedRun>> runsInCsv(const std::filesystem::path& path, const std::stop_token& stop) {
  CsvSamples samples(path);
  const auto done = readCsv(
      path, [&](std::span<const std::string> fields) { return samples.add(fields); }, stop);
  if (!done) return failure(done.error());
  return samples.take();
}

}  // namespace lockstep
