// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <unistd.h>

#include <array>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <optional>
#include <string>
#include <thread>

#include "base/child_process.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/child_processes.h"
#include "tests/support/temp_dir.h"

namespace lockstep {

/// Two hosts on this machine, joined by one cable: each has its own network, host name, processes, /dev/shm,
/// /root and /run. They are nothing but two processes that die with this one, so nothing can be left behind.
class TwoHosts {
 public:
  static constexpr std::array<const char*, 2> kAddresses{"10.78.0.10", "10.78.0.11"};
  static constexpr const char* kInterface = "net0";

  /// Empty when the hosts are up; else why this machine does not allow it.
  std::string start() {
    if (::geteuid() != 0) return "only root may make network namespaces";
    for (const char* program : {"ip", "unshare", "nsenter", "setsid", "timeout", "python3"}) {
      if (!hasProgram(program)) return std::string("the program '") + program + "' is missing";
    }
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      if (std::string why = startHost(i); !why.empty()) return why;
    }
    return connect();
  }

  ~TwoHosts() {
    for (auto& host : hosts_) {
      if (!host.holder) continue;
      host.holder->signalAll(SIGKILL);
      host.holder->waitFor(std::chrono::seconds(20));
    }
  }

  /// Runs a bash command on a host, at most four minutes.
  Said on(std::size_t host, const std::string& command) const {
    return run(
        "timeout -k 5 240 nsenter -a -t " + std::to_string(hosts_[host].inside) +
        " env -i HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "
        "bash -c " +
        quoteShell(command));
  }

  [[nodiscard]] std::filesystem::path root(std::size_t host) const {
    return folder_.path() / ("root" + std::to_string(host));
  }

  /// Bytes that a host has sent over the cable.
  [[nodiscard]] long long bytesSent(std::size_t host) const {
    return std::atoll(
        on(host, "cat /sys/class/net/net0/statistics/tx_bytes || ip -s link show net0").text.c_str());
  }

 private:
  struct Host {
    std::optional<ChildProcess> holder;
    long inside = 0;  // the first process of the host, as this machine counts
  };

  std::string startHost(std::size_t i) {
    std::filesystem::create_directories(root(i));
    const std::string name = "host" + std::to_string(i);
    const std::filesystem::path ready = folder_.path() / (name + ".ready");
    // The shell stays and reaps what its host leaves behind, as an init does.
    const std::string init =
        "set -e; hostname " + name + "; mount --bind " + root(i).string() +
        " /root; mount -t tmpfs shm /dev/shm; mount -t tmpfs run /run; mount -t sysfs sys /sys; "
        "ip link set lo up; touch " +
        ready.string() + "; while :; do sleep 1; done";
    ProcessOptions options;
    options.command = {"unshare", "-n",           "-u",           "-i",   "-m", "-p",
                       "--fork",  "--kill-child", "--mount-proc", "bash", "-c", init};
    options.environment = currentEnvironment();
    options.dieWithParent = true;
    auto started = ChildProcess::start(options);
    if (!started) return describe(started.error());
    hosts_[i].holder.emplace(std::move(*started));
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (!std::filesystem::exists(ready)) {
      if (hosts_[i].holder->poll())
        return "this machine does not let a process have a network, mounts and processes of its own";
      if (std::chrono::steady_clock::now() > deadline) return "a host did not start within 60 s";
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    const auto children = childrenOf(hosts_[i].holder->pid());
    hosts_[i].inside = children.empty() ? 0 : children.front();
    return hosts_[i].inside > 0 ? "" : "the host's first process cannot be found";
  }

  std::string connect() const {
    const std::string a = std::to_string(hosts_[0].inside), b = std::to_string(hosts_[1].inside);
    const Said cable = run("ip link add " + std::string(kInterface) + " netns " + a +
                           " type veth peer name " + kInterface + " netns " + b);
    if (cable.code != 0) return "no cable between the hosts: " + cable.text;
    for (std::size_t i = 0; i < hosts_.size(); ++i) {
      const Said up =
          on(i, std::string("ip addr add ") + kAddresses[i] + "/24 dev net0 && ip link set net0 up");
      if (up.code != 0) return "no address for a host: " + up.text;
    }
    return "";
  }

  TempDir folder_;
  std::array<Host, 2> hosts_;
};

}  // namespace lockstep
