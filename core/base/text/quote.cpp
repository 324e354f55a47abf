// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/quote.h"

namespace lockstep {

namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%_-+=:./";

bool isPlain(std::string_view word) {
  return !word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos;
}

std::string inSingleQuotes(std::string_view word, std::string_view quote) {
  std::string out = "'";
  for (const char c : word) {
    if (c == '\0') continue;
    if (c == '\'')
      out += quote;
    else
      out += c;
  }
  return out + "'";
}

}  // namespace

std::string quoteShell(std::string_view word) {
  return isPlain(word) ? std::string(word) : inSingleQuotes(word, "'\\''");
}

std::string quoteShellAsPython(std::string_view word) {
  std::string withoutCommas(word);
  std::erase(withoutCommas, ',');
  const bool onlyCommas = withoutCommas.empty() && !word.empty();
  return onlyCommas || isPlain(withoutCommas) ? std::string(word) : inSingleQuotes(word, "'\"'\"'");
}

std::string quoteDollars(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '$' ? std::string("$$") : std::string(1, c);
  return out;
}

std::string quoteSlurm(std::string_view value) {
  std::string out = "\"";
  for (const char c : value) {
    if (c == '"' || c == '\\') out += '\\';
    out += static_cast<unsigned char>(c) < 0x20U || c == '\x7F' ? ' ' : c;
  }
  return out + "\"";
}

std::string quoteCsv(std::string_view text) {
  std::string cell(text);
  if (!cell.empty() && std::string_view("=+-@\t\r").find(cell.front()) != std::string_view::npos)
    cell.insert(cell.begin(), '\'');
  if (cell.find_first_of(",\"\r\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

std::vector<std::string> splitShell(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool inWord = false;
  char quote = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quote == '\'') {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\\' && i + 1 < text.size() &&
               (quote == 0 || text[i + 1] == '"' || text[i + 1] == '\\')) {
      word += text[++i];
      inWord = true;
    } else if (quote == '"') {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '\'' || c == '"') {
      quote = c;
      inWord = true;
    } else if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
      if (inWord) words.push_back(std::move(word));
      word.clear();
      inWord = false;
    } else {
      word += c;
      inWord = true;
    }
  }
  if (inWord) words.push_back(std::move(word));
  return words;
}

}  // namespace lockstep
