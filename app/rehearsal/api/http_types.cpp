// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/api/http_types.h"

#include <strings.h>

#include <algorithm>

#include "base/text/encoding.h"

namespace lockstep::rehearsal {

bool CaseLess::operator()(const std::string& a, const std::string& b) const {
  return ::strcasecmp(a.c_str(), b.c_str()) < 0;
}

std::optional<std::string> headerValue(const Headers& headers, const std::string& name) {
  const auto found = headers.find(name);
  if (found == headers.end()) return std::nullopt;
  return found->second;
}

tl::unexpected<ServiceError> refuse(int status, std::string code, std::string message) {
  return tl::unexpected<ServiceError>(ServiceError{status, std::move(code), std::move(message)});
}

tl::unexpected<ServiceError> notFound() {
  return refuse(404, "NotAuthorizedOrNotFound", "Authorization failed or requested resource not found.");
}

tl::unexpected<ServiceError> invalidParameter(std::string message) {
  return refuse(400, "InvalidParameter", std::move(message));
}

tl::unexpected<ServiceError> missingParameter(const std::string& field) {
  return refuse(400, "MissingParameter", "The required parameter '" + field + "' is missing.");
}

Response jsonResponse(const nlohmann::json& body, const std::string& etag) {
  Response response;
  response.body = body.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  if (!etag.empty()) response.headers.emplace_back("etag", etag);
  return response;
}

Response emptyResponse(int status) {
  Response response;
  response.status = status;
  return response;
}

TargetParts splitTarget(std::string_view target) {
  const std::size_t mark = target.find('?');
  if (mark == std::string_view::npos) return {target, {}};
  return {target.substr(0, mark), target.substr(mark + 1)};
}

namespace {
std::string decodeQueryText(std::string_view text) {
  std::string plain(text);
  std::replace(plain.begin(), plain.end(), '+', ' ');
  return percentDecode(plain);
}
}  // namespace

std::map<std::string, std::string> parseQuery(std::string_view query) {
  std::map<std::string, std::string> values;
  while (!query.empty()) {
    const std::size_t end = std::min(query.find('&'), query.size());
    const std::string_view pair = query.substr(0, end);
    query.remove_prefix(std::min(end + 1, query.size()));
    if (pair.empty()) continue;
    const std::size_t equals = std::min(pair.find('='), pair.size());
    const std::string_view value = equals < pair.size() ? pair.substr(equals + 1) : std::string_view{};
    values.emplace(decodeQueryText(pair.substr(0, equals)), decodeQueryText(value));
  }
  return values;
}

}  // namespace lockstep::rehearsal
