// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/line_chunks.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

#include "logs/store/line_syntax.h"
#include "portable/run_file_format.h"

namespace lockstep {
namespace {

constexpr std::size_t kChunkBytes = 1 << 20, kBytesPerPoll = 4 << 20;
constexpr std::size_t kMaxLineBytes = run_file::kMaxObjectBytes / 2;  // a longer one is cut

std::optional<LogLine> lineOf(std::string_view kept) {
  const auto parts = takeApart(LineSyntax::Kept, kept);
  if (!parts) return std::nullopt;
  LogLine line;
  line.id = decodeField(parts->id);
  line.time = TimePoint(std::chrono::nanoseconds(parts->time));
  line.node = decodeField(parts->node);
  line.rank = parts->rank;
  line.level = parts->level;
  line.text = parts->text;
  return line;
}

}  // namespace

Result<void> LineChunks::add(const LogLine& line) {
  if (line.text.size() > kMaxLineBytes) {
    LogLine cut = line;
    cut.text.resize(kMaxLineBytes);
    appendKept(text_, cut);
  } else {
    appendKept(text_, line);
  }
  return text_.size() >= kChunkBytes ? finish() : Result<void>();
}

Result<void> LineChunks::finish() {
  if (text_.empty()) return {};
  return to_.add(fmt::format("{}{:010}.log", run_file::kLines, next_++), std::exchange(text_, {}));
}

std::vector<LogLine> linesIn(std::string_view text) {
  std::vector<LogLine> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (auto line = lineOf(text.substr(0, end))) lines.push_back(*std::move(line));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

Result<std::vector<LogLine>> RunFileLines::poll(const std::stop_token& stop) {
  if (!isListed_) {
    const auto found = file_->list(run_file::kLines, {}, stop);
    if (!found) return failure(found.error());
    for (const ObjectInfo& one : *found) names_.push_back(one.name);
    isListed_ = true;
  }
  std::vector<LogLine> lines;
  for (std::size_t bytes = 0; next_ < names_.size() && bytes < kBytesPerPoll; ++next_) {
    const auto text = file_->get(names_[next_], stop);
    if (!text) return failure(text.error());
    bytes += text->size();
    std::vector<LogLine> some = linesIn(*text);
    lines.insert(lines.end(), std::move_iterator(some.begin()), std::move_iterator(some.end()));
  }
  return lines;
}

}  // namespace lockstep
