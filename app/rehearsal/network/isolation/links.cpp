// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/links.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <netlink/errno.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <netlink/route/addr.h>
#include <netlink/route/link.h>
#include <netlink/route/link/inet6.h>
#include <netlink/route/link/veth.h>
#include <netlink/route/nexthop.h>
#include <netlink/route/route.h>
#include <netlink/socket.h>

#include <cstring>

namespace lockstep::rehearsal {
namespace {

constexpr std::uint32_t kMtu = 9000;  // of a VCN
constexpr int kCreate = NLM_F_CREATE | NLM_F_EXCL;

template <typename Object, void (*release)(Object*)>
struct Release {
  void operator()(Object* object) const { release(object); }
};
template <typename Object, void (*release)(Object*)>
using Owned = std::unique_ptr<Object, Release<Object, release>>;

using Link = Owned<rtnl_link, rtnl_link_put>;
using VethPair = Owned<rtnl_link, rtnl_link_veth_release>;
using NetAddress = Owned<nl_addr, nl_addr_put>;
using InterfaceAddress = Owned<rtnl_addr, rtnl_addr_put>;
using Route = Owned<rtnl_route, rtnl_route_put>;

// libnl would cut a longer name off, and so speak of another interface.
int giveName(rtnl_link* link, const std::string& name) {
  if (name.size() >= IFNAMSIZ) return -NLE_RANGE;
  rtnl_link_set_name(link, name.c_str());
  return 0;
}

NetAddress netAddress(Ipv4 address, int prefixLength) {
  const std::uint32_t bytes = htonl(address);
  NetAddress made(nl_addr_build(AF_INET, &bytes, sizeof bytes));
  nl_addr_set_prefixlen(made.get(), prefixLength);
  return made;
}

// libnl's own error numbers are fewer than the kernel's, so that the cause would be lost.
int keepErrno(sockaddr_nl*, nlmsgerr* said, void* serviceError) {
  *static_cast<int*>(serviceError) = -said->error;
  return NL_STOP;
}

}  // namespace

void Links::CloseSocket::operator()(nl_sock* socket) const {
  nl_socket_free(socket);
}

Result<Links> Links::open() {
  Links links;
  links.socket_.reset(nl_socket_alloc());
  const int error = links.socket_ ? nl_connect(links.socket_.get(), NETLINK_ROUTE) : -NLE_NOMEM;
  if (error < 0)
    return failure(ErrorCode::Unavailable, "cannot reach the interfaces of the kernel", nl_geterror(error));
  nl_socket_modify_err_cb(links.socket_.get(), NL_CB_CUSTOM, keepErrno, links.error_.get());
  return links;
}

Result<void> Links::addBridge(const std::string& name) const {
  const Link bridge(rtnl_link_alloc());
  rtnl_link_set_type(bridge.get(), "bridge");
  rtnl_link_set_flags(bridge.get(), IFF_UP);
  return askLink("make the switch '" + name + "'", name, bridge.get(), kCreate);
}

Result<void> Links::addPort(const std::string& name, const std::string& bridge, const FarEnd& far) const {
  const std::string what = fmt::format("plug '{}' into the switch", far.name);
  const NetAddress hardware(nl_addr_build(AF_LLC, far.hardware.data(), far.hardware.size()));
  const VethPair near(rtnl_link_veth_alloc());
  rtnl_link_set_mtu(near.get(), kMtu);
  rtnl_link_set_master(near.get(), indexOf(bridge));
  rtnl_link_set_flags(near.get(), IFF_UP);
  const Link peer(rtnl_link_veth_get_peer(near.get()));
  if (const int named = giveName(peer.get(), far.name); named < 0) return ask(what, named, nullptr);
  rtnl_link_set_mtu(peer.get(), kMtu);
  rtnl_link_set_addr(peer.get(), hardware.get());
  rtnl_link_set_ns_fd(peer.get(), far.network);
  return askLink(what, name, near.get(), kCreate);
}

Result<void> Links::setUp(const std::string& name) const {
  const Link link(rtnl_link_alloc());
  rtnl_link_set_flags(link.get(), IFF_UP);
  return askLink("bring '" + name + "' up", name, link.get(), 0);
}

Result<void> Links::remove(const std::string& name) const {
  const Link link(rtnl_link_alloc());
  nl_msg* request = nullptr;
  int built = giveName(link.get(), name);
  if (built == 0) built = rtnl_link_build_delete_request(link.get(), &request);
  return ask("remove '" + name + "'", built, request);
}

Result<void> Links::leaveOutIpv6(const std::string& name) const {
  const Link link(rtnl_link_alloc());
  rtnl_link_inet6_set_addr_gen_mode(link.get(), IN6_ADDR_GEN_MODE_NONE);
  return askLink("leave '" + name + "' without IPv6", name, link.get(), 0);
}

Result<void> Links::addAddress(const std::string& name, Ipv4 address, int prefixLength) const {
  const InterfaceAddress own(rtnl_addr_alloc());
  rtnl_addr_set_ifindex(own.get(), indexOf(name));
  rtnl_addr_set_local(own.get(), netAddress(address, prefixLength).get());
  nl_msg* request = nullptr;
  const int built = rtnl_addr_build_add_request(own.get(), kCreate, &request);
  return ask(fmt::format("give '{}' the address {}/{}", name, ipv4Text(address), prefixLength), built,
             request);
}

Result<void> Links::addRoute(const std::string& name, const Cidr& block) const {
  const Route route(rtnl_route_alloc());
  rtnl_route_set_dst(route.get(), netAddress(block.first, block.bits).get());
  rtnl_route_set_scope(route.get(), RT_SCOPE_LINK);
  rtnl_route_set_protocol(route.get(), RTPROT_BOOT);
  rtnl_nexthop* hop = rtnl_route_nh_alloc();
  rtnl_route_nh_set_ifindex(hop, indexOf(name));
  rtnl_route_add_nexthop(route.get(), hop);  // which owns it now
  nl_msg* request = nullptr;
  const int built = rtnl_route_build_add_request(route.get(), NLM_F_CREATE | NLM_F_REPLACE, &request);
  return ask(fmt::format("lead {} to '{}'", block.text(), name), built, request);
}

int Links::indexOf(const std::string& name) const {
  rtnl_link* found = nullptr;
  if (rtnl_link_get_kernel(socket_.get(), 0, name.c_str(), &found) < 0) return 0;
  return rtnl_link_get_ifindex(Link(found).get());
}

Result<void> Links::askLink(const std::string& what, const std::string& name, rtnl_link* link,
                            int flags) const {
  nl_msg* request = nullptr;
  int built = giveName(link, name);
  if (built == 0) built = rtnl_link_build_add_request(link, flags, &request);
  return ask(what, built, request);
}

Result<void> Links::ask(const std::string& what, int built, nl_msg* request) const {
  *error_ = 0;
  const int error = built < 0 ? built : nl_send_sync(socket_.get(), request);
  if (error >= 0) return {};
  return failure(ErrorCode::Unavailable, "cannot " + what,
                 *error_ != 0 ? std::strerror(*error_) : nl_geterror(error));
}

}  // namespace lockstep::rehearsal
