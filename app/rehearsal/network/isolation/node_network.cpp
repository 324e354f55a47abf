// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/network/isolation/node_network.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <optional>

#include "base/atomic_file.h"
#include "rehearsal/network/isolation/brief_file.h"
#include "rehearsal/network/isolation/filter_keeper.h"
#include "rehearsal/network/isolation/links.h"
#include "rehearsal/network/isolation/namespaces.h"
#include "rehearsal/network/isolation/node_spec.h"
#include "rehearsal/network/isolation/relay.h"

namespace lockstep::rehearsal {
namespace {

tl::unexpected<Error> systemFailure(const std::string& what) {
  return failure(ErrorCode::Io, what, std::strerror(errno));
}

constexpr const char* kBridge = "br0";
constexpr const char* kInterface = "eth0";

class SharedNode : public NodeNetwork {};

/// Steps of entering, in order; each needs the ones before. leave() undoes what the kernel would undo later.
class Entering {
 public:
  explicit Entering(NodeSpec spec) : spec_(std::move(spec)), records_(spec_.switchFolder()) {}

  Result<void> run() {
    for (const auto step : {&Entering::lockSwitch, &Entering::enterUser, &Entering::startRelay,
                            &Entering::openSwitch, &Entering::enterNode, &Entering::startFilter,
                            &Entering::plugIn, &Entering::listen, &Entering::nameNode})
      if (auto done = (this->*step)(); !done) return done;
    return {};
  }

  // Unplugs the node at once. The kernel would do it some time after the last process has gone, and until
  // then the switch might bring packets for the next node of this address to this one.
  void leave() {
    filter_.reset();
    relay_.reset();
    if (atSwitch_) static_cast<void>(atSwitch_->remove(port()));  // the kernel removes it in any case
    records_.removeOwn();
  }

 private:
  [[nodiscard]] static std::string port() { return fmt::format("v{}", ::getpid()); }

  Result<void> lockSwitch() {
    lock_ = records_.lock(true);
    if (!lock_.valid()) return systemFailure("cannot lock '" + spec_.switchFolder().string() + ".lock'");
    auto holder = records_.find();
    switch_ = std::move(holder.network);
    holder_ = holder.process;
    return {};
  }

  // Nodes of one switch share one user namespace: only there a port of the switch can be made.
  Result<void> enterUser() {
    if (spec_.privilege == Privilege::Root) return {};
    if (!switch_.valid()) return enterNewUserNamespace();
    const OwnedFd user(::open(fmt::format("/proc/{}/ns/user", holder_).c_str(), O_RDONLY | O_CLOEXEC));
    if (user.valid() && ::setns(user.get(), CLONE_NEWUSER) == 0) return {};
    return systemFailure("cannot enter the user namespace of the switch");
  }

  // Before we leave the network in which the region answers.
  Result<void> startRelay() {
    auto started = Relay::start();
    if (!started) return failure(started.error());
    relay_ = std::move(*started);
    return {};
  }

  Result<void> openSwitch() {
    const bool isNew = !switch_.valid();
    if (isNew) {
      if (auto entered = enterNewNetwork(); !entered) return entered;
      switch_ = openOwnNetwork();
      if (!switch_.valid()) return systemFailure("cannot open the network of the switch");
    } else if (::setns(switch_.get(), CLONE_NEWNET) != 0) {
      return systemFailure("cannot enter the network of the switch");
    }
    auto links = Links::open();
    if (!links) return failure(links.error());
    atSwitch_ = std::move(*links);
    if (isNew)
      if (auto made = atSwitch_->addBridge(kBridge); !made) return made;
    if (auto added = records_.add(switch_); !added) return added;
    lock_ = OwnedFd();  // others may come while we go on: the switch now lives as long as we do
    return {};
  }

  Result<void> enterNode() {
    if (::unshare(CLONE_NEWNET | CLONE_NEWNS | CLONE_NEWUTS | CLONE_NEWIPC) != 0)
      return systemFailure("cannot make the namespaces of the node");
    if (::mount(nullptr, "/", nullptr, MS_REC | MS_SLAVE, nullptr) != 0)
      return systemFailure("cannot part from the mounts of the machine");
    return {};
  }

  Result<void> startFilter() {
    auto started = FilterKeeper::start(spec_.filterFile());
    if (!started) return failure(started.error());
    filter_ = std::move(*started);
    return {};
  }

  Result<void> plugIn() {
    const OwnedFd own = openOwnNetwork();
    const FarEnd end{own.get(), kInterface, spec_.hardware()};
    if (auto plugged = atSwitch_->addPort(port(), kBridge, end); !plugged) return plugged;
    const auto links = Links::open();
    if (!links) return failure(links.error());
    if (auto up = links->setUp("lo"); !up) return up;
    if (auto left = links->leaveOutIpv6(kInterface); !left) return left;
    const auto address = parseIpv4(spec_.address);
    if (!address) return failure(ErrorCode::DataLoss, "the node has no address '" + spec_.address + "'");
    if (auto added = links->addAddress(kInterface, *address, spec_.prefixLength); !added) return added;
    if (auto up = links->setUp(kInterface); !up) return up;
    for (const std::string& block : spec_.localBlocks)
      if (const auto local = parseCidr(block))
        if (auto led = links->addRoute(kInterface, *local); !led) return led;
    return {};
  }

  Result<void> listen() {
    for (const int port : spec_.ports) {
      OwnedFd fd(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_port = htons(static_cast<std::uint16_t>(port));
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0 ||
          ::listen(fd.get(), 128) != 0)
        return systemFailure(fmt::format("cannot listen at 127.0.0.1:{} of the node", port));
      relay_->serve(std::move(fd), port);
    }
    return {};
  }

  // The node's own name, host table and shared memory, as a host of its own has them.
  Result<void> nameNode() {
    if (::sethostname(spec_.hostName.data(), spec_.hostName.size()) != 0)
      return systemFailure("cannot name the node");
    const auto hosts = readFile("/etc/hosts");
    if (auto written = writeBriefFile(spec_.hostsFile(), spec_.hostsText(hosts.value_or("")), 0644); !written)
      return written;
    if (::mount(spec_.hostsFile().c_str(), "/etc/hosts", nullptr, MS_BIND, nullptr) != 0)
      return systemFailure("cannot give the node its host table");
    if (::mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, "mode=1777") != 0 && errno != ENOENT)
      return systemFailure("cannot give the node its shared memory");
    return {};
  }

  NodeSpec spec_;
  SwitchRecords records_;
  OwnedFd lock_, switch_;
  std::unique_ptr<Relay> relay_;
  std::unique_ptr<FilterKeeper> filter_;
  int holder_ = -1;
  std::optional<Links> atSwitch_;
};

class IsolatedNode : public NodeNetwork {
 public:
  explicit IsolatedNode(std::unique_ptr<Entering> entered) : entered_(std::move(entered)) {}
  ~IsolatedNode() override { entered_->leave(); }

 private:
  std::unique_ptr<Entering> entered_;
};

}  // namespace

Result<std::unique_ptr<NodeNetwork>> NodeNetwork::enter(const nlohmann::json& spec) {
  if (spec.is_null() || spec.value("mode", "shared") == "shared") return std::make_unique<SharedNode>();
  auto read = readNodeSpec(spec);
  if (!read) return failure(read.error());
  auto entering = std::make_unique<Entering>(std::move(*read));
  if (auto done = entering->run(); !done) {
    Error error = done.error();
    error.what = "cannot enter the network of the node: " + error.what;
    return failure(std::move(error));
  }
  return std::make_unique<IsolatedNode>(std::move(entering));
}

}  // namespace lockstep::rehearsal
