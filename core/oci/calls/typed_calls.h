// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "oci/calls/answer_fields.h"
#include "oci/calls/service_client.h"

namespace lockstep::oci {

/// "/a?x=1&y=2": the parameters percent-encoded, those with an empty value left out.
[[nodiscard]] std::string pathWith(std::string path,
                                   std::initializer_list<std::pair<const char*, std::string>> parameters);

[[nodiscard]] ServiceCall callTo(Service service, std::string operation, std::string method,
                                 std::string path);
/// With a JSON body. `retryToken` empty: not repeated once it may have arrived.
[[nodiscard]] ServiceCall postTo(Service service, std::string operation, std::string path,
                                 const nlohmann::ordered_json& body, const std::string& retryToken);
/// PUT of a JSON body; `ifMatch` empty: whatever is there.
[[nodiscard]] ServiceCall putTo(Service service, std::string operation, std::string path,
                                const nlohmann::ordered_json& body, const std::string& ifMatch);

/// DataLoss that names the operation and the request, with what is wrong.
[[nodiscard]] Error malformed(const ServiceCall& call, const HttpResponse& response,
                              const std::string& cause);

/// The answer's body through `read`; DataLoss when it is no JSON or a field is not as it must be.
Result<void> readAnswer(const ServiceCall& call, const HttpResponse& response,
                        const std::function<void(AnswerFields&)>& read);
/// Every item of every page (an array, or {"items":[…]}), as followPages of pages.h finds them. A page may be
/// empty.
Result<void> readPages(ServiceClient& services, const ServiceCall& call, const std::stop_token& stop,
                       const std::function<void(AnswerFields&)>& readItem);

/// One thing; its member `etag`, when it has one, receives the answer's.
template <class T>
Result<T> callForOne(ServiceClient& services, const ServiceCall& call, const std::stop_token& stop,
                     T (*read)(AnswerFields&)) {
  const auto response = services.call(call, stop);
  if (!response) return failure(response.error());
  T value;
  if (auto done = readAnswer(call, *response, [&](AnswerFields& fields) { value = read(fields); }); !done)
    return failure(done.error());
  if constexpr (requires { value.etag; }) value.etag = headerValue(response->headers, "etag");
  return value;
}

/// All pages of a list.
template <class T>
Result<std::vector<T>> callForAll(ServiceClient& services, const ServiceCall& call,
                                  const std::stop_token& stop, T (*read)(AnswerFields&)) {
  std::vector<T> all;
  auto done = readPages(services, call, stop, [&](AnswerFields& item) { all.push_back(read(item)); });
  if (!done) return failure(done.error());
  return all;
}

}  // namespace lockstep::oci
