// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/search/part_search.h"

#include <algorithm>
#include <set>

#include "logs/store/newlines.h"

namespace lockstep {
namespace {

constexpr std::uint64_t kMaxSearched = 128 << 20;  // of one block, which is one line then

}  // namespace

PartSearch::PartSearch(const LogSnapshot& snapshot, const LogQuery& query, Look look)
    : snapshot_(snapshot), query_(query), look_(std::move(look)), needsFacts_(query.needsFacts()) {
  if (query.text && !query.text->wantsAll()) scan_.emplace(*query.text);
  for (const auto& rank : query.ranks) rankBits_ |= BlockFacts::rankBit(rank);
}

std::optional<Error> PartSearch::tooHard() const {
  return scan_ ? scan_->tooHard() : std::nullopt;
}

void PartSearch::search(std::size_t part, std::uint64_t from, const Found& found) {
  const OrderPart lines = snapshot_.order().part(part);
  std::uint64_t index = lines.first;
  for (LineRun run : lines.runs) {
    const std::uint64_t end = index + run.count;
    if (end > from) {
      const std::uint64_t skipped = from > index ? from - index : 0;
      run.first += skipped;
      run.count -= skipped;
      searchRun(run, index + skipped, found);
    }
    index = end;
  }
}

void PartSearch::searchRun(const LineRun& run, std::uint64_t index, const Found& found) {
  const LineFile& file = *snapshot_.files()[run.file];
  std::uint64_t line = run.first;
  const std::uint64_t end = run.first + run.count;
  for (std::size_t block = file.index.blocks.blockOf(line); line < end; ++block) {
    const std::uint64_t first = line - file.index.blocks[block].firstLine;
    const std::uint64_t count = std::min(end - line, file.linesIn(block) - first);
    searchPiece({&file, run.file, block, first, count, index}, found);
    line += count;
    index += count;
  }
}

void PartSearch::searchPiece(const Piece& piece, const Found& found) {
  const bool wantsAll = !needsFacts_ && !scan_;
  const auto facts = needsFacts_ || (wantsAll && look_) ? piece.file->index.blocks.facts(piece.block)
                                                        : std::optional<BlockFacts>();
  if (wantsAll && (!look_ || (facts && facts->levels >> static_cast<unsigned>(LogLevel::Warning) == 0)))
    return found(piece.index, piece.count);
  if (facts && !mayHave(*facts)) return;
  BlockText& block = texts_.load(piece.number, *piece.file, piece.block, kMaxSearched);
  // In our own files other fields stand before the text.
  if (scan_ && piece.file->syntax == LineSyntax::Text)
    searchText(piece, block, found);
  else
    searchLines(piece, block, found);
}

bool PartSearch::mayHave(const BlockFacts& facts) const {
  if (query_.from && facts.maxTime < query_.from->time_since_epoch().count()) return false;
  if (query_.to && facts.minTime >= query_.to->time_since_epoch().count()) return false;
  if (rankBits_ != 0 && (facts.ranks & rankBits_) == 0) return false;
  return facts.levels >> static_cast<unsigned>(query_.minLevel) != 0;
}

LogLineView PartSearch::view(const LineFile& file, BlockText& block, std::uint64_t line,
                             const LineParts& parts) {
  LogLineView view;
  view.text = parts.text;
  view.rank = parts.rank;
  view.level = parts.level;
  view.node = parts.node.empty() ? std::string_view(file.node) : parts.node;
  if (parts.node.find('%') != std::string_view::npos) view.node = node_ = decodeField(parts.node);
  view.time = parts.time != kNoTime ? TimePoint(std::chrono::nanoseconds(parts.time))
                                    : block.time(static_cast<std::size_t>(line));
  return view;
}

/// All lines as one text: those without a match are not looked at.
void PartSearch::searchText(const Piece& piece, BlockText& block, const Found& found) {
  std::string_view text = block.text();
  std::uint64_t line = piece.first;
  if (!piece.isWholeBlock()) {
    const std::size_t begin = block.start(piece.first), end = block.start(piece.first + piece.count);
    text = text.substr(begin, end - begin);
  }
  scan_->reset();
  std::size_t at = 0;  // where `line` begins
  const std::uint64_t endLine = piece.first + piece.count;
  for (std::size_t hit = scan_->seek(text, 0); hit != std::string_view::npos; hit = scan_->seek(text, at)) {
    line += countNewlines(text.substr(at, hit - at));
    if (line >= endLine) return;
    const std::size_t begin = startOfLine(text, hit), end = endOfLine(text, hit);
    const std::string_view raw = text.substr(begin, end - begin);
    if (scan_->matches(textOf(LineSyntax::Text, raw))) {
      const auto parts = needsFacts_ || look_ ? takeApart(LineSyntax::Text, raw) : std::nullopt;
      const LogLineView shown = parts ? view(*piece.file, block, line, *parts) : LogLineView();
      if (!needsFacts_ || query_.acceptsFacts(shown)) {
        found(piece.index + line - piece.first, 1);
        if (look_) look_(piece.index + line - piece.first, shown);
      }
    }
    at = end + 1;
    ++line;
  }
}

/// To this search, of whatever file.
bool PartSearch::isNew(Rank rank) {
  const auto number = static_cast<std::size_t>(rank.value);
  if (number >= seen_.size()) seen_.resize(number + 1);
  if (seen_[number]) return false;
  return seen_[number] = true;
}

/// Line by line; whoever reads all of a block tells later searches what is in it.
void PartSearch::searchLines(const Piece& piece, BlockText& block, const Found& found) {
  BlockFacts facts;
  std::set<Rank> fresh;
  for (std::uint64_t n = 0; n < piece.count; ++n) {
    const std::uint64_t line = piece.first + n;
    const auto parts = takeApart(piece.file->syntax, block.line(static_cast<std::size_t>(line)));
    if (!parts) continue;
    const LogLineView shown = view(*piece.file, block, line, *parts);
    facts.add(shown.rank, shown.level, shown.time);
    if (shown.rank && isNew(*shown.rank)) fresh.insert(*shown.rank);
    if (!query_.acceptsFacts(shown) || (scan_ && !scan_->matches(shown.text))) continue;
    found(piece.index + n, 1);
    if (look_) look_(piece.index + n, shown);
  }
  if (!fresh.empty()) piece.file->ranks->add(fresh);
  if (!piece.isWholeBlock()) return;
  if (!piece.file->mayGrow(piece.block)) piece.file->index.blocks.noteFacts(piece.block, facts);
}

}  // namespace lockstep
