// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <thread>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "setup/step/setup_context.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/temp_dir.h"

namespace lockstep::testing {

/// A port of loopback that nobody listens on just now.
inline int freePort() {
  const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in place{};
  place.sin_family = AF_INET;
  place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof place;
  ::bind(socket, reinterpret_cast<sockaddr*>(&place), size);
  ::getsockname(socket, reinterpret_cast<sockaddr*>(&place), &size);
  ::close(socket);
  return ntohs(place.sin_port);
}

/// A real sshd on loopback with keys of its own.
class RealSshd {
 public:
  /// Empty when it listens; else why not.
  std::string start() {
    for (const char* program : {"ssh", "ssh-keygen"})
      if (!lockstep::hasProgram(program)) return std::string("the program '") + program + "' is missing";
    if (!std::filesystem::exists("/usr/sbin/sshd")) return "openssh-server is not installed";
    if (::geteuid() == 0) std::filesystem::create_directories("/run/sshd");
    for (const char* key : {"host", "id", "other"})
      if (run("ssh-keygen -qt ed25519 -N '' -f " + at(key)).code != 0) return "no key could be made";
    port = freePort();
    std::ofstream(at("sshd_config")) << "Port " << port << "\nListenAddress 127.0.0.1\nHostKey " << at("host")
                                     << "\nPidFile none\nAuthorizedKeysFile " << at("id.pub")
                                     << "\nStrictModes no\nUsePAM no\nPasswordAuthentication no\n"
                                        "PermitRootLogin prohibit-password\n";
    ProcessOptions options;
    options.command = {"/usr/sbin/sshd", "-D", "-e", "-f", at("sshd_config")};
    options.environment = currentEnvironment();
    options.dieWithParent = true;
    std::FILE* log = std::fopen(at("log").c_str(), "w");
    options.stderrFd = ::fileno(log);
    auto sshd = ChildProcess::start(options);
    std::fclose(log);
    if (!sshd) return describe(sshd.error());
    sshd_.emplace(std::move(*sshd));
    for (int i = 0; i < 500 && text("log").find("Server listening") == std::string::npos; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    if (text("log").find("Server listening") == std::string::npos)
      return "sshd did not start: " + text("log");
    std::ofstream(at("known")) << "[127.0.0.1]:" << port << " " << text("host.pub");
    std::ofstream(at("changed")) << "[127.0.0.1]:" << port << " " << text("other.pub");
    std::ofstream(at("empty")) << "";
    return {};
  }
  ~RealSshd() {
    if (!sshd_) return;
    sshd_->signalAll(SIGTERM);
    sshd_->waitFor(std::chrono::seconds(10));
  }
  /// For ssh -F: with these keys in place of the user's.
  [[nodiscard]] std::string configFile(const std::string& known, const std::string& identity) const {
    std::string config = at("config-" + known + "-" + identity);
    std::ofstream(config) << "UserKnownHostsFile " << at(known)
                          << "\nGlobalKnownHostsFile none\nIdentityFile " << at(identity)
                          << "\nIdentitiesOnly yes\nIdentityAgent none\n";
    return config;
  }
  /// The system's ssh with that file.
  [[nodiscard]] CommandRunner runner(const std::string& known, const std::string& identity) const {
    const std::string config = configFile(known, identity);
    return [config](std::vector<std::string> command, const Secret& input, std::chrono::milliseconds limit,
                    const std::stop_token& stop) {
      if (command[0] == "ssh") command.insert(command.begin() + 1, {"-F", config});
      return runCaptured(command, limit, stop, input);
    };
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (dir_.path() / name).string(); }
  [[nodiscard]] std::string text(const std::string& name) const { return readFile(at(name)).value_or(""); }
  int port = 0;

 private:
  TempDir dir_;
  std::optional<ChildProcess> sshd_;
};

}  // namespace lockstep::testing
