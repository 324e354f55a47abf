// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/api/router.h"

#include <charconv>

#include "base/text/encoding.h"

namespace lockstep::rehearsal {
namespace {

std::vector<std::string> splitPath(std::string_view path) {
  std::vector<std::string> parts;
  if (!path.empty() && path.front() == '/') path.remove_prefix(1);
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.emplace_back(path.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

// The pattern matches whole raw segments, so that an encoded '/' inside an id never moves a border. Only the
// object name, which takes all that is left, joins its segments again: there '/' and '%2F' mean the same.
bool matches(const std::vector<std::string>& pattern, const std::vector<std::string>& parts,
             std::map<std::string, std::string>& values) {
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const std::string& p = pattern[i];
    if (i >= parts.size()) return false;
    if (p.starts_with("{*")) {
      std::string rest = parts[i];
      for (std::size_t j = i + 1; j < parts.size(); ++j) rest += "/" + parts[j];
      values[p.substr(2, p.size() - 3)] = percentDecode(rest);
      return !rest.empty();
    }
    if (p.starts_with("{")) {
      if (parts[i].empty()) return false;
      values[p.substr(1, p.size() - 2)] = percentDecode(parts[i]);
    } else if (percentDecode(parts[i]) != p) {
      return false;
    }
  }
  return parts.size() == pattern.size();
}

}  // namespace

std::optional<std::string> Call::parameter(const std::string& name) const {
  const auto found = query.find(name);
  if (found == query.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

tl::expected<int, ServiceError> Call::limit(int fallback, int maximum) const {
  const auto text = parameter("limit");
  if (!text) return fallback;
  int value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc{} || end != text->data() + text->size() || value < 1 || value > maximum)
    return invalidParameter("The parameter 'limit' must be a number from 1 to " + std::to_string(maximum) +
                            ".");
  return value;
}

void Router::add(const std::string& method, const std::string& pattern, const std::string& name,
                 Operation operation, BodyRule body) {
  routes_.push_back({method, splitPath(pattern), name, std::move(operation), std::move(body)});
}

Router::Match Router::find(const std::string& method, std::string_view rawPath) const {
  const std::vector<std::string> parts = splitPath(rawPath);
  Match match;
  for (const Route& route : routes_) {
    std::map<std::string, std::string> values;
    if (!matches(route.pattern, parts, values)) continue;
    match.pathKnown = true;
    if (route.method != method) continue;
    match.route = &route;
    match.values = std::move(values);
    return match;
  }
  return match;
}

}  // namespace lockstep::rehearsal
