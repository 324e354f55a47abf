// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_folder.h"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kMaxFiles = 1'024;
// Linux stamps files with the time of its last tick: one that was just written may look older than now.
constexpr std::chrono::milliseconds kTick{10};

/// Only the files that were changed last.
void keepNewest(std::vector<EventFilePlace>& places) {
  if (places.size() <= kMaxFiles) return;
  const auto end = places.begin() + kMaxFiles;
  std::nth_element(places.begin(), end, places.end(),
                   [](const EventFilePlace& a, const EventFilePlace& b) { return a.changed > b.changed; });
  places.erase(end, places.end());
}

}  // namespace

EventFolder::EventFolder(std::vector<fs::path> folders, TimePoint since)
    : folders_(std::move(folders)), since_(since - kTick) {}

void EventFolder::look() {
  std::vector<EventFilePlace> places = findEventFiles(folders_);
  leaveOutOlder(places);
  addUnseen(places);
  keepNewest(places);
  follow(places);
}

/// Files that are followed and still there, though so many entries lie before them now that the search does not get to them.
void EventFolder::addUnseen(std::vector<EventFilePlace>& places) const {
  std::set<std::string_view> seen;
  for (const EventFilePlace& place : places) seen.insert(place.path.native());
  std::vector<EventFilePlace> unseen;
  for (const auto& [path, one] : followed_) {
    struct stat info {};
    if (seen.contains(path) || ::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) continue;
    unseen.push_back({path, one.run, changeOf(info), static_cast<std::uint64_t>(info.st_size)});
  }
  std::move(unseen.begin(), unseen.end(), std::back_inserter(places));
}

void EventFolder::leaveOutOlder(std::vector<EventFilePlace>& places) {
  std::map<std::string, std::uint64_t> older;
  std::erase_if(places, [&](const EventFilePlace& place) {
    const std::string& path = place.path.native();
    if (place.changed >= since_ || followed_.contains(path)) return false;
    const auto known = older_.find(path);
    if (known != older_.end() && place.size > known->second) return false;
    older[path] = place.size;
    return true;
  });
  older_ = std::move(older);
}

void EventFolder::follow(const std::vector<EventFilePlace>& places) {
  std::map<std::string, Followed> followed;
  for (const EventFilePlace& place : places) {
    if (auto known = followed_.extract(place.path.native())) {
      followed.insert(std::move(known));
      continue;
    }
    auto file = EventFile::open(place.path);
    if (!file) continue;  // it went since it was found
    followed.emplace(place.path.native(),
                     Followed{*std::move(file), place.run, writerOf(place.path.filename().string())});
  }
  followed_ = std::move(followed);
}

std::vector<FoundScalars> EventFolder::readNew(std::size_t maxBytes) {
  std::vector<FoundScalars> all;
  auto next = followed_.upper_bound(last_);
  for (std::size_t i = 0; i < followed_.size() && maxBytes > 0; ++i, ++next) {
    if (next == followed_.end()) next = followed_.begin();
    Followed& one = next->second;
    const std::uint64_t before = one.file.bytesRead();
    auto scalars = one.file.readNew(maxBytes);
    maxBytes -= static_cast<std::size_t>(one.file.bytesRead() - before);
    last_ = next->first;
    if (scalars && !scalars->empty()) all.push_back({one.file.path(), one.run, one.pid, *std::move(scalars)});
  }
  return all;
}

std::uint64_t EventFolder::skipped() const {
  std::uint64_t sum = 0;
  for (const auto& [path, one] : followed_) sum += one.file.skipped();
  return sum;
}

}  // namespace lockstep
