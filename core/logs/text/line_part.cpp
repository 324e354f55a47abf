// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/line_part.h"

#include <algorithm>
#include <array>

#include "logs/text/styled_line.h"

namespace lockstep {
namespace {

constexpr std::size_t kLookedAt = 512;  // of a line: what names its part stands before

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// "[rank3]: " and "[default0]:", as torch prints; several after each other, too.
std::string_view withoutRankTags(std::string_view text) {
  while (text.size() > 3 && text.front() == '[') {
    const std::size_t end = text.substr(0, 40).find("]:");
    if (end == std::string_view::npos || !isDigit(text[end - 1])) return text;
    text.remove_prefix(end + 2);
    if (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  return text;
}

/// "E1125 12:00:00.123000 17 torch/api.py:874] ", as glog and torch's logging print.
std::string_view withoutGlogHead(std::string_view text) {
  constexpr std::string_view kLevels = "DIWEFV";
  const bool isHead = text.size() > 6 && kLevels.find(text[0]) != std::string_view::npos &&
                      std::all_of(text.begin() + 1, text.begin() + 5, isDigit) && text[5] == ' ';
  if (!isHead) return text;
  const std::size_t end = text.substr(0, 200).find("] ");
  return end == std::string_view::npos ? text : text.substr(end + 2);
}

std::string_view bodyOf(std::string_view text) {
  return withoutGlogHead(withoutRankTags(text.substr(0, kLookedAt)));
}

bool beginsWithAny(std::string_view text, const auto& words) {
  return std::any_of(words.begin(), words.end(),
                     [text](std::string_view word) { return text.starts_with(word); });
}

constexpr std::array<std::string_view, 7> kDumps{
    "Fatal Python error",    "Current thread 0x", "Thread 0x", "terminate called",
    "Exception raised from", "*** Aborted at",    "*** SIG"};
constexpr std::array<std::string_view, 2> kChainings{"During handling of the above exception",
                                                     "The above exception was the direct cause"};
constexpr std::array<std::string_view, 3> kNews{" NCCL INFO ", " NCCL TRACE ", "NCCL version "};

/// Where the numbers of tqdm begin: "45%|" or "120it ["; npos: it is no such line.
std::size_t tqdmNumbers(std::string_view text) {
  std::size_t end = text.find("%|");
  if (end == std::string_view::npos) end = text.find("it [");
  if (end == std::string_view::npos || end == 0 || !isDigit(text[end - 1])) return std::string_view::npos;
  while (end > 0 && (isDigit(text[end - 1]) || text[end - 1] == '.')) --end;
  return end;
}

bool isWrittenOver(std::string_view text) {
  const std::size_t first = text.find('\r');
  return first != std::string_view::npos && first + 1 < text.size();
}

}  // namespace

LinePart partOf(std::string_view text) {
  if (isWrittenOver(text)) return LinePart::Progress;
  const std::string_view body = bodyOf(text);
  const std::size_t letter = body.find_first_not_of(" \t\r");
  if (letter == std::string_view::npos) return LinePart::Blank;
  if (body.starts_with("Traceback (most recent call last)")) return LinePart::Traceback;
  if (beginsWithAny(body, kDumps)) return LinePart::CrashDump;
  if (beginsWithAny(body, kChainings)) return LinePart::Chaining;
  if (tqdmNumbers(body) != std::string_view::npos) return LinePart::Progress;
  if (letter > 0 || body.starts_with("frame #")) return LinePart::Frame;
  const auto isIn = [body](std::string_view word) { return body.find(word) != std::string_view::npos; };
  return std::any_of(kNews.begin(), kNews.end(), isIn) ? LinePart::NcclNews : LinePart::Plain;
}

std::string_view progressName(std::string_view text) {
  const std::string_view body = bodyOf(newestUpdate(text));
  std::string_view name = body.substr(0, tqdmNumbers(body));
  if (name.size() == body.size()) name = body.substr(0, body.find_first_of("0123456789"));
  while (!name.empty() && name.back() == ' ') name.remove_suffix(1);
  return name;
}

}  // namespace lockstep
