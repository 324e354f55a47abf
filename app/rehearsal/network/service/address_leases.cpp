// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/service/address_leases.h"

#include <nlohmann/json.hpp>
#include <set>

#include "rehearsal/network/service/network_kinds.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kSelect =
    "SELECT run, node, subnet, address, vnic, created, groups FROM network_seats ";

AddressLease readLease(SQLite::Statement& row) {
  AddressLease lease;
  lease.run = row.getColumn(0).getString();
  lease.node = row.getColumn(1).getInt();
  lease.subnet = row.getColumn(2).getString();
  lease.address = static_cast<Ipv4>(row.getColumn(3).getInt64());
  lease.vnic = row.getColumn(4).getString();
  lease.created = row.getColumn(5).getInt64();
  lease.groups = nlohmann::json::parse(row.getColumn(6).getString()).get<std::vector<std::string>>();
  return lease;
}

std::vector<AddressLease> readLeases(SQLite::Statement& rows) {
  std::vector<AddressLease> leases;
  while (rows.executeStep()) leases.push_back(readLease(rows));
  return leases;
}

}  // namespace

std::string AddressLease::name() const {
  return uniquePart(run) + "-" + std::to_string(node);
}

std::vector<AddressLease> allLeases(Transaction& transaction) {
  return readLeases(transaction.sql(std::string(kSelect) + "ORDER BY run, node"));
}

std::vector<AddressLease> leasesOfSubnet(Transaction& transaction, const std::string& subnetId) {
  auto& select = transaction.sql(std::string(kSelect) + "WHERE subnet = ? ORDER BY address");
  select.bind(1, subnetId);
  return readLeases(select);
}

std::vector<AddressLease> leasesOfRun(Transaction& transaction, const std::string& runId) {
  auto& select = transaction.sql(std::string(kSelect) + "WHERE run = ? ORDER BY node");
  select.bind(1, runId);
  return readLeases(select);
}

std::optional<AddressLease> findLease(Transaction& transaction, const std::string& runId, int node) {
  for (AddressLease& lease : leasesOfRun(transaction, runId))
    if (lease.node == node) return std::move(lease);
  return std::nullopt;
}

std::optional<AddressLease> findLeaseOfVnic(Transaction& transaction, const std::string& vnicId) {
  auto& select = transaction.sql(std::string(kSelect) + "WHERE vnic = ?");
  select.bind(1, vnicId);
  if (!select.executeStep()) return std::nullopt;
  return readLease(select);
}

std::optional<AddressLease> allocateAddress(Transaction& transaction, const std::string& runId, int node,
                                            const std::string& subnetId, const Cidr& block, long long now) {
  std::set<Ipv4> taken;
  for (const AddressLease& lease :
       subnetId.empty() ? leasesOfRun(transaction, runId) : leasesOfSubnet(transaction, subnetId))
    taken.insert(lease.address);
  Ipv4 address = block.first + 2;
  while (address < block.last() && taken.contains(address)) ++address;
  if (address >= block.last()) return std::nullopt;
  AddressLease lease{runId, node, subnetId, address, makeOcid(kind::kVnic), now, {}};
  auto& insert = transaction.sql(
      "INSERT INTO network_seats(run, node, subnet, address, vnic, created, groups) "
      "VALUES(?,?,?,?,?,?,'[]')");
  insert.bind(1, lease.run);
  insert.bind(2, lease.node);
  insert.bind(3, lease.subnet);
  insert.bind(4, static_cast<int64_t>(lease.address));
  insert.bind(5, lease.vnic);
  insert.bind(6, static_cast<int64_t>(lease.created));
  insert.exec();
  return lease;
}

void setGroups(Transaction& transaction, const AddressLease& lease) {
  auto& update = transaction.sql("UPDATE network_seats SET groups = ? WHERE run = ? AND node = ?");
  update.bind(1, nlohmann::json(lease.groups).dump());
  update.bind(2, lease.run);
  update.bind(3, lease.node);
  update.exec();
}

void releaseAddresses(Transaction& transaction, const std::string& runId) {
  auto& remove = transaction.sql("DELETE FROM network_seats WHERE run = ?");
  remove.bind(1, runId);
  remove.exec();
}

std::string uniquePart(const std::string& ocid) {
  const std::size_t dot = ocid.rfind('.');
  return dot == std::string::npos ? ocid : ocid.substr(dot + 1);
}

}  // namespace lockstep::rehearsal
