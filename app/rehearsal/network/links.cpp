// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/links.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <linux/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <linux/veth.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstring>

namespace lockstep::rehearsal {
namespace {

constexpr std::uint32_t kMtu = 9000;  // of a VCN
constexpr std::uint16_t kCreate = NLM_F_CREATE | NLM_F_EXCL;

template <typename Plain>
std::string bytesOf(const Plain& plain) {
  return {reinterpret_cast<const char*>(&plain), sizeof plain};
}

// Attributes are padded to four bytes, which their length leaves out (rtnetlink(3)).
std::string attribute(int type, const std::string& value) {
  const rtattr head{static_cast<unsigned short>(sizeof(rtattr) + value.size()),
                    static_cast<unsigned short>(type)};
  std::string text = bytesOf(head) + value;
  text.resize(RTA_ALIGN(text.size()));
  return text;
}

std::string named(const std::string& name) {
  return attribute(IFLA_IFNAME, name + '\0');
}

std::string kindOf(const char* kind, const std::string& more = {}) {
  return attribute(IFLA_LINKINFO, attribute(IFLA_INFO_KIND, kind) + more);
}

std::string message(int type, int flags, const std::string& body) {
  nlmsghdr head{};
  head.nlmsg_len = static_cast<std::uint32_t>(sizeof head + body.size());
  head.nlmsg_type = static_cast<std::uint16_t>(type);
  head.nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | NLM_F_ACK | flags);
  return bytesOf(head) + body;
}

std::string upState() {
  ifinfomsg link{};
  link.ifi_flags = link.ifi_change = IFF_UP;
  return bytesOf(link);
}

std::string networkOrder(Ipv4 address) {
  return bytesOf(htonl(address));
}

}  // namespace

Result<Links> Links::open() {
  OwnedFd socket(::socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_ROUTE));
  if (!socket.valid())
    return failure(StatusCode::Unavailable, "cannot reach the interfaces of the kernel",
                   std::strerror(errno));
  return Links(std::move(socket));
}

Result<void> Links::addBridge(const std::string& name) const {
  return ask("make the switch '" + name + "'",
             message(RTM_NEWLINK, kCreate, upState() + named(name) + kindOf("bridge")));
}

Result<void> Links::addPort(const std::string& name, const std::string& bridge, const FarEnd& far) const {
  const std::string mtu = attribute(IFLA_MTU, bytesOf(kMtu));
  const std::string peer = bytesOf(ifinfomsg{}) + named(far.name) + mtu +
                           attribute(IFLA_ADDRESS, bytesOf(far.hardware)) +
                           attribute(IFLA_NET_NS_FD, bytesOf(far.network));
  const std::string link = named(name) + mtu + attribute(IFLA_MASTER, bytesOf(indexOf(bridge))) +
                           kindOf("veth", attribute(IFLA_INFO_DATA, attribute(VETH_INFO_PEER, peer)));
  return ask(fmt::format("plug '{}' into the switch", far.name),
             message(RTM_NEWLINK, kCreate, upState() + link));
}

Result<void> Links::setUp(const std::string& name) const {
  return ask("bring '" + name + "' up", message(RTM_NEWLINK, 0, upState() + named(name)));
}

Result<void> Links::remove(const std::string& name) const {
  return ask("remove '" + name + "'", message(RTM_DELLINK, 0, bytesOf(ifinfomsg{}) + named(name)));
}

Result<void> Links::leaveOutIpv6(const std::string& name) const {
  const std::uint8_t none = IN6_ADDR_GEN_MODE_NONE;
  const std::string ipv6 = attribute(AF_INET6, attribute(IFLA_INET6_ADDR_GEN_MODE, bytesOf(none)));
  return ask("leave '" + name + "' without IPv6",
             message(RTM_NEWLINK, 0, bytesOf(ifinfomsg{}) + named(name) + attribute(IFLA_AF_SPEC, ipv6)));
}

Result<void> Links::addAddress(const std::string& name, Ipv4 address, int prefixLength) const {
  ifaddrmsg head{};
  head.ifa_family = AF_INET;
  head.ifa_prefixlen = static_cast<std::uint8_t>(prefixLength);
  head.ifa_index = static_cast<std::uint32_t>(indexOf(name));
  const std::string own = networkOrder(address);
  return ask(
      fmt::format("give '{}' the address {}/{}", name, ipv4Text(address), prefixLength),
      message(RTM_NEWADDR, kCreate, bytesOf(head) + attribute(IFA_LOCAL, own) + attribute(IFA_ADDRESS, own)));
}

Result<void> Links::addRoute(const std::string& name, const Cidr& block) const {
  rtmsg head{};
  head.rtm_family = AF_INET;
  head.rtm_dst_len = static_cast<std::uint8_t>(block.bits);
  head.rtm_table = RT_TABLE_MAIN;
  head.rtm_protocol = RTPROT_BOOT;
  head.rtm_scope = RT_SCOPE_LINK;
  head.rtm_type = RTN_UNICAST;
  return ask(fmt::format("lead {} to '{}'", block.text(), name),
             message(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_REPLACE,
                     bytesOf(head) + attribute(RTA_DST, networkOrder(block.first)) +
                         attribute(RTA_OIF, bytesOf(indexOf(name)))));
}

// The socket answers for its own network namespace, as netdevice(7) has it for sockets of every kind.
int Links::indexOf(const std::string& name) const {
  ifreq request{};
  name.copy(request.ifr_name, IFNAMSIZ - 1);
  return ::ioctl(socket_.get(), SIOCGIFINDEX, &request) == 0 ? request.ifr_ifindex : 0;
}

Result<void> Links::ask(const std::string& what, const std::string& message) const {
  const auto fail = [&](int error) {
    return failure(StatusCode::Unavailable, "cannot " + what, std::strerror(error));
  };
  if (::send(socket_.get(), message.data(), message.size(), 0) < 0) return fail(errno);
  alignas(nlmsghdr) char answer[8192];
  ssize_t n = 0;
  while ((n = ::recv(socket_.get(), answer, sizeof answer, 0)) < 0 && errno == EINTR) {
  }
  if (n < 0) return fail(errno);
  const auto* head = reinterpret_cast<const nlmsghdr*>(answer);
  const auto* said = reinterpret_cast<const nlmsgerr*>(NLMSG_DATA(head));
  if (n < static_cast<ssize_t>(NLMSG_LENGTH(sizeof said->error)) || head->nlmsg_type != NLMSG_ERROR)
    return fail(EPROTO);
  if (said->error != 0) return fail(-said->error);  // 0: an acknowledgement
  return {};
}

}  // namespace lockstep::rehearsal
