// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/http_client.h"

#include <strings.h>

#include <algorithm>

namespace lockstep {
namespace {

bool sameName(std::string_view a, std::string_view b) {
  return a.size() == b.size() && ::strncasecmp(a.data(), b.data(), a.size()) == 0;
}

auto findHeader(const HttpHeaders& headers, std::string_view name) {
  return std::find_if(headers.begin(), headers.end(), [&](const auto& h) { return sameName(h.first, name); });
}

}  // namespace

std::string headerValue(const HttpHeaders& headers, std::string_view name) {
  const auto it = findHeader(headers, name);
  return it == headers.end() ? std::string() : it->second;
}

bool hasHeader(const HttpHeaders& headers, std::string_view name) {
  return findHeader(headers, name) != headers.end();
}

void setHeader(HttpHeaders& headers, std::string_view name, std::string value) {
  std::erase_if(headers, [&](const auto& h) { return sameName(h.first, name); });
  headers.emplace_back(name, std::move(value));
}

}  // namespace lockstep
