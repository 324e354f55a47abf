// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/ssh/ssh_host_ports.h"

#include <fmt/format.h>

#include <charconv>
#include <thread>

#include "base/embedded_file.h"
#include "base/text/encoding.h"
#include "base/text/quote.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr int kListenSeconds = 30;

struct Listener {
  std::string process, trouble;
  int any = 0;
  bool isMute = false;
  [[nodiscard]] bool listens() const { return !process.empty(); }
};

std::string programText(std::string_view name) {
  return std::string(contentOf(embedded::sshPrograms(), name));
}

/// Hands a program to its interpreter there; `arguments` are in the words of the shell.
std::string handedTo(std::string_view interpreter, std::string_view arguments, std::string_view name) {
  return fmt::format("{} - {} <<'LOCKSTEP'\n{}LOCKSTEP\n", interpreter, arguments, programText(name));
}

// Empty where the machine has none of the programs; the same of connectScript().
std::string listenScript(const SshHostFacts& facts) {
  constexpr const char* kArguments = R"("$port" "$word" "$seconds")";
  if (facts.programs.contains("python3")) return handedTo("python3", kArguments, "listen.py");
  if (facts.programs.contains("perl")) return handedTo("perl", kArguments, "listen.pl");
  const bool hasNc = facts.programs.contains("nc") && facts.programs.contains("timeout");
  return hasNc ? programText("listen_nc.sh") : std::string();
}

std::string connectScript(const SshHostFacts& facts) {
  constexpr const char* kArguments = R"("$word" $targets)";
  if (facts.programs.contains("python3")) return handedTo("python3", kArguments, "connect.py");
  if (facts.programs.contains("perl")) return handedTo("perl", kArguments, "connect.pl");
  const bool hasBash = facts.programs.contains("bash") && facts.programs.contains("timeout");
  return hasBash ? programText("connect_bash.sh") : std::string();
}

int numberIn(const std::string& text) {
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

std::pair<std::string, std::string> splitLine(const std::string& line) {
  const std::size_t equals = std::min(line.find('='), line.size());
  return {line.substr(0, equals), equals < line.size() ? line.substr(equals + 1) : std::string()};
}

ConnectOutcome reachOf(const std::string& text, bool isMute) {
  if (text == "open greeted") return ConnectOutcome::Open;
  if (text == "open mute") return isMute ? ConnectOutcome::Open : ConnectOutcome::Foreign;
  if (text.starts_with("refused")) return ConnectOutcome::Refused;
  if (text.starts_with("silent")) return ConnectOutcome::Silent;
  if (text.starts_with("unresolved")) return ConnectOutcome::Unresolved;
  return ConnectOutcome::NoRoute;
}

/// One trial at work: each part is done on all machines at the same time.
class Trial {
 public:
  Trial(const std::vector<PortPeer>& peers, int port, const CommandRunner& run, const std::stop_token& stop)
      : peers_(peers), run_(run), stop_(stop), word_("lockstep-" + toHex(randomBytes(8))) {
    result_.port = port;
    result_.listenTrouble.resize(peers.size());
    result_.named.assign(peers.size(), std::vector<ConnectOutcome>(peers.size(), ConnectOutcome::NotTried));
    result_.any = result_.named;
    listeners_.resize(peers.size());
  }

  PortTrial take() {
    onAll([this](std::size_t i) { listen(i); });
    onAll([this](std::size_t i) { connect(i); });
    onAll([this](std::size_t i) { end(i); });
    return std::move(result_);
  }

 private:
  void onAll(const std::function<void(std::size_t)>& work) const {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < peers_.size(); ++i) threads.emplace_back([&work, i] { work(i); });
  }

  void listen(std::size_t i) {
    Listener& listener = listeners_[i];
    const std::string script = listenScript(peers_[i].facts);
    if (script.empty()) {
      result_.listenTrouble[i] = "neither python3, perl nor nc is there";
      return;
    }
    const std::string head = fmt::format("LC_ALL=C; export LC_ALL; port={}; word={}; seconds={}\n",
                                         result_.port, word_, kListenSeconds);
    const auto lines = runThere(peers_[i].host, head + script, run_, 15s, stop_);
    if (!lines) {
      result_.listenTrouble[i] = lines.error().cause;
      return;
    }
    for (const std::string& line : *lines) {
      const auto [key, value] = splitLine(line);
      if (key == "process") listener.process = value;
      if (key == "trouble") listener.trouble = value;
      if (key == "any") listener.any = numberIn(value);
      if (key == "mute") listener.isMute = true;
    }
    if (!listener.listens())
      result_.listenTrouble[i] = listener.trouble.empty() ? "it did not come to listening" : listener.trouble;
  }

  // "2,10.0.0.7,29400": twice the number of the machine, and one more for the port of its own choice.
  [[nodiscard]] std::string targetsOf(std::size_t from) const {
    std::string targets;
    for (std::size_t to = 0; to < peers_.size(); ++to) {
      if (to == from || !listeners_[to].listens()) continue;
      targets += fmt::format("{},{},{} ", 2 * to, peers_[to].address, result_.port);
      if (listeners_[to].any != 0)
        targets += fmt::format("{},{},{} ", 2 * to + 1, peers_[to].address, listeners_[to].any);
    }
    return targets;
  }

  void connect(std::size_t from) {
    const std::string script = connectScript(peers_[from].facts);
    const std::string targets = targetsOf(from);
    if (script.empty() || targets.empty()) return;
    const std::string head =
        fmt::format("LC_ALL=C; export LC_ALL; word={}; targets={}\n", word_, quoteShell(targets));
    const auto lines = runThere(peers_[from].host, head + script, run_, 20s, stop_);
    if (!lines) return;
    for (const std::string& line : *lines) {
      const auto [key, value] = splitLine(line);
      const auto number = static_cast<std::size_t>(numberIn(key));
      const std::size_t to = number / 2;
      if (to >= peers_.size()) continue;
      auto& table = number % 2 == 0 ? result_.named : result_.any;
      table[from][to] = reachOf(value, listeners_[to].isMute);
    }
  }

  void end(std::size_t i) const {
    const int process = numberIn(listeners_[i].process);
    if (process > 1)
      (void)runThere(peers_[i].host, fmt::format("kill {} 2>/dev/null\n", process), run_, 10s, stop_);
  }

  const std::vector<PortPeer>& peers_;
  const CommandRunner& run_;
  const std::stop_token stop_;
  const std::string word_;
  std::vector<Listener> listeners_;
  PortTrial result_;
};

}  // namespace

const char* toString(ConnectOutcome reach) {
  switch (reach) {
    case ConnectOutcome::NotTried:
      return "not tried";
    case ConnectOutcome::Open:
      return "open";
    case ConnectOutcome::Refused:
      return "refused";
    case ConnectOutcome::Silent:
      return "no answer";
    case ConnectOutcome::Unresolved:
      return "name unknown";
    case ConnectOutcome::NoRoute:
      return "no route";
    case ConnectOutcome::Foreign:
      return "another program";
  }
  return "";
}

PortTrial tryPorts(const std::vector<PortPeer>& peers, int port, const CommandRunner& run,
                   const std::stop_token& stop) {
  return Trial(peers, port, run, stop).take();
}

}  // namespace lockstep
