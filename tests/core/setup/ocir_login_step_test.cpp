// SPDX-License-Identifier: GPL-3.0-or-later
#include <unistd.h>

#include <csignal>
#include <optional>
#include <thread>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "setup/images/containers_step.h"
#include "setup/images/ocir_login_step.h"
#include "setup/images/registry_login.h"
#include "setup/images/registry_user.h"
#include "tests/core/setup/local_world.h"

namespace lockstep::testing {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using oci::AccountKind;
using namespace std::chrono_literals;

TEST(RegistryUser, FormsAreReadAndWritten) {
  const auto login = [](const std::string& text, AccountKind kind = AccountKind::Local,
                        const std::string& domain = {}) {
    return loginNameOf(readRegistryUser(text, kind, domain), "ns");
  };
  EXPECT_EQ(login("jane"), "ns/jane");
  EXPECT_EQ(login("jane", AccountKind::Federated), "ns/oracleidentitycloudservice/jane");
  EXPECT_EQ(login("oracleidentitycloudservice/jane@x.y"), "ns/oracleidentitycloudservice/jane@x.y");
  EXPECT_EQ(login("OracleIdentityCloudService/jane"), "ns/oracleidentitycloudservice/jane");
  EXPECT_EQ(login("Default/jane"), "ns/jane");
  EXPECT_EQ(login("team/jane"), "ns/team/jane");
  EXPECT_EQ(login("jane", AccountKind::IdentityDomain, "team"), "ns/team/jane");
  EXPECT_EQ(login("jane", AccountKind::IdentityDomain), "ns/jane") << "a domain that nobody has named";
  const RegistryUser jane{"jane", AccountKind::Local, {}};
  ASSERT_EQ(otherForms(jane, "").size(), 1U);
  EXPECT_EQ(otherForms(jane, "")[0].kind, AccountKind::Federated);
  EXPECT_EQ(otherForms(jane, "team").size(), 2U);
  EXPECT_EQ(otherForms({"jane", AccountKind::IdentityDomain, "team"}, "team").size(), 2U);
}

StepReport login(const LocalWorld& world) {
  return makeOcirLoginStep(world.context())->check({});
}

std::string sha(const std::string& text) {
  return toHex(sha256(text));
}

class OcirLogin : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region = new RegionUnderTest(); }
  static void TearDownTestSuite() { delete region; }
  static RegionUnderTest* region;
  LocalWorld world{*region};

  static std::string host() { return "127.0.0.1:" + std::to_string(region->port()); }
  static std::string nameSpace() { return region->info()["namespace"]; }
  static std::string secretName(const std::string& user) {
    return "auth token " + host() + " " + nameSpace() + "/" + user;
  }
  /// A new auth token of a user.
  static std::string makeToken(const std::string& userId) {
    const auto reply = region->caller().post("/20160918/users/" + userId + "/authTokens",
                                             json{{"description", "of a test"}});
    if (reply.status != 200) throw std::runtime_error(reply.body);
    return reply.json()["token"];
  }
  static std::string makeUser(const std::string& name) {
    return tell(*region, "POST", "/rehearsal/users", {{"name", name}, {"groups", json::array()}})["userId"];
  }
  /// A docker that logs in wherever it is asked to, and writes down how, but of what came in on its stdin
  /// only the digest.
  void fakeDocker(const std::string& manifest = "echo no such manifest >&2; exit 1") {
    const std::string at = world.dir.path().string();
    const std::string info = json{{"ServerVersion", "24.0.7"}, {"DockerRootDir", "/"}}.dump();
    world.setup.choices.engine = world.program(
        "docker", "case \"$1\" in --version) echo Docker version 24.0.7;;\ninfo) echo '" + info +
                      "';;\nlogin) echo \"$*\" >>" + at + "/argv; sha256sum | cut -d' ' -f1 >" + at +
                      "/digest\n mkdir -p " + at + "/docker; echo '{\"auths\":{\"" + host() +
                      "\":{\"auth\":\"eA==\"}}}' >" + at + "/docker/config.json;;\nlogout) rm " + at +
                      "/docker/config.json;;\nmanifest) " + manifest + ";;\n*) exit 1;;\nesac");
  }
  [[nodiscard]] std::string said(const char* file) const {
    return readFile(world.dir.path() / file).value_or("");
  }
};
RegionUnderTest* OcirLogin::region = nullptr;

TEST_F(OcirLogin, WithoutAnEngineTheExchangeOfTheProfileIsEnough) {
  world.setup.choices.engine = "/nowhere/docker";
  const StepReport report = login(world);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "GetDockerToken 200, opc-request-id")) << textOf(report);
  EXPECT_TRUE(says(report, "'" + nameSpace() + "/lockstep' (a local user)")) << textOf(report);
  EXPECT_EQ(fixOf(report, "log-in-for-an-hour"), nullptr);
}

TEST_F(OcirLogin, AnEngineIsLoggedInForAnHourAndOutAgain) {
  fakeDocker();
  const StepReport report = login(world);
  EXPECT_TRUE(hasCode(report, "not-logged-in")) << textOf(report);
  EXPECT_EQ(report.state, StepState::Blocked);
  EXPECT_FALSE(fs::exists(world.dir.path() / "argv")) << "a check has logged in";
  const auto changes = applied(report, "log-in-for-an-hour");
  EXPECT_EQ(said("argv"), "login --username=BEARER_TOKEN --password-stdin " + host() + "\n");
  EXPECT_EQ(said("digest").size(), 65U);
  EXPECT_NE(said("digest"), sha("") + "\n") << "nothing came in on stdin";
  EXPECT_EQ(login(world).state, StepState::Ready) << textOf(login(world));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(makeOcirLoginStep(world.context())->takeBack(changes[0], {}));
  EXPECT_TRUE(hasCode(login(world), "not-logged-in"));
}

// Whether or not a docker is here and what it is logged in to: a rehearsal pulls no image.
TEST_F(OcirLogin, ARehearsalNeedsNoLogin) {
  world.setup.isRehearsal.reset();
  world.secrets->isLocked = true;
  for (const bool hasDocker : {false, true}) {
    if (hasDocker) {
      fakeDocker();
    } else {
      world.setup.choices.engine = "/nowhere/docker";
    }
    const StepReport report = login(world);
    EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
    EXPECT_TRUE(says(report, "a rehearsal needs no login")) << textOf(report);
    EXPECT_TRUE(hasCode(report, "no-keychain")) << textOf(report);
    EXPECT_EQ(hasCode(report, "not-logged-in"), hasDocker) << textOf(report);
  }
  EXPECT_NE(fixOf(login(world), "log-in-for-an-hour"), nullptr) << "for those who want to rehearse it";
}

TEST_F(OcirLogin, AMissingKeychainIsAWarningOnlyWhileTheEngineIsNotLoggedIn) {
  fakeDocker();
  world.secrets->isLocked = true;
  const auto stateOfKeychain = [](const StepReport& report) {
    for (const Finding& finding : report.findings)
      if (finding.code == "no-keychain") return finding.state;
    return StepState::Unknown;
  };
  StepReport report = login(world);
  EXPECT_EQ(stateOfKeychain(report), StepState::Warning) << textOf(report);
  applied(report, "log-in-for-an-hour");
  report = login(world);
  EXPECT_EQ(stateOfKeychain(report), StepState::NotApplicable) << textOf(report);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
}

TEST_F(OcirLogin, ALoginThatTheRegistryRefusesIsNone) {
  fakeDocker("echo 'unauthorized: authentication required' >&2; exit 1");
  fs::create_directories(world.dir.path() / "docker");
  std::ofstream(world.dir.path() / "docker/config.json")
      << json{{"auths", {{"http://" + host() + "/v1/", {{"auth", "c2VjcmV0"}}}}}};
  const StepReport report = login(world);
  EXPECT_TRUE(hasCode(report, "login-refused")) << textOf(report);
  EXPECT_NE(fixOf(report, "log-in-for-an-hour"), nullptr);
  EXPECT_EQ(textOf(report).find("c2VjcmV0"), std::string::npos);
}

TEST_F(OcirLogin, AHelpersListTellsWithoutItsSecrets) {
  fakeDocker();
  fs::create_directories(world.dir.path() / "docker");
  std::ofstream(world.dir.path() / "docker/config.json")
      << json{{"auths", {{host(), json::object()}}}, {"credsStore", "test"}};
  EXPECT_TRUE(hasCode(login(world), "not-logged-in"));
  world.program("docker-credential-test",
                "[ \"$1\" = list ] || exit 9; echo '{\"https://" + host() + "/\":\"ns/jane\"}'");
  const StepReport report = login(world);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "as 'ns/jane'")) << textOf(report);
}

TEST_F(OcirLogin, AnEmptyEntryIsNoLogin) {
  fakeDocker();
  fs::create_directories(world.dir.path() / "docker");
  for (const json& auths : {json{{host(), {{"auth", ""}}}}, json{{host(), json::object()}},
                            json{{"other:1", {{"auth", "eA=="}}}}, json::array()}) {
    std::ofstream(world.dir.path() / "docker/config.json") << json{{"auths", auths}};
    EXPECT_TRUE(hasCode(login(world), "not-logged-in")) << auths.dump();
  }
}

TEST_F(OcirLogin, TheKeptTokenLogsInAndIsNowhereElse) {
  fakeDocker();
  const std::string token = makeToken(makeUser("kate"));
  world.setup.choices.registryUser = "kate";
  world.secrets->kept[secretName("kate")] = Secret(token);
  const StepReport report = login(world);
  EXPECT_TRUE(says(report, "accepts '" + nameSpace() + "/kate'")) << textOf(report);
  applied(report, "log-in");
  EXPECT_EQ(said("digest"), sha(token) + "\n") << "another secret than the token";
  EXPECT_NE(said("argv").find("--username=" + nameSpace() + "/kate "), std::string::npos) << said("argv");
  EXPECT_EQ(filesWith(world.dir.path(), token).size(), 0U) << "argv, log of calls, config";
  EXPECT_EQ(textOf(report).find(token), std::string::npos);
}

TEST_F(OcirLogin, TheMistakeOfFederatedNamesIsRecognisedAndMended) {
  fakeDocker();
  const std::string token = makeToken(makeUser("oracleidentitycloudservice/jane@example.com"));
  world.setup.choices.registryUser = "jane@example.com";
  world.secrets->kept[secretName("jane@example.com")] = Secret(token);
  const StepReport report = login(world);
  EXPECT_TRUE(hasCode(report, "federated-name")) << textOf(report);
  EXPECT_TRUE(says(report, "GetDockerToken 401")) << textOf(report);
  applied(report, "use-accepted-name");
  EXPECT_EQ(said("argv"), "login --username=" + nameSpace() +
                              "/oracleidentitycloudservice/jane@example.com --password-stdin " + host() +
                              "\n");
  EXPECT_EQ(said("digest"), sha(token) + "\n");
  EXPECT_EQ(filesWith(world.dir.path(), token).size(), 0U);
}

TEST_F(OcirLogin, ATokenThatOpensNothingIsRefused) {
  world.setup.choices.engine = "/nowhere/docker";
  world.secrets->kept[secretName("lockstep")] = Secret("no token at all");
  const StepReport report = login(world);
  EXPECT_TRUE(hasCode(report, "auth-token-refused")) << textOf(report);
  EXPECT_EQ(textOf(report).find("no token at all"), std::string::npos);
}

TEST_F(OcirLogin, ATokenIsEnteredByAPersonWhoseNameIsFoundOut) {
  fakeDocker();
  const std::string token = makeToken(makeUser("oracleidentitycloudservice/ines"));
  world.setup.choices.registryUser = "ines";
  world.secrets->answer = token;
  const StepReport report = login(world);
  ASSERT_NE(fixOf(report, "enter-auth-token"), nullptr) << textOf(report);
  EXPECT_TRUE(fixOf(report, "enter-auth-token")->needsPerson) << "--yes cannot answer";
  const auto changes = applied(report, "enter-auth-token");
  EXPECT_EQ(changes.size(), 2U);
  EXPECT_EQ(world.secrets->kept.at(secretName("ines")).reveal(), token);
  EXPECT_NE(said("argv").find("/oracleidentitycloudservice/ines"), std::string::npos);
  for (auto change = changes.rbegin(); change != changes.rend(); ++change) {
    EXPECT_EQ(change->undo.dump().find(token), std::string::npos);
    EXPECT_TRUE(makeOcirLoginStep(world.context())->takeBack(*change, {}));
  }
  EXPECT_TRUE(world.secrets->kept.empty());
  world.secrets->answer = "wrong";
  const auto refused = fixOf(report, "enter-auth-token")->apply({});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::Unauthenticated) << describe(refused.error());
  EXPECT_TRUE(world.secrets->kept.empty()) << "a token that opens nothing was kept";
}

TEST_F(OcirLogin, ATokenIsMadeAndDeletedAgain) {
  fakeDocker();
  const auto count = [&] {
    return region->caller().get("/20160918/users/" + world.value("user") + "/authTokens").json().size();
  };
  const std::size_t before = count();
  const auto changes = applied(login(world), "make-auth-token");
  EXPECT_EQ(count(), before + 1);
  const std::string token(world.secrets->kept.at(secretName("lockstep")).reveal());
  EXPECT_EQ(said("digest"), sha(token) + "\n");
  EXPECT_EQ(filesWith(world.dir.path(), token).size(), 0U);
  EXPECT_EQ(login(world).state, StepState::Ready) << textOf(login(world));
  for (auto change = changes.rbegin(); change != changes.rend(); ++change)
    EXPECT_TRUE(makeOcirLoginStep(world.context())->takeBack(*change, {})) << change->title;
  EXPECT_EQ(count(), before);
  EXPECT_TRUE(world.secrets->kept.empty());
}

TEST_F(OcirLogin, WithoutASecretKeeperNothingSecretIsOffered) {
  fakeDocker();
  world.setup.secrets.reset();
  const StepReport report = login(world);
  ASSERT_EQ(report.fixes.size(), 1U) << textOf(report);
  EXPECT_EQ(report.fixes[0].id, "log-in-for-an-hour");
}

TEST_F(OcirLogin, ABrokenProfileAndJobsWithoutAnImageAreSaid) {
  world.setup.query.profile = "NOBODY";
  EXPECT_TRUE(hasCode(login(world), "needs-auth")) << textOf(login(world));
  ClusterSpec spec;
  spec.job.emplace();
  spec.job->type = "pyTorchDistributed";
  world.setup.spec = spec;
  EXPECT_EQ(login(world).state, StepState::NotApplicable);
}

TEST_F(OcirLogin, TheImagesNamespaceIsComparedWithTheTenancys) {
  world.setup.choices.engine = "/nowhere/docker";
  world.setup.choices.image = "iad.ocir.io/my-tenancy/trainer:1";
  EXPECT_TRUE(hasCode(login(world), "registry-namespace")) << textOf(login(world));
  world.setup.choices.image = "rehearsal.ocir.io/" + nameSpace() + "/trainer:1";
  EXPECT_EQ(login(world).state, StepState::Ready) << textOf(login(world));
  world.setup.choices.image = "iad.ocir.io/" + nameSpace() + "/trainer:1";
  EXPECT_TRUE(hasCode(login(world), "registry-of-other-region")) << textOf(login(world));
}

/// A Docker daemon of this test's own.
class RealDocker {
 public:
  /// Empty when it runs; else why not.
  std::string start() {
    if (::geteuid() != 0) return "only root may start a Docker daemon";
    if (enginePrograms("docker", currentEnvironment()).empty()) return "the program 'docker' is missing";
    ProcessOptions options;
    options.command = {"dockerd",      "--data-root", at("data"), "--exec-root",          at("exec"),
                       "--pidfile",    at("pid"),     "-H",       "unix://" + at("sock"), "--iptables=false",
                       "--bridge=none"};
    options.environment = currentEnvironment();
    options.dieWithParent = true;
    std::FILE* log = std::fopen(at("log").c_str(), "w");
    options.stdoutFd = options.stderrFd = ::fileno(log);
    auto daemon = ChildProcess::start(options);
    std::fclose(log);
    if (!daemon) return "the program 'dockerd' is missing";
    daemon_.emplace(std::move(*daemon));
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    while (!run({"docker", "version"}).first) {
      if (daemon_->poll() || std::chrono::steady_clock::now() > deadline)
        return "no Docker daemon can run here: " + readFile(at("log")).value_or("").substr(0, 2000);
      std::this_thread::sleep_for(50ms);
    }
    return {};
  }
  ~RealDocker() {
    if (!daemon_) return;
    ::kill(daemon_->pid(), SIGTERM);
    if (!daemon_->waitFor(30s)) daemon_->signalAll(SIGKILL);
    (void)run({"umount", at("exec") + "/netns/default"});
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (dir_.path() / name).string(); }
  [[nodiscard]] std::map<std::string, std::string> environment() const {
    return {{"DOCKER_HOST", "unix://" + at("sock")}, {"DOCKER_CONFIG", at("config")}};
  }
  [[nodiscard]] CommandRunner runner() const {
    return [this](const std::vector<std::string>& command, const Secret& input,
                  std::chrono::milliseconds limit, const std::stop_token& stop) {
      std::vector<std::string> words{"env"};
      for (const auto& [name, value] : environment()) words.push_back(name + "=" + value);
      words.insert(words.end(), command.begin(), command.end());
      return runCaptured(words, limit, stop, input);
    };
  }
  [[nodiscard]] std::pair<bool, std::string> run(const std::vector<std::string>& command) const {
    const auto done = runner()(command, Secret(), 60s, {});
    return {done && done->exit.ok(), done ? done->output + done->errors : describe(done.error())};
  }

 private:
  TempDir dir_;
  std::optional<ChildProcess> daemon_;
};

TEST_F(OcirLogin, ARealEngineLogsInAndPushes) {
  RealDocker docker;
  if (const std::string why = docker.start(); !why.empty()) GTEST_SKIP() << why;
  world.setup.run = docker.runner();
  world.setup.environment = currentEnvironment();
  for (const auto& [name, value] : docker.environment()) world.setup.environment[name] = value;
  world.setup.choices.engine = "docker";
  const StepReport engine = makeContainersStep(world.context())->check({});
  EXPECT_TRUE(says(engine, "is up")) << textOf(engine);

  const std::string empty = docker.at("empty.tar"),
                    image = host() + "/" + nameSpace() + "/lockstep-trainer:pushed";
  ASSERT_TRUE(docker.run({"tar", "-cf", empty, "-T", "/dev/null"}).first);
  const auto imported = docker.run({"docker", "import", empty, image});
  ASSERT_TRUE(imported.first) << imported.second;
  EXPECT_FALSE(docker.run({"docker", "push", image}).first) << "nobody has logged in";

  StepReport report = login(world);
  EXPECT_TRUE(hasCode(report, "not-logged-in")) << textOf(report);
  const auto changes = applied(report, "log-in-for-an-hour");
  report = login(world);
  EXPECT_EQ(report.state, StepState::Ready) << textOf(report);
  EXPECT_TRUE(says(report, "and the registry accepts it")) << textOf(report);
  const auto pushed = docker.run({"docker", "push", image});
  EXPECT_TRUE(pushed.first) << pushed.second;
  world.setup.choices.image = "rehearsal.ocir.io/" + nameSpace() + "/lockstep-trainer:pushed";
  EXPECT_EQ(login(world).state, StepState::Ready) << textOf(login(world));
  ASSERT_EQ(changes.size(), 1U);
  EXPECT_TRUE(makeOcirLoginStep(world.context())->takeBack(changes[0], {}));
  EXPECT_TRUE(hasCode(login(world), "not-logged-in"));

  // And with an auth token, until that is deleted.
  const std::string user = makeUser("pusher"), token = makeToken(user);
  world.setup.choices.registryUser = "pusher";
  world.secrets->kept[secretName("pusher")] = Secret(token);
  applied(login(world), "log-in");
  EXPECT_TRUE(says(login(world), "and the registry accepts it")) << textOf(login(world));
  const json tokens = region->caller().get("/20160918/users/" + user + "/authTokens").json();
  region->caller().send("DELETE",
                        "/20160918/users/" + user + "/authTokens/" + tokens[0]["id"].get<std::string>());
  EXPECT_TRUE(hasCode(login(world), "login-refused")) << textOf(login(world));
}

}  // namespace
}  // namespace lockstep::testing
