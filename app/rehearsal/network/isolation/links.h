// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "base/error.h"
#include "rehearsal/network/rules/cidr.h"

struct nl_msg;
struct nl_sock;
struct rtnl_link;

namespace lockstep::rehearsal {

using HardwareAddress = std::array<std::uint8_t, 6>;

/// The end of a cable that lies in another network namespace than its port.
struct FarEnd {
  int network = -1;  // descriptor of the namespace
  std::string name;
  HardwareAddress hardware{};
};

/// The interfaces, addresses and routes of one network namespace, through libnl's route library: that of the
/// thread that opened it, wherever that thread goes afterwards. Each call blocks until the kernel has done
/// it, normally well below a millisecond; the errno of the kernel is the cause of a failure.
class Links {
 public:
  static Result<Links> open();

  Result<void> addBridge(const std::string& name) const;  // is up
  /// A veth pair whose near end is a port of the bridge and up; the far end is down.
  Result<void> addPort(const std::string& name, const std::string& bridge, const FarEnd& far) const;
  Result<void> setUp(const std::string& name) const;
  /// Of a veth pair both ends go, and what the bridge had learned of the port.
  Result<void> remove(const std::string& name) const;
  /// Without IPv6 the interface gets no link-local address either. To be called before it is up.
  Result<void> leaveOutIpv6(const std::string& name) const;
  Result<void> addAddress(const std::string& name, Ipv4 address, int prefixLength) const;
  /// Everything in the block is on the interface's own wire. Replaces such a route.
  Result<void> addRoute(const std::string& name, const Cidr& block) const;

 private:
  struct CloseSocket {
    void operator()(nl_sock* socket) const;
  };
  Links() = default;
  [[nodiscard]] int indexOf(const std::string& name) const;  // 0: there is none
  /// Makes or changes the interface of that name as `link` says.
  Result<void> askLink(const std::string& what, const std::string& name, rtnl_link* link, int flags) const;
  /// Sends a request that libnl has built, or says why it could not; takes the request.
  Result<void> ask(const std::string& what, int built, nl_msg* request) const;

  std::unique_ptr<int> error_ = std::make_unique<int>(0);  // errno of the kernel's last answer
  std::unique_ptr<nl_sock, CloseSocket> socket_;
};

}  // namespace lockstep::rehearsal
