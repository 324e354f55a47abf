// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/ssh/ssh_host_keys.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"
#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;
using Lines = std::vector<std::string>;

constexpr std::uint64_t kMaxFile = 16 << 20;

/// How ssh would go there.
struct Route {
  std::string address, port, knownHosts;
};

Route routeOf(const SshHost& host, const CommandRunner& run, const std::stop_token& stop) {
  Route route{host.host, host.port == 0 ? "22" : std::to_string(host.port), "~/.ssh/known_hosts"};
  const auto said = run({"ssh", "-G", "--", host.destination()}, Secret(), 5s, stop);
  std::istringstream lines(said ? said->output : std::string());
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string key, value;
    words >> key >> value;
    if (key == "hostname") route.address = value;
    if (key == "port" && host.port == 0) route.port = value;
    if (key == "userknownhostsfile" && !value.empty()) route.knownHosts = value;
  }
  route.knownHosts = expandHome(route.knownHosts).string();
  return route;
}

// "[host]:port ssh-ed25519 AAAA…", as they are to stand in the file.
Lines keysOf(const Route& route, const CommandRunner& run, const std::stop_token& stop) {
  const auto said = run({"ssh-keyscan", "-T", "5", "-p", route.port, route.address}, Secret(), 10s, stop);
  Lines keys;
  std::istringstream lines(said ? said->output : std::string());
  for (std::string line; std::getline(lines, line);)
    if (!line.empty() && !line.starts_with('#')) keys.push_back(line);
  return keys;
}

// "gpu1 ssh-ed25519 SHA256:…", as ssh shows it at the first log-in.
std::string fingerprintText(const std::string& line) {
  std::istringstream words(line);
  std::string name, kind, blob;
  words >> name >> kind >> blob;
  std::string digest = toBase64(sha256(fromBase64(blob).value_or("")));
  while (digest.ends_with('=')) digest.pop_back();
  return fmt::format("{} {} SHA256:{}\n", name, kind, digest);
}

Result<std::string> readIfThere(const std::string& file) {
  auto text = readFile(file, kMaxFile);
  if (!text && text.error().code == ErrorCode::NotFound) return std::string();
  return text;
}

Result<std::vector<AppliedChange>> addKeys(const std::map<std::string, Lines>& byFile) {
  std::vector<AppliedChange> changes;
  for (const auto& [file, lines] : byFile) {
    auto text = readIfThere(file);
    if (!text) return failure(text.error());
    if (!text->empty() && !text->ends_with('\n')) *text += '\n';
    for (const std::string& line : lines) *text += line + "\n";
    if (const int error = makePrivateFolder(std::filesystem::path(file).parent_path()); error != 0)
      return failure(errnoError(fmt::format("cannot write '{}'", file), error));
    if (auto done = writeFileAtomically(file, *text, 0600); !done) return failure(done.error());
    AppliedChange change;
    change.stepId = "hosts";
    change.title = fmt::format("trusted {} host keys in '{}'", lines.size(), file);
    change.kind = "host-keys";
    change.undo = {{"file", file}, {"lines", lines}};
    changes.push_back(std::move(change));
  }
  return changes;
}

}  // namespace

std::optional<ProposedFix> trustKeysFix(const std::vector<SshHost>& hosts, const CommandRunner& run,
                                        const std::stop_token& stop) {
  std::map<std::string, Lines> byFile;
  ProposedFix fix;
  for (const SshHost& host : hosts) {
    const Route route = routeOf(host, run, stop);
    for (const std::string& line : keysOf(route, run, stop)) {
      byFile[route.knownHosts].push_back(line);
      fix.after += fingerprintText(line);
    }
  }
  if (byFile.empty()) return std::nullopt;
  fix.id = "trust-host-keys";
  fix.title = fmt::format("trust the host keys that {} machines show now", hosts.size());
  fix.isUnsafe = true;  // whoever is in between shows a key, too
  for (const auto& [file, lines] : byFile) fix.calls.push_back("write " + file);
  fix.apply = [byFile](const std::stop_token&) { return addKeys(byFile); };
  return fix;
}

Result<void> forgetKeys(const AppliedChange& change) {
  const std::string file = change.undo.value("file", "");
  const auto added = change.undo.value("lines", Lines());
  const auto text = readIfThere(file);
  if (!text) return failure(text.error());
  std::string kept;
  std::istringstream lines(*text);
  for (std::string line; std::getline(lines, line);)
    if (std::find(added.begin(), added.end(), line) == added.end()) kept += line + "\n";
  if (kept == *text) return {};
  return writeFileAtomically(file, kept, 0600);
}

}  // namespace lockstep
