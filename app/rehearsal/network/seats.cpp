// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/seats.h"

#include <nlohmann/json.hpp>
#include <set>

#include "rehearsal/network/network_kinds.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kSelect =
    "SELECT run, node, subnet, address, vnic, created, groups FROM network_seats ";

Seat readSeat(SQLite::Statement& row) {
  Seat seat;
  seat.run = row.getColumn(0).getString();
  seat.node = row.getColumn(1).getInt();
  seat.subnet = row.getColumn(2).getString();
  seat.address = static_cast<Ipv4>(row.getColumn(3).getInt64());
  seat.vnic = row.getColumn(4).getString();
  seat.created = row.getColumn(5).getInt64();
  seat.groups = nlohmann::json::parse(row.getColumn(6).getString()).get<std::vector<std::string>>();
  return seat;
}

std::vector<Seat> readSeats(SQLite::Statement& rows) {
  std::vector<Seat> seats;
  while (rows.executeStep()) seats.push_back(readSeat(rows));
  return seats;
}

}  // namespace

std::string Seat::name() const {
  return uniquePart(run) + "-" + std::to_string(node);
}

std::vector<Seat> allSeats(Session& session) {
  return readSeats(session.sql(std::string(kSelect) + "ORDER BY run, node"));
}

std::vector<Seat> seatsOfSubnet(Session& session, const std::string& subnetId) {
  auto& select = session.sql(std::string(kSelect) + "WHERE subnet = ? ORDER BY address");
  select.bind(1, subnetId);
  return readSeats(select);
}

std::vector<Seat> seatsOfRun(Session& session, const std::string& runId) {
  auto& select = session.sql(std::string(kSelect) + "WHERE run = ? ORDER BY node");
  select.bind(1, runId);
  return readSeats(select);
}

std::optional<Seat> findSeat(Session& session, const std::string& runId, int node) {
  for (Seat& seat : seatsOfRun(session, runId))
    if (seat.node == node) return std::move(seat);
  return std::nullopt;
}

std::optional<Seat> findSeatOfVnic(Session& session, const std::string& vnicId) {
  auto& select = session.sql(std::string(kSelect) + "WHERE vnic = ?");
  select.bind(1, vnicId);
  if (!select.executeStep()) return std::nullopt;
  return readSeat(select);
}

std::optional<Seat> takeSeat(Session& session, const std::string& runId, int node,
                             const std::string& subnetId, const Cidr& block, long long now) {
  std::set<Ipv4> taken;
  for (const Seat& seat : subnetId.empty() ? seatsOfRun(session, runId) : seatsOfSubnet(session, subnetId))
    taken.insert(seat.address);
  Ipv4 address = block.first + 2;
  while (address < block.last() && taken.contains(address)) ++address;
  if (address >= block.last()) return std::nullopt;
  Seat seat{runId, node, subnetId, address, makeOcid(kind::kVnic), now, {}};
  auto& insert = session.sql(
      "INSERT INTO network_seats(run, node, subnet, address, vnic, created, groups) "
      "VALUES(?,?,?,?,?,?,'[]')");
  insert.bind(1, seat.run);
  insert.bind(2, seat.node);
  insert.bind(3, seat.subnet);
  insert.bind(4, static_cast<int64_t>(seat.address));
  insert.bind(5, seat.vnic);
  insert.bind(6, static_cast<int64_t>(seat.created));
  insert.exec();
  return seat;
}

void setGroups(Session& session, const Seat& seat) {
  auto& update = session.sql("UPDATE network_seats SET groups = ? WHERE run = ? AND node = ?");
  update.bind(1, nlohmann::json(seat.groups).dump());
  update.bind(2, seat.run);
  update.bind(3, seat.node);
  update.exec();
}

void removeSeats(Session& session, const std::string& runId) {
  auto& remove = session.sql("DELETE FROM network_seats WHERE run = ?");
  remove.bind(1, runId);
  remove.exec();
}

std::string uniquePart(const std::string& ocid) {
  const std::size_t dot = ocid.rfind('.');
  return dot == std::string::npos ? ocid : ocid.substr(dot + 1);
}

}  // namespace lockstep::rehearsal
