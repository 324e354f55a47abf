// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/file_index.h"

#include <algorithm>
#include <atomic>
#include <string_view>
#include <thread>
#include <vector>

#include "logs/store/newlines.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kPieceBytes = 16 * kBlockBytes;   // what a thread reads at once
constexpr std::uint64_t kRoundBytes = 128 * kPieceBytes;  // after which the index has it all
constexpr std::size_t kTimeBytes = 64;                    // in which a line says its time

/// What begins in one stretch of a file.
struct Stretch {
  std::uint64_t lines = 0;
  std::uint64_t first = 0;  // offset of the first of them
  std::int64_t lastTime = kNoTime;
};

/// The time that the last lines of `text` say; they begin after LFs before `end`, and `text` goes on beyond.
std::int64_t lastTimeIn(std::string_view text, std::size_t end, LineSyntax syntax) {
  for (std::size_t newline = lastNewline(text, end); newline != std::string_view::npos;
       newline = lastNewline(text, newline)) {
    const std::string_view head = text.substr(newline + 1, kTimeBytes);
    if (const auto time = timeOf(syntax, head.substr(0, head.find('\n'))); time != kNoTime) return time;
  }
  return kNoTime;
}

/// Reads pieces of a file, each a row of stretches.
class PieceReader {
 public:
  PieceReader(const LogBytes& bytes, LineSyntax syntax) : bytes_(bytes), syntax_(syntax) {}

  /// The stretches of [begin, end), of which all but the first begin at multiples of kBlockBytes.
  std::vector<Stretch> read(std::uint64_t begin, std::uint64_t end) {
    // A line begins after the LF before it, so the byte before is read as well; before the file there is one.
    const bool isStart = begin == 0;
    buffer_.resize(end - begin + 1 + kTimeBytes);
    buffer_[0] = '\n';
    const std::size_t had =
        bytes_.read(begin - (isStart ? 0 : 1), std::span(buffer_).subspan(isStart ? 1 : 0)) +
        (isStart ? 1 : 0);
    const std::string_view text(buffer_.data(), had);
    std::vector<Stretch> stretches;
    for (std::uint64_t from = begin; from < end;) {
      const std::uint64_t to = std::min(end, (from / kBlockBytes + 1) * kBlockBytes);
      stretches.push_back(stretchOf(text, from - begin, to - begin, begin));
      from = to;
    }
    return stretches;
  }

 private:
  [[nodiscard]] Stretch stretchOf(std::string_view text, std::uint64_t from, std::uint64_t to,
                                  std::uint64_t begin) const {
    const std::string_view part = text.substr(std::min<std::size_t>(from, text.size()), to - from);
    Stretch stretch;
    stretch.lines = countNewlines(part);
    if (stretch.lines == 0) return stretch;
    stretch.first = begin + from + part.find('\n');
    stretch.lastTime = lastTimeIn(text.substr(from), to - from, syntax_);
    return stretch;
  }

  const LogBytes& bytes_;
  LineSyntax syntax_;
  std::vector<char> buffer_;
};

using Pieces = std::vector<std::vector<Stretch>>;

Pieces readRound(const LogBytes& bytes, LineSyntax syntax, std::uint64_t begin, std::uint64_t end,
                 int threads) {
  std::vector<std::uint64_t> starts;
  for (std::uint64_t at = begin; at < end; at = (at / kPieceBytes + 1) * kPieceBytes) starts.push_back(at);
  Pieces pieces(starts.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    PieceReader reader(bytes, syntax);
    for (std::size_t i = next++; i < starts.size(); i = next++)
      pieces[i] = reader.read(starts[i], i + 1 < starts.size() ? starts[i + 1] : end);
  };
  std::vector<std::jthread> others;
  const auto wanted = std::min(static_cast<std::size_t>(std::max(1, threads)), starts.size() / 4 + 1);
  for (std::size_t i = 1; i < wanted; ++i) others.emplace_back(work);
  work();
  others.clear();
  return pieces;
}

void take(FileIndex& index, const Stretch& stretch) {
  if (stretch.lines == 0) return;
  const std::size_t count = index.blocks.size();
  const bool goesOn =
      count > 0 && index.blocks[count - 1].offset / kBlockBytes == stretch.first / kBlockBytes;
  if (!goesOn) index.blocks.append({stretch.first, index.lines, index.lastTime});
  index.lines += stretch.lines;
  if (stretch.lastTime != kNoTime) index.lastTime = stretch.lastTime;
}

}  // namespace

void extendIndex(FileIndex& index, const LogBytes& bytes, LineSyntax syntax, std::uint64_t size, int threads,
                 const std::stop_token& stop, const std::function<void(std::uint64_t)>& progress) {
  while (index.bytes < size && !stop.stop_requested()) {
    const std::uint64_t end = std::min(size, (index.bytes / kRoundBytes + 1) * kRoundBytes);
    for (const auto& piece : readRound(bytes, syntax, index.bytes, end, threads))
      for (const Stretch& stretch : piece) take(index, stretch);
    index.bytes = end;
    if (progress) progress(end);
  }
}

}  // namespace lockstep
