// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/ssh/ssh_host.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <sstream>

#include "base/atomic_file.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr std::string_view kMark = "lockstep:";
constexpr std::uint64_t kMaxFile = 1 << 20;
constexpr const char* kConnectTimeout = "ConnectTimeout=5";

// -1: no number from 1 to `max`.
int numberOf(std::string_view text, int max) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number >= 1 && number <= max ? number
                                                                                                  : -1;
}

bool isPlain(std::string_view text, std::string_view further) {
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), [&](char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || further.find(c) != std::string_view::npos;
  });
}

/// One line of a hosts file; empty when it is fine, else what is wrong.
std::string readPlace(std::string_view word, SshHost& host) {
  if (const auto at = word.rfind('@'); at != std::string_view::npos) {
    host.user = word.substr(0, at);
    word.remove_prefix(at + 1);
    if (!isPlain(host.user, "._-$")) return fmt::format("'{}' is no name of a user", host.user);
  }
  std::string_view port;
  if (word.starts_with('[')) {
    const auto close = word.find(']');
    if (close == std::string_view::npos) return "the ']' of the address is missing";
    host.host = word.substr(1, close - 1);
    port = word.substr(close + 1);
  } else {
    const bool isV6 = std::count(word.begin(), word.end(), ':') > 1;
    const auto colon = isV6 ? std::string_view::npos : word.find(':');
    host.host = word.substr(0, colon);
    port = colon == std::string_view::npos ? std::string_view() : word.substr(colon);
  }
  if (!isPlain(host.host, "._-:%")) return fmt::format("'{}' is no name of a host", host.host);
  if (port.empty()) return {};
  host.port = port.starts_with(':') ? numberOf(port.substr(1), 65535) : -1;
  return host.port < 0 ? fmt::format("'{}' is no port", port) : std::string();
}

std::string readLine(const std::string& line, SshHost& host) {
  std::istringstream words(line);
  std::string word;
  words >> word;
  if (std::string problem = readPlace(word, host); !problem.empty()) return problem;
  while (words >> word) {
    if (!word.starts_with("slots=")) return fmt::format("'{}' is not known here", word);
    host.slots = numberOf(std::string_view(word).substr(6), 1024);
    if (host.slots < 0) return fmt::format("'{}' is no number of slots", word);
  }
  return {};
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::string lastLine(const std::string& text) {
  std::string last;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.ends_with('\r')) line.pop_back();
    if (!line.empty()) last = line;
  }
  return last;
}

}  // namespace

std::string SshHost::destination() const {
  return user.empty() ? host : user + "@" + host;
}

Result<std::vector<SshHost>> parseHostsFile(std::string_view text, const std::string& file) {
  std::vector<SshHost> hosts;
  std::istringstream lines{std::string(text)};
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    line = line.substr(0, line.find('#'));
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    SshHost host;
    std::string problem = readLine(line, host);
    const bool isThere = std::any_of(hosts.begin(), hosts.end(), [&](const SshHost& other) {
      return other.host == host.host && other.port == host.port;
    });
    if (problem.empty() && isThere) problem = fmt::format("the host '{}' is there twice", host.host);
    if (!problem.empty()) {
      return failure(ErrorCode::InvalidArgument, "cannot read the hosts file", problem,
                     "write one host a line: user@host[:port] [slots=N]", fmt::format("{}:{}", file, number));
    }
    hosts.push_back(std::move(host));
  }
  if (hosts.empty())
    return failure(ErrorCode::InvalidArgument, fmt::format("the hosts file '{}' names no host", file), {},
                   "write one host a line: user@host[:port] [slots=N]");
  return hosts;
}

Result<std::vector<SshHost>> readHostsFile(const std::filesystem::path& file) {
  const auto text = readFile(file, kMaxFile);
  if (!text) return failure(text.error());
  return parseHostsFile(*text, file.string());
}

SshTrouble sshTroubleOf(const SshHost& host, const std::string& said) {
  const std::string to = host.destination();
  const std::string port = host.port == 0 ? "" : fmt::format(" -p {}", host.port);
  const auto trouble = [&](const char* code, std::string remedy) {
    return SshTrouble{code, lastLine(said), std::move(remedy)};
  };
  if (has(said, "REMOTE HOST IDENTIFICATION HAS CHANGED"))
    return trouble(
        "host-key-changed",
        fmt::format("ask whoever runs '{0}' whether it was set up anew; only then: ssh-keygen -R {0}",
                    host.host));
  if (has(said, "Host key verification failed") || has(said, "requested strict checking"))
    return trouble("host-key-unknown",
                   fmt::format("log in once by hand and compare the fingerprint: ssh{} {}", port, to));
  if (has(said, "UNPROTECTED PRIVATE KEY FILE") || has(said, "bad permissions"))
    return trouble("key-mode", "run chmod 600 for the private key that ssh names");
  if (has(said, "Permission denied") || has(said, "Too many authentication failures"))
    return trouble(
        "key-refused",
        fmt::format("bring your public key there: ssh-copy-id{} {}; a key with a pass phrase has to "
                    "be in the agent (ssh-add)",
                    port, to));
  if (has(said, "Could not resolve hostname"))
    return trouble("name-unknown", fmt::format("correct '{}', or name its address", host.host));
  if (has(said, "Connection refused")) return trouble("ssh-refused", "start sshd there, or correct the port");
  if (has(said, "timed out"))
    return trouble("host-silent", "see that the host is up and that no firewall drops the connection");
  if (has(said, "No route to host") || has(said, "Network is unreachable"))
    return trouble("no-route", "see that this machine is in the network of the host (VPN)");
  if (has(said, "kex_exchange_identification") || has(said, "Connection closed by") ||
      has(said, "Connection reset by"))
    return trouble("ssh-closed", "see what sshd there writes into its log: it ends the connection by itself");
  return trouble("ssh-failed", fmt::format("try it by hand: ssh{} {}", port, to));
}

std::vector<std::string> sshCommand(const SshHost& host) {
  std::vector<std::string> command{"ssh", "-T", "-o", "BatchMode=yes", "-o", kConnectTimeout};
  if (host.port != 0) command.insert(command.end(), {"-p", std::to_string(host.port)});
  command.insert(command.end(), {"--", host.destination(), "sh", "-s"});
  return command;
}

tl::expected<std::vector<std::string>, SshTrouble> runThere(const SshHost& host, const std::string& script,
                                                            const CommandRunner& run,
                                                            std::chrono::milliseconds limit,
                                                            const std::stop_token& stop) {
  const auto said = run(sshCommand(host), Secret(script), limit, stop);
  if (!said) {
    const bool late = said.error().code == ErrorCode::DeadlineExceeded;
    const std::string cause = said.error().what + ": " + said.error().cause;
    if (late)
      return tl::unexpected(SshTrouble{"host-silent", cause, "log in by hand to see what hangs there"});
    return tl::unexpected(SshTrouble{"no-ssh", cause, "install the package openssh-client"});
  }
  std::vector<std::string> lines;
  std::istringstream output(said->output);
  for (std::string line; std::getline(output, line);)
    if (line.starts_with(kMark)) lines.push_back(line.substr(kMark.size()));
  if (!said->exit.ok() && lines.empty()) return tl::unexpected(sshTroubleOf(host, said->errors));
  return lines;
}

std::string addressOf(const SshHost& host, const CommandRunner& run, const std::stop_token& stop) {
  const auto said = run({"ssh", "-G", "--", host.destination()}, Secret(), 5s, stop);
  if (!said || !said->exit.ok()) return host.host;
  std::istringstream lines(said->output);
  for (std::string line; std::getline(lines, line);)
    if (line.starts_with("hostname ")) return line.substr(9);
  return host.host;
}

}  // namespace lockstep
