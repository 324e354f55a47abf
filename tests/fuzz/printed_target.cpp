// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <set>

#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "metrics/lines/line_matcher.h"
#include "metrics/lines/line_recognizer.h"
#include "metrics/lines/output_pieces.h"

namespace lockstep {
namespace {

constexpr Step kBeyondAll = (Step{1} << 53) + 1;

std::vector<std::string> piecesOf(std::string_view bytes, std::size_t atOnce) {
  OutputPieces pieces;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < bytes.size(); i += atOnce)
    pieces.add(bytes.substr(i, atOnce), [&](std::string_view piece) { all.emplace_back(piece); });
  return all;
}

std::string checkRow(const PrintedRow& row) {
  if (row.step < 0 || row.step >= kBeyondAll) return "a step that no training reaches";
  if (row.values.empty()) return "a row without values";
  std::set<std::string> names;
  for (const auto& [name, value] : row.values) {
    if (name.empty() || name.size() > 300) return "a name that is none";
    if (!names.insert(name).second) return "a name twice in a row";
  }
  return {};
}

std::string checkLines(LineMatcher& matcher, const std::vector<std::string>& pieces) {
  LineRecognizer recognizer;
  for (const std::string& piece : pieces) {
    const auto match = matcher.match(piece);
    if (!match) continue;
    for (const PrintedRow& row : recognizer.add(*match, matcher.rules()[match->rule], TimePoint()))
      if (std::string wrong = checkRow(row); !wrong.empty()) return wrong;
  }
  return {};
}

}  // namespace

// An expression of one's own, and what a process prints.
std::string tryPrinted(std::string_view input) {
  Parts parts(input);
  const std::string own(parts.text());
  const std::string_view bytes = parts.rest();
  static LineMatcher builtIn = std::move(LineMatcher::open().value());
  const auto pieces = piecesOf(bytes, bytes.size() + 1);
  if (pieces != piecesOf(bytes, 3)) return "cut otherwise, it says something else";
  if (std::string wrong = checkLines(builtIn, pieces); !wrong.empty()) return wrong;
  if (own.empty()) return {};
  auto withOwn = LineMatcher::open(std::vector<std::string>{own});
  if (!withOwn) return withOwn.error().cause.empty() ? "refused without a word" : "";
  return checkLines(*withOwn, pieces);
}

}  // namespace lockstep
