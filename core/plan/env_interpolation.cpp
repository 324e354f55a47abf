// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/env_interpolation.h"

#include <fmt/format.h>

#include <optional>

namespace lockstep {
namespace {

constexpr int kMaxDepth = 10;
constexpr std::size_t kMaxLength =
    1U << 20U;  // a variable cannot be longer than the service takes; this is far beyond

/// Expands one value. The first problem stops it.
class Interpolation {
 public:
  Interpolation(const Environment& environment, std::string variable)
      : environment_(environment), variable_(std::move(variable)) {}

  Result<std::string> run(const std::string& value) {
    std::string out;
    if (!expand(value, out, 1)) return tl::unexpected(*problem_);
    return out;
  }

 private:
  bool fail(std::string cause, std::string remedy) {
    problem_ = failure(ErrorCode::InvalidArgument,
                       fmt::format("the environment variable '{}' cannot be expanded", variable_),
                       std::move(cause), std::move(remedy))
                   .value();
    return false;
  }

  bool expand(std::string_view rest, std::string& out, int depth) {
    if (depth > kMaxDepth)
      return fail("its references are nested deeper than 10 levels", "check it for references to itself");
    while (!rest.empty()) {
      const std::size_t dollar = std::min(rest.find('$'), rest.size());
      out += rest.substr(0, dollar);
      rest.remove_prefix(dollar);
      if (out.size() > kMaxLength)
        return fail("its references expand to more than 1 MiB", "use fewer references");
      if (rest.starts_with("$$")) {
        out += '$';
        rest.remove_prefix(2);
      } else if (rest.starts_with("${")) {
        bool goOn = true;
        if (!reference(rest, out, depth, goOn)) return false;
        if (!goOn) return true;
      } else if (!rest.empty()) {
        out += '$';
        rest.remove_prefix(1);
      }
    }
    return true;
  }

  /// `rest` begins with "${". After an unknown name the remainder of the value stays as it is.
  bool reference(std::string_view& rest, std::string& out, int depth, bool& goOn) {
    const std::size_t close = rest.find('}');
    if (close == std::string_view::npos || close == 2)
      return fail(fmt::format("'{}' is no reference", rest.substr(0, 40)),
                  "write $$ where you mean a dollar sign");
    std::string_view name = rest.substr(2, close - 2);
    const std::size_t colon = name.find(':');
    if (colon != std::string_view::npos && name.find(':', colon + 1) != std::string_view::npos)
      return fail(fmt::format("'${{{}}}' has more than one ':'", name),
                  "write $$ where you mean a dollar sign");
    const std::string* value = nullptr;
    if (colon == std::string_view::npos)
      value = environment_.find(name);
    else if (name.substr(0, colon) == "envs")
      value = environment_.find(name.substr(colon + 1));
    if (!value) {
      out += rest;
      goOn = false;
      return true;
    }
    rest.remove_prefix(close + 1);
    if (value->find('$') != std::string::npos) return expand(*value, out, depth + 1);
    out += *value;
    return true;
  }

  const Environment& environment_;
  std::string variable_;
  std::optional<Error> problem_;
};

bool startsName(char c) {
  return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool continuesName(char c) {
  return startsName(c) || (c >= '0' && c <= '9');
}

/// The identifier at the front of a text; empty when there is none.
std::string_view identifier(std::string_view text) {
  if (text.empty() || !startsName(text[0])) return {};
  std::size_t end = 1;
  while (end < text.size() && continuesName(text[end])) ++end;
  return text.substr(0, end);
}

}  // namespace

Result<Environment> interpolated(const Environment& environment) {
  Environment out;
  for (const auto& [name, value] : environment.variables()) {
    auto expanded = Interpolation(environment, name).run(value);
    if (!expanded) return tl::unexpected(expanded.error());
    out.set(name, std::move(*expanded));
  }
  return out;
}

std::string substituted(std::string_view rest, const Environment& own, const Environment& environment) {
  std::string out;
  while (!rest.empty()) {
    const std::size_t dollar = std::min(rest.find('$'), rest.size());
    out += rest.substr(0, dollar);
    rest.remove_prefix(dollar);
    if (rest.empty()) break;
    if (rest.starts_with("$$")) {
      out += '$';
      rest.remove_prefix(2);
      continue;
    }
    const bool braced = rest.starts_with("${");
    const std::string_view name = identifier(rest.substr(braced ? 2 : 1));
    const std::size_t length = name.size() + (braced ? 3 : 1);
    const bool whole = !name.empty() && (!braced || (rest.size() >= length && rest[length - 1] == '}'));
    const std::string* value = whole ? own.find(name) : nullptr;
    if (whole && !value) value = environment.find(name);
    const std::size_t taken = whole ? length : 1;
    if (value)
      out += *value;
    else
      out += rest.substr(0, taken);
    rest.remove_prefix(taken);
  }
  return out;
}

}  // namespace lockstep
