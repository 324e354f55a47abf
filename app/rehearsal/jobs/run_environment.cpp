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
  for (const std::filesystem::path& made : {folder.path, folder.token().parent_path()}) {
    if (!ec) std::filesystem::create_directories(made, ec);
    if (!ec) std::filesystem::permissions(made, std::filesystem::perms::owner_all, ec);
  }
  if (ec)
    return failure(ErrorCode::Io, "cannot make the folder '" + folder.path.string() + "'", ec.message());
  const auto pem = privatePem(sessionKey);
  if (!pem) return failure(pem.error());
  return writeFileAtomically(folder.sessionKey(), pem->reveal(), 0600);
}

namespace {

using Variables = std::map<std::string, std::string>;

Variables servicesVariables(const Resource& run, const RunFolder& folder, const std::filesystem::path& home,
                            const NodeContext& place) {
  return {
      {"PATH", place.programs.string() + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"},
      {"HOME", home.string()},
      {"LANG", "C.UTF-8"},
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
}

// What the ENV lines of an image say, and that this is a rehearsal, in which scripts draw small data instead
// of downloading it. Folders of the image that a script writes to are in the node's own.
void addImageVariables(Variables& variables, const std::filesystem::path& home) {
  variables.try_emplace("LOCKSTEP_REHEARSAL", "1");
  variables.try_emplace("OCI__SYNC_DIR", (home / "ml").string());
  if (variables.contains("OCI__RUNTIME_TYPE"))
    variables.try_emplace("OCI__CODE_DIR", (home / "code").string());
}

}  // namespace

std::map<std::string, std::string> nodeEnvironment(const Resource& run, const RunPlan& plan,
                                                   const RunFolder& folder, const std::filesystem::path& home,
                                                   const NodeContext& place) {
  Variables variables = servicesVariables(run, folder, home, place);
  variables["FQDN"] = "localhost";
  variables.insert(place.clients.begin(), place.clients.end());
  for (const auto& [name, value] : place.network) variables[name] = value;
  if (!place.artifactName.empty()) variables["JOB_ARTIFACT_FILE_NAME"] = place.artifactName;
  const GroupPlan& group = plan.groups[plan.groupOf(place.rank)];
  const nlohmann::json own = group.configuration.value("environmentVariables", nlohmann::json::object());
  for (const auto& [name, value] : own.items()) variables[name] = value.get<std::string>();
  addImageVariables(variables, home);
  // What tells the nodes apart, and the one by which a stray process is found again: no job can move these.
  variables["JOB_RUN_OCID"] = run.id;
  if (!plan.multiNode) return variables;
  variables[kNodeVariable] = variables["NODE_RANK"] = std::to_string(place.rank);
  variables["INITIAL_CLUSTER_SIZE"] = std::to_string(plan.nodes());
  variables["CLUSTER_NODES_METADATA_FILE"] = folder.cluster().string();
  return variables;
}

Result<TimePoint> writeRunToken(const Resource& run, const RunFolder& folder, const TokenIssuer& tokens,
                                TimePoint now) {
  auto pem = readFile(folder.sessionKey());
  if (!pem) return failure(pem.error());
  const auto key = readPrivatePem(Secret(*std::move(pem)));
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

Result<void> writeClusterFile(const RunFolder& folder, const std::vector<ClusterEntry>& entries) {
  nlohmann::json list = nlohmann::json::array();
  for (const ClusterEntry& entry : entries)
    list.push_back({{"IPAddress", entry.address}, {"Rank", entry.rank}});
  return writeFileAtomically(folder.cluster(), list.dump(), 0644);
}

NodeOutcome outcomeOf(const NodeEnd& end, std::chrono::milliseconds longest) {
  switch (end.why) {
    case NodeEnd::Why::Canceled:
      return {false, "it was asked to end"};
    case NodeEnd::Why::TimedOut:
      return {false, fmt::format("it reached its maximum runtime of {} minutes and was stopped",
                                 static_cast<double>(longest.count()) / 60'000)};
    case NodeEnd::Why::CannotStart:
    case NodeEnd::Why::NotReady:
      return {false, end.problem};
    case NodeEnd::Why::Exited:
      break;
  }
  if (end.signal == 0) return {end.exitCode == 0, fmt::format("exit code {}", end.exitCode)};
  // Containers report a signal as 128 + number; clients look for "exit code N".
  return {false, fmt::format("{}, exit code {}", describe(ProcessExit{0, end.signal}), 128 + end.signal)};
}

bool stopBeforeStart(const NodeFolder& folder, const NodeEnd& end) {
  std::error_code ec;
  if (!std::filesystem::exists(folder.path, ec)) return true;
  const int lock = ::open(folder.lock().c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock < 0) return false;
  // A supervisor takes this lock before anything else and gives up when the node has ended.
  const bool ours = ::flock(lock, LOCK_EX | LOCK_NB) == 0 && !readSupervisor(folder);
  const bool stopped = ours && (readEnd(folder) || writeEnd(folder, end));
  ::close(lock);
  return stopped;
}

}  // namespace lockstep::rehearsal
