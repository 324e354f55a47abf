// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "metrics/segments/metric_index.h"
#include "trainer/ddp/peers/peer_watch.h"
#include "workdir/object_store.h"

namespace lockstep::trainer {

/// What these ranks have stored, as far as they have said.
[[nodiscard]] std::vector<std::uint64_t> segmentsOf(const std::vector<PeerStanding>& standings);

/// Keeps the index of the run's metrics (MetricIndex) up to date, on rank 0: the ranks tell it with their beats how many
/// segments they have stored, so nobody has to list anything. Written when a number has changed, once a second at most,
/// and else every few seconds as a sign that it is kept. A put that fails is tried again with the next; training does not
/// depend on it. The last segments of a run may be missing from it: who reads it looks behind it once.
class IndexWriter {
 public:
  static constexpr std::chrono::seconds kInterval{1};
  static constexpr std::chrono::seconds kSignOfLife{5};
  using Source = std::function<std::vector<PeerStanding>()>;

  /// `source` is called on the writer's thread and must be valid until the writer goes.
  IndexWriter(std::shared_ptr<ObjectStore> store, std::string name, Source source,
              std::chrono::milliseconds interval = kInterval);
  IndexWriter(const IndexWriter&) = delete;
  IndexWriter& operator=(const IndexWriter&) = delete;
  ~IndexWriter() = default;

 private:
  void run(const std::stop_token& stop);
  void write(const std::stop_token& stop);

  std::shared_ptr<ObjectStore> store_;
  std::string name_;
  Source source_;
  std::chrono::milliseconds interval_;
  MetricIndex index_;
  std::chrono::steady_clock::time_point lastWrite_{};
  bool isStored_ = false;  // the last put worked
  std::jthread thread_;
};

}  // namespace lockstep::trainer
