// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include "base/text/encoding.h"
#include "base/text/terminal_text.h"
#include "diagnosis/detectors/failure_lines.h"
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "logs/text/line_folding.h"
#include "logs/text/line_part.h"
#include "logs/text/styled_line.h"

namespace lockstep {
namespace {

std::string checkStyles(std::string_view text) {
  const StyledLine line = styledLine(text);
  if (line.text != onOneLine(text)) return "the text is another one without its colours";
  std::size_t at = 0;
  for (const StyledRun& run : line.runs) {
    if (run.begin < at || run.length == 0 || run.begin + run.length > line.text.size())
      return "a colour outside of the text or over another one";
    if (run.style == LineStyle{}) return "a colour that is none";
    at = run.begin + run.length;
    if (!isUtf8(std::string_view(line.text).substr(run.begin, run.length)))
      return "a colour that parts a character";
  }
  return {};
}

std::string checkFolding(const std::vector<std::string_view>& lines) {
  LineFolding folding;
  for (const auto line : lines) folding.append(static_cast<std::uint32_t>(line.size() % 2), line);
  std::vector<std::uint32_t> shown(lines.size());
  for (std::uint32_t at = 0; at < folding.size(); ++at) {
    const auto* group = folding.groupOf(at);
    if (group == nullptr) continue;
    if (group->count < 2 || group->first > at || group->last < at) return "a line outside of its group";
    ++shown[group->shown()];
  }
  for (std::uint32_t at = 0; at < folding.size(); ++at)
    if (shown[at] > 0 && shown[at] != folding.groupOf(at)->count)
      return "a group with another number of lines";
  return {};
}

std::string checkFailures(const std::vector<std::string_view>& lines) {
  FailureLines failures;
  std::vector<LogLine> all;
  for (const auto line : lines) {
    LogLine one;
    one.rank = Rank(static_cast<int>(line.size() % 3));
    one.time = TimePoint(std::chrono::seconds(all.size()));
    one.level = levelOf(line);
    one.text = onOneLine(line);  // a line is valid UTF-8
    all.push_back(std::move(one));
  }
  failures.add(all);
  const auto first = failures.first();
  if (first && (first->line.empty() || first->line.size() > 400))
    return "a failure without a word, or with too many";
  return first && !isUtf8(first->line) ? "a failure that parts a character" : std::string();
}

}  // namespace

std::string tryLogText(std::string_view input) {
  if (std::string wrong = checkStyles(input); !wrong.empty()) return wrong;
  if (partOf(input) == LinePart::Progress && progressName(input).size() > input.size())
    return "a name from nowhere";
  std::vector<std::string_view> lines;
  for (std::string_view left = input; !left.empty();) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    lines.push_back(left.substr(0, end));
    left.remove_prefix(std::min(left.size(), end + 1));
  }
  if (std::string wrong = checkFailures(lines); !wrong.empty()) return wrong;
  return checkFolding(lines);
}

}  // namespace lockstep
