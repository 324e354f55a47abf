// SPDX-License-Identifier: GPL-3.0-or-later
// A whole story under faults with secrets that can be recognized. Afterwards they are looked for in
// everything that was written, printed or given to a process as an argument.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <mutex>
#include <sstream>
#include <thread>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "tests/faults/fault_region.h"
#include "tests/faults/launch_story.h"

using namespace lockstep;
using namespace lockstep::testing;
using namespace std::chrono_literals;
using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kPassPhrase = "canary-pass-phrase-4711";
constexpr const char* kJobSecret = "canary-value-of-the-job-0815";

// Empty when it is gone: a process may end while it is looked at, and a stream would throw then.
std::string contentOf(const fs::path& path) {
  return readFile(path).value_or("");
}

/// A line from within a PEM file: what no other text has by chance.
std::string lineOf(const std::string& pem) {
  std::istringstream lines(pem);
  std::string line;
  for (int i = 0; i < 2; ++i) std::getline(lines, line);  // the keys of tokens are short
  return line;
}

void writeEncryptedCopy(const fs::path& from, const fs::path& to) {
  const auto key = readKeyFile(from.string());
  ::close(::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  FILE* file = std::fopen(to.c_str(), "w");
  ASSERT_EQ(PEM_write_PKCS8PrivateKey(file, key.get(), EVP_aes_256_cbc(), kPassPhrase,
                                      static_cast<int>(std::string(kPassPhrase).size()), nullptr, nullptr),
            1);
  std::fclose(file);
}

/// What is secret, and the files that are made to hold it, by a part of their path.
struct Canary {
  std::string name, text;
  std::vector<std::string> homes;
};

struct CanaryTest : ::testing::Test {
  TempDir temp;  // of the client
  FaultRegion region{kStoryScript};
  std::vector<Canary> canaries;
  std::mutex mutex;
  std::set<std::string> arguments;  // of every process that was seen

  fs::path state() { return region.region().stateFolder(); }

  // The region's profile with an encrypted copy of the key.
  std::string writeProfile() {
    std::string text;
    std::istringstream lines(contentOf(region.region().configFile()));
    for (std::string line; std::getline(lines, line);)
      if (!line.starts_with("key_file")) text += line + "\n";
    writeEncryptedCopy(state() / "user.pem", temp.path() / "encrypted.pem");
    const fs::path config = temp.path() / "config";
    const int fd = ::open(config.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    text += "key_file=" + (temp.path() / "encrypted.pem").string() + "\npass_phrase=" + kPassPhrase + "\n";
    EXPECT_EQ(::write(fd, text.data(), text.size()), static_cast<ssize_t>(text.size()));
    ::close(fd);
    return config.string();
  }

  std::string writePlaces() {
    const RegionUnderTest& r = region.region();
    json job = r.jobBody();
    job["displayName"] = "canary";
    json run = r.runBody("${job}", {{"STORY_NODE", "main"}, {"STORY_SECRET", kJobSecret}});
    run["displayName"] = "main";
    const fs::path file = temp.path() / "places.json";
    std::ofstream(file) << json{
        {"workDir", r.place("workDir") + "/canary"}, {"job", job}, {"runs", json::array({run})}};
    ::chmod(file.c_str(), 0600);
    return file.string();
  }

  ChildProcess start(const std::vector<std::string>& command, const std::string& output) {
    ProcessOptions options;
    options.command = command;
    options.environment = {{"HOME", temp.path().string()},
                           {"LOCKSTEP_HOME", (temp.path() / "home").string()},
                           {"PATH", "/usr/bin:/bin"}};
    options.stdoutFd = options.stderrFd =
        ::open((temp.path() / output).c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    auto process = ChildProcess::start(options);
    ::close(options.stdoutFd);
    EXPECT_TRUE(process);
    return *process;
  }

  // Tokens come and go with the job runs, and so do processes.
  void look() {
    for (const auto& entry : fs::directory_iterator("/proc")) {
      const std::string name = entry.path().filename();
      if (name.find_first_not_of("0123456789") == std::string::npos)
        arguments.insert(contentOf(entry.path() / "cmdline"));
    }
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(state() / "runs", ec)) {
      const std::string file = entry.path().filename();
      if (file == "rpst") add({"a resource principal token", contentOf(entry.path()), {"/rpst"}});
      if (file == "session.pem")
        add({"a session key", lineOf(contentOf(entry.path())), {"/session.pem", "/spec.json"}});
    }
  }

  void add(Canary canary) {
    const auto same = [&](const Canary& c) { return c.text == canary.text; };
    if (canary.text.size() > 20 && std::none_of(canaries.begin(), canaries.end(), same))
      canaries.push_back(std::move(canary));
  }

  void checkFile(const fs::path& file) {
    const std::string content = contentOf(file);
    for (const Canary& canary : canaries) {
      if (content.find(canary.text) == std::string::npos) continue;
      const bool atHome = std::any_of(canary.homes.begin(), canary.homes.end(), [&](const std::string& home) {
        return file.string().find(home) != std::string::npos;
      });
      EXPECT_TRUE(atHome) << canary.name << " stands in " << file;
      struct stat info {};
      ::stat(file.c_str(), &info);
      EXPECT_EQ(info.st_mode & 077, 0U) << file << " holds " << canary.name << " and can be read by others";
    }
  }

  void checkTree(const fs::path& folder, bool isPrivate) {
    std::error_code ec;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ec)) {
      struct stat info {};
      ::lstat(entry.path().c_str(), &info);
      const bool ofTheJob =
          entry.path().string().find("/work") != std::string::npos;  // a container's own files
      if (entry.is_directory(ec) && isPrivate && !ofTheJob) {
        EXPECT_EQ(info.st_mode & 077, 0U) << entry.path() << " is open to others";
      }
      if (entry.is_regular_file(ec)) checkFile(entry.path());
    }
  }
};

}  // namespace

TEST_F(CanaryTest, NoSecretStandsWhereItDoesNotBelong) {
  canaries = {{"the pass phrase", kPassPhrase, {"/config"}},
              {"the user's private key", lineOf(contentOf(state() / "user.pem")), {"/user.pem"}},
              {"the region's signing key", lineOf(contentOf(state() / "token.pem")), {"/token.pem"}},
              {"the admin token", contentOf(state() / "admin.token"), {"/admin.token"}},
              {"a secret of the job",
               kJobSecret,
               {"/places.json", "/state.sqlite", "/spec.json", "/home/runs.sqlite", "/runs.sqlite"}}};
  json faults = json::array({{{"kind", "error"}, {"status", 503}, {"probability", 0.2}},
                             {{"kind", "throttle"}, {"probability", 0.1}},
                             {{"kind", "reset"}, {"probability", 0.1}},
                             {{"kind", "lost-answer"}, {"probability", 0.1}}});
  region.setFaults({{"seed", 5}, {"faults", faults}});
  const std::string config = writeProfile(), places = writePlaces();
  const std::vector<std::string> command{LOCKSTEP_STORY_CLIENT, temp.path().string(), config, "canary",
                                         places};
  std::optional<ProcessExit> exit;
  for (int i = 0; i < 10 && !(exit && exit->ok()); ++i) {
    ChildProcess client = start(command, "story.out");
    const auto deadline = std::chrono::steady_clock::now() + 60s;
    do {
      look();
      std::this_thread::sleep_for(20ms);
    } while (!(exit = client.poll()) && std::chrono::steady_clock::now() < deadline);
  }
  ASSERT_TRUE(exit && exit->ok()) << contentOf(temp.path() / "story.out");
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {"runs", "--json"},
           {"request", "GET", region.region().info()["endpoint"].get<std::string>() + "/n", "--dry-run",
            "--json"}}) {
    std::vector<std::string> cli{LOCKSTEP_BIN_DIR "/lockstep", "--config", config, "--profile", "REHEARSAL"};
    cli.insert(cli.end(), words.begin(), words.end());
    ASSERT_TRUE(start(cli, "cli.out").waitFor(60s));
  }
  region.clearFaults();
  EXPECT_GE(canaries.size(), 7U) << "the tokens of the job run were never seen";
  checkTree(temp.path(), true);
  checkTree(region.region().folder(), true);
  for (const std::string& line : arguments)
    for (const Canary& canary : canaries)
      EXPECT_EQ(line.find(canary.text), std::string::npos) << canary.name << " is an argument of a process";
}
