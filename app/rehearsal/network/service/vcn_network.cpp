// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/service/vcn_network.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <sstream>

#include "base/atomic_file.h"
#include "rehearsal/network/isolation/brief_file.h"
#include "rehearsal/network/isolation/isolation_probe.h"
#include "rehearsal/network/isolation/node_spec.h"
#include "rehearsal/network/service/effective_rules.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

const std::string kSwitchOfVcn = "vcn-";

bool isLive(Transaction& transaction, const std::string& runId) {
  const auto run = findResource(transaction, kind::kJobRun, runId);
  static const std::set<std::string> kLive{"ACCEPTED", "IN_PROGRESS", "CANCELING", "NEEDS_ATTENTION"};
  return run && kLive.contains(run->state);
}

// While no region was there to see it.
std::set<std::string> endedRunsWithLeases(Database& database) {
  std::set<std::string> ended;
  Transaction transaction(database);
  for (const AddressLease& lease : allLeases(transaction))
    if (!isLive(transaction, lease.run)) ended.insert(lease.run);
  transaction.commit();
  return ended;
}

/// Nothing is isolated: every node is on the machine's loopback.
class SharedNetwork : public VcnNetwork {
 public:
  SharedNetwork(Database& database, std::string why) : database_(database), why_(std::move(why)) {
    for (const std::string& run : endedRunsWithLeases(database_)) SharedNetwork::leave(run);
  }
  [[nodiscard]] std::string unenforcedBecause() const override { return why_; }
  Result<NodeAttachment> join(const std::string&, int, const std::string&) override {
    return NodeAttachment{
        "127.0.0.1", {{"mode", "shared"}}, {{"FQDN", "localhost"}, {"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"}}};
  }
  /// A run that began while nodes were isolated has address leases, also here.
  void leave(const std::string& runId) override {
    Transaction transaction(database_);
    releaseAddresses(transaction, runId);
    transaction.commit();
  }
  void refresh() override {}

 private:
  Database& database_;
  std::string why_;
};

std::string inOneLine(const std::string& lines) {
  std::istringstream stream(lines);
  std::string text;
  for (std::string line; std::getline(stream >> std::ws, line);) text += (text.empty() ? "" : "; ") + line;
  return text;
}

std::string domainOf(const Resource& subnet, const std::optional<Resource>& vcn) {
  const auto label = [](const Resource& of) {
    const auto found = of.body.find("dnsLabel");
    return found != of.body.end() && found->is_string() ? found->get<std::string>() : std::string();
  };
  if (!vcn || label(subnet).empty() || label(*vcn).empty()) return {};
  return label(subnet) + "." + label(*vcn) + ".oraclevcn.com";
}

class IsolatedNetwork : public VcnNetwork {
 public:
  IsolatedNetwork(Database& database, VcnNetworkSetup setup, Privilege privilege)
      : database_(database), setup_(std::move(setup)), privilege_(privilege) {}

  /// Forgets the address leases of runs that ended while no region was there to see it.
  void resume() {
    for (const std::string& run : endedRunsWithLeases(database_)) leave(run);
    refresh();
    sweep();
  }

  [[nodiscard]] std::string unenforcedBecause() const override { return {}; }

  Result<NodeAttachment> join(const std::string& runId, int node, const std::string& subnetId) override {
    try {
      const std::lock_guard lock(mutex_);
      Transaction transaction(database_);
      auto lease = findLease(transaction, runId, node);
      auto spec = subnetId.empty() ? specOfDefault(runId) : specOfSubnet(transaction, subnetId);
      if (!spec) return failure(spec.error());
      if (!lease) {
        const Cidr block{spec->first, spec->spec.prefixLength};
        lease = allocateAddress(transaction, runId, node, subnetId, block,
                                toMillis(std::chrono::system_clock::now()));
        if (!lease)
          return failure(ErrorCode::ResourceExhausted,
                         fmt::format("no address is left in the subnet '{}' ({})", subnetId, block.text()));
      }
      const std::string script = packetFilterScript(rulesOfLease(transaction, *lease, setup_.ports));
      transaction.commit();
      return attach(*lease, std::move(spec->spec), script);
    } catch (const SQLite::Exception& e) {
      return failure(ErrorCode::Io, "cannot attach the node to its network", e.what());
    }
  }

  void leave(const std::string& runId) override {
    const std::lock_guard lock(mutex_);
    std::vector<AddressLease> leases;
    bool anyGroup = false;
    {
      Transaction transaction(database_);
      leases = leasesOfRun(transaction, runId);
      if (!leases.empty()) releaseAddresses(transaction, runId);
      transaction.commit();
    }
    for (const AddressLease& lease : leases) {
      anyGroup = anyGroup || !lease.groups.empty();
      logProblem(lease);
      std::error_code ignored;
      for (const char* ending : {".nft", ".hosts"})
        std::filesystem::remove(setup_.folder / (lease.name() + ending), ignored);
      if (lease.subnet.empty()) removeSwitch(ownSwitchOf(runId));
    }
    if (anyGroup) refreshLocked();
    forgetTheDead();
  }

  void refresh() override {
    const std::lock_guard lock(mutex_);
    refreshLocked();
  }

 private:
  struct Place {
    NodeSpec spec;
    Ipv4 first = 0;  // of the block
  };

  [[nodiscard]] NodeSpec commonSpec() const {
    NodeSpec spec;
    spec.folder = setup_.folder;
    spec.privilege = privilege_;
    spec.ports = setup_.ports;
    return spec;
  }

  [[nodiscard]] Result<Place> specOfDefault(const std::string& runId) const {
    NodeSpec spec = commonSpec();
    spec.switchName = ownSwitchOf(runId);
    spec.prefixLength = kDefaultBlock.bits;
    return Place{spec, kDefaultBlock.first};
  }

  Result<Place> specOfSubnet(Transaction& transaction, const std::string& subnetId) const {
    const auto subnet = findResource(transaction, kind::kSubnet, subnetId);
    const auto block = subnet ? parseCidr(subnet->body.value("cidrBlock", "")) : std::nullopt;
    if (!block) return failure(ErrorCode::NotFound, fmt::format("no subnet '{}'", subnetId));
    const auto vcn = findResource(transaction, kind::kVcn, subnet->parent);
    NodeSpec spec = commonSpec();
    spec.switchName = kSwitchOfVcn + uniquePart(subnet->parent);
    spec.prefixLength = block->bits;
    if (vcn) vcn->body.at("cidrBlocks").get_to(spec.localBlocks);
    std::erase(spec.localBlocks, block->text());
    spec.domain = domainOf(*subnet, vcn);
    return Place{spec, block->first};
  }

  Result<NodeAttachment> attach(const AddressLease& lease, NodeSpec spec, const std::string& script) const {
    std::error_code ec;
    std::filesystem::create_directories(setup_.folder, ec);
    spec.filePrefix = lease.name();
    spec.address = ipv4Text(lease.address);
    const std::string unique = uniquePart(lease.run);
    spec.hostName = fmt::format(
        "job-{}-{}", unique.substr(unique.size() - std::min<std::size_t>(12, unique.size())), lease.node);
    if (auto written = writeBriefFile(spec.filterFile(), script, 0600); !written)
      return failure(written.error());
    return NodeAttachment{spec.address, writeNodeSpec(spec), {{"FQDN", spec.fullName()}}};
  }

  static std::string ownSwitchOf(const std::string& runId) { return "run-" + uniquePart(runId); }

  [[nodiscard]] std::vector<std::filesystem::path> entries() const {
    std::vector<std::filesystem::path> found;
    std::error_code ec;
    for (const auto& entry : std::filesystem::directory_iterator(setup_.folder, ec))
      found.push_back(entry.path());
    return found;
  }

  // What supervisors that were killed have left of the switches of VCNs.
  void forgetTheDead() const {
    for (const auto& entry : entries())
      if (std::filesystem::is_directory(entry)) SwitchRecords(entry).forgetTheDead();
  }

  // Removes what a region left that was killed while it took the files of a run away.
  void sweep() {
    const std::lock_guard lock(mutex_);
    std::vector<std::string> known{kSwitchOfVcn};
    {
      Transaction transaction(database_);
      for (const AddressLease& lease : allLeases(transaction))
        known.insert(known.end(), {lease.name(), ownSwitchOf(lease.run)});
      transaction.commit();
    }
    std::error_code ignored;
    for (const auto& entry : entries()) {
      const std::string name = entry.filename();
      const auto isPart = [&name](const std::string& one) { return name.find(one) != std::string::npos; };
      if (std::none_of(known.begin(), known.end(), isPart)) std::filesystem::remove_all(entry, ignored);
    }
    forgetTheDead();
  }

  // Of a run that has ended: nobody will ask for it again. The switch of a VCN stays for others.
  void removeSwitch(const std::string& name) const {
    std::error_code ignored;
    std::filesystem::remove_all(setup_.folder / name, ignored);
    std::filesystem::remove(setup_.folder / (name + ".lock"), ignored);
  }

  void refreshLocked() {
    std::vector<std::pair<AddressLease, std::string>> scripts;
    {
      Transaction transaction(database_);
      for (AddressLease& lease : allLeases(transaction)) {
        std::string script = packetFilterScript(rulesOfLease(transaction, lease, setup_.ports));
        scripts.emplace_back(std::move(lease), std::move(script));
      }
      transaction.commit();
    }
    for (const auto& [lease, script] : scripts) {
      const auto file = setup_.folder / (lease.name() + ".nft");
      logProblem(lease);
      if (readFile(file).value_or("") == script) continue;
      if (auto written = writeBriefFile(file, script, 0600); !written)
        logLine("network: " + describe(written.error()));
    }
  }

  void logProblem(const AddressLease& lease) const {
    const auto file = setup_.folder / (lease.name() + ".nft.problem");
    std::error_code ec;
    if (!std::filesystem::exists(file, ec)) return;
    logLine(fmt::format("network: node {} of {}: {}", lease.node, lease.run, readFile(file).value_or("")));
    std::filesystem::remove(file, ec);
  }

  Database& database_;
  VcnNetworkSetup setup_;
  Privilege privilege_;
  std::mutex mutex_;  // what is computed is written in that order
};

}  // namespace

std::unique_ptr<VcnNetwork> VcnNetwork::create(Database& database, VcnNetworkSetup setup) {
  if (!setup.isolate)
    return std::make_unique<SharedNetwork>(database, "isolation of job run nodes is turned off");
  const auto privilege = setup.probe ? setup.probe->wait() : probeIsolation();
  if (!privilege) return std::make_unique<SharedNetwork>(database, inOneLine(describe(privilege.error())));
  auto network = std::make_unique<IsolatedNetwork>(database, std::move(setup), *privilege);
  try {
    network->resume();
  } catch (const SQLite::Exception& e) {
    logLine(fmt::format("network: {}", e.what()));
  }
  return network;
}

}  // namespace lockstep::rehearsal
