// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "rehearsal/network/rules/packet_verdict.h"

namespace lockstep::testing {

/// A process that enters a node's network and then does what it is asked; killed with the object.
class NodeProcess {
 public:
  /// As `user` when that is not 0. To be called while this process has no locks held by other threads.
  static std::unique_ptr<NodeProcess> start(const nlohmann::json& spec, uid_t user = 0);
  ~NodeProcess();

  /// Why it could not enter; empty when it did.
  [[nodiscard]] const std::string& problem() const { return problem_; }
  std::string ask(const std::string& command);
  /// Whether the packet is answered. Waits long for what is expected and shortly for what is not.
  bool talk(const rehearsal::Packet& packet, bool expected);
  std::string fetch(int port, const std::string& text, bool expected);
  /// Loads the node's rules now, rather than when it sees that they changed.
  void loadFilter();
  void killHard();

  static bool mayMakeUserNamespaces(uid_t user);

 private:
  NodeProcess(pid_t pid, int channel) : pid_(pid), channel_(channel) {}
  pid_t pid_;
  int channel_;
  std::string problem_;
};

/// Answers each line at 127.0.0.1 in capital letters.
class EchoServer {
 public:
  EchoServer();
  ~EchoServer() { stop(); }
  [[nodiscard]] int port() const { return port_; }
  void stop();

 private:
  int listener_ = -1, port_ = 0;
  std::atomic<bool> stop_ = false;
  std::thread thread_;
};

[[nodiscard]] bool eventuallyIs(const std::function<bool()>& condition);
/// Everything below, and the folder itself; nodes may be writing there.
void giveTo(const std::filesystem::path& folder, uid_t user);

}  // namespace lockstep::testing
