// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/vcn_network.h"

namespace lockstep::rehearsal {
namespace {

/// Nothing is isolated: every node is on the machine's loopback.
class SharedNetwork : public VcnNetwork {
 public:
  explicit SharedNetwork(std::string why) : why_(std::move(why)) {}
  [[nodiscard]] std::string unenforcedBecause() const override { return why_; }
  Result<NodeSeat> join(const std::string&, int, const std::string&) override {
    return NodeSeat{"127.0.0.1",
                    {{"mode", "shared"}},
                    {{"FQDN", "localhost"}, {"LOCKSTEP_NODE_ADDRESS", "127.0.0.1"}}};
  }
  void leave(const std::string&) override {}
  void refresh() override {}

 private:
  std::string why_;
};

}  // namespace

std::unique_ptr<VcnNetwork> VcnNetwork::create(Database& database, VcnNetworkSetup setup) {
  (void)database;
  return std::make_unique<SharedNetwork>(
      setup.isolate ? "job run nodes are not isolated yet" : "isolation was turned off when the region started");
}

}  // namespace lockstep::rehearsal
