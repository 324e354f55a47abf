// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernel refuses is told in its own words, and the socket serves on.
#include "rehearsal/network/isolation/links.h"

#include <gtest/gtest.h>
#include <net/if.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "rehearsal/network/isolation/isolation_probe.h"
#include "rehearsal/network/isolation/namespaces.h"

namespace lockstep::rehearsal {
namespace {

/// What came of calls, in the order in which they stand.
std::string told(std::initializer_list<Result<void>> calls) {
  std::string text;
  for (const auto& done : calls)
    text += (done ? "done" : done.error().what + ": " + done.error().cause) + "\n";
  return text;
}

/// What `work` says in a process of its own, which stands in a network of its own.
std::string inOwnNetwork(std::string (*work)()) {
  int ends[2];
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    std::string text = "no network of its own";
    if (::unshare(CLONE_NEWNET) == 0 || (enterNewUserNamespace() && ::unshare(CLONE_NEWNET) == 0))
      text = work();
    [[maybe_unused]] const auto written = ::write(ends[1], text.data(), text.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string text(64 << 10, '\0');
  std::size_t size = 0;
  for (ssize_t n = 0; (n = ::read(ends[0], text.data() + size, text.size() - size)) > 0;)
    size += static_cast<std::size_t>(n);
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return text.substr(0, size);
}

class LinksTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto privilege = probeIsolation();
    if (!privilege) GTEST_SKIP() << "nodes cannot be isolated here: " << describe(privilege.error());
  }
};

TEST_F(LinksTest, InterfacesAreRefusedInTheKernelsWords) {
  EXPECT_EQ(
      inOwnNetwork([] {
        const auto links = Links::open();
        if (!links) return describe(links.error());
        const OwnedFd here = openOwnNetwork();
        const FarEnd end{here.get(), "eth0", {2, 0, 10, 0, 0, 2}};
        const std::string text = told(
            {links->addBridge("br0"), links->addBridge("br0"), links->addPort("v1", "br0", {-1, "eth0", {2}}),
             links->addPort("v1", "br0", end), links->addPort("v2", "br0", end), links->leaveOutIpv6("eth0"),
             links->leaveOutIpv6("none"), links->setUp("none"), links->remove("none"), links->remove("v1")});
        return text + (::if_nametoindex("eth0") == 0 ? "both ends are gone" : "the far end stays");
      }),
      "done\n"
      "cannot make the switch 'br0': File exists\n"
      "cannot plug 'eth0' into the switch: Bad file descriptor\n"
      "done\n"
      "cannot plug 'eth0' into the switch: File exists\n"
      "done\n"
      "cannot leave 'none' without IPv6: No such device\n"
      "cannot bring 'none' up: No such device\n"
      "cannot remove 'none': No such device\n"
      "done\n"
      "both ends are gone");
}

TEST_F(LinksTest, AddressesAndRoutesAreRefusedInTheKernelsWords) {
  EXPECT_EQ(inOwnNetwork([] {
              const auto links = Links::open();
              if (!links) return describe(links.error());
              const Ipv4 address = *parseIpv4("10.0.0.2");
              const Cidr block = *parseCidr("10.0.1.0/24");
              return told({links->addRoute("lo", block), links->setUp("lo"), links->addRoute("lo", block),
                           links->addRoute("lo", block), links->addAddress("lo", address, 24),
                           links->addAddress("lo", address, 24), links->addAddress("none", address, 24),
                           links->addRoute("none", block)});
            }),
            "cannot lead 10.0.1.0/24 to 'lo': Network is down\n"
            "done\n"
            "done\n"
            "done\n"
            "done\n"
            "cannot give 'lo' the address 10.0.0.2/24: File exists\n"
            "cannot give 'none' the address 10.0.0.2/24: No such device\n"
            "cannot lead 10.0.1.0/24 to 'none': No such device\n");
}

TEST_F(LinksTest, ANameThatNoInterfaceCanHaveIsNotCut) {
  EXPECT_EQ(
      inOwnNetwork([] {
        const auto links = Links::open();
        if (!links) return describe(links.error());
        const std::string cut = "fifteen-letters", whole = cut + "-and-more";
        const OwnedFd here = openOwnNetwork();
        std::string text = links->addBridge(cut) ? "" : "no bridge\n";
        for (const auto& done : {links->addBridge(whole), links->addPort("v1", cut, {here.get(), whole, {2}}),
                                 links->addPort(whole, cut, {here.get(), "eth0", {2}}), links->setUp(whole),
                                 links->remove(whole)})
          text += done ? "done\n" : "refused\n";
        return text + (::if_nametoindex(cut.c_str()) != 0 ? "kept" : "removed");
      }),
      "refused\nrefused\nrefused\nrefused\nrefused\nkept");
}

}  // namespace
}  // namespace lockstep::rehearsal
