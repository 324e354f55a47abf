// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/region/region.h"

#include <fmt/format.h>
#include <malloc.h>
#include <signal.h>
#include <unistd.h>

#include <future>
#include <thread>

#include "base/atomic_file.h"
#include "base/text/encoding.h"
#include "base/user_dirs.h"
#include "rehearsal/api/service_hosts.h"
#include "rehearsal/crypto/quick_rsa_key.h"
#include "rehearsal/faults/fault_interference.h"
#include "rehearsal/faults/skewed_clock.h"
#include "rehearsal/http/dispatcher.h"
#include "rehearsal/http/http_server.h"
#include "rehearsal/iam/key_directory.h"
#include "rehearsal/identity/identity.h"
#include "rehearsal/identity/identity_admin.h"
#include "rehearsal/identity/request_audit.h"
#include "rehearsal/identity/sign_in.h"
#include "rehearsal/jobs/job_artifacts.h"
#include "rehearsal/jobs/job_code.h"
#include "rehearsal/jobs/job_runner.h"
#include "rehearsal/jobs/jobs.h"
#include "rehearsal/limits/limits.h"
#include "rehearsal/logging/logging.h"
#include "rehearsal/monitoring/monitoring.h"
#include "rehearsal/network/isolation/isolation_probe.h"
#include "rehearsal/network/service/network.h"
#include "rehearsal/network/service/seed_network.h"
#include "rehearsal/network/service/vcn_network.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/objects/versions.h"
#include "rehearsal/region/profile_writer.h"
#include "rehearsal/region/schemas.h"
#include "rehearsal/region/seed.h"
#include "rehearsal/registry/registry.h"
#include "rehearsal/registry/registry_store.h"
#include "rehearsal/search/resource_search.h"
#include "rehearsal/service/work_requests.h"
#include "rehearsal/state/blobs.h"
#include "rehearsal/state/well_known.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

// The line that Oracle's command line misses at the end of a user's key otherwise, with a warning at each
// call. Readers of keys stop before it.
constexpr const char* kKeyLabel = "OCI_API_KEY";

/// Reads a private key, or makes and keeps one, with a line below it.
Result<Key> keepKey(const std::filesystem::path& file, Result<Key> (*make)(), const std::string& label = {}) {
  std::error_code ec;
  if (std::filesystem::exists(file, ec)) {
    auto pem = readFile(file);
    if (!pem) return failure(pem.error());
    return readPrivatePem(Secret(*std::move(pem)));
  }
  auto key = make();
  if (!key) return key;
  const auto pem = privatePem(*key);
  if (!pem) return failure(pem.error());
  const Secret text(std::string(pem->reveal()) + label);
  if (auto written = writeFileAtomically(file, text.reveal(), 0600); !written)
    return failure(written.error());
  return key;
}

/// Ends the file of a user's key with its label, which regions did not always write.
Result<void> labelKey(const std::filesystem::path& file) {
  auto text = readFile(file);
  if (!text) return failure(text.error());
  const Secret pem(*std::move(text));
  if (pem.reveal().find(kKeyLabel) != std::string_view::npos) return {};
  const Secret labelled(std::string(pem.reveal()) + kKeyLabel + "\n");
  return writeFileAtomically(file, labelled.reveal(), 0600);
}

/// Reads the secret of the admin calls, or makes and keeps one.
Result<std::string> keepAdminToken(const std::filesystem::path& file) {
  std::error_code ec;
  if (std::filesystem::exists(file, ec)) return readFile(file);
  const std::string token = toHex(randomBytes(32));
  if (auto written = writeFileAtomically(file, token, 0600); !written) return failure(written.error());
  return token;
}

/// Everything a running region consists of, in the order in which it is built.
struct Region {
  Region(const RegionOptions& o, Key tokenKey, const std::string& adminToken, std::unique_ptr<Database> d)
      : options(o),
        clock(std::make_shared<SkewedClock>(std::make_shared<SystemClock>(), faults)),
        database(std::move(d)),
        blobs(o.state.objects()),
        tokens(std::move(tokenKey)),
        keys(*database, tokens, instances),
        dispatcher({router, admin, adminToken, keys, clock, &interference, audit(), &open}),
        httpServer(dispatcher, {}, &blobs) {}

  /// Who keeps what was asked and answered.
  AuditHook audit() {
    return [this](const AuditEntry& entry) { requests.record(entry); };
  }

  void addServices(JobRunner& jobRunner) {
    addIdentity(router, *database, keys);
    addSignIn(router, tokens, instances);
    addNetwork(router, *database, *network);
    addNetworkAdmin(admin, *database, *network);
    addRegistry(router, *database, blobs);
    addRegistryTokens(router, open, *database, tokens);
    addDistribution(open, *database, blobs, tokens);
    addBucketOperations(router, *database);
    addListObjects(router, *database);
    addObjectOperations(router, *database, blobs);
    addCopyObject(router, *database, blobs);
    addMultipartOperations(router, *database, blobs);
    addObjectVersions(router, *database);
    addPreauthenticatedRequests(router, *database);
    addOpenObjects(open, *database, blobs);
    addProjects(router, *database);
    addJobShapes(router, *database);
    addJobs(router, *database, blobs, jobRunner);
    addJobArtifacts(router, *database, blobs);
    addJobRuns(router, *database, jobRunner);
    addResourceSearch(router, *database);
    addLimits(router, *database);
    addLogging(router, *database);
    addLogSearch(router, *database);
    addLogIngestion(router, *database);
    addWorkRequests(router, *database);
    addMonitoring(router, *database);
    addMetricIngestion(router, *database);
  }
  /// What whoever holds the admin token may do: addXAdmin(admin, …), one line each.
  void addAdmin() {
    addFaultAdmin(admin, faults);
    addLimitsAdmin(admin, *database);
    addIdentityAdmin(admin, *database, tokens, router);
    addAuditAdmin(admin, requests);
  }

  RegionOptions options;
  Faults faults;
  FaultInterference interference{faults};
  std::shared_ptr<Clock> clock;
  std::unique_ptr<Database> database;
  Blobs blobs;
  TokenIssuer tokens;
  InstanceIdentities instances;
  RequestAudit requests;
  KeyDirectory keys;
  Router router, admin, open;
  Dispatcher dispatcher;
  HttpServer httpServer;
  std::unique_ptr<VcnNetwork> network;
  std::unique_ptr<JobRunner> runner;
};

Result<void> fillState(Region& region, const std::string& fingerprint, const std::string& userPem) {
  try {
    Transaction transaction(*region.database);
    seedTenancy(transaction, region.options.empty, region.clock->now());
    seedAccess(transaction, region.clock->now());
    seedNetwork(transaction, region.clock->now());
    seedRegistry(transaction, region.clock->now());
    addApiKey(transaction, fingerprint, userPem);
    std::set<std::string> files;
    for (const char* text : {"SELECT file FROM objects WHERE file != ''", "SELECT file FROM upload_parts",
                             "SELECT file FROM object_versions WHERE file != ''",
                             "SELECT file FROM job_artifacts WHERE file != ''"}) {
      auto& select = transaction.sql(text);
      while (select.executeStep()) files.insert(select.getColumn(0).getString());
    }
    collectRegistryFiles(transaction, files);
    transaction.commit();
    region.blobs.sweep(files);
    return {};
  } catch (const SQLite::Exception& e) {
    return failure(ErrorCode::Io, "cannot fill the state of the region", e.what());
  }
}

bool hasSeededPlaces(Database& database) {
  Transaction transaction(database);
  return findResource(transaction, kind::kCompartment, seed::kCompartment).has_value();
}

struct Ports {
  int http = 0, https = 0;  // https 0: none
};

nlohmann::json describeRegion(Region& region, Ports ports) {
  const bool ready = hasSeededPlaces(*region.database);
  const auto place = [ready](const char* id) { return ready ? id : ""; };
  nlohmann::json info{{"endpoint", fmt::format("http://127.0.0.1:{}", ports.http)},
                      {"config", region.options.configFile.string()},
                      {"profile", kProfileName},
                      {"pid", ::getpid()},
                      {"startTicks", markOf(::getpid()).value_or(ProcessMark{}).startTicks},
                      {"places",
                       {{"compartmentId", place(seed::kCompartment)},
                        {"projectId", place(seed::kProject)},
                        {"subnetId", place(seed::kSubnet)},
                        {"logGroupId", place(seed::kLogGroup)},
                        {"logId", place(seed::kLog)},
                        {"workDir", place(seed::kWorkDir)}}},
                      {"namespace", seed::kNamespace},
                      {"bucket", place(seed::kBucket)}};
  if (ports.https == 0) return info;
  info["httpsEndpoint"] = fmt::format("https://127.0.0.1:{}", ports.https);
  info["certificateBundle"] = region.options.state.certificates().authority.string();
  info["regionMetadata"] = regionMetadata(ports.https);
  info["hosts"] = serviceHosts();
  return info;
}

// Without https Oracle's SDKs cannot reach the region; with the metadata they at least ask no other machine.
std::map<std::string, std::string> clientEnvironment(const nlohmann::json& info) {
  const std::string endpoint = info["endpoint"];
  const nlohmann::json metadata =
      info.value("regionMetadata", regionMetadata(std::atoi(endpoint.c_str() + endpoint.rfind(':') + 1)));
  std::map<std::string, std::string> variables{{"OCI_REGION_METADATA", metadata.dump()}};
  if (!info.contains("certificateBundle")) return variables;
  for (const char* name :
       {"REQUESTS_CA_BUNDLE", "OCI_CLI_CERT_BUNDLE", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"})
    variables[name] = info["certificateBundle"];
  return variables;
}

int portBefore(const Region& region, const char* name) {
  const auto info = readInfo(region.options.state);
  const std::string before = info ? info->value(name, "") : "";
  const std::size_t colon = before.rfind(':');
  return colon == std::string::npos ? 0 : std::atoi(before.c_str() + colon + 1);
}

// The port asked for; else the one of before, when it is free, else any.
template <class Bind>
Result<int> bindPort(int asked, int before, Bind bind) {
  if (asked != 0) return bind(asked);
  if (before > 0) {
    if (auto bound = bind(before)) return bound;
  }
  return bind(0);
}

Result<Ports> bindPorts(Region& region) {
  Ports ports;
  const auto http = bindPort(region.options.port, portBefore(region, "endpoint"),
                             [&](int port) { return region.httpServer.bind(port); });
  if (!http) return failure(http.error());
  ports.http = *http;
  if (!region.options.tls) return ports;
  const CertificateFiles files = region.options.state.certificates();
  if (auto kept = keepCertificates(files, certifiedHosts(), SystemClock().now()); !kept)
    return failure(kept.error());
  const auto context = makeTlsContext(files);
  if (!context) return failure(context.error());
  const auto https = bindPort(region.options.httpsPort, portBefore(region, "httpsEndpoint"),
                              [&](int port) { return region.httpServer.bindTls(port, *context); });
  if (!https) return failure(https.error());
  ports.https = *https;
  return ports;
}

std::vector<int> listOf(Ports ports) {
  return ports.https == 0 ? std::vector<int>{ports.http} : std::vector<int>{ports.http, ports.https};
}

// The profile of a region that runs stays that region's.
Result<void> checkProfileIsFree(const RegionOptions& options) {
  const auto folder = folderOfProfile(options.configFile);
  if (!folder) return failure(folder.error());
  std::error_code ec;
  if (folder->empty() || std::filesystem::equivalent(*folder, options.state.path, ec) ||
      !isLocked(StateFolder{*folder}))
    return {};
  return failure(ErrorCode::AlreadyExists, "cannot start the region",
                 fmt::format("the profile {} in '{}' is of the region in '{}', which is running",
                             kProfileName, options.configFile.string(), folder->string()),
                 "use that region, stop it, or name another file with --config");
}

Result<std::string> introduceUser(Region& region, const std::string& fingerprint,
                                  const nlohmann::json& info) {
  std::vector<std::pair<std::string, std::string>> values{
      {"user", seed::kUser},
      {"fingerprint", fingerprint},
      {"tenancy", seed::kTenancy},
      {"region", kRegionName},
      {"key_file", region.options.state.userKey().string()},
      {kEndpointKey, info.value("httpsEndpoint", info.value("endpoint", ""))}};
  if (info.contains("certificateBundle"))
    values.emplace_back("cert_bundle", info.value("certificateBundle", ""));
  const auto change = writeProfile(region.options.configFile, values);
  if (!change) return failure(change.error());
  if (change->replacedEndpoint.empty()) return std::string();
  return fmt::format("the profile {} in '{}' pointed at {} before and was replaced", kProfileName,
                     region.options.configFile.string(), change->replacedEndpoint);
}

std::string joinNotes(const std::string& a, const std::string& b) {
  return a.empty() || b.empty() ? a + b : a + "\n" + b;
}

Result<std::unique_ptr<Region>> openRegion(const RegionOptions& options, RegionStart& start) {
  if (auto isFree = checkProfileIsFree(options); !isFree) return failure(isFree.error());
  // Goes on beside the rest.
  const auto probe = options.isolate ? std::make_shared<IsolationProbe>() : nullptr;
  // The dearest part of a first start; the state is made meanwhile.
  auto futureKey = std::async(std::launch::async, [&options] {
    return keepKey(options.state.userKey(), makeQuickRsaKey, std::string(kKeyLabel) + "\n");
  });
  const auto tokenKey = keepKey(options.state.tokenKey(), makeTokenKey);
  if (!tokenKey) return failure(tokenKey.error());
  auto plan = options.faultsFile.empty() ? FaultPlan() : readFaultFile(options.faultsFile);
  if (!plan) return failure(plan.error());
  auto database = Database::open(options.state.database(), regionSchemas());
  if (!database) return failure(database.error());
  const auto userKey = futureKey.get();
  if (!userKey) return failure(userKey.error());
  if (auto labelled = labelKey(options.state.userKey()); !labelled) return failure(labelled.error());
  const auto fingerprint = fingerprintOf(*userKey);
  const auto userPem = publicPem(*userKey);
  if (!fingerprint || !userPem) return failure(fingerprint ? userPem.error() : fingerprint.error());
  const auto adminToken = keepAdminToken(options.state.adminToken());
  if (!adminToken) return failure(adminToken.error());
  auto region = std::make_unique<Region>(options, *tokenKey, *adminToken, std::move(*database));
  region->faults.set(*std::move(plan));
  if (auto filled = fillState(*region, *fingerprint, *userPem); !filled) return failure(filled.error());
  const auto ports = bindPorts(*region);
  if (!ports) return failure(ports.error());
  start.info = describeRegion(*region, *ports);
  const std::string endpoint = start.info["endpoint"];
  region->network = VcnNetwork::create(*region->database,
                                       {options.state.network(), listOf(*ports), options.isolate, probe});
  RunnerSetup setup{options.state.runs(),
                    programDir() / "lockstep-rehearsal",
                    options.entrypoint,
                    endpoint,
                    clientEnvironment(start.info),
                    options.provisioning,
                    options.grace};
  setup.sampleInterval = options.sampleInterval;
  setup.blobs = &region->blobs;
  setup.faults = &region->faults;
  setup.network = region->network.get();
  setup.codeFolder = options.state.code();
  sweepCode(*region->database, setup.codeFolder);
  region->runner = std::make_unique<JobRunner>(setup, *region->database, region->tokens, region->clock);
  region->addServices(*region->runner);
  region->addAdmin();
  addInstanceMetadata(region->open, *region->database, region->instances, regionMetadata(ports->https));
  auto note = introduceUser(*region, *fingerprint, start.info);
  if (!note) return failure(note.error());
  const std::string unenforced = region->network->unenforcedBecause();
  if (!unenforced.empty()) start.info["unenforced"] = unenforced;
  start.note =
      joinNotes(*note, unenforced.empty() ? "" : "security rules are kept but not enforced: " + unenforced);
  if (auto written = writeInfo(options.state, start.info); !written) return failure(written.error());
  return region;
}

void blockEndSignals(sigset_t& signals) {
  sigemptyset(&signals);
  for (int s : {SIGTERM, SIGINT}) sigaddset(&signals, s);
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGHUP, SIG_IGN);
  ::signal(SIGCHLD, SIG_IGN);  // supervisors are watched through /proc, so nobody waits for them
}

}  // namespace

int serveRegion(const RegionOptions& options, const TellStart& tell) {
  ::mallopt(M_ARENA_MAX, 4);  // an arena per connection thread would cost more memory than the region itself
  sigset_t signals;
  blockEndSignals(signals);  // before any thread exists, so that all of them inherit it
  RegionStart start;
  auto region = openRegion(options, start);
  if (!region) {
    tell(failure(region.error()));
    return 1;
  }
  std::jthread server([&] { (*region)->httpServer.serve(); });
  (*region)->runner->start();
  logLine(fmt::format("serving at {}", start.info["endpoint"].get<std::string>()));
  tell(start);
  int received = 0;
  ::sigwait(&signals, &received);
  logLine("ending");
  (*region)->runner->shutDown(
      "the rehearsal region was stopped.");  // served meanwhile: runs flush what they have
  (*region)->httpServer.stop();
  server.join();
  logLine("ended");
  return 0;
}

}  // namespace lockstep::rehearsal
