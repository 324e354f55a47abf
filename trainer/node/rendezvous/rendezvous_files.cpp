// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/rendezvous/rendezvous_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>

#include "base/bounds.h"
#include "base/json_fields.h"
#include "base/outside_json.h"
#include "base/time_text.h"
#include "trainer/node/settings/beginning.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

using Json = nlohmann::json;

constexpr const char* kWritten =
    "LOCKSTEP_WRITTEN";  // when MAIN_config.json was written; only outside the service

constexpr std::size_t kMaxBoardBytes = 1 << 20;

constexpr std::chrono::milliseconds kLongestPause{1000};  // so that a new object is seen within two seconds

Result<std::map<std::string, std::string>> variablesOf(const std::string& text, const std::string& name) {
  const auto json = parseOutsideJson(text, kMaxBoardBytes, fmt::format("'{}'", name));
  if (!json) return lockstep::failure(json.error());
  std::map<std::string, std::string> variables;
  for (const auto& [key, value] : json->items())
    variables[key] = value.is_string() ? value.get<std::string>() : value.dump();
  return variables;
}

int numberIn(const Json& json, const char* key, int missing, int min, int max) {
  return static_cast<int>(outsideNumber(json, key, min, max).value_or(missing));
}

FailureRecord recordFrom(const Json& json) {
  return {numberIn(json, "rank", -1, -1, kMaxRanks - 1),
          stringField(json, "node", "?"),
          stringField(json, "jobRun", ""),
          stringField(json, "what", "a rank failed"),
          numberIn(json, "signal", 0, 0, NSIG - 1),
          numberIn(json, "exitCode", 0, 0, 255),
          boolField(json, "restart", false)};
}

}  // namespace

std::string ownConfig(const NodeSettings& settings) {
  const std::string own =
      settings.isMultiNode() ? fmt::format("{}_{}", settings.jobRunId, settings.nodeRank) : settings.jobRunId;
  if (settings.role != NodeRole::ParameterServer) return layout::workerConfig(settings.jobId, own);
  return fmt::format("{}PS_{}_config.json", layout::jobFolder(settings.jobId), own);
}

Result<std::optional<std::string>> RendezvousFiles::read(const std::string& name,
                                                         const std::stop_token& stop) {
  auto bytes = store_->get(name, stop);
  if (bytes) return std::optional(std::move(*bytes));
  if (bytes.error().code == ErrorCode::NotFound) return std::optional<std::string>();
  return lockstep::failure(bytes.error());
}

Result<void> RendezvousFiles::removeIfThere(const std::string& name, const std::stop_token& stop) {
  const auto there = read(name, stop);
  if (!there) return lockstep::failure(there.error());
  if (!*there) return {};
  auto removed = store_->remove(name, stop);
  if (!removed && removed.error().code != ErrorCode::NotFound) return removed;
  return {};
}

Result<void> RendezvousFiles::clearStale(const std::stop_token& stop) {
  if (!settings_.outsideService()) return {};
  for (const std::string& name : {layout::mainConfig(settings_.jobId), layout::stopFile(settings_.jobId),
                                  layout::failureFile(settings_.jobId)}) {
    if (auto removed = removeIfThere(name, stop); !removed) return removed;
  }
  const std::string attempts = layout::jobFolder(settings_.jobId) + "lockstep/attempts/";
  const auto old = store_->list(attempts, {}, stop);
  if (!old) return old.error().code == ErrorCode::NotFound ? Result<void>() : lockstep::failure(old.error());
  for (const ObjectInfo& object : *old) {
    if (auto removed = removeIfThere(object.name, stop); !removed) return removed;
  }
  return {};
}

Result<void> RendezvousFiles::retire(const std::stop_token& stop) {
  if (!settings_.outsideService()) return {};
  return removeIfThere(layout::mainConfig(settings_.jobId), stop);
}

Result<void> RendezvousFiles::publishMain(const std::string& address, int port, const std::stop_token& stop) {
  Json json = {{"MASTER_ADDR", address}, {"MASTER_PORT", std::to_string(port)}};
  if (settings_.outsideService()) json[kWritten] = toRfc3339(SystemClock().now());
  return store_->put(layout::mainConfig(settings_.jobId), json.dump(), stop);
}

Result<void> RendezvousFiles::publishWorker(const std::string& address, const std::stop_token& stop) {
  const Json json = {{"OCI__WORKER_IP", address}};
  return store_->put(ownConfig(settings_), json.dump(), stop);
}

Result<std::map<std::string, std::string>> RendezvousFiles::awaitMain(Clock& clock,
                                                                      const std::stop_token& stop) {
  const std::string name = layout::mainConfig(settings_.jobId);
  const Beginning begin(clock);
  std::string old;  // when a file was written that was not believed
  std::chrono::milliseconds pause{250};
  while (true) {
    const auto text = read(name, stop);
    if (!text) return lockstep::failure(text.error());
    if (*text) {
      auto variables = variablesOf(**text, name);
      if (!variables) return variables;
      // Outside the service a crashed cluster may have left its file; one of this cluster is not older than
      // our timeout.
      const auto written = variables->find(kWritten);
      const auto time = written == variables->end() ? std::nullopt : parseRfc3339(written->second);
      if (!settings_.outsideService() || (time && *time > begin.onCalendar(clock) - settings_.timeout))
        return variables;
      if (written != variables->end()) old = written->second;
    }
    // A main node that cannot start says so in these files; nobody then waits for its file in vain. (Outside
    // the service the record may be one of an earlier cluster, which main has not cleared yet.)
    const auto failed = settings_.outsideService() ? Result<std::optional<FailureRecord>>() : failure(stop);
    if (failed && *failed)
      return lockstep::failure(ErrorCode::FailedPrecondition,
                               "the first failure of the run: " + (*failed)->what);
    if (begin.passed(clock) > settings_.timeout) {
      return lockstep::failure(ErrorCode::DeadlineExceeded,
                               fmt::format("the main node did not write {}/{} within {} s",
                                           store_->describe(), name, settings_.timeout.count()),
                               old.empty()
                                   ? std::string()
                                   : fmt::format("the one that lies there says {}, which is long before "
                                                 "this node began: it is of an earlier run, or a clock is "
                                                 "wrong",
                                                 old),
                               "look at the log of the main node; OCI__TIMEOUT sets the limit");
    }
    if (!clock.sleepFor(pause, stop))
      return lockstep::failure(ErrorCode::Cancelled, "told to stop while waiting for the main node");
    pause = std::min(pause * 3 / 2, kLongestPause);
  }
}

Result<void> RendezvousFiles::describeRun(TimePoint started, const std::stop_token& stop) {
  const Json json = {{"framework", traitsOf(settings_.framework).id},
                     {"nodes", settings_.nodeCount},
                     {"ranksPerNode", settings_.ranksPerNode},
                     {"worldSize", settings_.worldSize()},
                     {"started", toRfc3339(started)},
                     {"entryScript", settings_.entryScript}};
  return store_->put(layout::runDescription(settings_.jobId), json.dump(), stop);
}

Result<FailureRecord> RendezvousFiles::reportFailure(const FailureRecord& record, TimePoint time,
                                                     const std::stop_token& stop) {
  const auto standing = failure(stop);
  if (!standing) return lockstep::failure(standing.error());
  if (*standing) return **standing;
  const Json json = {{"rank", record.rank},     {"node", record.node},      {"jobRun", record.jobRun},
                     {"what", record.what},     {"signal", record.signal},  {"exitCode", record.exitCode},
                     {"time", toRfc3339(time)}, {"restart", record.restart}};
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::string name = record.restart ? attemptFailureFile() : layout::failureFile(settings_.jobId);
  const auto put = store_->putNew(name, text, stop);
  if (put) return record;
  if (put.error().code != ErrorCode::AlreadyExists) return lockstep::failure(put.error());
  const auto other = failureIn(name, stop);  // it was quicker
  if (!other) return lockstep::failure(other.error());
  return other->value_or(record);
}

std::string RendezvousFiles::attemptFailureFile() const {
  return layout::attemptFolder(settings_.jobId, attempt_) + "failure.json";
}

// One that ends the run counts before one that ends the attempt.
Result<std::optional<FailureRecord>> RendezvousFiles::failure(const std::stop_token& stop) {
  auto last = failureIn(layout::failureFile(settings_.jobId), stop);
  if (!last || *last) return last;
  if (const FrameworkTraits& traits = traitsOf(settings_.framework); !traits.failureMark.empty())
    return failureMark(traits, stop);
  return settings_.maxRestarts == 0 ? last : failureIn(attemptFailureFile(), stop);
}

// A node that `ads` runs says no more than that.
Result<std::optional<FailureRecord>> RendezvousFiles::failureMark(const FrameworkTraits& traits,
                                                                  const std::stop_token& stop) {
  const auto mark = read(layout::jobFolder(settings_.jobId) + std::string(traits.failureMark), stop);
  if (!mark) return lockstep::failure(mark.error());
  if (!*mark) return std::optional<FailureRecord>();
  return std::optional(
      FailureRecord{-1,
                    "?",
                    {},
                    fmt::format("a node says that {} failed ({})", traits.title, traits.failureMark),
                    0,
                    1,
                    false});
}

Result<std::optional<FailureRecord>> RendezvousFiles::failureIn(const std::string& name,
                                                                const std::stop_token& stop) {
  const auto text = read(name, stop);
  if (!text) return lockstep::failure(text.error());
  if (!*text) return std::optional<FailureRecord>();
  const auto json = parseOutsideJson(**text, kMaxBoardBytes, fmt::format("'{}'", name));
  if (!json) return lockstep::failure(json.error());
  return std::optional(recordFrom(*json));
}

Result<bool> RendezvousFiles::stopped(const std::stop_token& stop) {
  const auto text = read(layout::stopFile(settings_.jobId), stop);
  if (!text) return lockstep::failure(text.error());
  return text->has_value();
}

Result<void> RendezvousFiles::writeStop(const std::stop_token& stop) {
  return store_->put(layout::stopFile(settings_.jobId), "stop", stop);
}

}  // namespace lockstep::node
