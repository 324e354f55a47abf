// SPDX-License-Identifier: GPL-3.0-or-later
// Whole stories with secrets that can be recognized. Afterwards they are looked for in everything that was
// written, printed or given to a process as an argument.
#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <httplib.h>
#include <signal.h>

#include <algorithm>
#include <chrono>

#include "base/text/encoding.h"
#include "export/export.h"
#include "oci/services/registry_client.h"
#include "tests/durability/canary_home.h"

using namespace lockstep;
using namespace lockstep::testing;
using namespace std::chrono_literals;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

using Canaries = CanaryHome;

// So that messages about failures are among what is printed.
json manyFaults() {
  return {{"seed", 5},
          {"faults",
           {{{"kind", "error"}, {"status", 503}, {"probability", 0.2}},
            {{"kind", "throttle"}, {"probability", 0.1}},
            {{"kind", "reset"}, {"probability", 0.1}},
            {{"kind", "lost-answer"}, {"probability", 0.1}}}}};
}

bool hasToken(const CanaryHunt& hunt) {
  return std::any_of(hunt.canaries().begin(), hunt.canaries().end(),
                     [](const Canary& c) { return c.name == "a resource principal token"; });
}

}  // namespace

TEST(CanaryHunt, FindsWhatStandsOpen) {
  const TempDir temp;
  CanaryHunt hunt;
  hunt.add({"the bird", "canary-that-sings-loudly", {"/cage"}});
  EXPECT_NONFATAL_FAILURE(hunt.add({"a short one", "canary", {}}), "cannot be looked for");
  EXPECT_NONFATAL_FAILURE(hunt.checkText("a canary-that-sings-loudly is here", "the room"), "in the room");
  writePrivate(temp.path() / "cage", "canary-that-sings-loudly");
  hunt.checkTree(temp.path(), true);
  fs::permissions(temp.path() / "cage", fs::perms::group_read, fs::perm_options::add);
  EXPECT_NONFATAL_FAILURE(hunt.checkTree(temp.path(), true), "can be read by others");
  fs::remove(temp.path() / "cage");
  writePrivate(temp.path() / "roof", "canary-that-sings-loudly");
  EXPECT_NONFATAL_FAILURE(hunt.checkTree(temp.path(), true), "the bird stands in");
  fs::remove(temp.path() / "roof");
  fs::permissions(temp.path(), fs::perms::owner_all);
  fs::create_directory(temp.path() / "open");
  EXPECT_NONFATAL_FAILURE(hunt.checkTree(temp.path(), true), "is open to others");
}

TEST(CanaryHunt, FindsArguments) {
  CanaryHunt hunt;
  hunt.add({"the bird", "canary-that-sings-loudly", {}});
  ProcessOptions options;
  options.command = {"/bin/sh", "-c", "sleep 60; exit 0", "canary-that-sings-loudly"};
  auto process = ChildProcess::start(options);
  ASSERT_TRUE(process);
  hunt.searchProcesses();
  process->signalAll(SIGKILL);
  EXPECT_NONFATAL_FAILURE(hunt.checkArguments(), "the bird is an argument of a process");
}

TEST_F(Canaries, OfALaunchUnderFaults) {
  useEncryptedKey(std::string("pass_phrase=") + kPassPhrase + "\n");
  hunt.add({"a secret of the job", kJobSecret, {"/places.json", "/state.sqlite", "/spec.json"}});
  const RegionUnderTest& r = region.region();
  json job = r.jobBody();
  job["displayName"] = "canary";
  json node = r.runBody("${job}", {{"STORY_NODE", "main"}, {"STORY_SECRET", kJobSecret}});
  node["displayName"] = "main";
  const json places{{"workDir", r.place("workDir") + "/canary"}, {"job", job}, {"runs", json::array({node})}};
  writePrivate(temp.path() / "places.json", places.dump());
  region.setFaults(manyFaults());
  Said said;
  for (int i = 0; i < 10 && said.exitCode != 0; ++i)
    said = run({LOCKSTEP_STORY_CLIENT, temp.path().string(), (temp.path() / "config").string(), "canary",
                (temp.path() / "places.json").string(), kCanaryProfile});
  EXPECT_EQ(said.exitCode, 0) << said.text;
  EXPECT_TRUE(hasToken(hunt)) << "the tokens of the job run were never seen";
}

TEST_F(Canaries, OfTheCommandLine) {
  useEncryptedKey({});
  const std::map<std::string, std::string> phrase{{"OCI_CLI_PASSPHRASE", kPassPhrase}};
  const std::string file = writeTrainYaml(), info = (temp.path() / "info.yaml").string();
  EXPECT_NE(cli({"run", file, "--detach"}).exitCode, 0) << "nobody has said the pass phrase";
  EXPECT_NE(cli({"run", file, "--detach"}, {{"OCI_CLI_PASSPHRASE", "another"}}).exitCode, 0);
  const Said launched = cli({"run", file, "--detach", "--info", info}, phrase);
  ASSERT_EQ(launched.exitCode, 0) << launched.text;
  // On a busy machine the job runs start late, and the commands below end them.
  for (int looks = 0; looks < 200 && !hasToken(hunt); ++looks) cli({"status", "last"}, phrase);
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"check", "--json"},
                                             {"status", "last", "--json"},
                                             {"watch", "last", "--no-follow", "--json"},
                                             {"metrics", "last"},
                                             {"request", "GET", "/n", "--json"},
                                             {"request", "GET", "/n", "--dry-run", "--json"},
                                             {"request", "GET", "/n", "--dry-run"},
                                             {"cancel", "last"},
                                             {"delete", "last", "--yes"},
                                             {"runs", "--json"},
                                             {"calls"},
                                             {"calls", "--json"}})
    EXPECT_GE(cli(words, phrase).exitCode, 0) << words[0];
  EXPECT_TRUE(hasToken(hunt)) << "the tokens of the job runs were never seen";
  EXPECT_FALSE(contentOf(temp.path() / "home" / "data" / "calls.jsonl").empty());
}

TEST_F(Canaries, OfASessionThatIsRenewedAndThenEnds) {
  useSession(4);
  const fs::path file = temp.path() / "session" / "token";
  const std::string first = contentOf(file);
  const Said asked = cli({"request", "GET", "/n", "--json"});
  EXPECT_EQ(asked.exitCode, 0) << asked.text;
  EXPECT_NE(contentOf(file), first) << "it was not renewed";
  hunt.add({"a renewed session token", contentOf(file), {"/session/token"}});
  cli({"request", "GET", "/n", "--dry-run"});
  cli({"request", "GET", "/n", "--dry-run", "--json"});
  cli({"check", "--json"});
  region.setFaults({{"faults", {{{"kind", "expired-token"}}}}});
  EXPECT_NE(cli({"run", writeTrainYaml(), "--detach"}).exitCode, 0);
  cli({"check"});
  EXPECT_NE(cli({"request", "GET", "/n"}).exitCode, 0);
  cli({"calls", "--json"});
  writePrivate(file, "canary-token-that-is-no-token");
  hunt.add({"a damaged session token", "canary-token-that-is-no-token", {"/session/token"}});
  cli({"check", "--json"});
  EXPECT_NE(cli({"request", "GET", "/n"}).exitCode, 0);
}

TEST_F(Canaries, OfLoggingInToTheRegistryAndOfLinks) {
  useEncryptedKey(std::string("pass_phrase=") + kPassPhrase + "\n");
  const std::string path = "/20160918/users/" + ofProfile("user") + "/authTokens";
  const Said made =
      run(cliCommand({"request", "POST", path, "--data", R"({"description": "canary"})"}), {}, true);
  const std::size_t begin = made.text.find('{'), end = made.text.rfind('}');  // what was noted is around it
  ASSERT_LT(begin, end) << made.text;
  const json answer = json::parse(made.text.substr(begin, end - begin + 1), nullptr, false);
  ASSERT_TRUE(answer.is_object() && answer.contains("token")) << made.text;
  const std::string token = answer["token"];
  const std::string login = region.region().info()["namespace"].get<std::string>() + "/lockstep:" + token;
  hunt.add({"an auth token", token, {}});
  hunt.add({"a login with an auth token", toBase64(login), {}});
  httplib::Client client("127.0.0.1", region.region().port());
  const std::string ask = "/20180419/docker/token?service=registry&scope=repository:x:pull";
  const auto granted = client.Get(ask, {{"Authorization", "Basic " + toBase64(login)}});
  ASSERT_TRUE(granted && granted->status == 200) << (granted ? granted->body : "no answer");
  const std::string bearer = json::parse(granted->body)["token"];
  hunt.add({"a registry token", bearer, {}});
  EXPECT_TRUE(client.Get("/v2/", {{"Authorization", "Bearer " + bearer}}));
  EXPECT_TRUE(client.Get(ask, {{"Authorization", "Basic " + toBase64(login + "wrong")}}));
  EXPECT_TRUE(client.Get("/v2/", {{"Authorization", "Bearer " + bearer + "wrong"}}));
  const std::string bucket = "/n/" + region.region().info()["namespace"].get<std::string>() + "/b/" +
                             region.region().info()["bucket"].get<std::string>();
  const TestResponse link = region.region().caller().post(
      bucket + "/p",
      {{"name", "link"}, {"accessType", "AnyObjectRead"}, {"timeExpires", "2099-01-01T00:00:00Z"}});
  ASSERT_EQ(link.status, 200) << link.body;
  const std::string uri = link.json()["accessUri"];
  hunt.add({"a link's secret", uri.substr(3, uri.find('/', 3) - 3), {"/state.sqlite"}});
  EXPECT_TRUE(client.Get(uri + "there-is-none"));
  EXPECT_TRUE(client.Put(uri + "not-allowed", "x", "text/plain"));
}

TEST_F(Canaries, OfExports) {
  useEncryptedKey(std::string("pass_phrase=") + kPassPhrase + "\n");
  const std::string file = writeTrainYaml();
  int written = 0;
  for (const ExportTarget target : exportTargets()) {
    const std::string name = toString(target), folder = (temp.path() / "export" / name).string();
    const Said said = cli({"export", file, "--to", name, "-o", folder});
    EXPECT_EQ(said.exitCode, 0) << name << ": " << said.text;
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ec))
      if (contentOf(entry.path()).find(kJobSecret) != std::string::npos) ++written;
  }
  EXPECT_GE(written, 3) << "the secret was left out";
}

TEST_F(Canaries, OfTheDesktop) {
  if (!fs::exists(LOCKSTEP_BIN_DIR "/lockstep-desktop")) GTEST_SKIP() << "the desktop is not built";
  useEncryptedKey(std::string("pass_phrase=") + kPassPhrase + "\n");
  const std::string file = writeTrainYaml();
  ASSERT_EQ(cli({"run", file, "--detach"}).exitCode, 0);
  const fs::path settings = temp.path() / "home" / "config" / "desktop.ini";
  const Said said = runUntil({LOCKSTEP_BIN_DIR "/lockstep-desktop", "--run", "last", "--config",
                              (temp.path() / "config").string(), "--profile", kCanaryProfile, file},
                             {{"QT_QPA_PLATFORM", "offscreen"}}, [&] { return fs::exists(settings); });
  EXPECT_TRUE(fs::exists(settings)) << said.text;
  cli({"cancel", "last"});
}
