// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/frameworks/dask_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>

#include "base/child_process.h"
#include "base/embedded_file.h"
#include "trainer/node/frameworks/dask_certificates.h"
#include "trainer/node/liveness/connectivity_probe.h"
#include "trainer/node/processes/node_log.h"
#include "trainer/node/settings/program_path.h"

namespace lockstep::node {
namespace {

constexpr int kUsualPort = 8786;

Result<std::vector<std::string>> daskProgram(const std::string& role, const Environment& environment) {
  if (!programPath("dask-" + role, environment).empty()) return std::vector{"dask-" + role};
  if (!programPath("dask", environment).empty()) return std::vector<std::string>{"dask", role};
  auto missing = needProgram("dask-" + role, environment,
                             "install Dask in the image: pip install distributed, or apt-get install "
                             "python3-distributed");
  return failure(missing.error());
}

// The interpreter that has Dask is the one that its command begins with.
std::string pythonOf(const std::string& program, const Environment& environment) {
  std::ifstream file(programPath(program, environment));
  std::string line;
  std::getline(file, line);
  const bool python = line.starts_with("#!/") && line.find("python") != std::string::npos;
  return python && line.find(' ') == std::string::npos ? line.substr(2) : "python3";
}

nlohmann::json tlsFiles(const std::vector<std::string>& arguments) {
  nlohmann::json files = nlohmann::json::object();
  for (const auto& [option, name] :
       {std::pair("--tls-ca-file", "tls_ca_file"), std::pair("--tls-cert", "tls_client_cert"),
        std::pair("--tls-key", "tls_client_key")}) {
    if (const std::string file = startOption(arguments, option); !file.empty()) files[name] = file;
  }
  if (!files.empty()) files["require_encryption"] = true;
  return files;
}

// The first port of "8700:8800" on which nobody listens; 0 when nothing is given.
Result<int> firstFree(const std::string& range, const std::string& address, const char* option) {
  if (range.empty()) return 0;
  int first = 0, last = 0;
  const std::size_t colon = range.find(':');
  std::from_chars(range.data(), range.data() + std::min(colon, range.size()), first);
  last = first;
  if (colon != std::string::npos)
    std::from_chars(range.data() + colon + 1, range.data() + range.size(), last);
  if (first <= 0 || last < first || last > 65535)
    return failure(ErrorCode::InvalidArgument, fmt::format("{} {} is no range of ports", option, range), {},
                   "write it as 8700:8800 in the startOptions of the workers");
  for (int port = first; port <= last; ++port) {
    if (ProbeListener::open("", port, address)) return port;
  }
  return failure(ErrorCode::ResourceExhausted, fmt::format("no port of {} {} is free", option, range));
}

}  // namespace

std::string startOption(const std::vector<std::string>& arguments, const std::string& option) {
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    if (arguments[i] == option && i + 1 < arguments.size()) return arguments[i + 1];
    if (arguments[i].starts_with(option + "=")) return arguments[i].substr(option.size() + 1);
  }
  return {};
}

Result<std::vector<int>> DaskCluster::prepare(const std::stop_token& stop) {
  const auto processes = numberOf(node_.environment, "nprocs", 1, 1, 4096);
  const auto deathTimeout = numberOf(node_.environment, "death_timeout", 10, 1, 1 << 20);
  if (!processes) return failure(processes.error());
  if (!deathTimeout) return failure(deathTimeout.error());
  processes_ = *processes;
  deathTimeout_ = std::to_string(*deathTimeout);
  auto program = daskProgram(node_.settings.isMain() ? "scheduler" : "worker", node_.environment);
  if (!program) return failure(program.error());
  program_ = std::move(*program);
  if (auto fetched = fetchDaskCertificates(node_, stop); !fetched) return failure(fetched.error());
  return node_.settings.isMain() ? prepareMain() : prepareWorker();
}

Result<std::vector<int>> DaskCluster::prepareMain() {
  const auto named =
      numberOf({{"--port", startOption(node_.settings.startArguments, "--port")}}, "--port", 0, 1, 65535);
  const auto told = numberOf(node_.environment, "SCHEDULER_PORT", 0, 1, 65535);
  if (!named) return failure(named.error());
  if (!told) return failure(told.error());
  auto port = MasterPort::choose(*named != 0 ? *named : *told, kUsualPort);
  if (!port) return failure(port.error());
  port_.emplace(std::move(*port));
  return std::vector<int>{port_->port()};
}

Result<std::vector<int>> DaskCluster::prepareWorker() {
  std::vector<int> ports;
  for (const char* option : {"--worker-port", "--nanny-port"}) {
    const auto port =
        firstFree(startOption(node_.settings.startArguments, option), node_.address.address, option);
    if (!port) return failure(port.error());
    if (ports.empty() || *port != ports.front()) ports.push_back(*port);
  }
  return ports;
}

bool DaskCluster::isEncrypted() const {
  const auto& words = node_.settings.startArguments;
  return std::any_of(words.begin(), words.end(),
                     [](const std::string& word) { return word.starts_with("--tls-key"); });
}

nlohmann::json DaskCluster::ownValues() const {
  return {{"tmpdir", node_.settings.workDir + "/" + node_.settings.jobId},
          {"nprocs", std::to_string(processes_)},
          {"death_timeout", deathTimeout_}};
}

// The code of the script is needed wherever its functions run.
Environment DaskCluster::daskEnvironment() const {
  Environment environment = scriptEnvironment(node_);
  std::string& path = environment["PYTHONPATH"];
  path = node_.settings.codeDir.string() + (path.empty() ? "" : ":" + path);
  return environment;
}

std::string DaskCluster::schedulerAddress() const {
  return fmt::format("{}://{}:{}", isEncrypted() ? "tls" : "tcp", node_.address.address, port_->port());
}

ClusterProcess DaskCluster::scheduler(FrameworkRendezvous& rendezvous) const {
  ClusterProcess process{.name = "the Dask scheduler",
                         .command = program_,
                         .environment = daskEnvironment(),
                         .label = "scheduler",
                         .duty = ClusterProcess::Duty::Service,
                         .port = port_->port(),
                         .remedy = "its own words stand above; check the startOptions of main"};
  const auto& words = node_.settings.startArguments;
  for (const char* word : {"--host", "0.0.0.0"}) process.command.emplace_back(word);
  if (startOption(words, "--port").empty()) {
    process.command.emplace_back("--port");
    process.command.push_back(std::to_string(port_->port()));
  }
  process.command.insert(process.command.end(), words.begin(), words.end());
  auto values = ownValues();
  values["OCI__MAIN_IP"] = node_.address.address;
  values["SCHEDULER_IP"] = (isEncrypted() ? "tls://" : "") + node_.address.address;
  values["SCHEDULER_PORT"] = std::to_string(port_->port());
  process.whenReady = [&rendezvous, values](const std::stop_token& stop) {
    return rendezvous.publish(values, stop);
  };
  return process;
}

ClusterProcess DaskCluster::gathering() const {
  const auto& settings = node_.settings;
  return {.name = "the wait for the Dask workers",
          .command = {pythonOf(program_.front(), node_.environment), "-c",
                      std::string(contentOf(embedded::nodePrograms(), "dask_gather.py")), schedulerAddress(),
                      tlsFiles(settings.startArguments).dump(), std::to_string(settings.workerCount()),
                      std::to_string(processes_), std::to_string(settings.timeout.count())},
          .environment = daskEnvironment(),
          .label = "workers",
          .remedy = "look at the logs of the workers; capacity may take longer than OCI__TIMEOUT allows"};
}

ClusterProcess DaskCluster::script() const {
  ClusterProcess process{.name = "the entry script",
                         .command = node_.script,
                         .environment = daskEnvironment(),
                         .label = node_.settings.isMultiNode() ? node_.name : std::string(),
                         .remedy = "its own words stand above"};
  process.environment["OCI__MAIN_IP"] = node_.address.address;
  process.environment["SCHEDULER_IP"] = (isEncrypted() ? "tls://" : "") + node_.address.address;
  process.environment["SCHEDULER_PORT"] = std::to_string(port_->port());
  return process;
}

ClusterProcess DaskCluster::worker(const std::map<std::string, std::string>& published) const {
  ClusterProcess process{.name = "the Dask worker",
                         .command = program_,
                         .environment = daskEnvironment(),
                         .label = node_.settings.isMultiNode() ? node_.name : std::string(),
                         .duty = ClusterProcess::Duty::Service,
                         .remedy = "its own words stand above; check the startOptions of the workers"};
  for (const auto& [key, value] : published) process.environment[key] = value;
  const auto setting = [&](const char* name, const std::string& missing) {
    return environmentValue(process.environment, name, missing);
  };
  process.command.push_back(setting("SCHEDULER_IP", "") + ":" + setting("SCHEDULER_PORT", "8786"));
  const auto& words = node_.settings.startArguments;
  const auto add = [&](const char* option, const std::string& value) {
    if (!startOption(words, option).empty()) return;
    process.command.emplace_back(option);
    process.command.push_back(value);
  };
  if (startOption(words, "--nprocs").empty()) add("--nworkers", setting("nprocs", "1"));
  // The default of `ads`, 10, is only written down there: a busy node needs longer to start its workers.
  add("--death-timeout", environmentValue(node_.environment, "death_timeout", "60"));
  add("--name", node_.settings.isMultiNode() ? node_.name : node_.settings.jobRunId);
  process.command.insert(process.command.end(), words.begin(), words.end());
  return process;
}

Result<std::vector<ClusterProcess>> DaskCluster::meet(FrameworkRendezvous& rendezvous,
                                                      RendezvousFiles& common, Clock& clock,
                                                      const std::stop_token& stop) {
  if (node_.settings.isMain()) {
    say("{}: the scheduler will be at {}", node_.name, schedulerAddress());
    std::vector<ClusterProcess> all{scheduler(rendezvous)};
    if (node_.settings.workerCount() > 0) all.push_back(gathering());
    all.push_back(script());
    return all;
  }
  auto values = ownValues();
  values["OCI__WORKER_IP"] = node_.address.address;
  if (auto told = rendezvous.publish(std::move(values), stop); !told) return failure(told.error());
  const auto published = common.awaitMain(clock, stop);
  if (!published) return failure(published.error());
  if (published->count("SCHEDULER_IP") == 0)
    return failure(ErrorCode::DataLoss, "MAIN_config.json does not have SCHEDULER_IP",
                   "the main node is none of a Dask cluster", "give every cluster its own work dir");
  return std::vector{worker(*published)};
}

}  // namespace lockstep::node
