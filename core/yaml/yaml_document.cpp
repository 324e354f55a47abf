// SPDX-License-Identifier: GPL-3.0-or-later
// The one file that meets exceptions of yaml-cpp.
#include "yaml/yaml_document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <sstream>

#include "base/text/encoding.h"
#include "yaml/yaml_builder.h"

namespace lockstep {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

std::size_t characters(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// Places of marks, of which the parser counts lines, and bytes of a line, from 0.
class Places {
 public:
  explicit Places(std::string_view text) : text_(text) {
    for (std::size_t at = text.find('\n'); at != std::string_view::npos; at = text.find('\n', at + 1))
      lineBegins_.push_back(at + 1);
  }

  TextPosition of(const YAML::Mark& mark) {
    if (mark.is_null() || mark.line < 0 || mark.column < 0) return {};
    const auto line = std::min(static_cast<std::size_t>(mark.line), lineBegins_.size() - 1);
    const std::size_t offset =
        std::min(lineBegins_[line] + static_cast<std::size_t>(mark.column), text_.size());
    if (line != line_ || offset < offset_) line_ = line, offset_ = lineBegins_[line], column_ = 0;
    column_ += characters(text_.substr(offset_, offset - offset_));
    offset_ = offset;
    return {static_cast<int>(line) + 1, static_cast<int>(column_) + 1};
  }

 private:
  std::string_view text_;
  std::vector<std::size_t> lineBegins_{0};
  // The place that was asked for last: the next one is a little further on, whatever the length of the line.
  std::size_t line_ = 0, offset_ = 0, column_ = 0;
};

YAML::Mark markOf(std::string_view text, std::size_t offset) {
  YAML::Mark mark;
  const std::string_view before = text.substr(0, offset);
  mark.line = static_cast<int>(std::ranges::count(before, '\n'));
  mark.column = static_cast<int>(offset - (before.rfind('\n') + 1));
  return mark;
}

/// Characters that YAML does not know. The parser would end there, or take them for something else.
bool isForbidden(char c) {
  return (static_cast<unsigned char>(c) < 0x20U && c != '\t' && c != '\n' && c != '\r') || c == '\x7F';
}

std::size_t firstLineThatIsNotUtf8(std::string_view text) {
  std::size_t begin = 0;
  while (begin < text.size()) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (!isUtf8(text.substr(begin, end - begin))) break;
    begin = end + 1;
  }
  return std::min(begin, text.size());
}

void refuseOddBytes(std::string_view text) {
  if (!isUtf8(text))
    throw YAML::ParserException(markOf(text, firstLineThatIsNotUtf8(text)), "it is not UTF-8");
  const auto odd = std::ranges::find_if(text, isForbidden);
  if (odd != text.end())
    throw YAML::ParserException(markOf(text, static_cast<std::size_t>(odd - text.begin())),
                                fmt::format("the control character U+{:04X} has no place in YAML",
                                            static_cast<unsigned>(static_cast<unsigned char>(*odd))));
}

/// With an end that the parser refuses within quotes: that of the text alone it takes for their end.
std::string withEnd(std::string_view text) {
  const bool endsLine = text.empty() || text.ends_with('\n');
  return std::string(text) + (endsLine ? "...\n" : "\n...\n");
}

std::string causeOf(const YAML::Exception& error) {
  return error.msg == YAML::ErrorMsg::DOC_IN_SCALAR ? "a text in quotes has no end" : error.msg;
}

YamlValue valueOf(std::string_view text, Places& places, const YamlBounds& bounds) {
  refuseOddBytes(text);
  std::istringstream input{withEnd(text)};
  YAML::Parser parser(input);
  YamlBuilder builder([&](const YAML::Mark& mark) { return places.of(mark); }, bounds);
  // It takes what cannot begin a document (",") for an empty one, again and again: twice is enough to know.
  if (parser.HandleNextDocument(builder)) parser.HandleNextDocument(builder);
  return builder.taken();
}

tl::unexpected<Error> refusal(const std::string& file, std::string cause, TextPosition place) {
  std::string where = place.line > 0 ? fmt::format("{}:{}:{}", file, place.line, place.column) : file;
  return failure(ErrorCode::InvalidArgument, "cannot read the YAML", std::move(cause), {}, std::move(where));
}

}  // namespace

const YamlValue* YamlValue::find(std::string_view key) const {
  const auto found = std::ranges::find_if(entries, [&](const YamlEntry& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

Result<YamlValue> readYaml(std::string_view text, const std::string& file, const YamlBounds& bounds) {
  if (text.size() > bounds.bytes)
    return refusal(file, fmt::format("it has {} bytes, {} are the most", text.size(), bounds.bytes), {});
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  Places places(text);
  try {
    return valueOf(text, places, bounds);
  } catch (const YAML::Exception& error) {
    return refusal(file, causeOf(error), places.of(error.mark));
  }
}

}  // namespace lockstep
