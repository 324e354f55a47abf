// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/json_calls.h"

#include "base/encoding.h"
#include "oci/service_error.h"

namespace lockstep::oci {
namespace {

ServiceAnswer answerOf(const ServiceCall& call) {
  return {toString(call.service), call.operation, 0, {}, {}};
}

Result<nlohmann::json> parseBody(const HttpResponse& response, const ServiceCall& call) {
  nlohmann::json body = nlohmann::json::parse(response.body, nullptr, false);
  if (body.is_discarded()) return failure(malformedAnswer(response, answerOf(call), "its body is not JSON"));
  return body;
}

Result<void> appendItems(const HttpResponse& response, const ServiceCall& call,
                         std::vector<nlohmann::json>& all) {
  auto body = parseBody(response, call);
  if (!body) return failure(body.error());
  nlohmann::json& items = body->is_object() && body->contains("items") ? (*body)["items"] : *body;
  if (!items.is_array()) return failure(malformedAnswer(response, answerOf(call), "its body is no list"));
  for (auto& item : items) {
    if (!item.is_object())
      return failure(malformedAnswer(response, answerOf(call), "an item of the list is no object"));
    all.push_back(std::move(item));
  }
  return {};
}

}  // namespace

Result<nlohmann::json> callForJson(ServiceClient& services, const ServiceCall& call,
                                   const std::stop_token& stop) {
  const auto response = services.call(call, stop);
  if (!response) return failure(response.error());
  return parseBody(*response, call);
}

Result<nlohmann::json> callForObject(ServiceClient& services, const ServiceCall& call,
                                     const std::stop_token& stop) {
  const auto response = services.call(call, stop);
  if (!response) return failure(response.error());
  auto body = parseBody(*response, call);
  if (body && !body->is_object())
    return failure(malformedAnswer(*response, answerOf(call), "its body is no object"));
  return body;
}

Result<void> callForNothing(ServiceClient& services, const ServiceCall& call, const std::stop_token& stop) {
  const auto response = services.call(call, stop);
  if (!response) return failure(response.error());
  return {};
}

Result<std::vector<nlohmann::json>> callForList(ServiceClient& services, ServiceCall call,
                                                const std::stop_token& stop) {
  const std::string path = call.path;
  std::vector<nlohmann::json> all;
  std::string page;
  while (true) {
    const auto response = services.call(call, stop);
    if (!response) return failure(response.error());
    if (auto taken = appendItems(*response, call, all); !taken) return failure(taken.error());
    const std::string next = headerValue(response->headers, "opc-next-page");
    if (next.empty()) return all;
    if (next == page) {
      return failure(
          malformedAnswer(*response, answerOf(call), "it names the same next page again and again"));
    }
    page = next;
    call.path = path + "&page=" + percentEncode(page);
  }
}

ServiceCall createCall(Service service, std::string operation, std::string path, std::string body,
                       const std::string& retryToken) {
  ServiceCall call;
  call.service = service;
  call.operation = std::move(operation);
  call.method = "POST";
  call.path = std::move(path);
  call.body = std::move(body);
  call.idempotent = false;
  if (!retryToken.empty()) call.headers.emplace_back("opc-retry-token", retryToken);
  return call;
}

}  // namespace lockstep::oci
