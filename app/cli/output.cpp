// SPDX-License-Identifier: GPL-3.0-or-later
#include "output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "base/text/terminal_text.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Colors {
  bool out = false;
  bool err = false;
};

Colors& colors() {  // of this process's two streams, like the streams themselves
  static Colors chosen;
  return chosen;
}

const char* codeOf(Tone tone) {
  switch (tone) {
    case Tone::Plain:
      return "";
    case Tone::Good:
      return "\033[32m";
    case Tone::Warn:
      return "\033[33m";
    case Tone::Bad:
      return "\033[31m";
    case Tone::Dim:
      return "\033[2m";
    case Tone::Strong:
      return "\033[1m";
  }
  return "";
}

std::string paint(std::string_view text, Tone tone, bool withColor) {
  if (!withColor || tone == Tone::Plain) return std::string(text);
  std::string painted;  // line by line: a color ends with its line
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    if (end > 0) painted += fmt::format("{}{}\033[0m", codeOf(tone), text.substr(0, end));
    if (end == text.size()) return painted;
    painted += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string filtered(std::string_view text, bool withColor) {
  return forTerminal(text, withColor ? TerminalColors::Keep : TerminalColors::Drop);
}

void writeTo(std::FILE* file, std::string_view bytes) {
  std::fwrite(bytes.data(), 1, bytes.size(), file);
}

// Columns are counted in characters, not bytes.
std::size_t widthOf(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool looksLikeNumber(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.,-+%:e") == std::string::npos;
}

std::string dumped(const json& document, int indent) {
  return jsonForTerminal(document.dump(indent, ' ', false, json::error_handler_t::replace));
}

}  // namespace

void chooseColors(const std::string& mode) {
  const char* noColor = std::getenv("NO_COLOR");
  const bool wanted = noColor == nullptr || *noColor == '\0';
  colors().out = mode == "always" || (mode == "auto" && wanted && ::isatty(STDOUT_FILENO) == 1);
  colors().err = mode == "always" || (mode == "auto" && wanted && ::isatty(STDERR_FILENO) == 1);
}

std::string painted(std::string_view text, Tone tone) {
  return paint(text, tone, colors().out);
}
std::string paintedForErr(std::string_view text, Tone tone) {
  return paint(text, tone, colors().err);
}
bool stderrIsTerminal() {
  return ::isatty(STDERR_FILENO) == 1;
}

void noteText(std::string_view text) {
  writeTo(stderr, filtered(text, colors().err));
}
void askOnStderr(std::string_view question) {
  noteText(question);
}
void note(std::string_view text) {
  noteText(fmt::format("{}\n", text));
}
void warn(std::string_view text) {
  note(fmt::format("{} {}", paintedForErr("warning:", Tone::Warn), text));
}

void printError(const Error& error) {
  note(fmt::format("{} {}", paintedForErr("lockstep:", Tone::Bad), describe(error)));
}

int exitCodeOf(const Error& error) {
  switch (error.code) {
    case ErrorCode::Cancelled:
      return kCancelled;
    case ErrorCode::Unavailable:
    case ErrorCode::DeadlineExceeded:
    case ErrorCode::Unauthenticated:
      return kRefused;
    default:
      return error.service ? kRefused : kNotWell;
  }
}

int failed(const Error& error) {
  printError(error);
  return exitCodeOf(error);
}

void printText(std::string_view text) {
  writeTo(stdout, filtered(text, colors().out));
  std::fflush(stdout);
}

void printLine(std::string_view text) {
  printText(fmt::format("{}\n", text));
}

void printDocument(std::string_view bytes) {
  if (::isatty(STDOUT_FILENO) == 1) return printText(bytes);
  writeTo(stdout, bytes);
  std::fflush(stdout);
}

void printJson(const json& document) {
  printLine(dumped(document, 2));
}
void printJsonLine(const json& document) {
  printLine(dumped(document, -1));
}

void printOrderedJson(const nlohmann::ordered_json& document) {
  printLine(jsonForTerminal(document.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)));
}

json toJson(const Error& error) {
  json document{{"code", toString(error.code)},
                {"what", error.what},
                {"cause", error.cause},
                {"remedy", error.remedy},
                {"where", error.where}};
  if (error.service) {
    document["service"] = {{"service", error.service->service},
                           {"operation", error.service->operation},
                           {"httpStatus", error.service->httpStatus},
                           {"errorCode", error.service->errorCode},
                           {"requestId", error.service->requestId}};
  }
  return document;
}

void Table::add(std::vector<std::string> row) {
  for (std::string& cell : row) cell = onOneLine(cell);
  rows_.push_back(std::move(row));
}

std::string Table::text() const {
  std::vector<std::size_t> widths;
  for (const auto& row : rows_) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], widthOf(row[c]));
  }
  std::string text;
  for (std::size_t r = 0; r < rows_.size(); ++r) {
    std::string line;
    for (std::size_t c = 0; c < rows_[r].size(); ++c) {
      const std::string& cell = rows_[r][c];
      const std::string padding(widths[c] - widthOf(cell), ' ');
      if (c > 0) line += "  ";
      line += looksLikeNumber(cell) ? padding + cell : cell + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += (r == 0 ? painted(line, Tone::Strong) : line) + "\n";
  }
  return text;
}

}  // namespace lockstep::cli
