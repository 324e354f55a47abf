// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/rendezvous/rank_agreements.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <thread>

#include "trainer/ddp/base/put_line.h"
#include "trainer/ddp/rendezvous/job_store.h"

namespace lockstep::trainer {
namespace {

constexpr std::chrono::milliseconds kPoll{20};

// The first line: c10d appends a C++ back trace.
std::string reasonOf(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

}  // namespace

namespace {

// Rank 0 says every now and then whom all are waiting for.
class WaitingNews {
 public:
  WaitingNews(std::string name, const Gathering& gathering) : name_(std::move(name)), gathering_(gathering) {}

  void tell() {
    constexpr std::chrono::seconds kInterval{15};
    if (std::chrono::steady_clock::now() - told_ < kInterval) return;
    told_ = std::chrono::steady_clock::now();
    std::string missing;
    for (const PeerIdentity& peer : gathering_.peers) {
      if (!gathering_.store->has(fmt::format("at/{}/{}", name_, peer.rank)))
        missing += (missing.empty() ? "" : ", ") + describe(peer);
    }
    putLine(stdout, fmt::format("waiting at '{}' for {}", name_, missing));
  }

 private:
  std::string name_;
  const Gathering& gathering_;
  std::chrono::steady_clock::time_point told_ = std::chrono::steady_clock::now();
};

}  // namespace

Result<void> waitForAllAt(const std::string& name, int rank, const Gathering& gathering) {
  const auto ranks = static_cast<long long>(gathering.peers.size());
  if (!gathering.store) return {};  // alone
  try {
    WaitingNews news(name, gathering);
    gathering.store->set(fmt::format("at/{}/{}", name, rank), "here");
    gathering.store->add("at/" + name, 1);
    while (gathering.store->add("at/" + name, 0) < ranks) {
      std::this_thread::sleep_for(kPoll);
      if (rank == 0) news.tell();
    }
    return {};
  } catch (const std::exception& error) {
    return failure(ErrorCode::Unavailable, "cannot wait for the other ranks", reasonOf(error),
                   "look at the log of rank 0");
  }
}

Result<std::unique_ptr<PeerWatch>> watchPeers(const RankContext& place, const Gathering& gathering,
                                              PeerWatch::Setup setup) {
  setup.rank = place.rank;
  setup.worldSize = place.worldSize;
  setup.token = gathering.token;
  try {
    if (place.rank != 0)
      return PeerWatch::attach(std::move(setup), place.masterAddress,
                               std::stoi(gathering.store->get("watch")));
    auto watch = PeerWatch::host(std::move(setup));
    if (watch) gathering.store->set("watch", std::to_string((*watch)->port()));
    return watch;
  } catch (const std::exception& error) {
    return failure(ErrorCode::Unavailable, "cannot watch over the other ranks", reasonOf(error),
                   "look at the log of rank 0");
  }
}

Result<NcclJobId> shareNcclJob(const RankContext& place, const Gathering& gathering,
                               const NcclLibrary& library) {
  NcclJobId job;
  try {
    if (place.rank == 0) {
      if (const int result = library.getUniqueId(&job); result != 0)
        return failure(ErrorCode::Unavailable, "NCCL cannot open a job", library.errorText(result));
      gathering.store->set("nccl", {job.bytes.data(), job.bytes.size()});
      return job;
    }
    const std::string bytes = gathering.store->get("nccl");
    std::copy_n(bytes.begin(), std::min(bytes.size(), job.bytes.size()), job.bytes.begin());
    return job;
  } catch (const std::exception& error) {
    return failure(ErrorCode::Unavailable, "cannot agree on an NCCL job with the other ranks",
                   reasonOf(error), "look at the log of rank 0");
  }
}

namespace {

// Every rank says whether it has mapped the segment, and reads what the others said: all of them use it, or
// none.
Result<bool> allMapped(JobStore& store, int worldSize, bool mapped, std::chrono::milliseconds timeout) {
  const auto deadline = std::chrono::steady_clock::now() + timeout;
  store.add(mapped ? "segment/mapped" : "segment/refused", 1);
  while (store.add("segment/mapped", 0) + store.add("segment/refused", 0) < worldSize) {
    if (std::chrono::steady_clock::now() > deadline)
      return failure(ErrorCode::DeadlineExceeded, "cannot agree on shared memory with the other ranks",
                     fmt::format("not every rank came to it within {} s",
                                 std::chrono::duration_cast<std::chrono::seconds>(timeout).count()),
                     "look at the logs of the others; --timeout sets the limit");
    std::this_thread::sleep_for(kPoll / 10);
  }
  return store.add("segment/refused", 0) == 0;
}

// Of the process that rank 0 said it is.
Result<SharedSegment> openSegment(const Gathering& gathering, std::size_t bytes) {
  const auto root = std::find_if(gathering.peers.begin(), gathering.peers.end(),
                                 [](const PeerIdentity& peer) { return peer.rank == 0; });
  const std::string path = gathering.store->get("segment");
  return SharedSegment::open(path, root == gathering.peers.end() ? 0 : root->pid, bytes);
}

}  // namespace

Result<std::optional<SharedSegment>> shareSegment(const RankContext& place, const Gathering& gathering,
                                                  std::chrono::milliseconds timeout) {
  const std::size_t bytes = sharedSegmentBytes(place.worldSize);
  try {
    auto segment = [&] {
      if (place.rank != 0) return openSegment(gathering, bytes);
      auto created = SharedSegment::create(bytes);
      gathering.store->set("segment", created ? created->path() : std::string("none"));
      return created;
    }();
    const auto mapped = allMapped(*gathering.store, place.worldSize, segment.has_value(), timeout);
    if (!mapped) return failure(mapped.error());
    if (!*mapped || !segment) return std::optional<SharedSegment>();
    return std::optional<SharedSegment>(std::move(*segment));
  } catch (const std::exception& error) {
    return failure(ErrorCode::Unavailable, "cannot agree on shared memory with the other ranks",
                   reasonOf(error), "look at the log of rank 0");
  }
}

}  // namespace lockstep::trainer
