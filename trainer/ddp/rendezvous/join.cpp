// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/rendezvous/join.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <exception>
#include <limits>
#include <mutex>
#include <nlohmann/json.hpp>
#include <thread>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/outside_json.h"
#include "base/text/encoding.h"
#include "base/version.h"
#include "trainer/ddp/base/sockets.h"
#include "trainer/ddp/rendezvous/job_store.h"

namespace lockstep::trainer {
namespace {

using SteadyTime = std::chrono::steady_clock::time_point;
using Environment = std::map<std::string, std::string>;
using Json = nlohmann::json;

constexpr std::chrono::milliseconds kPoll{20};
constexpr std::chrono::milliseconds kForeignTimeout{10'000};

// Containers of one machine share the boot id but not the host name, and cannot share memory.
std::string machineKey() {
  const auto bootId = readFile("/proc/sys/kernel/random/boot_id", 256);
  return hostName() + "/" + (bootId ? bootId->substr(0, bootId->find('\n')) : std::string("unknown"));
}

Json selfDescription(const RankContext& place, int protocol) {
  return {{"rank", place.rank},          {"world", place.worldSize}, {"protocol", protocol},
          {"version", LOCKSTEP_VERSION}, {"host", hostName()},       {"pid", ::getpid()},
          {"machine", machineKey()}};
}

// Another rank's, or that of whoever reached the store: `otherwise` for what an int cannot be.
int numberIn(const Json& who, const char* key, int otherwise) {
  constexpr int kMax = std::numeric_limits<int>::max();
  return static_cast<int>(outsideNumber(who, key, -kMax, kMax).value_or(otherwise));
}

PeerIdentity peerFrom(const Json& who) {
  return {numberIn(who, "rank", 0), who.value("host", "?"), numberIn(who, "pid", 0),
          who.value("machine", "")};
}

std::string nameOf(const Json& who) {
  return fmt::format("host {} pid {}", who.value("host", "?"), numberIn(who, "pid", 0));
}

// The first line: c10d appends a C++ back trace.
std::string reasonOf(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

Error foreignStore(const RankContext& place, const std::string& cause) {
  return failure(ErrorCode::Unauthenticated,
                 fmt::format("the program at {}:{} is not the store of rank 0: the port is taken",
                             place.masterAddress, place.masterPort),
                 cause, "choose another MASTER_PORT, the same for all ranks, or end that program")
      .value();
}

// Calls `late` unless it is destroyed in time.
class AnswerLimit {
 public:
  AnswerLimit(std::chrono::milliseconds time, std::function<void()> late)
      : thread_([time, late = std::move(late)](const std::stop_token& stop) {
          std::mutex mutex;
          std::condition_variable_any wake;
          std::unique_lock lock(mutex);
          wake.wait_for(lock, stop, time, [] { return false; });
          if (!stop.stop_requested()) late();
        }) {}

 private:
  std::jthread thread_;
};

// One rank's way through the gathering. Store calls throw; joinJob() catches.
class Join {
 public:
  explicit Join(const JoinSetup& setup)
      : place_(setup.place),
        timeout_(setup.timeout),
        deadline_(std::chrono::steady_clock::now() + setup.timeout),
        onForeignStore_(setup.onForeignStore),
        self_(selfDescription(setup.place, setup.protocol)) {}

  Result<void> openStore(const Environment& environment);
  Result<void> introduce();
  Result<void> compareWithRankZero();
  Result<void> awaitAll();
  Gathering gathered();
  /// Whether a store has answered: before that, what went wrong may be another program at the port.
  [[nodiscard]] bool answered() const { return answered_; }

 private:
  Result<c10::intrusive_ptr<c10d::Store>> connectStore(std::optional<AnswerLimit>& limit);
  void reportForeignStore();
  c10::intrusive_ptr<c10d::Store> hostStore();
  tl::unexpected<Error> abortAll(ErrorCode code, const std::string& what, const std::string& cause,
                                 const std::string& remedy);
  tl::unexpected<Error> aborted();
  void letOthersRead();
  [[nodiscard]] std::string missingRanks();
  [[nodiscard]] Json who(int rank) { return Json::parse(store_->get(whoKey(rank))); }
  [[nodiscard]] static std::string whoKey(int rank, long long n = 1) {
    return fmt::format("who/{}/{}", rank, n);
  }

  RankContext place_;
  std::chrono::milliseconds timeout_;
  SteadyTime deadline_;
  std::function<void(const Error&)> onForeignStore_;
  Json self_;
  bool hosting_ = false;
  bool answered_ = false;
  std::shared_ptr<JobStore> store_;
  std::string ownAddress_;
};

c10::intrusive_ptr<c10d::Store> Join::hostStore() {
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place_.masterPort);
  options.isServer = true;
  options.waitWorkers = false;
  options.timeout = timeout_;
  try {
    auto store = c10::make_intrusive<c10d::TCPStore>(place_.masterAddress, options);
    hosting_ = true;
    ownAddress_ = place_.masterAddress;
    return store;
  } catch (const std::exception&) {
    return {};  // the port is taken: if by another RANK=0 of this job, the store there is going to tell
  }
}

Result<c10::intrusive_ptr<c10d::Store>> Join::connectStore(std::optional<AnswerLimit>& limit) {
  auto connected = connectUntil(place_.masterAddress, place_.masterPort, deadline_);
  if (!connected) {
    Error error = connected.error();
    error.what = fmt::format("rank {} {}, where rank 0's store should be", place_.rank, error.what);
    error.code = ErrorCode::NotFound;
    if (error.remedy.empty()) {
      error.remedy =
          "check that rank 0 runs, that MASTER_ADDR and MASTER_PORT are its own, and that TCP between the "
          "nodes is allowed";
    }
    return failure(error);
  }
  ownAddress_ = connected->ownAddress;
  ::close(connected->fd);
  limit.emplace(std::min(timeout_, kForeignTimeout), [this] { reportForeignStore(); });
  c10d::TCPStoreOptions options;
  options.port = static_cast<std::uint16_t>(place_.masterPort);
  options.waitWorkers = false;
  options.timeout = timeout_;
  return c10::intrusive_ptr<c10d::Store>(c10::make_intrusive<c10d::TCPStore>(place_.masterAddress, options));
}

Result<void> Join::openStore(const Environment& environment) {
  const bool agentHosts = environmentValue(environment, "TORCHELASTIC_USE_AGENT_STORE") == "True";
  c10::intrusive_ptr<c10d::Store> opened;
  if (place_.rank == 0 && !agentHosts) {
    if (auto known = checkHostName(place_.masterAddress); !known) return known;
    opened = hostStore();
  }
  std::optional<AnswerLimit> limit;
  if (!opened) {
    limit.emplace(timeout_ + kForeignTimeout, [this] { reportForeignStore(); });
    auto connected = connectStore(limit);
    if (!connected) return failure(connected.error());
    opened = *connected;
  }
  const std::string attempt = environmentValue(environment, "TORCHELASTIC_RESTART_COUNT");
  const std::string prefix = "lockstep/" + (attempt.empty() ? std::string("0") : attempt);
  store_ = std::make_shared<JobStore>(c10::make_intrusive<c10d::PrefixStore>(prefix, opened));
  store_->add("hello", 1);
  answered_ = true;
  return {};
}

void Join::reportForeignStore() {
  if (onForeignStore_) onForeignStore_(foreignStore(place_, "it takes the connection and does not answer"));
}

Result<void> Join::introduce() {
  const long long times = store_->add(fmt::format("join/{}", place_.rank), 1);
  store_->set(whoKey(place_.rank, times), self_.dump());
  if (times > 1) {
    return abortAll(ErrorCode::AlreadyExists,
                    fmt::format("RANK={} is used twice: by {} and by {}", place_.rank,
                                nameOf(who(place_.rank)), nameOf(self_)),
                    {}, "give every process a rank of its own");
  }
  if (place_.rank == 0) {
    store_->set("token", toHex(randomBytes(16)));
    store_->add("agreed", 1);
  }
  return {};
}

Result<void> Join::compareWithRankZero() {
  const Json first = who(0);
  const auto versionOf = [&](const Json& one) {
    return fmt::format("{} (protocol {})", one.value("version", "unknown"), numberIn(one, "protocol", 1));
  };
  if (numberIn(first, "protocol", 1) != numberIn(self_, "protocol", 1)) {
    return abortAll(
        ErrorCode::DataLoss,
        fmt::format("the ranks are of different versions: {} on rank 0 ({}), {} on rank {} ({})",
                    versionOf(first), nameOf(first), versionOf(self_), place_.rank, nameOf(self_)),
        {}, "start every rank from the same image");
  }
  if (numberIn(first, "world", 0) == place_.worldSize) {
    store_->add("agreed", 1);
    return {};
  }
  return abortAll(
      ErrorCode::FailedPrecondition,
      fmt::format("the ranks disagree about WORLD_SIZE: {} on rank 0 ({}), {} on rank {} ({})",
                  numberIn(first, "world", 0), nameOf(first), place_.worldSize, place_.rank, nameOf(self_)),
      {}, "start every rank with the same WORLD_SIZE");
}

Result<void> Join::awaitAll() {
  bool compared = place_.rank == 0;
  while (true) {
    if (store_->has("abort")) return aborted();
    if (!compared && store_->has(whoKey(0))) {
      if (auto agreed = compareWithRankZero(); !agreed) return agreed;
      compared = true;
    }
    // Counted after comparing: a rank of another world size must not make the number full for rank 0.
    if (compared && store_->add("agreed", 0) >= place_.worldSize) return {};
    if (std::chrono::steady_clock::now() > deadline_) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(timeout_).count();
      return abortAll(ErrorCode::DeadlineExceeded,
                      fmt::format("not all {} ranks came together within {} s", place_.worldSize, seconds),
                      "still missing: " + missingRanks(),
                      "look at the logs of the missing ranks; --timeout sets the limit");
    }
    std::this_thread::sleep_for(kPoll);
  }
}

std::string Join::missingRanks() {
  std::string missing;
  for (int rank = 0; rank < place_.worldSize; ++rank) {
    if (!store_->has(whoKey(rank))) missing += fmt::format("{}rank {}", missing.empty() ? "" : ", ", rank);
  }
  return missing;
}

tl::unexpected<Error> Join::abortAll(ErrorCode code, const std::string& what, const std::string& cause,
                                     const std::string& remedy) {
  if (!store_->has("abort")) {
    store_->set("abort", Json{{"timeout", code == ErrorCode::DeadlineExceeded},
                              {"code", static_cast<int>(code)},
                              {"what", what},
                              {"cause", cause},
                              {"remedy", remedy}}
                             .dump());
  }
  return aborted();
}

tl::unexpected<Error> Join::aborted() {
  const Json reason = Json::parse(store_->get("abort"));
  store_->add("read", 1);
  letOthersRead();
  const int code = numberIn(reason, "code", -1);
  const bool known = code >= 0 && code <= static_cast<int>(ErrorCode::Internal);
  const bool late = reason.value("timeout", false);
  return failure(known ? static_cast<ErrorCode>(code)
                       : (late ? ErrorCode::DeadlineExceeded : ErrorCode::FailedPrecondition),
                 reason.value("what", ""), reason.value("cause", ""), reason.value("remedy", ""));
}

// The store ends with this process; a rank that comes a moment later should still learn the reason.
void Join::letOthersRead() {
  if (!hosting_) return;
  const auto enough = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (std::chrono::steady_clock::now() < enough && store_->add("read", 0) <= place_.worldSize)
    std::this_thread::sleep_for(kPoll);
}

Gathering Join::gathered() {
  Gathering gathering{store_, {}, ownAddress_, store_->get("token")};
  for (int rank = 0; rank < place_.worldSize; ++rank) gathering.peers.push_back(peerFrom(who(rank)));
  return gathering;
}

Result<Gathering> joinOverStore(Join& join, const Environment& environment) {
  if (auto opened = join.openStore(environment); !opened) return failure(opened.error());
  if (auto introduced = join.introduce(); !introduced) return failure(introduced.error());
  if (auto complete = join.awaitAll(); !complete) return failure(complete.error());
  return join.gathered();
}

}  // namespace

int Gathering::ranksOnMachineOf(int rank) const {
  const std::string& machine = peers.at(static_cast<std::size_t>(rank)).machine;
  return static_cast<int>(
      std::count_if(peers.begin(), peers.end(), [&](const auto& peer) { return peer.machine == machine; }));
}

bool Gathering::allOnOneMachine() const {
  return ranksOnMachineOf(0) == static_cast<int>(peers.size());
}

Result<Gathering> joinJob(const JoinSetup& setup) {
  Join join(setup);
  try {
    return joinOverStore(join, setup.environment);
  } catch (const std::exception& error) {
    if (!join.answered()) return failure(foreignStore(setup.place, reasonOf(error)));
    return failure(
        ErrorCode::Unavailable,
        fmt::format("rank {} lost the store of rank 0 while the ranks came together", setup.place.rank),
        reasonOf(error), "look at the log of rank 0");
  }
}

}  // namespace lockstep::trainer
