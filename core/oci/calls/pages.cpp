// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/pages.h"

#include <set>

#include "base/text/encoding.h"
#include "oci/calls/service_error.h"

namespace lockstep::oci {
namespace {

// A thousand items a page: no list that we ask for has ten million.
constexpr std::size_t kMaxPages = 10'000;

tl::unexpected<Error> malformed(const HttpResponse& response, const ServiceCall& call,
                                const std::string& cause) {
  return failure(malformedAnswer(response, {toString(call.service), call.operation, 0, {}, {}}, cause));
}

Result<nlohmann::json> parsed(const HttpResponse& response, const ServiceCall& call) {
  nlohmann::json body = nlohmann::json::parse(response.body, nullptr, false);
  if (body.is_discarded()) return malformed(response, call, "its body is not JSON");
  return body;
}

Result<std::vector<nlohmann::json>> itemsOf(const HttpResponse& response, const ServiceCall& call) {
  auto body = parsed(response, call);
  if (!body) return failure(body.error());
  nlohmann::json& list = body->is_object() && body->contains("items") ? (*body)["items"] : *body;
  if (!list.is_array()) return malformed(response, call, "its body is no list");
  std::vector<nlohmann::json> items;
  items.reserve(list.size());
  for (auto& item : list) {
    if (!item.is_object()) return malformed(response, call, "an item of the list is no object");
    items.push_back(std::move(item));
  }
  return items;
}

}  // namespace

std::string withParameter(const std::string& path, const std::string& name, const std::string& value) {
  const std::size_t question = path.find('?');
  std::string made = path.substr(0, question) + "?";
  std::string_view rest = question == std::string::npos ? "" : std::string_view(path).substr(question + 1);
  while (!rest.empty()) {
    const std::string_view one = rest.substr(0, rest.find('&'));
    rest.remove_prefix(std::min(rest.size(), one.size() + 1));
    if (one.empty() || one.substr(0, one.find('=')) == name) continue;
    made.append(one).append("&");
  }
  return made + name + "=" + percentEncode(value);
}

Result<void> followPages(ServiceClient& services, ServiceCall call, const TakeAnswer& take,
                         const std::stop_token& stop) {
  call.acceptCompressed = true;
  const std::string path = call.path;
  std::set<std::string> seen;
  while (true) {
    const auto response = services.call(call, stop);
    if (!response) return failure(response.error());
    const auto wanted = take(*response);
    if (!wanted) return failure(wanted.error());
    const std::string next = headerValue(response->headers, "opc-next-page");
    if (next.empty() || !*wanted) return {};
    if (!seen.insert(next).second)
      return malformed(*response, call, "it names the same next page again and again");
    if (seen.size() > kMaxPages) return malformed(*response, call, "its list has no end");
    call.path = withParameter(path, "page", next);
  }
}

Result<void> callForPages(ServiceClient& services, ServiceCall call, const TakeItems& take,
                          const std::stop_token& stop) {
  const auto addAnswer = [&](const HttpResponse& response) -> Result<bool> {
    auto items = itemsOf(response, call);
    if (!items) return failure(items.error());
    return take(*std::move(items));
  };
  return followPages(services, call, addAnswer, stop);
}

Result<void> callForListing(ServiceClient& services, ServiceCall call, const TakePage& take,
                            const std::stop_token& stop) {
  call.acceptCompressed = true;
  const std::string path = call.path;
  std::string last;
  while (true) {
    const auto response = services.call(call, stop);
    if (!response) return failure(response.error());
    auto page = parsed(*response, call);
    if (!page) return failure(page.error());
    if (!page->is_object()) return malformed(*response, call, "its body is no object");
    const auto field = page->find("nextStartWith");
    const bool isText = field != page->end() && field->is_string();
    if (field != page->end() && !isText && !field->is_null())
      return malformed(*response, call, "its nextStartWith is no text");
    const std::string next = isText ? field->get<std::string>() : std::string();
    const auto wanted = take(*std::move(page));
    if (!wanted) return failure(wanted.error());
    if (next.empty() || !*wanted) return {};
    // Names come in the order of their bytes, so a next one that is no greater would go round for ever.
    if (next <= last) return malformed(*response, call, "its nextStartWith does not go forward");
    last = next;
    call.path = withParameter(path, "start", next);
  }
}

}  // namespace lockstep::oci
