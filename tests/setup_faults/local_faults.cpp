// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of the profile, of this machine and of its programs, and of one's own hosts.
#include <sys/stat.h>

#include <fstream>

#include "tests/setup_faults/setup_fault.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using Act = std::function<void(SetupWorld&)>;

Act profileWith(const char* key, const std::string& value) {
  return [key, value](SetupWorld& world) { world.setProfile(key, value); };
}

void mode(const std::string& file, mode_t bits) {
  if (::chmod(file.c_str(), bits) != 0) throw std::runtime_error("cannot change the mode of " + file);
}

void keyMoved(SetupWorld& world) {
  const std::filesystem::path key = world.profileValue("key_file");
  std::filesystem::rename(key, key.parent_path() / "elsewhere.pem");
}

void keyLost(SetupWorld& world) {
  world.setProfile("key_file", (world.configFile().parent_path() / "lost.pem").string());
}

// The line of the profile that a fault has changed, as it was.
struct Kept {
  std::string key, value;
};
Act changed(const char* key, const std::string& value, const std::shared_ptr<Kept>& kept) {
  return [=](SetupWorld& world) {
    *kept = {key, world.profileValue(key)};
    world.setProfile(key, value);
  };
}
Act restored(const std::shared_ptr<Kept>& kept) {
  return [=](SetupWorld& world) { world.setProfile(kept->key, kept->value); };
}

Act skew(double seconds) {
  return [seconds](SetupWorld& world) {
    world.faults(json::array({{{"kind", "clock-skew"}, {"delay", seconds}}}));
  };
}
void noFaults(SetupWorld& world) {
  world.faults(json::array());
}

// A docker whose daemon says `info`.
void docker(SetupWorld& world, json info, const std::string& more = {}, int status = 0) {
  if (!info.contains("DockerRootDir")) info["DockerRootDir"] = world.programs().string();
  const auto answer = world.programs() / "info.json";
  std::ofstream(answer) << info.dump();
  world.program("docker", more +
                              "\ncase \"$1\" in --version) echo 'Docker version 24.0.7, build afdd53b';;\n" +
                              "info) cat '" + answer.string() + "'; exit " + std::to_string(status) + ";;\n" +
                              "compose) echo 'Docker Compose version v2.24.5';;\n" +
                              "image) echo 'No such image' >&2; exit 1;;\nesac");
  world.choices.engine = (world.programs() / "docker").string();
}

void goodDocker(SetupWorld& world) {
  docker(
      world,
      {{"ServerVersion", "24.0.7"}, {"OperatingSystem", "Debian GNU/Linux 12"}, {"Architecture", "x86_64"}});
}

Act daemonSays(const std::string& said) {
  return [said](SetupWorld& world) {
    world.environment["DOCKER_HOST"] = "tcp://nowhere:2375";
    docker(world, {{"ServerErrors", {said}}, {"ClientInfo", json::object()}}, {}, 1);
  };
}

void noEngine(SetupWorld& world) {
  world.choices.engine = (world.programs() / "docker").string();
}

void brokenEngine(SetupWorld& world) {
  world.program("docker", "echo 'cannot execute binary file' >&2; exit 126");
  noEngine(world);
}

void armEngine(SetupWorld& world) {
  docker(world, {{"ServerVersion", "24.0.7"}, {"Architecture", "aarch64"}});
}

void noCompose(SetupWorld& world) {
  docker(world, {{"ServerVersion", "24.0.7"}, {"Architecture", "x86_64"}},
         "[ \"$1\" = compose ] && { echo \"docker: 'compose' is not a docker command.\" >&2; exit 1; }");
  world.program("docker-compose", "exit 1");
}

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

Act proxy(const std::string& value) {
  return [value](SetupWorld& world) { world.environment["https_proxy"] = value; };
}
Act noProxy(const char* list) {
  return [list](SetupWorld& world) {
    world.environment["https_proxy"] = "";
    world.environment["no_proxy"] = list;
  };
}

SetupFault fault(std::string name, std::string how, std::string step, std::string code, std::string fix,
                 Act seed, Act byUser = nullptr) {
  SetupFault made{std::move(name), std::move(how), std::move(step),
                  std::move(code), std::move(fix), std::move(seed)};
  made.byUser = std::move(byUser);
  return made;
}

}  // namespace

void addProfileFaults(std::vector<SetupFault>& all) {
  const auto kept = [] { return std::make_shared<Kept>(); };
  const auto user = kept(), tenancy = kept(), region = kept(), endpoint = kept();
  all.insert(all.end(),
             {fault("key that others can read", "chmod 644 of the key", "auth", "readable-key", "close-key",
                    [](SetupWorld& world) { mode(world.profileValue("key_file"), 0644); }),
              fault("config that others can read", "chmod 644 of ~/.oci/config", "auth", "readable-config",
                    "close-config", [](SetupWorld& world) { mode(world.configFile(), 0644); }),
              fault("fingerprint of another key", "fingerprint changed in the profile", "auth",
                    "fingerprint-mismatch", "correct-fingerprint",
                    profileWith("fingerprint", "00:11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff")),
              fault("fingerprint that is none", "fingerprint=nonsense", "auth", "malformed-fingerprint",
                    "correct-fingerprint", profileWith("fingerprint", "nonsense")),
              fault("fingerprint missing", "the line is taken away", "auth", "missing-fingerprint",
                    "correct-fingerprint", profileWith("fingerprint", "")),
              fault("key moved elsewhere", "renamed within ~/.oci", "auth", "missing-key",
                    "use-key-of-fingerprint", keyMoved),
              fault("key lost", "key_file of nothing", "auth", "missing-key", "", keyLost),
              fault("user missing in the profile", "the line is taken away", "auth", "missing-user", "",
                    changed("user", "", user), restored(user)),
              fault("tenancy missing in the profile", "the line is taken away", "auth", "missing-tenancy", "",
                    changed("tenancy", "", tenancy), restored(tenancy)),
              fault("region that is not subscribed", "region=us-phoenix-1", "auth", "region-not-subscribed",
                    "", changed("region", "us-phoenix-1", region), restored(region)),
              fault("service not reachable", "endpoint of a closed port", "auth", "unreachable", "",
                    changed("endpoint", "http://127.0.0.1:9", endpoint), restored(endpoint))});
}

void addMachineFaults(std::vector<SetupFault>& all) {
  const auto endpoint = std::make_shared<Kept>();
  all.insert(all.end(),
             {fault("clock 10 minutes off", "the region's clock is 600 s ahead", "machine", "clock-far-off",
                    "", skew(600), noFaults),
              fault("clock 2 minutes off", "the region's clock is 120 s behind", "machine", "clock-off", "",
                    skew(-120), noFaults),
              fault("service port closed", "endpoint of a closed port", "machine", "service-unreachable", "",
                    changed("endpoint", "http://127.0.0.1:9", endpoint), restored(endpoint)),
              fault("proxy that nobody serves", "https_proxy=127.0.0.1:9", "machine", "proxy-unreachable", "",
                    proxy("http://127.0.0.1:9"), noProxy("")),
              fault("proxy without an address", "https_proxy=http://", "machine", "proxy-unusable", "",
                    proxy("http://"), noProxy("")),
              fault("proxy in the way of this machine", "https_proxy without NO_PROXY", "machine",
                    "no-proxy-loopback", "", proxy("127.0.0.1:9"), noProxy("127.0.0.1,localhost"))});
}

void addEngineFaults(std::vector<SetupFault>& all) {
  all.insert(
      all.end(),
      {fault("no container engine", "docker is not there", "containers", "no-engine", "", noEngine,
             goodDocker),
       fault("docker that does not run", "program of another machine", "containers", "engine-broken", "",
             brokenEngine, goodDocker),
       fault("daemon down", "docker info: cannot connect", "containers", "daemon-down", "",
             daemonSays(
                 "Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon "
                 "running?"),
             goodDocker),
       fault("not in the group docker", "docker info: permission denied", "containers", "daemon-forbidden",
             "", daemonSays("permission denied while trying to connect to the Docker daemon socket"),
             goodDocker),
       fault("DOCKER_HOST of nowhere", "docker info: no such host", "containers", "daemon-address", "",
             daemonSays("error during connect: lookup nowhere: no such host"), goodDocker),
       fault("daemon too old", "docker info: client version too old", "containers", "daemon-failing", "",
             daemonSays("Error response from daemon: client version 1.22 is too old"), goodDocker),
       fault("engine of another architecture", "docker info: aarch64", "containers", "engine-architecture",
             "", armEngine, goodDocker),
       fault("no compose", "docker without its plugin", "containers", "no-compose", "", noCompose,
             goodDocker)});
}

void addHostFaults(std::vector<SetupFault>& all) {
  all.insert(
      all.end(),
      {fault("hosts file with a typing mistake", "slots=many", "hosts", "hosts-file", "", brokenHostsFile),
       fault("host key changed", "ssh: identification has changed", "hosts", "host-key-changed", "",
             sshSays("WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED!")),
       fault("host never seen", "ssh: host key verification failed", "hosts", "host-key-unknown", "",
             sshSays("Host key verification failed.")),
       fault("public key not on the host", "ssh: permission denied (publickey)", "hosts", "key-refused", "",
             sshSays("gpu1: Permission denied (publickey).")),
       fault("private key that others can read", "ssh: unprotected private key file", "hosts", "key-mode", "",
             sshSays("WARNING: UNPROTECTED PRIVATE KEY FILE!")),
       fault("host name unknown", "ssh: could not resolve", "hosts", "name-unknown", "",
             sshSays("ssh: Could not resolve hostname gpu1: Name or service not known")),
       fault("no sshd on the host", "ssh: connection refused", "hosts", "ssh-refused", "",
             sshSays("ssh: connect to host gpu1 port 22: Connection refused")),
       fault("host not answering", "ssh: timed out", "hosts", "host-silent", "",
             sshSays("ssh: connect to host gpu1 port 22: Connection timed out"))});
}

}  // namespace lockstep::testing
