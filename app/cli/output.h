// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/issue.h"
#include "cli.h"

namespace lockstep::cli {

enum class Tone { Plain, Good, Warn, Bad, Dim, Strong };

/// "auto": colors on a terminal, unless NO_COLOR is set. For stdout and stderr each.
void chooseColors(const std::string& mode);

[[nodiscard]] std::string painted(std::string_view text, Tone tone);        // for stdout
[[nodiscard]] std::string paintedForErr(std::string_view text, Tone tone);  // for stderr
[[nodiscard]] bool stderrIsTerminal();

// Everything that goes out goes through these, and through one filter: text of services, jobs and files
// cannot steer a terminal (see base/text/terminal_text.h).

/// Progress and diagnostics: one line on stderr.
void note(std::string_view text);
void warn(std::string_view text);
/// The same for text of several lines that ends its last one itself.
void noteText(std::string_view text);
/// A question on stderr, without a line end.
void askOnStderr(std::string_view question);
/// A failure, whole, on stderr.
void printError(const Error& error);
/// And the exit status that says the same.
[[nodiscard]] int exitCodeOf(const Error& error);
/// Both at once: `return failed(result.error());`
int failed(const Error& error);

/// A result: one line on stdout, written out at once, so that a reader at the other end of a pipe sees it.
void printLine(std::string_view text);
/// Text of several lines that ends its last one itself, e.g. a table.
void printText(std::string_view text);
/// A file or an answer: byte for byte, unless a terminal is to show it.
void printDocument(std::string_view bytes);
void printJson(const nlohmann::json& document);      // indented
void printJsonLine(const nlohmann::json& document);  // on one line
void printOrderedJson(const nlohmann::ordered_json& document);

/// {"code","what","cause","remedy","where","service"…}
[[nodiscard]] nlohmann::json toJson(const Error& error);

/// Columns as wide as their widest cell, two blanks between; the first row is the heading. Numbers to the
/// right. A cell is one line, whatever is in it.
class Table {
 public:
  explicit Table(std::vector<std::string> heading) : rows_{std::move(heading)} {}
  void add(std::vector<std::string> row);
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::vector<std::string>> rows_;
};

}  // namespace lockstep::cli
