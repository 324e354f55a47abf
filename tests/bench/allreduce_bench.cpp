// SPDX-License-Identifier: GPL-3.0-or-later
// Sums over TCP: what the trainer's communicator takes beside Gloo itself, on the same buffer, in turns.
//
//   allreduce_bench [MEGABYTES] [ROUNDS]      two processes on loopback; 25 MB, 41 rounds
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <torch/csrc/distributed/c10d/FileStore.hpp>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <vector>

#include "trainer/ddp/collectives/observed_communicator.h"
#include "trainer/ddp/rendezvous/gloo_communicator.h"
#include "trainer/ddp/rendezvous/job_store.h"

namespace {

using namespace lockstep::trainer;
using Steady = std::chrono::steady_clock;

constexpr int kRanks = 2;
constexpr auto kTimeout = std::chrono::seconds(60);

struct Way {
  std::string name;
  std::function<void()> sum;
  std::vector<double> milliseconds;
};

double percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(part * static_cast<double>(values.size() - 1))];
}

void check(const lockstep::Result<void>& done) {
  if (done) return;
  fmt::print(stderr, "{}\n", describe(done.error()));
  std::_Exit(1);
}

// As the reducer hands a model's gradients over: a small bucket, then larger ones.
void sumInBuckets(Communicator& communicator, std::span<float> data) {
  std::size_t cap = (1 << 20) / sizeof(float);
  while (!data.empty()) {
    const std::size_t count = std::min(cap, data.size());
    check(communicator.start(data.first(count)));
    data = data.subspan(count);
    cap = (4 << 20) / sizeof(float);
  }
  check(communicator.finish());
}

void report(std::vector<Way>& ways, double bytes) {
  const double gloo = percentile(ways.front().milliseconds, 0.5);
  for (const Way& way : ways) {
    const double median = percentile(way.milliseconds, 0.5);
    fmt::print("{:<34} n={} {:8.2f} ms ({:.2f}-{:.2f}) {:6.2f} GB/s, {:.2f} of Gloo's speed\n", way.name,
               way.milliseconds.size(), median, percentile(way.milliseconds, 0.1),
               percentile(way.milliseconds, 0.9), bytes / median / 1e6, gloo / median);
  }
}

void runRank(int rank, const std::string& file, std::size_t floats, int rounds) {
  auto store = c10::make_intrusive<c10d::FileStore>(file, kRanks);
  auto options = c10d::ProcessGroupGloo::Options::create(kTimeout);
  options->devices.push_back(c10d::ProcessGroupGloo::createDeviceForHostname("127.0.0.1"));
  c10d::ProcessGroupGloo gloo(c10::make_intrusive<c10d::PrefixStore>("gloo", store), rank, kRanks, options);

  RankContext place;
  place.rank = rank;
  place.worldSize = kRanks;
  Gathering gathering;
  gathering.store = std::make_shared<JobStore>(c10::make_intrusive<c10d::PrefixStore>("ours", store));
  gathering.ownAddress = "127.0.0.1";
  Progress progress;
  auto made = makeGlooCommunicator(place, gathering, "", kTimeout);
  if (!made) check(lockstep::failure(made.error()));
  const auto ours = observed(std::move(*made), progress, nullptr);

  std::vector<float> data(floats, 0.5F);
  std::vector<at::Tensor> tensor{
      at::from_blob(data.data(), {static_cast<std::int64_t>(data.size())}, at::kFloat)};
  std::vector<Way> ways;
  ways.push_back({"Gloo itself", [&] { gloo.allreduce(tensor)->wait(); }, {}});
  ways.push_back({"the trainer's, in one piece", [&] { check(ours->sum(data)); }, {}});
  ways.push_back({"the trainer's, in its buckets", [&] { sumInBuckets(*ours, data); }, {}});
  constexpr int kWarmUp = 3;
  for (int round = -kWarmUp; round < rounds; ++round) {
    for (Way& way : ways) {
      std::fill(data.begin(), data.end(), 0.5F);
      gloo.barrier()->wait();
      const auto start = Steady::now();
      way.sum();
      const std::chrono::duration<double, std::milli> took = Steady::now() - start;
      if (round >= 0) way.milliseconds.push_back(took.count());
    }
  }
  gloo.barrier()->wait();
  if (rank == 0) report(ways, static_cast<double>(floats) * sizeof(float));
}

}  // namespace

int main(int argc, char** argv) {
  const int megabytes = argc > 1 ? std::atoi(argv[1]) : 25;
  const int rounds = argc > 2 ? std::atoi(argv[2]) : 41;
  if (megabytes < 1 || rounds < 1) {
    fmt::print(stderr, "allreduce_bench [MEGABYTES] [ROUNDS]\n");
    return 2;
  }
  const auto file = std::filesystem::temp_directory_path() / fmt::format("allreduce-bench-{}", ::getpid());
  const pid_t other = ::fork();
  runRank(other == 0 ? 1 : 0, file, static_cast<std::size_t>(megabytes) * 1'000'000 / sizeof(float), rounds);
  std::fflush(stdout);
  if (other == 0) std::_Exit(0);
  int status = 0;
  ::waitpid(other, &status, 0);
  std::filesystem::remove(file);
  return status == 0 ? 0 : 1;
}
