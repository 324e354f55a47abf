// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/frameworks/ssh_sandbox.h"

#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <sstream>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/ip_address.h"
#include "base/text/quote.h"
#include "trainer/node/settings/own_address.h"
#include "trainer/node/settings/program_path.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

constexpr const char* kClientRemedy = "install openssh-client in the image";

std::string ownUser() {
  const passwd* entry = ::getpwuid(::geteuid());
  return entry == nullptr ? std::string("root") : entry->pw_name;
}

// Sessions of sshd begin with an environment of their own; programs are found as they are here.
std::string sessionVariables(const Environment& environment) {
  std::string words;
  for (const char* name : {"PATH", "LD_LIBRARY_PATH", "LOCKSTEP_METRICS_FOLDER"}) {
    const std::string value = environmentValue(environment, name);
    if (!value.empty() && value.find_first_of("\"\n") == std::string::npos)
      words += fmt::format(" \"{}={}\"", name, value);
  }
  return words.empty() ? std::string() : "SetEnv" + words + "\n";
}

bool isHere(const std::string& address) {
  if (isLoopbackAddress(address)) return true;
  for (const InterfaceAddress& one : interfaceAddresses()) {
    if (one.address == address) return true;
  }
  return false;
}

bool areAll(std::string_view text, std::string_view others) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [others](unsigned char c) {
    return std::isalnum(c) != 0 || others.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

}  // namespace

bool isPublicKey(std::string_view text) {
  const std::size_t blank = text.find(' ');
  return blank != std::string_view::npos && areAll(text.substr(0, blank), "-@.") &&
         areAll(text.substr(blank + 1), "+/=");
}

bool listensEverywhere(const std::string& address) {
  return !isHere(address);
}

Result<std::unique_ptr<SshSandbox>> SshSandbox::open(const Environment& environment,
                                                     const std::stop_token& stop) {
  std::string name =
      (fs::path(environmentValue(environment, "TMPDIR", "/tmp")) / "lockstep-ssh-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return failure(errnoError(fmt::format("cannot make a folder '{}' for keys", name), errno,
                              "set TMPDIR to a folder that can be written"));
  std::unique_ptr<SshSandbox> room(new SshSandbox(name, environment));
  auto key = room->makeKey("host_key", stop);
  if (!key) return failure(key.error());
  room->hostKey_ = std::move(*key);
  return room;
}

SshSandbox::~SshSandbox() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

Result<std::string> SshSandbox::makeKey(const std::string& name, const std::stop_token& stop) {
  const auto keygen = needProgram("ssh-keygen", environment_, kClientRemedy);
  if (!keygen) return keygen;
  const fs::path file = folder_ / name;
  auto made = runProgram({*keygen, "-q", "-t", "ed25519", "-N", "", "-C", "lockstep", "-f", file.string()},
                         environment_, stop);
  if (!made) return failure(made.error());
  const auto text = readFile(file.string() + ".pub", 4096);
  if (!text) return failure(text.error());
  std::istringstream words(*text);
  std::string type, key;
  words >> type >> key;
  return type + " " + key;
}

Result<std::string> SshSandbox::makeLoginKey(const std::stop_token& stop) {
  return makeKey("login_key", stop);
}

Result<fs::path> SshSandbox::writeServer(const std::string& address, int port, const std::string& key) {
  const fs::path keys = folder_ / "authorized_keys", config = folder_ / "sshd_config";
  if (!key.empty() && !isPublicKey(key))
    return failure(ErrorCode::DataLoss, "the main node does not say with which key it comes",
                   "its authorized_key is no public key", "look at what wrote MAIN_config.json");
  if (auto wrote = writeFileAtomically(keys, key + "\n", 0600); !wrote) return failure(wrote.error());
  std::string text = fmt::format(
      "Port {}\nListenAddress {}\nHostKey {}\nPidFile none\nAuthorizedKeysFile {}\nAllowUsers {}\n"
      "StrictModes {}\nUsePAM no\nPasswordAuthentication no\nKbdInteractiveAuthentication no\n"
      "PermitRootLogin prohibit-password\nX11Forwarding no\nAllowTcpForwarding no\nAllowAgentForwarding no\n"
      "MaxStartups 1000\nMaxSessions 1000\nUseDNS no\nLogLevel ERROR\n",
      port, listensEverywhere(address) ? "0.0.0.0" : address, (folder_ / "host_key").string(),
      key.empty() ? ".ssh/authorized_keys" : keys.string(), ownUser(),
      // Our folder is ours alone, but lies below one that everybody may write into, which sshd would refuse.
      key.empty() ? "yes" : "no");
  text += sessionVariables(environment_);
  if (auto wrote = writeFileAtomically(config, text, 0600); !wrote) return failure(wrote.error());
  if (::geteuid() == 0) {  // where sshd's unprivileged half is locked in
    std::error_code ignored;
    fs::create_directories("/run/sshd", ignored);
  }
  return config;
}

Result<fs::path> SshSandbox::writeClient(const std::vector<MpiHost>& hosts, int port) {
  const auto ssh = needProgram("ssh", environment_, kClientRemedy);
  if (!ssh) return failure(ssh.error());
  std::string known;
  for (const MpiHost& host : hosts) {
    if (!isAddress(host.address) || !(host.hostKey.empty() || isPublicKey(host.hostKey)))
      return failure(ErrorCode::DataLoss, "a node does not say where it is, or by which key it is known",
                     "its OCI__WORKER_IP is no address, or its host_key no key",
                     "look at what wrote the config files into the work dir");
    if (host.hostKey.empty()) continue;
    known += port == 22 ? fmt::format("{} {}\n", host.address, host.hostKey)
                        : fmt::format("[{}]:{} {}\n", host.address, port, host.hostKey);
  }
  const fs::path config = folder_ / "ssh_config", command = folder_ / "bin" / "ssh";
  std::string text = fmt::format(
      "Host *\nPort {}\nUser {}\nIdentityFile {}\nIdentityFile ~/.ssh/id_ed25519\nIdentityFile "
      "~/.ssh/id_ecdsa\nIdentityFile ~/.ssh/id_rsa\nUserKnownHostsFile {}\nGlobalKnownHostsFile /dev/null\n"
      "BatchMode yes\nConnectTimeout 20\nServerAliveInterval 15\nServerAliveCountMax 4\nLogLevel ERROR\n",
      port, ownUser(), (folder_ / "login_key").string(), (folder_ / "known_hosts").string());
  std::error_code ignored;
  fs::create_directories(folder_ / "bin", ignored);
  if (auto wrote = writeFileAtomically(folder_ / "known_hosts", known, 0600); !wrote)
    return failure(wrote.error());
  if (auto wrote = writeFileAtomically(config, text, 0600); !wrote) return failure(wrote.error());
  // What comes first counts: horovodrun asks for no check of the host at all.
  const std::string line =
      fmt::format("#!/bin/sh\nexec {} -F {} -o StrictHostKeyChecking=accept-new \"$@\"\n", quoteShell(*ssh),
                  quoteShell(config.string()));
  if (auto wrote = writeFileAtomically(command, line, 0700); !wrote) return failure(wrote.error());
  return command;
}

}  // namespace lockstep::node
