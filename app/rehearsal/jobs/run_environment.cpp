// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/run_environment.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/atomic_file.h"
#include "base/child_process.h"

namespace lockstep::rehearsal {

Result<void> makeRunFolder(const RunFolder& folder, const Key& sessionKey) {
  std::error_code ec;
  std::filesystem::create_directories(folder.work(), ec);
  if (!ec) std::filesystem::create_directories(folder.token().parent_path(), ec);
  if (!ec) std::filesystem::permissions(folder.path, std::filesystem::perms::owner_all, ec);
  if (ec)
    return failure(StatusCode::Io, "cannot make the folder '" + folder.path.string() + "'", ec.message());
  const auto pem = privatePem(sessionKey);
  if (!pem) return failure(pem.error());
  return writeFileAtomically(folder.sessionKey(), pem->reveal(), 0600);
}

std::map<std::string, std::string> runEnvironment(const Resource& run, const RunFolder& folder,
                                                  const RunPlace& place) {
  const std::string search =
      place.programs.string() + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  std::map<std::string, std::string> variables{
      {"PATH", search},
      {"HOME", folder.work().string()},
      {"LANG", "C.UTF-8"},
      {"FQDN", "localhost"},
      {"TENANCY_OCID", run.hidden.value("tenancyId", "")},
      {"PROJECT_OCID", run.body.value("projectId", "")},
      {"PROJECT_COMPARTMENT_OCID", run.hidden.value("projectCompartmentId", "")},
      {"JOB_OCID", run.parent},
      {"JOB_COMPARTMENT_OCID", run.hidden.value("jobCompartmentId", "")},
      {"JOB_RUN_OCID", run.id},
      {"JOB_RUN_COMPARTMENT_OCID", run.compartment},
      {"OCI_RESOURCE_PRINCIPAL_VERSION", "2.2"},
      {"OCI_RESOURCE_PRINCIPAL_RPST", folder.token().string()},
      {"OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM", folder.sessionKey().string()},
      {"OCI_RESOURCE_PRINCIPAL_REGION", "rehearsal"},
      {"OCI_CLI_ENDPOINT", place.endpoint},
  };
  const nlohmann::json& own =
      run.hidden["configuration"].value("environmentVariables", nlohmann::json::object());
  for (const auto& [name, value] : own.items()) variables[name] = value.get<std::string>();
  // By this one the region finds a stray process again, so a job cannot move it.
  variables["JOB_RUN_OCID"] = run.id;
  return variables;
}

Result<TimePoint> writeRunToken(const Resource& run, const RunFolder& folder, const TokenIssuer& tokens,
                                TimePoint now) {
  const auto pem = readFile(folder.sessionKey());
  if (!pem) return failure(pem.error());
  const auto key = readPrivatePem(Secret(*pem));
  if (!key) return failure(key.error());
  const auto publicKey = publicPem(*key);
  if (!publicKey) return failure(publicKey.error());
  const TimePoint expiry = now + kTokenLifetime;
  const auto seconds = [](TimePoint t) {
    return std::chrono::floor<std::chrono::seconds>(t).time_since_epoch().count();
  };
  const auto token = tokens.issue({{"sub", run.id},
                                   {"iss", "rehearsal"},
                                   {"iat", seconds(now)},
                                   {"exp", seconds(expiry)},
                                   {"ptype", "resource"},
                                   {"res_type", "datasciencejobrun"},
                                   {"res_id", run.id},
                                   {"res_tenant", run.hidden.value("tenancyId", "")},
                                   {"res_compartment", run.compartment},
                                   {"session_key", *publicKey}});
  if (!token) return failure(token.error());
  if (auto written = writeFileAtomically(folder.token(), *token, 0600); !written)
    return failure(written.error());
  return expiry;
}

std::pair<std::string, std::string> judge(const RunEnd& end, const nlohmann::json& configuration) {
  switch (end.why) {
    case RunEnd::Why::Canceled:
      return {"CANCELED", "Job run canceled: it was asked to end."};
    case RunEnd::Why::TimedOut:
      return {"FAILED",
              fmt::format("Job run failed: it reached its maximum runtime of {} minutes and was stopped.",
                          configuration.value("maximumRuntimeInMinutes", 0.0))};
    case RunEnd::Why::CannotStart:
      return {"FAILED", "Job run failed: " + end.problem};
    case RunEnd::Why::Exited:
      break;
  }
  if (end.signal == 0 && end.exitCode == 0)
    return {"SUCCEEDED", "Job run artifact execution succeeded. Infrastructure de-provisioning."};
  if (end.signal == 0)
    return {"FAILED",
            fmt::format("Job run failed: exit code {}. Infrastructure de-provisioning.", end.exitCode)};
  // Containers report a signal as 128 + number; clients look for "exit code N".
  return {"FAILED", fmt::format("Job run failed: {}, exit code {}. Infrastructure de-provisioning.",
                                describe(ProcessExit{0, end.signal}), 128 + end.signal)};
}

bool stopBeforeStart(const RunFolder& folder) {
  std::error_code ec;
  if (!std::filesystem::exists(folder.path, ec)) return true;
  const int lock = ::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return false;
  // A supervisor takes this lock before anything else and gives up when the run has ended.
  const bool ours = ::flock(lock, LOCK_EX | LOCK_NB) == 0 && !readSupervisor(folder);
  const bool stopped = ours && (readEnd(folder) || writeEnd(folder, {RunEnd::Why::Canceled, 0, 0, ""}));
  ::close(lock);
  return stopped;
}

}  // namespace lockstep::rehearsal
