// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "logs/search/line_set.h"
#include "logs/search/text_query.h"
#include "logs/store/log_snapshot.h"

namespace lockstep {

/// Which lines of a log are wanted: all conditions hold. The default wants all.
struct LogQuery {
  std::vector<std::optional<Rank>> ranks;  // empty: all; nullopt: lines of no rank (node agents)
  std::vector<std::string> nodes;          // empty: all
  LogLevel minLevel = LogLevel::Debug;
  std::optional<TimePoint> from, to;  // from <= time < to
  std::optional<TextQuery> text;

  [[nodiscard]] bool wantsAll() const;
  /// Something beside the text is asked for.
  [[nodiscard]] bool needsFacts() const;
  /// Everything but the text.
  [[nodiscard]] bool acceptsFacts(const LogLineView& line) const;
};

/// One search over one snapshot, in slices as long as its caller likes: in any thread, one at a time. Whole blocks are
/// searched as one text; those without the ranks, levels or times that are wanted are passed over once a search has looked
/// at each of their lines. Of a line of more than 128 MiB that much is searched.
class LogSearch {
 public:
  /// Lines before `first` are taken to be searched already: pass what was found in them as `found`. When a log has grown,
  /// that is newer.commonStart(older), and what was found before it (LineSet::truncate).
  LogSearch(std::shared_ptr<const LogSnapshot> snapshot, LogQuery query, std::uint64_t first = 0,
            LineSet found = {});
  LogSearch(LogSearch&& other) noexcept;
  LogSearch& operator=(LogSearch&& other) noexcept;
  ~LogSearch();

  /// Searches on for about `budget` (longer by more than a few ms only where one line has many megabytes). True: it is
  /// done. Blocks on disk.
  bool advance(std::chrono::nanoseconds budget, const std::stop_token& stop = {});
  [[nodiscard]] bool isDone() const { return searched() >= snapshot()->size(); }
  /// How many lines have been searched, from the first one on.
  [[nodiscard]] std::uint64_t searched() const;
  [[nodiscard]] const LineSet& found() const;  // a copy of it is cheap
  [[nodiscard]] const std::shared_ptr<const LogSnapshot>& snapshot() const;
  /// An expression that takes too long on some lines, which are not found then.
  [[nodiscard]] const std::optional<Error>& tooHard() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The whole search in `threads` threads; stopped: what was found until then, without gaps. `report` is called in this
/// thread with what was found in the lines before `searched`, about 20 times a second. Blocks.
using ReportFound = std::function<void(const LineSet& found, std::uint64_t searched)>;
LineSet searchAll(const std::shared_ptr<const LogSnapshot>& snapshot, const LogQuery& query, int threads,
                  const std::stop_token& stop, const ReportFound& report = {});

}  // namespace lockstep
