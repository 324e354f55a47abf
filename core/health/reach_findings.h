// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace lockstep {

/// Whether a node came to one port of a peer, before the ranks started.
struct ReachLink {
  int node = 0;
  std::string name, address;  // "worker_0", "10.0.0.3"; may be empty
  int port = 0;               // 0: unknown
  bool reached = false;
  std::optional<double> ms;  // until the peer had answered
  std::string cause;         // why it could not be reached
  bool operator==(const ReachLink&) const = default;
};

/// What one node found out and published (layout::reachFile).
struct NodeFindings {
  int node = 0;
  std::string name, address;
  std::vector<ReachLink> peers;  // by node and port, each once
  std::vector<int> missing;      // nodes that took no part
  std::optional<TimePoint> time;
  bool operator==(const NodeFindings&) const = default;
};

inline constexpr std::size_t kMaxFindingsBytes = 1 << 20;
inline constexpr int kMaxNodes = 4096;

/// Reads what anybody may have written: entries that are no peers are left out. DataLoss: no such document.
[[nodiscard]] Result<NodeFindings> parseNodeFindings(std::string_view text);

/// One direction of a pair of nodes, seen together with the other. A way is open when every port of it is.
enum class LinkState {
  Untested,
  BothWays,
  OnlyThisWay,  // the way back is closed
  OnlyBack,     // closed this way only
  NeitherWay,
  ThisWay,     // the other node has published nothing of the way back
  NotThisWay,  // the same
};
[[nodiscard]] bool isClosed(LinkState state);  // this way

/// A node that is known of, by what it or another says.
struct ReachNode {
  int node = 0;
  std::string name, address;
  bool tookPart = false;
};

/// From whom to whom the nodes come, all of them.
class ReachMatrix {
 public:
  ReachMatrix() = default;
  explicit ReachMatrix(const std::vector<NodeFindings>& findings);
  [[nodiscard]] const std::vector<ReachNode>& nodes() const { return nodes_; }  // by number
  [[nodiscard]] LinkState state(std::size_t from, std::size_t to) const;
  /// The first port that is closed, or the first; null: nothing is known of that direction.
  [[nodiscard]] const ReachLink* link(std::size_t from, std::size_t to) const;

  /// A port that is closed in one direction.
  struct Gap {
    std::size_t from = 0, to = 0;  // in nodes()
    LinkState state = LinkState::NotThisWay;
    ReachLink link{};
  };
  [[nodiscard]] std::vector<Gap> gaps() const;

 private:
  [[nodiscard]] std::optional<std::size_t> placeOf(int node) const;
  std::vector<ReachNode> nodes_;
  std::vector<std::map<std::size_t, std::vector<ReachLink>>>
      links_;  // from, to, port: only what somebody told
};

}  // namespace lockstep
