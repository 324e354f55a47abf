// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/rank_gathering.h"

#include <fmt/format.h>

#include <condition_variable>

#include "trainer/ddp/exit_codes.h"
#include "trainer/ddp/gloo_communicator.h"

namespace lockstep::trainer {
namespace {

// Ends the process unless it is destroyed in time: a foreign program that takes our connection and never
// answers would keep the store's client waiting for ever.
class Limit {
 public:
  Limit(std::chrono::milliseconds time, Ending& ending, std::string message)
      : thread_([time, &ending, message = std::move(message)](const std::stop_token& stop) {
          std::mutex mutex;
          std::condition_variable_any wake;
          std::unique_lock lock(mutex);
          wake.wait_for(lock, stop, time, [] { return false; });
          if (!stop.stop_requested()) ending.exitNow(kExitNotJoined, message);
        }) {}

 private:
  std::jthread thread_;
};

// Runs on the watch's thread, while the training thread may hang in a collective.
void endForLoss(Ending& ending, int rank, const PeerWatch::Loss& loss,
                const std::vector<PeerIdentity>& peers) {
  // A cancelled job stops its ranks one after the other: our own signal may be on its way.
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks && loss.kind == PeerWatch::Kind::Stopped && !ending.terminationAsked(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (ending.terminationAsked())
    ending.exitNow(kExitTerminated, fmt::format("rank {}: told to stop (SIGTERM)", rank));
  ending.exitNow(loss.kind == PeerWatch::Kind::Silent ? kExitTimedOut : kExitPeerLost,
                 fmt::format("rank {} ends: {}", rank, describe(loss, peers)));
}

void sayFarewell(PeerWatch& watch, int exitCode, const std::string& message) {
  if (exitCode == kExitDone || exitCode == kExitPeerLost) {
    watch.leave(std::nullopt, {});
  } else {
    watch.leave(exitCode == kExitTerminated ? PeerWatch::Kind::Stopped : PeerWatch::Kind::Failed, message);
  }
}

Result<std::unique_ptr<Communicator>> makeCommunicator(const JobPlace& place, const Gathering& gathering,
                                                       const GatherOptions& options) {
  if (options.sharedMemory && gathering.allOnOneMachine()) {
    auto segment = shareSegment(place, gathering);
    if (!segment) return failure(segment.error());
    if (*segment)
      return makeSharedMemoryCommunicator(std::move(**segment), place.rank, place.worldSize, options.timeout);
  }
  return makeGlooCommunicator(place, gathering, options.interface, options.timeout);
}

}  // namespace

Result<RankGathering> gatherRanks(const JobPlace& place,
                                  const std::map<std::string, std::string>& environment,
                                  const GatherOptions& options, Ending& ending) {
  const auto timeout = options.timeout;
  RankGathering all;
  if (place.alone()) {
    all.communicator = makeLoneCommunicator();
    return all;
  }
  const Limit limit(timeout + std::chrono::seconds(5), ending,
                    fmt::format("rank {}: {}:{} took the connection but does not answer as rank 0's store: "
                                "another program listens there, "
                                "or rank 0 hangs; choose another MASTER_PORT",
                                place.rank, place.masterAddress, place.masterPort));
  auto gathering = joinJob(place, environment, timeout);
  if (!gathering) return failure(gathering.error());
  all.gathering = std::move(*gathering);
  PeerWatch::Setup setup;
  setup.silenceLimit = timeout;
  setup.onLoss = [&ending, rank = place.rank, peers = all.gathering.peers](const auto& loss) {
    endForLoss(ending, rank, loss, peers);
  };
  auto watch = watchPeers(place, all.gathering, std::move(setup));
  if (!watch) return failure(watch.error());
  all.watch = std::move(*watch);
  ending.beforeExit([peers = all.watch.get()](int code, const std::string& message) {
    sayFarewell(*peers, code, message);
  });
  auto communicator = makeCommunicator(place, all.gathering, options);
  if (!communicator) return failure(communicator.error());
  all.communicator = std::move(*communicator);
  return all;
}

std::string describe(const PeerWatch::Loss& loss, const std::vector<PeerIdentity>& peers) {
  const auto index = static_cast<std::size_t>(loss.rank);
  const std::string who = index < peers.size() ? describe(peers[index]) : fmt::format("rank {}", loss.rank);
  switch (loss.kind) {
    case PeerWatch::Kind::Closed:
      return who + " is gone: its process ended without a word";
    case PeerWatch::Kind::Failed:
      return who + " failed: " + loss.text;
    case PeerWatch::Kind::Stopped:
      return who + " was told to stop";
    case PeerWatch::Kind::Silent:
      return who + " is frozen or cut off: " + loss.text;
  }
  return who;
}

}  // namespace lockstep::trainer
