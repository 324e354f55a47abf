// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of one's own hosts: of a real sshd on loopback where this machine has one, else in the words of ssh.
#include <fstream>

#include "tests/setup_faults/setup_fault.h"
#include "tests/support/real_sshd.h"

namespace lockstep::testing {
namespace {

using Act = std::function<void(SetupWorld&)>;

Act sshSays(const std::string& said) {
  return [said](SetupWorld& world) {
    const auto hosts = world.programs() / "hosts";
    std::ofstream(hosts) << "gpu1\n";
    world.choices.hostsFile = hosts.string();
    world.program("ssh", "[ \"$2\" = -G ] || [ \"$1\" = -G ] && exit 0\necho '" + said + "' >&2; exit 255");
  };
}

void brokenHostsFile(SetupWorld& world) {
  const auto hosts = world.programs() / "hosts";
  std::ofstream(hosts) << "gpu1 slots=many\n";
  world.choices.hostsFile = hosts.string();
}

void hostsFile(SetupWorld& world, const std::string& text) {
  const auto hosts = world.programs() / "hosts";
  std::ofstream(hosts) << text;
  world.choices.hostsFile = hosts.string();
}

// ---- a real sshd: which hosts are known, and with which key we come

Act asKnownIn(const char* known, const char* identity) {
  return [=](SetupWorld& world) {
    const auto server = std::static_pointer_cast<RealSshd>(world.companion);
    const std::string file = server->configFile(known, identity);
    world.program("ssh", "exec /usr/bin/ssh -F '" + file + "' \"$@\"");
  };
}

Act sshd(const char* known, const char* identity) {
  return [=](SetupWorld& world) {
    const auto server = std::make_shared<RealSshd>();
    if (const std::string why = server->start(); !why.empty()) throw NotPlayableHere(why);
    world.companion = server;
    hostsFile(world, "127.0.0.1:" + std::to_string(server->port) + "\n");
    asKnownIn(known, identity)(world);
  };
}

// ---- two hosts that say themselves what they reach

// What each of them says of a connection to the other.
Act peersSay(const char* answer) {
  return [answer](SetupWorld& world) { std::ofstream(world.programs() / "answer") << answer; };
}

void twoHosts(SetupWorld& world) {
  const std::string at = world.programs().string();
  world.program("ssh",
                "if [ \"$1\" = -G ]; then echo \"hostname $3\"; exit; fi\n"
                "while [ \"$1\" != -- ]; do shift; done; shift 2\nPATH=" +
                    at + "/far:/usr/bin:/bin exec \"$@\"");
  std::filesystem::create_directories(world.programs() / "far");
  const auto python = world.programs() / "far/python3";
  std::ofstream(python) << "#!/bin/sh\ncat >/dev/null\ncase \"$2\" in\n"
                           "[0-9]*) echo lockstep:process=1; echo lockstep:any=40000;;\n"
                           "*) shift 2; for one; do echo \"lockstep:${one%%,*}=$(cat " +
                               at + "/answer)\"; done;;\nesac\n";
  std::filesystem::permissions(python, std::filesystem::perms::owner_all);
  hostsFile(world, "gpu1\ngpu2\n");
}

Act between(const char* answer) {
  return [answer](SetupWorld& world) {
    twoHosts(world);
    peersSay(answer)(world);
  };
}

}  // namespace

void addHostFaults(std::vector<SetupFault>& all) {
  all.insert(all.end(), {fault("hosts file with a typing mistake", "slots=many", "hosts", "hosts-file", "",
                               brokenHostsFile),
                         fault("host never seen", "sshd whose key is in no known_hosts", "hosts",
                               "host-key-unknown", "trust-host-keys", sshd("empty", "id")),
                         fault("host key changed", "known_hosts has another key of the sshd", "hosts",
                               "host-key-changed", "", sshd("changed", "id"), asKnownIn("known", "id")),
                         fault("public key not on the host", "sshd that lets another key in", "hosts",
                               "key-refused", "", sshd("known", "other"), asKnownIn("known", "id")),
                         fault("private key that others can read", "ssh: unprotected private key file",
                               "hosts", "key-mode", "", sshSays("WARNING: UNPROTECTED PRIVATE KEY FILE!")),
                         fault("host name unknown", "ssh: could not resolve", "hosts", "name-unknown", "",
                               sshSays("ssh: Could not resolve hostname gpu1: Name or service not known")),
                         fault("no sshd on the host", "ssh: connection refused", "hosts", "ssh-refused", "",
                               sshSays("ssh: connect to host gpu1 port 22: Connection refused")),
                         fault("host not answering", "ssh: timed out", "hosts", "host-silent", "",
                               sshSays("ssh: connect to host gpu1 port 22: Connection timed out")),
                         fault("port closed between two hosts", "each refuses the other on the port", "hosts",
                               "port-closed", "", between("refused mute"), peersSay("open greeted")),
                         fault("port dropped between two hosts", "neither answers the other", "hosts",
                               "port-closed", "", between("silent mute"), peersSay("open greeted")),
                         fault("host that others cannot name", "its name is unknown to the other", "hosts",
                               "port-closed", "", between("unresolved mute"), peersSay("open greeted"))});
}

}  // namespace lockstep::testing
