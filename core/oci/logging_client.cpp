// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/logging_client.h"

#include <fmt/format.h>

#include "base/encoding.h"
#include "oci/json_calls.h"

namespace lockstep::oci {
namespace {

constexpr int kPageSize = 1000;

ServiceCall callOf(std::string operation, std::string path) {
  ServiceCall call;
  call.service = Service::Logging;
  call.operation = std::move(operation);
  call.path = std::move(path);
  return call;
}

}  // namespace

Result<std::vector<nlohmann::json>> LoggingClient::listLogGroups(const std::string& compartmentId,
                                                                 const std::stop_token& stop) {
  return callForList(*services_,
                     callOf("ListLogGroups", fmt::format("/20200531/logGroups?compartmentId={}&limit={}",
                                                         percentEncode(compartmentId), kPageSize)),
                     stop);
}

Result<std::vector<nlohmann::json>> LoggingClient::listLogs(const std::string& logGroupId,
                                                            const std::stop_token& stop) {
  return callForList(*services_,
                     callOf("ListLogs", fmt::format("/20200531/logGroups/{}/logs?limit={}",
                                                    percentEncode(logGroupId), kPageSize)),
                     stop);
}

}  // namespace lockstep::oci
