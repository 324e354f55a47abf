// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <tl/expected.hpp>
#include <vector>

#include "rehearsal/network/rules/cidr.h"
#include "rehearsal/state/database.h"

namespace lockstep::rehearsal {

inline constexpr const char* kNetworkSchema = R"sql(
CREATE TABLE IF NOT EXISTS network_seats(
  run TEXT NOT NULL, node INTEGER NOT NULL, subnet TEXT NOT NULL, address INTEGER NOT NULL, vnic TEXT NOT NULL,
  created INTEGER NOT NULL, groups TEXT NOT NULL, PRIMARY KEY(run, node)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS network_seats_by_subnet ON network_seats(subnet, address);
CREATE INDEX IF NOT EXISTS network_seats_by_vnic ON network_seats(vnic);
)sql";

/// The address of one node of a live job run.
struct AddressLease {
  std::string run;
  int node = 0;
  std::string subnet;  // empty: of the network that the nodes of this run have to themselves
  Ipv4 address = 0;
  std::string vnic;                 // OCID
  long long created = 0;            // ms since the epoch
  std::vector<std::string> groups;  // NSGs of the VNIC

  /// How its files are called: the unique part of the run's OCID and the node.
  [[nodiscard]] std::string name() const;
};

[[nodiscard]] std::vector<AddressLease> allLeases(Transaction& transaction);
[[nodiscard]] std::vector<AddressLease> leasesOfSubnet(Transaction& transaction, const std::string& subnetId);
[[nodiscard]] std::vector<AddressLease> leasesOfRun(Transaction& transaction, const std::string& runId);
[[nodiscard]] std::optional<AddressLease> findLease(Transaction& transaction, const std::string& runId,
                                                    int node);
[[nodiscard]] std::optional<AddressLease> findLeaseOfVnic(Transaction& transaction,
                                                          const std::string& vnicId);
/// Takes the lowest free address of the block; the first two and the last are the network's own. nullopt:
/// none is free.
std::optional<AddressLease> allocateAddress(Transaction& transaction, const std::string& runId, int node,
                                            const std::string& subnetId, const Cidr& block, long long now);
void setGroups(Transaction& transaction, const AddressLease& lease);
void releaseAddresses(Transaction& transaction, const std::string& runId);

/// "aaaa…" of "ocid1.vcn.oc1.rehearsal.aaaa…"
[[nodiscard]] std::string uniquePart(const std::string& ocid);

}  // namespace lockstep::rehearsal
