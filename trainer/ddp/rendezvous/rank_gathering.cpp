// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/rendezvous/rank_gathering.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <mutex>

#include "trainer/ddp/base/exit_codes.h"
#include "trainer/ddp/base/put_line.h"
#include "trainer/ddp/collectives/nccl_communicator.h"
#include "trainer/ddp/collectives/observed_communicator.h"
#include "trainer/ddp/peers/parameter_check.h"
#include "trainer/ddp/peers/straggler.h"
#include "trainer/ddp/rendezvous/gloo_communicator.h"
#include "trainer/ddp/rendezvous/rank_agreements.h"

namespace lockstep::trainer {
namespace {

// Runs on the watch's thread, while the training thread may hang in a collective.
void endForLoss(ExitHandler& ending, int rank, const PeerWatch::Loss& loss,
                const std::vector<PeerIdentity>& peers) {
  // A cancelled job stops its ranks one after the other: our own signal may be on its way.
  constexpr int kLooks = 50;
  for (int i = 0; i < kLooks && loss.kind == PeerWatch::Kind::Stopped && !ending.terminationAsked(); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  if (ending.terminationAsked())
    ending.exitNow(kExitTerminated, fmt::format("rank {}: told to stop (SIGTERM)", rank));
  ending.fail(loss.kind == PeerWatch::Kind::Silent ? kExitTimedOut : kExitPeerLost, describe(loss, peers));
}

// Training goes on; the slow rank sets the pace of all.
void warnOf(const Straggler& slow, const std::vector<PeerIdentity>& peers) {
  putLine(stdout,
          fmt::format("warning: {} is a straggler: it is busy for {:.1f} ms between two sums, the others for "
                      "{:.1f} ms, and "
                      "all wait for it; look for other work, heat or less memory on its machine",
                      describe(peers.at(static_cast<std::size_t>(slow.rank))), slow.busyMs, slow.othersMs));
}

// Told by training thread and watch.
class ParameterCheck {
 public:
  explicit ParameterCheck(int worldSize) : rule_(worldSize) {}
  std::optional<Divergence> add(int rank, long long step, std::uint64_t sum) {
    const std::lock_guard lock(mutex_);
    return rule_.add(rank, step, sum);
  }

 private:
  std::mutex mutex_;
  DivergenceRule rule_;
};

void endForDivergence(ExitHandler& ending, const Divergence& found, const std::vector<PeerIdentity>& peers) {
  const std::string before =
      found.lastEqual < 0 ? std::string() : fmt::format(", and were at step {}", found.lastEqual);
  ending.fail(
      kExitDiverged,
      fmt::format("the parameters of {} are not those of the others at step {}{}; look for faulty memory on "
                  "its machine (ECC errors) and go on from a checkpoint of before",
                  describe(peers.at(static_cast<std::size_t>(found.rank))), found.step, before));
}

void sendGoodbye(PeerWatch& watch, int exitCode, const std::string& message) {
  if (exitCode == kExitDone || exitCode == kExitPeerLost) {
    watch.leave(std::nullopt, {});
  } else {
    watch.leave(exitCode == kExitTerminated ? PeerWatch::Kind::Stopped : PeerWatch::Kind::Failed, message);
  }
}

Result<std::unique_ptr<Communicator>> makeCommunicator(const RankContext& place, const Gathering& gathering,
                                                       const GatherOptions& options) {
  if (options.sharedMemory && gathering.allOnOneMachine()) {
    auto segment = shareSegment(place, gathering, options.timeout);
    if (!segment) return failure(segment.error());
    if (*segment)
      return makeSharedMemoryCommunicator(std::move(**segment), place.rank, place.worldSize, options.timeout);
  }
  if (options.nccl && !buildHasGloo()) return makeStoreCommunicator(place, gathering);
  return makeGlooCommunicator(place, gathering, options.interface, options.timeout);
}

Result<std::unique_ptr<Communicator>> makeDeviceCommunicator(
    const RankContext& place, const std::map<std::string, std::string>& environment,
    const Gathering& gathering, std::chrono::milliseconds timeout, ExitHandler& ending) {
  NcclSetup setup;
  auto library = NcclLibrary::open(environment);
  if (!library) return failure(library.error());
  setup.library = *library;
  auto queue = makeDeviceQueue(place.localRank);
  if (!queue) return failure(queue.error());
  setup.queue = std::move(*queue);
  if (auto shared = shareNcclJob(place, gathering, *setup.library); shared) {
    setup.job = *shared;
  } else {
    return failure(shared.error());
  }
  setup.rank = place.rank;
  setup.worldSize = place.worldSize;
  setup.timeout = timeout;
  setup.onFailure = [&ending](const Error& error) {
    ending.progress().enter(RankPhase::Waiting);
    ending.fail(error);
  };
  return makeNcclCommunicator(std::move(setup));
}

}  // namespace

Result<RankGathering> gatherRanks(const RankContext& place,
                                  const std::map<std::string, std::string>& environment,
                                  const GatherOptions& options, ExitHandler& ending) {
  const auto timeout = options.timeout;
  RankGathering all;
  if (place.alone()) {
    all.communicator = makeLoneCommunicator();
    return all;
  }
  JoinSetup setup{place, environment, timeout, [&ending](const Error& error) { ending.fail(error); }};
  auto gathering = joinJob(setup);
  if (!gathering) return failure(gathering.error());
  all.gathering = std::move(*gathering);
  PeerWatch::Setup watching;
  watching.silenceLimit = timeout;
  watching.progress = &ending.progress();
  watching.onLoss = [&ending, rank = place.rank, peers = all.gathering.peers](const auto& loss) {
    endForLoss(ending, rank, loss, peers);
  };
  watching.onBeat = [peers = all.gathering.peers, rule = StragglerRule()](const auto& standings) mutable {
    if (const auto slow = rule.add(standings, std::chrono::steady_clock::now())) warnOf(*slow, peers);
  };
  watching.onParameters = [check = std::make_shared<ParameterCheck>(place.worldSize), &ending,
                           peers = all.gathering.peers](int rank, long long step, std::uint64_t sum) {
    if (const auto diverged = check->add(rank, step, sum)) endForDivergence(ending, *diverged, peers);
  };
  auto watch = watchPeers(place, all.gathering, std::move(watching));
  if (!watch) return failure(watch.error());
  all.watch = std::move(*watch);
  ending.beforeExit([peers = all.watch.get()](int code, const std::string& message) {
    sendGoodbye(*peers, code, message);
  });
  auto communicator = makeCommunicator(place, all.gathering, options);
  if (!communicator) return failure(communicator.error());
  all.communicator = observed(std::move(*communicator), ending.progress(), all.watch.get());
  if (options.nccl) {
    auto device = makeDeviceCommunicator(place, environment, all.gathering, timeout, ending);
    if (!device) return failure(device.error());
    all.deviceCommunicator = observed(std::move(*device), ending.progress(), nullptr);
  }
  return all;
}

std::string describe(const PeerWatch::Loss& loss, const std::vector<PeerIdentity>& peers) {
  const auto index = static_cast<std::size_t>(loss.rank);
  std::string who = index < peers.size() ? describe(peers[index]) : fmt::format("rank {}", loss.rank);
  const std::string last =
      loss.standing ? " (heard of last " + describe(*loss.standing) + ")" : std::string();
  switch (loss.kind) {
    case PeerWatch::Kind::Closed:
      return fmt::format(
          "{} is gone{}: its process ended without a word; look at its log and, for a kill for want "
          "of memory, at the kernel's",
          who, last);
    case PeerWatch::Kind::Failed:
      return who + " failed: " + loss.text;
    case PeerWatch::Kind::Stopped:
      return who + " was told to stop";
    case PeerWatch::Kind::Silent:
      return fmt::format(
          "{} is frozen or cut off{}: {}; look whether its machine still runs and whether a "
          "debugger or the scheduler has stopped it",
          who, last, loss.text);
  }
  return who;
}

std::string describeStragglers(const std::vector<PeerStanding>& stragglers,
                               const std::vector<PeerIdentity>& peers) {
  std::string text;
  for (const PeerStanding& one : stragglers) {
    const auto index = static_cast<std::size_t>(one.rank);
    const std::string who = index < peers.size() ? describe(peers[index]) : fmt::format("rank {}", one.rank);
    text += fmt::format("{}{}, {}", text.empty() ? "; the others wait for " : " and ", who,
                        describe(one.standing));
  }
  return text;
}

}  // namespace lockstep::trainer
