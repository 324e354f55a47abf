// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "logs/search/log_search.h"
#include "logs/store/file_order.h"
#include "logs/store/log_reader.h"

namespace lockstep {
namespace {

std::vector<std::string> linesOf(std::string_view bytes) {
  std::vector<std::string> lines;
  while (!bytes.empty()) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    lines.emplace_back(bytes.substr(0, end));
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return lines;
}

/// The bytes as a file, read in two parts.
std::shared_ptr<const LogSnapshot> snapshotOf(std::string_view bytes, LineSyntax syntax) {
  auto file = std::make_shared<LineFile>();
  auto memory = LogBytes::inMemory().value();
  if (!memory->append(bytes)) return nullptr;
  file->bytes = memory;
  file->syntax = syntax;
  extendIndex(file->index, *memory, syntax, bytes.size() / 2, 1, {});
  extendIndex(file->index, *memory, syntax, bytes.size(), 1, {});
  std::shared_ptr<const LineFile> lines = std::move(file);
  auto order = std::make_shared<FileOrder>(lines);
  return std::make_shared<LogSnapshot>(std::vector{lines}, order, std::vector<std::string>(),
                                       std::vector<Rank>());
}

std::string tryLines(const std::shared_ptr<const LogSnapshot>& snapshot,
                     const std::vector<std::string>& truth, LineSyntax syntax) {
  LogReader reader(snapshot);
  if (reader.size() != truth.size()) return "another number of lines";
  for (std::uint64_t i = 0; i < reader.size(); ++i) {
    const std::string text = reader.wholeText(i);
    const bool isKept = syntax == LineSyntax::Text || takeApart(syntax, truth[i]).has_value();
    if (isKept && text != textOf(syntax, truth[i])) return "another text";
    if (reader.line(i).rank.value_or(Rank(0)).value < 0) return "a rank below zero";
  }
  return {};
}

/// A line that is one of ours is the same line when it is written again.
std::string tryKept(std::string_view raw) {
  const auto parts = takeApart(LineSyntax::Kept, raw);
  if (!parts) return {};
  LogLine line;
  line.id = decodeField(parts->id);
  line.time = TimePoint(std::chrono::nanoseconds(parts->time));
  line.node = decodeField(parts->node);
  line.rank = parts->rank;
  line.level = parts->level;
  line.text = parts->text;
  std::string again;
  appendKept(again, line);
  again.pop_back();
  const auto second = takeApart(LineSyntax::Kept, again);
  if (!second || second->time != parts->time || second->rank != parts->rank ||
      second->level != parts->level || second->text != parts->text || decodeField(second->id) != line.id ||
      decodeField(second->node) != line.node)
    return "a kept line that changes";
  return {};
}

std::string trySearch(const std::shared_ptr<const LogSnapshot>& snapshot, const TextQuery& text) {
  LogQuery query;
  query.text = text;
  LogSearch search(snapshot, query);
  search.advance(std::chrono::seconds(100));
  if (search.tooHard()) return {};
  LogReader reader(snapshot);
  TextScan scan(text);
  for (std::uint64_t i = 0; i < reader.size(); ++i) {
    const bool isWanted = scan.matches(reader.wholeText(i));
    if (scan.tooHard()) return {};
    if (search.found().contains(i) != isWanted) return "a search that finds other lines than each line says";
  }
  return {};
}

}  // namespace

std::string tryLogStore(std::string_view input) {
  Parts parts(input);
  const auto query = TextQuery::parse(parts.text());
  const std::string_view bytes = parts.rest();
  const auto truth = linesOf(bytes);
  for (const LineSyntax syntax : {LineSyntax::Text, LineSyntax::Kept}) {
    const auto snapshot = snapshotOf(bytes, syntax);
    if (auto wrong = tryLines(snapshot, truth, syntax); !wrong.empty()) return wrong;
    if (query && syntax == LineSyntax::Text)
      if (auto wrong = trySearch(snapshot, *query); !wrong.empty()) return wrong;
  }
  for (const std::string& line : truth)
    if (auto wrong = tryKept(line); !wrong.empty()) return wrong;
  return query ? std::string() : wordless(query.error(), ErrorCode::InvalidArgument);
}

}  // namespace lockstep
