// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/typed_calls.h"

#include "base/text/encoding.h"
#include "oci/calls/pages.h"
#include "oci/calls/service_error.h"

namespace lockstep::oci {

using nlohmann::json;

std::string pathWith(std::string path,
                     std::initializer_list<std::pair<const char*, std::string>> parameters) {
  char separator = path.find('?') == std::string::npos ? '?' : '&';
  for (const auto& [name, value] : parameters) {
    if (value.empty()) continue;
    path += separator;
    path += std::string(name) + "=" + percentEncode(value);
    separator = '&';
  }
  return path;
}

ServiceCall callTo(Service service, std::string operation, std::string method, std::string path) {
  ServiceCall call;
  call.service = service;
  call.operation = std::move(operation);
  call.method = std::move(method);
  call.path = std::move(path);
  return call;
}

namespace {

std::string bodyText(const nlohmann::ordered_json& body) {
  return body.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace

ServiceCall postTo(Service service, std::string operation, std::string path,
                   const nlohmann::ordered_json& body, const std::string& retryToken) {
  ServiceCall call = callTo(service, std::move(operation), "POST", std::move(path));
  call.body = bodyText(body);
  call.idempotent = false;
  if (!retryToken.empty()) call.headers.emplace_back("opc-retry-token", retryToken);
  return call;
}

ServiceCall putTo(Service service, std::string operation, std::string path,
                  const nlohmann::ordered_json& body, const std::string& ifMatch) {
  ServiceCall call = callTo(service, std::move(operation), "PUT", std::move(path));
  call.body = bodyText(body);
  if (!ifMatch.empty()) call.headers.emplace_back("if-match", ifMatch);
  return call;
}

Error malformed(const ServiceCall& call, const HttpResponse& response, const std::string& cause) {
  return malformedAnswer(response, {toString(call.service), call.operation, 0, {}, {}}, cause);
}

Result<void> readAnswer(const ServiceCall& call, const HttpResponse& response,
                        const std::function<void(AnswerFields&)>& read) {
  const json body = json::parse(response.body, nullptr, false);
  if (body.is_discarded()) return failure(malformed(call, response, "its body is not JSON"));
  std::string flaw;
  AnswerFields fields(body, {}, flaw);
  if (flaw.empty()) read(fields);
  if (!flaw.empty()) return failure(malformed(call, response, flaw));
  return {};
}

namespace {

Result<void> readPage(const ServiceCall& call, const HttpResponse& response,
                      const std::function<void(AnswerFields&)>& readItem) {
  const json body = json::parse(response.body, nullptr, false);
  if (body.is_discarded()) return failure(malformed(call, response, "its body is not JSON"));
  const bool isCollection = body.is_object() && body.contains("items");
  const json& items = isCollection ? body["items"] : body;
  if (!items.is_array()) return failure(malformed(call, response, "its body is no list"));
  std::string flaw;
  for (std::size_t i = 0; i < items.size() && flaw.empty(); ++i) {
    AnswerFields fields(items[i], (isCollection ? "items[" : "[") + std::to_string(i) + "]", flaw);
    if (flaw.empty()) readItem(fields);
  }
  if (!flaw.empty()) return failure(malformed(call, response, flaw));
  return {};
}

}  // namespace

Result<void> readPages(ServiceClient& services, const ServiceCall& call, const std::stop_token& stop,
                       const std::function<void(AnswerFields&)>& readItem) {
  const auto take = [&](const HttpResponse& response) -> Result<bool> {
    if (auto done = readPage(call, response, readItem); !done) return failure(done.error());
    return true;
  };
  return followPages(services, call, take, stop);
}

}  // namespace lockstep::oci
