// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/line_folding.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t kMaxBars = 16;  // of one source at once

bool isFrame(LinePart part) {
  return part == LinePart::Frame || part == LinePart::Blank;
}

}  // namespace

void LineFolding::append(std::uint32_t source, std::string_view text) {
  const std::uint32_t position = size();
  if (position % kBetweenCheckpoints == 0) checkpoints_.insert_or_assign(position, sources_);
  entries_.push_back({position, position});
  noteChange(position);
  Source& open = sources_[source];
  const LinePart part = partOf(text);
  if (part == LinePart::Progress) return appendProgress(open, text);
  open.bars.clear();
  if (goesOn(open, part)) return join(open.group, Kind::Block);
  open.await = awaitedAfter(part);
  open.group = position;
}

LineFolding::Await LineFolding::awaitedAfter(LinePart begin) {
  switch (begin) {
    case LinePart::Traceback:
      return Await::Message;
    case LinePart::CrashDump:
      return Await::Frames;
    case LinePart::NcclNews:
      return Await::News;
    default:
      return Await::Nothing;
  }
}

bool LineFolding::goesOn(Source& source, LinePart part) {
  const bool isAnother = part == LinePart::Traceback || part == LinePart::CrashDump;  // of the same failure
  switch (source.await) {
    case Await::Nothing:
      return false;
    case Await::News:
      return part == LinePart::NcclNews;
    case Await::Message:
      if (part == LinePart::Plain) source.await = Await::Chaining;  // "ValueError: …"
      return part != LinePart::NcclNews;
    case Await::Frames:
    case Await::Chaining:
      if (isAnother) source.await = awaitedAfter(part);
      return isAnother || isFrame(part) || part == LinePart::Chaining;
  }
  return false;
}

void LineFolding::appendProgress(Source& source, std::string_view text) {
  source.await = Await::Nothing;
  const std::string_view name = progressName(text);
  const auto bar = std::find_if(source.bars.begin(), source.bars.end(),
                                [name](const Bar& known) { return known.name == name; });
  if (bar != source.bars.end()) return join(bar->group, Kind::Progress);
  if (source.bars.size() == kMaxBars) source.bars.erase(source.bars.begin());
  source.bars.push_back({std::string(name), size() - 1});
}

void LineFolding::join(std::uint32_t first, Kind kind) {
  const std::uint32_t position = size() - 1;
  Group& group = groups_.try_emplace(first, Group{kind, first, first, 1}).first->second;
  noteChange(group.shown());
  entries_.back() = {first, group.last};
  group.last = position;
  ++group.count;
}

std::uint32_t LineFolding::truncate(std::uint32_t position) {
  if (position >= size()) return size();
  const auto checkpoint = std::prev(checkpoints_.upper_bound(position));
  for (std::uint32_t at = size(); at > checkpoint->first; --at) {
    const Entry entry = entries_[at - 1];
    const auto group = groups_.find(entry.group);
    if (group == groups_.end()) continue;
    group->second.last = entry.previous;
    noteChange(group->second.shown());
    if (--group->second.count <= 1) groups_.erase(group);
  }
  entries_.resize(checkpoint->first);
  noteChange(size());
  sources_ = checkpoint->second;
  checkpoints_.erase(std::next(checkpoint), checkpoints_.end());
  return size();
}

void LineFolding::clear() {
  *this = LineFolding();
}

const LineFolding::Group* LineFolding::groupOf(std::uint32_t position) const {
  const auto group = groups_.find(entries_[position].group);
  return group == groups_.end() ? nullptr : &group->second;
}

std::uint32_t LineFolding::takeChangedFrom() {
  const std::uint32_t from = std::min(changedFrom_, size());
  changedFrom_ = size();
  return from;
}

void LineFolding::noteChange(std::uint32_t position) {
  changedFrom_ = std::min(changedFrom_, position);
}

}  // namespace lockstep
