// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/log_ingestion_client.h"

#include <fmt/format.h>

#include "base/text/encoding.h"
#include "base/time_text.h"
#include "oci/calls/typed_calls.h"

namespace lockstep::oci {
namespace {

constexpr std::size_t kMaxEntryBytes = 1'000'000;

std::string newUuid() {
  const std::string hex = toHex(randomBytes(16));
  return fmt::format("{}-{}-4{}-a{}-{}", hex.substr(0, 8), hex.substr(8, 4), hex.substr(13, 3),
                     hex.substr(17, 3), hex.substr(20, 12));
}

nlohmann::ordered_json entryJson(const LogEntry& entry) {
  nlohmann::ordered_json json{{"data", entry.data}, {"id", entry.id.empty() ? newUuid() : entry.id}};
  if (entry.time != TimePoint{}) json["time"] = toRfc3339(entry.time);
  return json;
}

nlohmann::ordered_json batchJson(const LogBatch& batch) {
  nlohmann::ordered_json json{{"source", batch.source}, {"type", batch.type}};
  if (!batch.subject.empty()) json["subject"] = batch.subject;
  json["defaultlogentrytime"] = toRfc3339(batch.defaultTime);
  json["entries"] = nlohmann::ordered_json::array();
  for (const LogEntry& entry : batch.entries) json["entries"].push_back(entryJson(entry));
  return json;
}

}  // namespace

Result<void> LogIngestionClient::putLogs(const std::string& logId, const std::vector<LogBatch>& batches,
                                         const std::stop_token& stop) {
  nlohmann::ordered_json body{{"specversion", "1.0"}, {"logEntryBatches", nlohmann::ordered_json::array()}};
  for (const LogBatch& batch : batches) {
    for (const LogEntry& entry : batch.entries) {
      if (entry.data.size() < kMaxEntryBytes) continue;
      return failure(
          ErrorCode::InvalidArgument, fmt::format("cannot write to the log '{}'", logId),
          fmt::format("an entry has {} bytes; the service takes less than 1 MB", entry.data.size()),
          "split the entry");
    }
    body["logEntryBatches"].push_back(batchJson(batch));
  }
  const std::string path = fmt::format("/20200831/logs/{}/actions/push", percentEncode(logId));
  const auto done = services_->call(postTo(Service::LoggingIngestion, "PutLogs", path, body, {}), stop);
  if (!done) return failure(done.error());
  return {};
}

}  // namespace lockstep::oci
