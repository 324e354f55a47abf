// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_search.h"

#include <sys/stat.h>

#include <algorithm>
#include <deque>
#include <set>
#include <system_error>
#include <utility>

#include "base/bounds.h"
#include "metrics/events/event_file.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr int kMaxDepth = 8;
constexpr std::size_t kMaxEntries = 20'000;
constexpr std::string_view kMark = "tfevents";
constexpr int kMaxProcess = 1 << 22;  // PID_MAX_LIMIT of Linux
constexpr std::ptrdiff_t kAddressParts = 4;

/// One search. Breadth first: what is near is found even where a folder deep below has more entries than are looked at.
class EventSearch {
 public:
  std::vector<EventFilePlace> run(const std::vector<fs::path>& folders) {
    for (const fs::path& folder : folders) enter({folder, {}, 0});
    for (; !queue_.empty() && left_ > 0; queue_.pop_front()) {
      const Place place = queue_.front();
      std::error_code ec;
      for (fs::directory_iterator one(place.folder, ec), end; !ec && one != end && left_ > 0; --left_) {
        lookAt(*one, place);
        one.increment(ec);
      }
    }
    return std::move(found_);
  }

 private:
  struct Place {
    fs::path folder;
    std::string run;
    int depth;
  };

  /// A folder that was met already, by another way or in a circle of links, is not entered again.
  void enter(Place place) {
    struct stat info {};
    if (::stat(place.folder.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return;
    if (seen_.insert(identityOf(info)).second) queue_.push_back(std::move(place));
  }

  void lookAt(const fs::directory_entry& entry, const Place& place) {
    const std::string name = entry.path().filename().string();
    std::error_code ec;
    if (entry.is_directory(ec)) {
      if (place.depth < kMaxDepth)
        enter({entry.path(), place.run.empty() ? name : place.run + '/' + name, place.depth + 1});
    } else if (name.find(kMark) != std::string::npos) {
      take(entry.path(), place);
    }
  }

  void take(const fs::path& path, const Place& place) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode)) return;
    if (!seen_.insert(identityOf(info)).second) return;
    found_.push_back({path, place.run.empty() ? "." : place.run, changeOf(info),
                      static_cast<std::uint64_t>(info.st_size)});
  }

  std::deque<Place> queue_;
  std::set<FileIdentity> seen_;
  std::size_t left_ = kMaxEntries;
  std::vector<EventFilePlace> found_;
};

std::vector<std::string_view> partsOf(std::string_view text) {
  std::vector<std::string_view> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('.'), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool isNumber(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace

std::vector<EventFilePlace> findEventFiles(const std::vector<fs::path>& folders) {
  return EventSearch().run(folders);
}

std::optional<int> writerOf(std::string_view fileName) {
  const std::size_t mark = fileName.find("tfevents.");
  if (mark == std::string_view::npos) return std::nullopt;
  const auto parts = partsOf(fileName.substr(fileName.find('.', mark) + 1));
  if (parts.size() < 3 || !isNumber(parts[0])) return std::nullopt;
  // A host that is an address is all numbers; any other has its first part for itself at least.
  const auto host = parts.begin() + 1;
  const auto words = std::find_if_not(host, parts.end(), isNumber);
  const bool isAddress = words - host >= kAddressParts;
  const auto behind = host + (isAddress ? kAddressParts : 1);
  // The last numbers: what is behind them is "v2", or what the program chose to end its names with.
  const auto end = std::find_if(parts.rbegin(), std::make_reverse_iterator(behind), isNumber).base();
  const auto begin =
      std::find_if_not(std::make_reverse_iterator(end), std::make_reverse_iterator(behind), isNumber).base();
  if (begin == end) return std::nullopt;
  return integerIn<int>(end - begin == 1 ? *begin : *(end - 2), 1, kMaxProcess);
}

}  // namespace lockstep
