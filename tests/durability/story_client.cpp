// SPDX-License-Identifier: GPL-3.0-or-later
// story_client FOLDER CONFIG NAME PLACES [PROFILE]: the client of a launch-watch-cancel story that may be
// killed and started again at any moment. What a service has acknowledged is in FOLDER/journal before
// anything else is asked.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <set>
#include <sstream>
#include <thread>

#include "base/atomic_file.h"
#include "launch/run_services.h"
#include "oci/signin/open_service_client.h"
#include "tests/faults/hasty_clock.h"

namespace {

using namespace lockstep;
using namespace std::chrono_literals;
using nlohmann::json;

constexpr int kObjects = 12;
constexpr int kLinesPerNode = 10;

class Journal {
 public:
  explicit Journal(const std::filesystem::path& file)
      : fd_(::open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600)) {
    std::istringstream text(readFile(file).value_or(""));
    for (std::string line; std::getline(text, line);) known_.insert(line);
  }
  ~Journal() { ::close(fd_); }
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  [[nodiscard]] bool has(const std::string& line) const { return known_.contains(line); }
  void add(const std::string& line) {
    if (!known_.insert(line).second) return;
    const std::string text = line + "\n";
    if (::write(fd_, text.data(), text.size()) < 0) ::_exit(3);
  }

 private:
  int fd_;
  std::set<std::string> known_;
};

[[noreturn]] void giveUp(const Error& error) {
  std::fputs((describe(error) + "\n").c_str(), stderr);
  std::exit(1);
}

template <class T>
T valueOf(Result<T> result) {
  if (!result) giveUp(result.error());
  return *std::move(result);
}

LaunchRequest requestFrom(const std::string& file, const std::string& name) {
  const json places = json::parse(valueOf(readFile(file)));
  LaunchRequest request;
  request.name = name;
  request.plan.workDir = places.at("workDir");
  request.plan.requests.push_back({"CreateJob", places.at("job")});
  for (const json& run : places.at("runs")) {
    const int rank = static_cast<int>(request.plan.nodes.size());
    request.plan.nodes.push_back(
        {rank == 0 ? NodeRole::Main : NodeRole::Worker, run.at("displayName").get<std::string>(), rank});
    request.plan.requests.push_back({"CreateJobRun", run});
  }
  return request;
}

struct Client {
  RunServices services;
  std::shared_ptr<RunStore> store;
  Journal journal;

  /// The newest launch, as the service has it now; a new one when there is none that goes on.
  TrainingRun launched(const LaunchRequest& request) {
    for (TrainingRun& run : valueOf(store->all())) {
      run = valueOf(services.launcher()->refresh(run, {}));
      if (run.launchComplete) return run;
    }
    return valueOf(services.launcher()->launch(request, {}, {}));
  }

  void putObjects(const TrainingRun& run) {
    const auto dir = valueOf(services.workDir(run.workDir));
    for (int i = 0; i < kObjects; ++i) {
      const std::string name = fmt::format("object-{}", i);
      if (journal.has("put " + name)) continue;
      if (auto put = dir->put(name, std::string(1000, static_cast<char>('a' + i)), {}); !put)
        giveUp(put.error());
      journal.add("put " + name);
    }
  }

  void watch(const TrainingRun& run) {
    const auto follower = valueOf(services.follow(run));
    std::set<std::string> lines;
    while (static_cast<int>(lines.size()) < kLinesPerNode * static_cast<int>(run.nodes.size())) {
      const RunUpdate update = follower->poll({});
      for (const LogLine& line : update.lines) {
        if (!lines.insert(line.id).second) journal.add("TWICE " + line.id);
        journal.add("line " + line.id);
      }
      if (!update.problems.empty()) giveUp(update.problems.front());
      if (isTerminal(stateOf(update.run)) && allNodesEnded(update.run)) return;
      std::this_thread::sleep_for(20ms);
    }
  }
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 5 && argc != 6) return 2;
  const std::filesystem::path folder = argv[1];
  const auto profile = valueOf(oci::loadProfile({argv[2], argc == 6 ? argv[5] : "REHEARSAL"}));
  auto setup = valueOf(oci::openServiceClient(profile))->setup();
  auto clock = std::make_shared<testing::HastyClock>();
  setup.clock = clock;
  auto store = std::make_shared<RunStore>(valueOf(RunStore::open(folder / "runs.sqlite")));
  Client client{RunServices::over(profile, std::make_shared<oci::ServiceClient>(setup), store, clock), store,
                Journal(folder / "journal")};
  const TrainingRun run = client.launched(requestFrom(argv[4], argv[3]));
  client.journal.add("launched " + run.jobId.value);
  client.putObjects(run);
  client.watch(run);
  const TrainingRun ended = valueOf(client.services.launcher()->cancel(run, {}));
  client.journal.add("ended " + ended.jobId.value);
  return 0;
}
