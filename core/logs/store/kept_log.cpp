// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/kept_log.h"

#include <algorithm>
#include <span>
#include <utility>

#include "logs/store/kept_files.h"
#include "logs/store/time_order.h"

namespace lockstep {
namespace {

constexpr std::size_t kLinesAtOnce = 4096;  // that are written in one piece

}  // namespace

struct KeptLog::Parts {
  KeptFiles files;
  TimeOrderBuilder order;
  std::vector<std::string> nodes;
  std::vector<Rank> ranks;
  std::uint64_t dropped = 0;
  std::shared_ptr<const LogSnapshot> snapshot;  // null: something came since

  explicit Parts(KeptFiles opened) : files(std::move(opened)) {}
  void readBack();
  void note(const std::string& node, std::optional<Rank> rank);
  void write(std::span<const LogLine> lines);
  void dropOldest();
};

void KeptLog::Parts::note(const std::string& node, std::optional<Rank> rank) {
  if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  if (!rank) return;
  const auto place = std::lower_bound(ranks.begin(), ranks.end(), *rank);
  if (place == ranks.end() || *place != *rank) ranks.insert(place, *rank);
}

void KeptLog::Parts::readBack() {
  std::vector<TimedLine> lines;
  files.readBack([&](std::uint64_t file, std::uint64_t line, const LineParts& parts) {
    lines.push_back({parts.time, file, line});
    note(decodeField(parts.node), parts.rank);
  });
  order.add(std::move(lines));
}

void KeptLog::Parts::write(std::span<const LogLine> lines) {
  std::string text;
  std::vector<TimedLine> timed;
  LineTimes times;
  for (const LogLine& line : lines) {
    appendKept(text, line);
    note(line.node, line.rank);
    timed.push_back({keptTime(line.time).time_since_epoch().count(), 0, 0});
    times.add(timed.back().time);
  }
  const LineId first = files.append(text, times);
  for (std::size_t i = 0; i < timed.size(); ++i) {
    timed[i].file = first.file;
    timed[i].line = first.line + i;
  }
  order.add(std::move(timed));
}

void KeptLog::Parts::dropOldest() {
  while (const auto file = files.dropSurplus()) {
    const std::uint64_t before = order.size();
    order.drop(*file);
    dropped += before - order.size();
  }
}

KeptLog::KeptLog() : parts_(std::make_unique<Parts>(KeptFiles(Limits().bytes))) {}

KeptLog::KeptLog(std::filesystem::path folder, Limits limits)
    : parts_(std::make_unique<Parts>(KeptFiles(std::move(folder), limits.bytes))) {
  parts_->readBack();
}

KeptLog::KeptLog(KeptLog&& other) noexcept = default;
KeptLog& KeptLog::operator=(KeptLog&& other) noexcept = default;
KeptLog::~KeptLog() = default;

std::vector<LogLine> KeptLog::add(std::vector<LogLine> lines) {
  std::erase_if(lines, [this](const LogLine& line) { return parts_->files.wasKept(line.id); });
  const std::span<const LogLine> fresh = lines;
  for (std::size_t from = 0; from < fresh.size(); from += kLinesAtOnce) {
    parts_->write(fresh.subspan(from, std::min(kLinesAtOnce, fresh.size() - from)));
    parts_->dropOldest();
  }
  if (!fresh.empty()) parts_->snapshot.reset();
  return lines;
}

std::shared_ptr<const LogSnapshot> KeptLog::snapshot() {
  if (parts_->snapshot) return parts_->snapshot;
  auto files = parts_->files.files();
  std::vector<std::uint64_t> ids;
  for (const auto& file : files) ids.push_back(file->id);
  auto order = parts_->order.order(std::move(ids));
  parts_->snapshot = std::make_shared<LogSnapshot>(std::move(files), std::move(order), parts_->nodes,
                                                   parts_->ranks, parts_->dropped);
  return parts_->snapshot;
}

std::optional<TimePoint> KeptLog::wholeUntil() const {
  return parts_->files.wholeUntil();
}

void KeptLog::noteWholeUntil(TimePoint time) {
  parts_->files.noteWholeUntil(time);
}

std::uint64_t KeptLog::dropped() const {
  return parts_->dropped;
}

const std::optional<Error>& KeptLog::problem() const {
  return parts_->files.problem();
}

}  // namespace lockstep
