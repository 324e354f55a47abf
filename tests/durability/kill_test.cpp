// SPDX-License-Identifier: GPL-3.0-or-later
// kill -9 of the region and of its client at random moments of a story: nothing that was acknowledged is
// missing afterwards, nothing is there twice, and nothing is left running: no process, no network namespace
// that a process holds, none that is mounted. LOCKSTEP_KILLS: how many kills (default 8), LOCKSTEP_SEED: of
// their moments.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <fstream>
#include <mutex>
#include <random>
#include <sstream>
#include <thread>

#include "base/child_process.h"
#include "tests/faults/fault_region.h"
#include "tests/faults/launch_story.h"

using namespace lockstep;
using namespace lockstep::testing;
using namespace std::chrono_literals;
using nlohmann::json;

namespace {

constexpr auto kStoryTime = 1500ms;  // kills come within it, so that each part of a story meets some
constexpr int kMaxStarts = 12;       // of a client until it gets through

long numberFrom(const char* variable, long otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::atol(text);
}

struct Kill {
  long number = 0;
  bool region = false, client = false;
  std::chrono::milliseconds at{0};
};

std::string describe(const Kill& kill) {
  return "kill " + std::to_string(kill.number) + " of the " + (kill.region ? "region" : "client") +
         (kill.region && kill.client ? " and the client" : "") + " after " + std::to_string(kill.at.count()) +
         " ms: ";
}

class KilledStory {
 public:
  KilledStory(FaultRegion& region, const Kill& kill)
      : region_(region), kill_(kill), name_("kill-" + std::to_string(kill.number)) {}

  std::vector<std::string> play() {
    writePlaces();
    ChildProcess client = startClient();
    std::this_thread::sleep_for(kill_.at);
    if (kill_.client) client.signalAll(SIGKILL);
    if (kill_.region) {
      region_.region().killHard();
      region_.region().start();
    }
    if (!finish(std::move(client))) wrong("the client does not get through: " + said());
    if (!eventually([&] { return FaultRegion::processesAround(temp_.path()).empty(); }))
      wrong("a process of the client is left");
    check();
    return std::move(wrong_);
  }

 private:
  void wrong(const std::string& what) { wrong_.push_back(describe(kill_) + what); }

  void writePlaces() const {
    const RegionUnderTest& r = region_.region();
    json job = r.jobBody();
    job["displayName"] = name_;
    json runs = json::array();
    for (const char* node : {"main", "worker_0"}) {
      runs.push_back(r.runBody("${job}", {{"STORY_NODE", node}}));
      runs.back()["displayName"] = node;
    }
    std::ofstream(temp_.path() / "places.json")
        << json{{"workDir", r.place("workDir") + "/" + name_}, {"job", job}, {"runs", runs}};
  }

  ChildProcess startClient() {
    ProcessOptions options;
    options.command = {LOCKSTEP_STORY_CLIENT, temp_.path().string(), region_.region().configFile(), name_,
                       (temp_.path() / "places.json").string()};
    options.environment = {{"HOME", temp_.path().string()},
                           {"LOCKSTEP_HOME", (temp_.path() / "home").string()},
                           {"PATH", "/usr/bin:/bin"}};
    options.stderrFd =
        ::open((temp_.path() / "stderr").c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
    auto process = ChildProcess::start(options);
    ::close(options.stderrFd);
    if (!process) throw std::runtime_error(lockstep::describe(process.error()));
    return *process;
  }

  [[nodiscard]] std::string said() const {
    std::ifstream file(temp_.path() / "stderr");
    return {std::istreambuf_iterator<char>(file), {}};
  }

  /// As a user would: what failed is tried again.
  bool finish(ChildProcess client) {
    for (int i = 0; i < kMaxStarts; ++i) {
      const auto exit = client.waitFor(60s);
      if (!exit) {
        client.signalAll(SIGKILL);
        return false;
      }
      if (exit->ok()) return true;
      client = startClient();
    }
    client.signalAll(SIGKILL);
    return false;
  }

  void check() {
    std::ifstream journal(temp_.path() / "journal");
    std::set<std::string> seenLines, jobs;
    for (std::string line; std::getline(journal, line);) {
      std::istringstream words(line);
      std::string what, id;
      words >> what >> id;
      if (what == "TWICE") wrong("a line was shown twice");
      if (what == "line") seenLines.insert(id);
      if (what == "launched") jobs.insert(id);
      if (what == "put") checkObject(id);
    }
    if (jobs.size() != 1) wrong(std::to_string(jobs.size()) + " launches went on instead of one");
    for (const std::string& job : region_.jobsNamed(name_)) checkJob(job, jobs.contains(job), seenLines);
    if (!seenLines.empty()) wrong(std::to_string(seenLines.size()) + " lines that were shown are lost");
    acknowledged = objects_;
  }

  void checkObject(const std::string& name) {
    ++objects_;
    const int number = std::stoi(name.substr(name.rfind('-') + 1));
    if (region_.object("runs/" + name_ + "/" + name) != std::string(1000, static_cast<char>('a' + number)))
      wrong("the acknowledged " + name + " is missing or changed");
  }

  void checkJob(const std::string& job, bool isTheOne, std::set<std::string>& seenLines) {
    const auto runs = region_.runsOf(job);
    if (isTheOne && runs.size() != 2) wrong(std::to_string(runs.size()) + " job runs instead of two");
    if (!isTheOne && runs.size() > 2) wrong("an abandoned launch has too many job runs");
    for (const auto& run : runs) {
      if (run.state != "CANCELED" && run.state != "FAILED" && run.state != "SUCCEEDED")
        wrong("job run " + run.name + " is left " + run.state);
      if (!eventually([&] { return FaultRegion::processesOf(run.id).empty(); }))
        wrong("a process of job run " + run.name + " is left");
      std::map<std::string, int> texts;
      for (const auto& [id, text] : region_.linesOf(run.id)) {
        seenLines.erase(id);
        if (++texts[text] > 1) wrong("the log has twice: " + text);
      }
      for (int i = 1; isTheOne && i <= 10; ++i)
        if (!texts.contains("line " + std::to_string(i) + " of " + run.name))
          wrong("the log of " + run.name + " lacks line " + std::to_string(i) + " (" + run.state + ", " +
                run.details + ")");
    }
  }

  FaultRegion& region_;
  Kill kill_;
  std::string name_;
  TempDir temp_;
  int objects_ = 0;
  std::vector<std::string> wrong_;

 public:
  int acknowledged = 0;
};

std::vector<Kill> drawKills(long count, unsigned long seed) {
  std::mt19937_64 random(seed);
  std::vector<Kill> kills;
  for (long i = 0; i < count; ++i) {
    Kill kill{i, i % 3 != 0, i % 3 != 1, {}};  // the client, the region, both, in turn
    kill.at = std::chrono::milliseconds(random() % static_cast<unsigned long>(kStoryTime.count()));
    kills.push_back(kill);
  }
  return kills;
}

/// What all stories together came to. Any thread.
class Findings {
 public:
  void add(std::vector<std::string> wrong, int objects = 0, bool isolated = false) {
    const std::lock_guard lock(mutex_);
    wrong_.insert(wrong_.end(), wrong.begin(), wrong.end());
    objects_ += objects;
    isolated_ += isolated ? 1 : 0;
  }
  void report() const {
    std::printf("%d acknowledged objects are all there; %d stories with nodes in namespaces of their own\n",
                objects_, isolated_);
    for (const std::string& what : wrong_) ADD_FAILURE() << what;
  }

 private:
  std::mutex mutex_;
  std::vector<std::string> wrong_;
  int objects_ = 0, isolated_ = 0;
};

void playOn(FaultRegion& region, const Kill& kill, Findings& findings) {
  KilledStory story(region, kill);
  std::vector<std::string> wrong;
  try {
    wrong = story.play();
  } catch (const std::exception& e) {
    wrong.push_back(describe(kill) + e.what());
  }
  findings.add(wrong, story.acknowledged, !region.region().info().contains("unenforced"));
}

// A namespace lives as long as a process is in it, or holds a descriptor of it: none of ours may be left.
void checkNothingIsLeft(const std::filesystem::path& folder, Findings& findings) {
  if (eventually([&] { return FaultRegion::processesAround(folder).empty(); })) return;
  for (const int pid : FaultRegion::processesAround(folder)) {
    std::ifstream file("/proc/" + std::to_string(pid) + "/cmdline");
    std::string words(std::istreambuf_iterator<char>(file), {});
    std::replace(words.begin(), words.end(), '\0', ' ');
    findings.add({"process " + std::to_string(pid) + " is left when its region has been stopped: " + words});
  }
}

/// Network namespaces that live on without a process: those that are mounted.
int mountedNamespaces() {
  std::ifstream mounts("/proc/self/mountinfo");
  int count = 0;
  for (std::string line; std::getline(mounts, line);)
    count += line.find(" nsfs ") == std::string::npos ? 0 : 1;
  return count;
}

}  // namespace

TEST(Kill9, LosesNothingDoublesNothingLeavesNothing) {
  const long count = numberFrom("LOCKSTEP_KILLS", 8);
  const auto seed = static_cast<unsigned long>(numberFrom("LOCKSTEP_SEED", 20260101));
  std::printf("%ld kills, seed %lu\n", count, seed);
  const std::vector<Kill> kills = drawKills(count, seed);
  const int mounted = mountedNamespaces();
  std::atomic<std::size_t> next = 0;
  Findings findings;
  const auto work = [&](const char* isolate) {
    std::filesystem::path folder;
    try {
      FaultRegion region(kStoryScript, {"--isolate", isolate});
      folder = region.region().folder();
      if (FaultRegion::processesAround(folder).empty())
        findings.add({"the region's own process is not seen"});
      for (std::size_t i = 0; (i = next++) < kills.size();) playOn(region, kills[i], findings);
    } catch (const std::exception& e) {
      findings.add({std::string("a region does not begin: ") + e.what()});
    }
    if (!folder.empty()) checkNothingIsLeft(folder, findings);
  };
  {
    std::vector<std::jthread> workers;
    for (const char* isolate : {"off", "auto", "off", "auto"}) workers.emplace_back(work, isolate);
  }
  EXPECT_EQ(mountedNamespaces(), mounted);
  findings.report();
}
