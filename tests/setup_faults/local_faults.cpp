// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of the profile, of this machine and of its programs.
#include <sys/stat.h>

#include <fstream>

#include "base/atomic_file.h"
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
  world.environment["PATH"] = "/nowhere";  // this machine may have a docker-compose of its own
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

// ---- TLS, in a world that is spoken to over https

Act bundle(const std::string& file) {
  return [file](SetupWorld& world) { world.setProfile("cert_bundle", file); };
}
void rightBundle(SetupWorld& world) {
  world.setProfile("cert_bundle", world.region().info().at("certificateBundle"));
}
void noBundle(SetupWorld& world) {
  const auto file = world.programs() / "odd.pem";
  std::ofstream(file) << "no certificate";
  world.setProfile("cert_bundle", file.string());
}

// libcurl takes every name below localhost for this machine; the certificate is for localhost itself.
void otherName(SetupWorld& world) {
  rightBundle(world);
  world.program("getent", "echo 127.0.0.1 STREAM other.localhost");
  const std::string endpoint = world.region().info().at("httpsEndpoint");
  world.setProfile("lockstep_endpoint", "https://other.localhost" + endpoint.substr(endpoint.rfind(':')));
}
void rightName(SetupWorld& world) {
  world.setProfile("lockstep_endpoint", world.region().info().at("httpsEndpoint"));
}

// ---- sessions

void writeAs(const std::filesystem::path& file, const std::string& text) {
  if (!writeFileAtomically(file, text, 0600)) throw std::runtime_error("cannot write " + file.string());
}

// As `oci session authenticate` leaves a profile.
Act session(int minutes) {
  return [minutes](SetupWorld& world) {
    const json begun = world.admin("POST", "/rehearsal/sessions", {{"minutes", minutes}});
    const auto folder = world.configFile().parent_path();
    writeAs(folder / "token", begun.at("token"));
    writeAs(folder / "session.pem", begun.at("privateKey"));
    for (const char* key : {"user", "fingerprint"}) world.setProfile(key, "");
    world.setProfile("key_file", (folder / "session.pem").string());
    world.setProfile("security_token_file", (folder / "token").string());
  };
}
void endedSession(SetupWorld& world) {
  session(60)(world);
  writeAs(world.configFile().parent_path() / "token", "a.eyJleHAiOjF9.c");  // ended in 1970
}
void lostSession(SetupWorld& world) {
  session(60)(world);
  std::filesystem::remove(world.configFile().parent_path() / "token");
}

SetupFault overTls(SetupFault made) {
  made.world = "tls";
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
                    changed("lockstep_endpoint", "http://127.0.0.1:9", endpoint), restored(endpoint)),
              fault("session token expired", "a token that ended in 1970", "auth", "expired-token", "",
                    endedSession, session(60)),
              fault("session about to end", "a token of 10 minutes", "auth", "session-ends-soon", "",
                    session(10), session(60)),
              fault("session token lost", "security_token_file deleted", "auth", "missing-token", "",
                    lostSession, session(60))});
}

void addMachineFaults(std::vector<SetupFault>& all) {
  const auto endpoint = std::make_shared<Kept>();
  all.insert(all.end(),
             {fault("clock 10 minutes off", "the region's clock is 600 s ahead", "machine", "clock-far-off",
                    "", skew(600), noFaults),
              fault("clock 2 minutes off", "the region's clock is 120 s behind", "machine", "clock-off", "",
                    skew(-120), noFaults),
              fault("service port closed", "endpoint of a closed port", "machine", "service-unreachable", "",
                    changed("lockstep_endpoint", "http://127.0.0.1:9", endpoint), restored(endpoint)),
              fault("proxy that nobody serves", "https_proxy=127.0.0.1:9", "machine", "proxy-unreachable", "",
                    proxy("http://127.0.0.1:9"), noProxy("")),
              fault("proxy without an address", "https_proxy=http://", "machine", "proxy-unusable", "",
                    proxy("http://"), noProxy("")),
              fault("proxy in the way of this machine", "https_proxy without NO_PROXY", "machine",
                    "no-proxy-loopback", "", proxy("127.0.0.1:9"), noProxy("127.0.0.1,localhost")),
              overTls(fault("certificate of an unknown authority", "cert_bundle taken out of the profile",
                            "machine", "tls-unknown-authority", "", bundle(""), rightBundle)),
              overTls(fault("certificate of another name", "endpoint other.localhost", "machine",
                            "tls-wrong-name", "", otherName, rightName)),
              overTls(fault("bundle that holds no certificate", "cert_bundle of a text", "machine",
                            "tls-bad-bundle", "", noBundle, rightBundle))});
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

}  // namespace lockstep::testing
