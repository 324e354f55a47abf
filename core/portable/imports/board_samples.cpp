// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/board_samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

#include "base/bounds.h"
#include "metrics/events/event_file.h"
#include "metrics/events/event_search.h"
#include "metrics/foreign_names.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kPiece = 8 << 20;
constexpr std::array<std::string_view, 10> kDataFolders{
    "train", "training", "val", "valid", "validation", "evaluation", "eval", "test", "dev", "metrics"};

bool isDataFolder(const std::string& name) {
  return std::find(kDataFolders.begin(), kDataFolders.end(), name) != kDataFolders.end();
}

// Our own export has a folder for each rank.
std::optional<Rank> rankIn(const std::string& folder) {
  constexpr std::string_view kRank = "rank-";
  if (!folder.starts_with(kRank)) return std::nullopt;
  const auto rank = integerIn<int>(std::string_view(folder).substr(kRank.size()), 0, kMaxRanks - 1);
  return rank ? std::optional<Rank>(*rank) : std::nullopt;
}

Rank rankOf(const std::string& folder) {
  return rankIn(fs::path(folder).filename().string()).value_or(Rank(0));
}

// "exp1/train" and "exp1/validation" are "exp1"; "" is the folder itself.
std::string runOf(const std::string& folder) {
  fs::path run = fs::path(folder).lexically_normal();
  while (!run.empty() && (isDataFolder(run.filename().string()) || rankIn(run.filename().string())))
    run = run.parent_path();
  return run == "." ? "" : run.string();
}

std::string nameOf(const fs::path& path) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return whole.has_filename() ? whole.filename().string() : whole.parent_path().filename().string();
}

std::vector<EventFilePlace> placesIn(const fs::path& path) {
  std::error_code ec;
  if (fs::is_directory(path, ec)) return findEventFiles({path});
  EventFilePlace place{path, ".", {}, 0};
  place.size = fs::file_size(path, ec);
  return {place};
}

/// Event files one after another, each into the run that it belongs to.
class BoardSamples {
 public:
  BoardSamples(fs::path path, const ReadProgress& progress, std::stop_token stop)
      : path_(std::move(path)), progress_(progress), stop_(std::move(stop)) {}

  Result<std::vector<ImportedRun>> read() {
    std::vector<EventFilePlace> places = placesIn(path_);
    if (places.empty())
      return failure(ErrorCode::NotFound, importing(), "there are no event files of TensorBoard in it",
                     "name the folder that is given to: tensorboard --logdir");
    // A restarted training goes on in a newer file.
    std::stable_sort(places.begin(), places.end(),
                     [](const auto& a, const auto& b) { return a.changed < b.changed; });
    for (const EventFilePlace& place : places) of_ += place.size;
    for (const EventFilePlace& place : places)
      if (auto done = readFile(place); !done) return failure(std::move(done.error()));
    return take();
  }

 private:
  [[nodiscard]] std::string importing() const { return fmt::format("cannot import '{}'", path_.string()); }

  Result<void> readFile(const EventFilePlace& place) {
    ImportedRun& run = runs_[runOf(place.run)];
    auto file = EventFile::open(place.path);
    const std::uint64_t before = read_;
    bool isWhole = file.has_value();
    while (file && file->bytesRead() < place.size) {
      if (stop_.stop_requested()) return failure(ErrorCode::Cancelled, importing(), "cancelled");
      const std::uint64_t was = file->bytesRead();
      const auto scalars = file->readNew(kPiece);
      isWhole = scalars.has_value();
      if (!isWhole) break;
      for (const EventScalar& one : *scalars)
        if (auto done = addSample(run, rankOf(place.run), metricNameOf(one.name, place.run),
                                  {one.step, one.time, one.value});
            !done)
          return done;
      read_ = before + file->bytesRead();
      if (progress_) progress_(read_, of_);
      isWhole = file->bytesRead() > was;
      if (!isWhole) break;
    }
    if (!isWhole) ++run.passedOver;  // its rest
    if (file) run.passedOver += file->skipped();
    read_ = before + place.size;
    return {};
  }

  Result<std::vector<ImportedRun>> take() {
    std::vector<ImportedRun> found;
    for (auto& [name, run] : runs_) {
      if (run.samples == 0) continue;
      run.name = name.empty() ? nameOf(path_) : name;
      alignSteps(run);
      found.push_back(std::move(run));
    }
    if (found.empty())
      return failure(ErrorCode::InvalidArgument, importing(), "there are no scalars in its event files");
    return found;
  }

  fs::path path_;
  const ReadProgress& progress_;
  std::stop_token stop_;
  std::map<std::string, ImportedRun> runs_;
  std::uint64_t read_ = 0, of_ = 0;
};

}  // namespace

Result<std::vector<ImportedRun>> runsInBoard(const fs::path& path, const ReadProgress& progress,
                                             const std::stop_token& stop) {
  return BoardSamples(path, progress, stop).read();
}

}  // namespace lockstep
