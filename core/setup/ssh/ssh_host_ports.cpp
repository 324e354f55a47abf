// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/ssh_host_ports.h"

#include <fmt/format.h>

#include <charconv>
#include <thread>

#include "base/encoding.h"
#include "base/quote.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr int kListenSeconds = 30;

// Listens before it goes into the background, so whoever connects afterwards meets it. It greets with a word
// that nobody else knows. Prints its process and the ports.
constexpr const char* kListenPython = R"sh(python3 - "$port" "$word" "$seconds" <<'LOCKSTEP'
import errno, os, select, socket, sys, time
port, word, end = int(sys.argv[1]), sys.argv[2].encode() + b"\n", time.time() + float(sys.argv[3])
def listening(kind, number):
    s = socket.socket(kind)
    if kind == socket.AF_INET6: s.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 0)
    s.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    s.bind(("", number))
    s.listen(128)
    return s
def listen(number):
    try: return listening(socket.AF_INET6, number)
    except OSError as e:
        if e.errno == errno.EADDRINUSE: raise
    return listening(socket.AF_INET, number)
try: named = listen(port)
except OSError as e:
    print("lockstep:trouble=" + e.strerror)
    sys.exit()
sockets = [named, listen(0)]
child = os.fork()
if child:
    print("lockstep:process=%d" % child)
    print("lockstep:any=%d" % sockets[1].getsockname()[1])
    sys.exit()
os.setsid()
nothing = os.open(os.devnull, os.O_RDWR)
for stream in (0, 1, 2): os.dup2(nothing, stream)
while time.time() < end:
    for s in select.select(sockets, [], [], max(0, end - time.time()))[0]:
        try:
            c = s.accept()[0]
            c.settimeout(1)
            c.sendall(word)
            c.close()
        except OSError: pass
LOCKSTEP
)sh";

constexpr const char* kListenPerl = R"sh(perl - "$port" "$word" "$seconds" <<'LOCKSTEP'
use Socket;
my ($port, $word, $seconds) = @ARGV;
sub listening {
  my ($number) = @_;
  socket(my $s, PF_INET, SOCK_STREAM, 6) or return;
  setsockopt($s, SOL_SOCKET, SO_REUSEADDR, 1);
  bind($s, sockaddr_in($number, INADDR_ANY)) && listen($s, 128) or return;
  return $s;
}
my $named = listening($port);
if (!$named) { print "lockstep:trouble=$!\n"; exit }
my $any = listening(0);
my $child = fork;
if ($child) {
  print "lockstep:process=$child\n";
  print "lockstep:any=" . (sockaddr_in(getsockname($any)))[0] . "\n" if $any;
  exit;
}
open STDIN, "<", "/dev/null"; open STDOUT, ">", "/dev/null"; open STDERR, ">", "/dev/null";
$SIG{PIPE} = "IGNORE";
alarm $seconds;
while (1) {
  my $wait = ""; vec($wait, fileno($named), 1) = 1; vec($wait, fileno($any), 1) = 1 if $any;
  select($wait, undef, undef, undef);
  for my $s ($named, $any) {
    next unless $s && vec($wait, fileno($s), 1);
    if (accept(my $c, $s)) { syswrite $c, "$word\n"; close $c }
  }
}
LOCKSTEP
)sh";

// Without a greeting: whoever answers counts.
constexpr const char* kListenNc = R"sh(
timeout "$seconds" nc -lk "$port" >/dev/null 2>&1 </dev/null &
child=$!
sleep 0.3
if kill -0 "$child" 2>/dev/null; then
  echo "lockstep:process=$child"
  echo "lockstep:mute=1"
else
  echo "lockstep:trouble=nc could not listen there"
fi
)sh";

constexpr const char* kConnectPython = R"sh(python3 - "$word" $targets <<'LOCKSTEP'
import socket, sys, threading
def reach(address, port):
    try: c = socket.create_connection((address, int(port)), 4)
    except socket.gaierror: return "unresolved", ""
    except ConnectionRefusedError: return "refused", ""
    except (socket.timeout, TimeoutError): return "silent", ""
    except OSError: return "no-route", ""
    try:
        c.settimeout(3)
        return "open", c.makefile(errors="replace").readline(100).strip()
    except OSError: return "open", ""
def one(target):
    number, address, port = target.split(",")
    how, said = reach(address, port)
    sys.stdout.write("lockstep:%s=%s %s\n" % (number, how, "greeted" if said == sys.argv[1] else "mute"))
threads = [threading.Thread(target=one, args=(t,)) for t in sys.argv[2:]]
for t in threads: t.start()
for t in threads: t.join()
LOCKSTEP
)sh";

constexpr const char* kConnectPerl = R"sh(perl - "$word" $targets <<'LOCKSTEP'
use Socket;
$| = 1;
my ($word, @targets) = @ARGV;
for my $target (@targets) {
  next if fork;
  my ($number, $address, $port) = split /,/, $target;
  my $tell = sub { print "lockstep:$number=$_[0]\n"; exit };
  $SIG{ALRM} = sub { $tell->("silent mute") };
  alarm 4;
  my $place = inet_aton($address) or $tell->("unresolved mute");
  socket(my $s, PF_INET, SOCK_STREAM, 6);
  connect($s, sockaddr_in($port, $place)) or $tell->(($! + 0 == 111 ? "refused" : $! + 0 == 110 ? "silent" : "no-route") . " mute");
  $SIG{ALRM} = sub { $tell->("open mute") };
  my $said = <$s>;
  $said =~ s/\s+$// if defined $said;
  $tell->("open " . (defined $said && $said eq $word ? "greeted" : "mute"));
}
1 while wait != -1;
LOCKSTEP
)sh";

constexpr const char* kConnectBash = R"sh(
for target in $targets; do
  (
    number=${target%%,*}
    rest=${target#*,}
    said=$(timeout 4 bash -c 'exec 3<>"/dev/tcp/$0/$1" && { read -r -t 3 line <&3; printf "said=%s" "$line"; }' \
      "${rest%%,*}" "${rest#*,}" 2>&1)
    code=$?
    case "$said" in
      said="$word"*) how="open greeted" ;;
      said=*) how="open mute" ;;
      *refused*) how="refused mute" ;;
      *"not known"*|*"name resolution"*|*"No address"*) how="unresolved mute" ;;
      *"timed out"*) how="silent mute" ;;
      *) if [ "$code" = 124 ]; then how="silent mute"; else how="no-route mute"; fi ;;
    esac
    echo "lockstep:$number=$how"
  ) &
done
wait
)sh";

struct Listener {
  std::string process, trouble;
  int any = 0;
  bool isMute = false;
  [[nodiscard]] bool listens() const { return !process.empty(); }
};

const char* listenScript(const SshHostFacts& facts) {
  if (facts.programs.contains("python3")) return kListenPython;
  if (facts.programs.contains("perl")) return kListenPerl;
  return facts.programs.contains("nc") && facts.programs.contains("timeout") ? kListenNc : nullptr;
}

const char* connectScript(const SshHostFacts& facts) {
  if (facts.programs.contains("python3")) return kConnectPython;
  if (facts.programs.contains("perl")) return kConnectPerl;
  return facts.programs.contains("bash") && facts.programs.contains("timeout") ? kConnectBash : nullptr;
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

Reach reachOf(const std::string& text, bool isMute) {
  if (text == "open greeted") return Reach::Open;
  if (text == "open mute") return isMute ? Reach::Open : Reach::Foreign;
  if (text.starts_with("refused")) return Reach::Refused;
  if (text.starts_with("silent")) return Reach::Silent;
  if (text.starts_with("unresolved")) return Reach::Unresolved;
  return Reach::NoRoute;
}

/// One trial at work: each part is done on all machines at the same time.
class Trial {
 public:
  Trial(const std::vector<PortPeer>& peers, int port, const CommandRunner& run, const std::stop_token& stop)
      : peers_(peers), run_(run), stop_(stop), word_("lockstep-" + toHex(randomBytes(8))) {
    result_.port = port;
    result_.listenTrouble.resize(peers.size());
    result_.named.assign(peers.size(), std::vector<Reach>(peers.size(), Reach::NotTried));
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
    const char* script = listenScript(peers_[i].facts);
    if (script == nullptr) {
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
    const char* script = connectScript(peers_[from].facts);
    const std::string targets = targetsOf(from);
    if (script == nullptr || targets.empty()) return;
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

const char* toString(Reach reach) {
  switch (reach) {
    case Reach::NotTried:
      return "not tried";
    case Reach::Open:
      return "open";
    case Reach::Refused:
      return "refused";
    case Reach::Silent:
      return "no answer";
    case Reach::Unresolved:
      return "name unknown";
    case Reach::NoRoute:
      return "no route";
    case Reach::Foreign:
      return "another program";
  }
  return "";
}

PortTrial tryPorts(const std::vector<PortPeer>& peers, int port, const CommandRunner& run,
                   const std::stop_token& stop) {
  return Trial(peers, port, run, stop).take();
}

}  // namespace lockstep
