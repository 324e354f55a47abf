// SPDX-License-Identifier: GPL-3.0-or-later
// Faults of the login at the container registry.
#include <fstream>

#include "tests/setup_faults/setup_fault.h"

namespace lockstep::testing {
namespace {

using nlohmann::json;
using Act = std::function<void(SetupWorld&)>;

constexpr const char* kImage = "spec.cluster.spec.image";
constexpr const char* kReadyImage = "rehearsal.ocir.io/rehearsal/lockstep-trainer:1";

std::string registry(SetupWorld& world) {
  return "127.0.0.1:" + std::to_string(world.region().port());
}

// A docker that is up, logs in wherever it is asked to, and reads what it is logged in to as the real one
// does. `manifest` is what it says of an image in the registry.
void docker(SetupWorld& world, const std::string& manifest = "echo no such manifest >&2; exit 1") {
  const std::string folder = (world.programs() / "docker-config").string();
  const std::string config = folder + "/config.json";
  const std::string info = json{
      {"ServerVersion", "24.0.7"},
      {"DockerRootDir", world.programs().string()},
      {"Architecture",
       "x86_64"}}.dump();
  world.environment["DOCKER_CONFIG"] = folder;
  world.program("docker", "case \"$1\" in\n--version) echo Docker version 24.0.7;;\ninfo) echo '" + info +
                              "';;\nlogin) cat >/dev/null; mkdir -p '" + folder + "'; echo '{\"auths\":{\"" +
                              registry(world) + "\":{\"auth\":\"eA==\"}}}' >'" + config + "'; touch '" +
                              folder + "/fresh';;\nlogout) rm '" + config + "';;\nmanifest) " + manifest +
                              ";;\n*) exit 1;;\nesac");
  world.choices.engine = (world.programs() / "docker").string();
}

void withoutEngine(SetupWorld& world) {
  world.choices.engine = (world.programs() / "nowhere").string();
}

void loggedOut(SetupWorld& world) {
  docker(world);
}

// A login of an hour, or an auth token, that has ended since.
void endedLogin(SetupWorld& world) {
  const auto folder = world.programs() / "docker-config";
  docker(world, "[ -f '" + folder.string() +
                    "/fresh' ] || { echo 'unauthorized: authentication required' >&2; exit 1; }; "
                    "echo 'no such manifest' >&2; exit 1");
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "config.json") << json{{"auths", {{registry(world), {{"auth", "eA=="}}}}}};
}

std::string tokensOf(const std::string& user) {
  return "/20160918/users/" + user + "/authTokens";
}
json makeToken(SetupWorld& world, const std::string& user) {
  return world.post(tokensOf(user), {{"description", "of a test"}});
}
void keep(SetupWorld& world, const std::string& user, const std::string& token) {
  if (!world.secrets) world.secrets = std::make_shared<FakeSecrets>();
  world.secrets->kept["auth token " + registry(world) + " rehearsal/" + user] = Secret(token);
}

void wrongPassword(SetupWorld& world) {
  withoutEngine(world);
  keep(world, "lockstep", "the password of the console");
  world.secrets->answer = makeToken(world, world.profileValue("user")).at("token");
}

void deletedToken(SetupWorld& world) {
  docker(world);
  const std::string user = world.profileValue("user");
  const json token = makeToken(world, user);
  keep(world, "lockstep", token.at("token"));
  world.send("DELETE", tokensOf(user) + "/" + token.at("id").get<std::string>());
}

void federatedUser(SetupWorld& world) {
  docker(world);
  const json user =
      world.admin("POST", "/rehearsal/users",
                  {{"name", "oracleidentitycloudservice/jane@example.com"}, {"groups", json::array()}});
  world.choices.registryUser = "jane@example.com";
  keep(world, "jane@example.com", makeToken(world, user.at("userId")).at("token"));
}
void chosenAsFederated(SetupWorld& world) {
  world.choices.accountKind = oci::AccountKind::Federated;
}

void localUserAsFederated(SetupWorld& world) {
  withoutEngine(world);
  world.choices.registryUser = "lockstep";
  chosenAsFederated(world);
}
void chosenAsLocal(SetupWorld& world) {
  world.choices.accountKind = oci::AccountKind::Local;
}

Act image(const char* name) {
  return [name](SetupWorld& world) {
    withoutEngine(world);
    world.setField(kImage, name);
  };
}

}  // namespace

void addLoginFaults(std::vector<SetupFault>& all) {
  SetupFault federated =
      fault("federated name without its provider", "auth token of oracleidentitycloudservice/jane@…",
            "ocir-login", "federated-name", "use-accepted-name", federatedUser);
  federated.asUser = chosenAsFederated;
  all.insert(all.end(),
             {fault("engine not logged in", "docker without a login", "ocir-login", "not-logged-in",
                    "log-in-for-an-hour", loggedOut),
              fault("login that has ended", "the registry refuses docker's login", "ocir-login",
                    "login-refused", "log-in-for-an-hour", endedLogin),
              fault("password in place of an auth token", "the console's password is kept", "ocir-login",
                    "auth-token-refused", "enter-auth-token", wrongPassword),
              fault("auth token deleted", "DeleteAuthToken of the one that is kept", "ocir-login",
                    "auth-token-refused", "make-auth-token", deletedToken),
              std::move(federated),
              fault("local user taken for a federated one", "--identity-domain oracleidentitycloudservice",
                    "ocir-login", "user-kind", "", localUserAsFederated, chosenAsLocal),
              fault("login at another region's registry", "image iad.ocir.io/…", "ocir-login",
                    "registry-of-other-region", "", image("iad.ocir.io/rehearsal/lockstep-trainer:1"),
                    image(kReadyImage)),
              fault("login in another namespace", "image …/acme/lockstep-trainer:1", "ocir-login",
                    "registry-namespace", "", image("rehearsal.ocir.io/acme/lockstep-trainer:1"),
                    image(kReadyImage))});
}

}  // namespace lockstep::testing
