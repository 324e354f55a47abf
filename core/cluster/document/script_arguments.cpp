// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/document/script_arguments.h"

#include <algorithm>
#include <optional>

namespace lockstep {
namespace {

const FieldPath& argsPath() {
  static const FieldPath kPath{"spec", "runtime", "spec", "args"};
  return kPath;
}

bool isDigit(char c) {
  return c >= '0' && c <= '9';
}

/// "-1" and "-.5" are values.
bool isName(std::string_view word) {
  return word.size() > 1 && word[0] == '-' && !isDigit(word[1]) && word[1] != '.';
}

std::vector<std::string> wordsOf(const ClusterDocument& document) {
  std::vector<std::string> words;
  const std::size_t count = document.lengthAt(argsPath()).value_or(0);
  for (std::size_t i = 0; i < count; ++i) {
    const auto word = document.scalar(argsPath().child(i));
    words.push_back(word ? word->value : std::string());
  }
  return words;
}

/// How a name is written in `words`: the word that is it, or begins with it and '='. The last one.
std::optional<std::size_t> placeOf(const std::vector<std::string>& words, std::string_view name) {
  for (std::size_t i = words.size(); i-- > 0;) {
    std::string_view word = words[i];
    if (!isName(word)) continue;
    word = word.substr(0, word.find('='));
    word.remove_prefix(word.starts_with("--") ? 2 : 1);
    if (word == name) return i;
  }
  return std::nullopt;
}

Result<ClusterDocument> edited(const ClusterDocument& document, const Result<TextEdit>& edit) {
  if (!edit) return failure(edit.error());
  return document.edited(*edit);
}

Result<ClusterDocument> appended(const ClusterDocument& document, std::string_view name,
                                 std::string_view value) {
  auto first = edited(document, document.appendItem(argsPath(), "--" + std::string(name)));
  if (!first) return first;
  return edited(*first, first->appendItem(argsPath(), value));
}

}  // namespace

std::vector<ScriptArgument> scriptArguments(const ClusterDocument& document) {
  const std::vector<std::string> words = wordsOf(document);
  std::vector<ScriptArgument> arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!isName(words[i])) {
      arguments.push_back({{}, words[i]});
      continue;
    }
    const std::size_t sign = words[i].find('=');
    if (sign != std::string::npos)
      arguments.push_back({words[i].substr(0, sign), words[i].substr(sign + 1)});
    else if (i + 1 < words.size() && !isName(words[i + 1]))
      arguments.push_back({words[i], words[i + 1]}), ++i;
    else
      arguments.push_back({words[i], {}});
  }
  return arguments;
}

Result<ClusterDocument> withScriptArgument(const ClusterDocument& document, std::string_view name,
                                           std::string_view value) {
  const std::string what = "cannot set the argument '" + std::string(name) + "'";
  if (name.empty() || name[0] == '-' || name.find_first_of("= \t\n") != std::string_view::npos)
    return failure(ErrorCode::InvalidArgument, what, "this is no name of an argument",
                   "give it without its dashes, as in lr");
  if (document.scalar(argsPath()) && !document.scalar(argsPath())->value.empty())
    return failure(ErrorCode::InvalidArgument, what, "args is one text, whose words are not told apart",
                   "write args as a list: args: [\"--lr\", \"0.1\"]", argsPath().toString());
  const std::vector<std::string> words = wordsOf(document);
  const auto place = placeOf(words, name);
  if (!place) return appended(document, name, value);
  const std::string& word = words[*place];
  if (const std::size_t sign = word.find('='); sign != std::string::npos)
    return edited(document, document.setScalar(argsPath().child(*place),
                                               word.substr(0, sign + 1) + std::string(value)));
  if (*place + 1 == words.size() || isName(words[*place + 1]))
    return failure(ErrorCode::FailedPrecondition, what, "'" + word + "' stands in args without a value",
                   "write it with one, or change the file", argsPath().child(*place).toString());
  return edited(document, document.setScalar(argsPath().child(*place + 1), value));
}

}  // namespace lockstep
