// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/frameworks/horovod_cluster.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>

#include "base/child_process.h"
#include "base/text/quote.h"
#include "trainer/node/processes/node_log.h"
#include "trainer/node/settings/program_path.h"

namespace lockstep::node {
namespace {

constexpr int kUsualPort = 12345;  // of sshd; ads-contract 4.3

int coresHere() {
  cpu_set_t set;
  CPU_ZERO(&set);
  return ::sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}

}  // namespace

// GPUs are the most that a node can have ranks for; without them SLOTS is what the user wants.
int HorovodCluster::slotsHere(int wanted) const {
  const int gpus = visibleGpuCount();
  if (gpus > 0) return wanted > 0 ? std::min(wanted, gpus) : gpus;
  return wanted > 0 ? wanted : coresHere();
}

Result<void> HorovodCluster::readNumbers() {
  constexpr int kMany = 1 << 20;
  const Environment& environment = node_.environment;
  const auto port = numberOf(environment, "WORKER_PORT", kUsualPort, 1, 65535);
  const auto slots = numberOf(environment, "SLOTS", 0, 1, kMany);
  const auto processes = numberOf(environment, "NP", 0, 1, kMany);
  const auto min = numberOf(environment, "MIN_NP", 0, 1, kMany);
  const auto max = numberOf(environment, "MAX_NP", 0, 1, kMany);
  const auto start = numberOf(environment, "START_TIMEOUT", 600, 1, kMany);
  for (const auto* value : {&port, &slots, &processes, &min, &max, &start}) {
    if (!*value) return failure(value->error());
  }
  port_ = *port;
  slots_ = slotsHere(*slots);
  options_.processes = *processes;
  options_.min = *min;
  options_.max = *max;
  options_.startTimeout = std::max(600, *start);
  options_.arguments = splitShell(environmentValue(environment, "HOROVOD_ARGS"));
  for (const std::string& word :
       splitShell(environmentValue(environment, "kwargs", environmentValue(environment, "KWARGS"))))
    options_.arguments.push_back(word);
  if (environmentValue(environment, "ENABLE_TIMELINE") == "1")
    options_.timelineFile = environmentValue(environment, "OCI__SYNC_DIR", "/opt/ml") + "/timeline.json";
  return {};
}

Result<void> HorovodCluster::findPrograms() {
  const Environment& environment = node_.environment;
  auto sshd = needProgram("sshd", environment, "install openssh-server in the image");
  if (!sshd) return failure(sshd.error());
  sshd_ = std::move(*sshd);
  if (!node_.settings.isMain()) return {};
  const std::string wish = environmentValue(environment, "LOCKSTEP_LAUNCHER");
  if (!wish.empty() && wish != "horovodrun" && wish != "mpirun")
    return failure(ErrorCode::InvalidArgument, fmt::format("LOCKSTEP_LAUNCHER='{}' is not known", wish), {},
                   "set it to horovodrun or mpirun, or leave it out");
  if (wish != "mpirun") launcher_ = programPath("horovodrun", environment);
  if (launcher_.empty() && wish != "horovodrun") {
    launcher_ = programPath("mpirun.openmpi", environment);
    if (launcher_.empty()) launcher_ = programPath("mpirun", environment);
  }
  if (!launcher_.empty()) return {};
  auto missing = needProgram(wish.empty() ? "horovodrun" : wish, environment,
                             "install Horovod in the image (pip install horovod), or Open MPI "
                             "(apt-get install openmpi-bin) for mpirun");
  return failure(missing.error());
}

Result<std::vector<int>> HorovodCluster::prepare(const std::stop_token& stop) {
  if (auto read = readNumbers(); !read) return failure(read.error());
  if (auto found = findPrograms(); !found) return failure(found.error());
  auto room = SshSandbox::open(node_.environment, stop);
  if (!room) return failure(room.error());
  room_ = std::move(*room);
  return std::vector<int>{port_, 0};  // collectives choose ports of their own
}

nlohmann::json HorovodCluster::ownValues() const {
  return {{"tmpdir", node_.settings.workDir + "/" + node_.settings.jobId},
          {"OCI__WORKER_IP", node_.address.address},
          {"OCI__SLOTS", std::to_string(slots_)},
          {"host_key", room_->hostKey()}};
}

ClusterProcess HorovodCluster::daemon() const {
  return {.name = "sshd",
          .command = {sshd_, "-D", "-e", "-f", (room_->folder() / "sshd_config").string()},
          .environment = node_.environment,
          .label = "sshd",
          .duty = ClusterProcess::Duty::Service,
          .port = port_,
          .remedy = fmt::format("its own words stand above; WORKER_PORT={} has to be free", port_)};
}

Result<std::vector<ClusterProcess>> HorovodCluster::meet(FrameworkRendezvous& rendezvous,
                                                         RendezvousFiles& common, Clock& clock,
                                                         const std::stop_token& stop) {
  if (node_.settings.isMain()) return meetAsMain(rendezvous, clock, stop);
  const auto published = common.awaitMain(clock, stop);
  if (!published) return failure(published.error());
  const auto key = published->find("authorized_key");
  const auto written =
      room_->writeServer(node_.address.address, port_, key == published->end() ? std::string() : key->second);
  if (!written) return failure(written.error());
  ClusterProcess process = daemon();
  process.whenReady = [&rendezvous, values = ownValues()](const std::stop_token& token) {
    return rendezvous.publish(values, token);
  };
  say("{}: {} slots, sshd at {}:{}", node_.name, slots_, node_.address.address, port_);
  if (listensEverywhere(node_.address.address))
    say("note: {} is no address of this machine, so sshd listens on all that it has", node_.address.address);
  return std::vector{std::move(process)};
}

Result<std::vector<ClusterProcess>> HorovodCluster::meetAsMain(FrameworkRendezvous& rendezvous, Clock& clock,
                                                               const std::stop_token& stop) {
  const auto key = room_->makeLoginKey(stop);
  if (!key) return failure(key.error());
  if (auto written = room_->writeServer(node_.address.address, port_, *key); !written)
    return failure(written.error());
  auto values = ownValues();
  values["OCI__MAIN_IP"] = node_.address.address;
  values["authorized_key"] = *key;
  if (auto told = rendezvous.publish(std::move(values), stop); !told) return failure(told.error());
  const auto hosts = awaitHosts(rendezvous, clock, stop);
  if (!hosts) return failure(hosts.error());
  if (launcher_.ends_with("horovodrun")) {
    auto listing = HostListing::open(rendezvous, room_->folder(), *hosts);
    if (!listing) return failure(listing.error());
    listing_ = std::move(*listing);
  }
  auto process = launcher(*hosts);
  if (!process) return failure(process.error());
  say("{}: {} slots on {} nodes", node_.name, slotsOf(*hosts), hosts->size());
  return std::vector{daemon(), std::move(*process)};
}

// With MIN_NP the start does not wait for more than that for ever: the others may come later.
Result<std::vector<MpiHost>> HorovodCluster::awaitHosts(FrameworkRendezvous& rendezvous, Clock& clock,
                                                        const std::stop_token& stop) {
  const auto all = rendezvous.awaitEntries(clock, stop);
  if (all) return hostsOf(*all);
  if (all.error().code != ErrorCode::DeadlineExceeded || options_.min == 0) return failure(all.error());
  const auto some = rendezvous.entries(stop);
  if (!some) return failure(some.error());
  auto hosts = hostsOf(*some);
  if (hosts.size() < 2 || slotsOf(hosts) < options_.min) return failure(all.error());
  say("{}: {}; MIN_NP={} allows to start without them", node_.name, all.error().what, options_.min);
  return hosts;
}

Result<ClusterProcess> HorovodCluster::launcher(const std::vector<MpiHost>& hosts) {
  const auto ssh = room_->writeClient(hosts, port_);
  if (!ssh) return failure(ssh.error());
  ClusterProcess process{.environment = scriptEnvironment(node_)};
  process.label = node_.settings.isMultiNode() ? node_.name : std::string();
  process.remedy = "its own words, and those of the ranks, stand above";
  if (listing_) {
    process.name = "horovodrun";
    process.command = horovodCommand(launcher_, options_, port_, listing_->script(), hosts, node_.script);
    std::string& path = process.environment["PATH"];
    path = ssh->parent_path().string() + ":" + path;
    return process;
  }
  process.name = "mpirun";
  if (!options_.arguments.empty())
    say("note: HOROVOD_ARGS and KWARGS are words for horovodrun; mpirun does not get them");
  process.command = mpirunCommand(launcher_, options_, *ssh, networkOf(node_.address.address), hosts,
                                  process.environment, node_.script);
  return process;
}

}  // namespace lockstep::node
