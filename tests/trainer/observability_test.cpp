// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <atomic>
#include <bit>
#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>
#include <numeric>
#include <thread>

#include "base/atomic_file.h"
#include "memory_object_store.h"
#include "metrics/metric_sample.h"
#include "temp_dir.h"
#include "trainer/ddp/collectives/arrival_notices.h"
#include "trainer/ddp/collectives/observed_communicator.h"
#include "trainer/ddp/metrics/index_writer.h"
#include "trainer/ddp/metrics/metrics_session.h"
#include "trainer/ddp/metrics/tensor_board.h"
#include "trainer/ddp/peers/heartbeat_writer.h"
#include "trainer/ddp/peers/parameter_check.h"
#include "trainer/usage/machine_usage.h"
#include "workdir/file_object_store.h"

namespace lockstep::trainer {
namespace {

using Steady = std::chrono::steady_clock;

// A reader of its own for event files: bit by bit, from the formats' descriptions and not from our writer.
std::uint32_t crcBitwise(std::string_view bytes) {
  std::uint32_t crc = ~0U;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1U) != 0 ? 0x82F63B78U : 0U);
  }
  return ~crc;
}

class EventReader {
 public:
  struct Event {
    double wallTime = 0;
    std::uint64_t step = 0;
    std::string version;
    std::map<std::string, float> scalars;
  };
  static std::vector<Event> read(std::string_view file) {
    std::vector<Event> events;
    while (!file.empty()) {
      const std::uint64_t length = number<std::uint64_t>(file.substr(0, 8));
      checkCrc(file.substr(0, 8), file.substr(8, 4));
      const std::string_view body = file.substr(12, length);
      checkCrc(body, file.substr(12 + length, 4));
      events.push_back(eventFrom(body));
      file.remove_prefix(16 + length);
    }
    return events;
  }

 private:
  template <class Number>
  static Number number(std::string_view bytes) {
    Number value{};
    EXPECT_GE(bytes.size(), sizeof value);
    std::memcpy(&value, bytes.data(), sizeof value);  // the test machine is little-endian, as the format
    return value;
  }
  static void checkCrc(std::string_view bytes, std::string_view stored) {
    const std::uint32_t crc = crcBitwise(bytes);
    EXPECT_EQ(number<std::uint32_t>(stored), std::rotr(crc, 15) + 0xa282ead8U);
  }
  static std::uint64_t varint(std::string_view& bytes) {
    std::uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const auto part = static_cast<unsigned char>(bytes.at(0));
      bytes.remove_prefix(1);
      value |= static_cast<std::uint64_t>(part & 0x7FU) << shift;
      if (part < 0x80) return value;
    }
  }
  static std::string_view lengthDelimited(std::string_view& bytes) {
    const std::uint64_t length = varint(bytes);
    const std::string_view part = bytes.substr(0, length);
    bytes.remove_prefix(length);
    return part;
  }
  static Event eventFrom(std::string_view bytes) {
    Event event;
    while (!bytes.empty()) {
      switch (varint(bytes)) {
        case (1 << 3 | 1):
          event.wallTime = number<double>(bytes);
          bytes.remove_prefix(8);
          break;
        case (2 << 3 | 0):
          event.step = varint(bytes);
          break;
        case (3 << 3 | 2):
          event.version = lengthDelimited(bytes);
          break;
        case (5 << 3 | 2):
          addScalars(lengthDelimited(bytes), event);
          break;
        default:
          ADD_FAILURE() << "an unknown field";
          return event;
      }
    }
    return event;
  }
  static void addScalars(std::string_view summary, Event& event) {
    while (!summary.empty()) {
      EXPECT_EQ(varint(summary), (1U << 3 | 2));
      std::string_view value = lengthDelimited(summary);
      EXPECT_EQ(varint(value), (1U << 3 | 2));
      const std::string tag(lengthDelimited(value));
      EXPECT_EQ(varint(value), (2U << 3 | 5));
      event.scalars[tag] = number<float>(value);
    }
  }
};

TEST(TensorBoard, AnEventFileHoldsWhatWasRecorded) {
  TempDir dir;
  auto writer = TensorBoardWriter::open(dir.path(), 3);
  ASSERT_TRUE(writer) << describe(writer.error());
  EXPECT_NE((*writer)->path().string().find("rank-3/events.out.tfevents."), std::string::npos);
  const TimePoint time{std::chrono::seconds(1'700'000'000) + std::chrono::milliseconds(250)};
  for (int step = 0; step < 300; ++step)
    (*writer)->record(step, time, {{"loss", 1.0 / (step + 1)}, {"step_ms", 14.5}, {"not_finite", -NAN}});
  ASSERT_TRUE((*writer)->flush());
  const auto events = EventReader::read(*readFile((*writer)->path()));
  ASSERT_EQ(events.size(), 301U);
  EXPECT_EQ(events[0].version, "brain.Event:2");
  EXPECT_EQ(events[300].step, 299U);
  EXPECT_DOUBLE_EQ(events[300].wallTime, 1'700'000'000.25);
  EXPECT_FLOAT_EQ(events[2].scalars.at("loss"), 0.5F);
  EXPECT_FLOAT_EQ(events[2].scalars.at("step_ms"), 14.5F);
  EXPECT_TRUE(std::isnan(events[2].scalars.at("not_finite")));
  EXPECT_FALSE(std::signbit(events[2].scalars.at("not_finite"))) << "\"nan\", not \"-nan\"";
}

TEST(TensorBoard, AFolderThatCannotBeWrittenIsNamed) {
  TempDir dir;
  ASSERT_TRUE(writeFileAtomically(dir.path() / "file", "x"));
  const auto writer = TensorBoardWriter::open(dir.path() / "file", 0);
  ASSERT_FALSE(writer);
  EXPECT_NE(describe(writer.error()).find("--tensorboard"), std::string::npos);
}

TEST(ParameterSum, ChangesWithEveryBitAndPlace) {
  std::vector<float> numbers(1003);
  std::iota(numbers.begin(), numbers.end(), 1.0F);
  const std::uint64_t sum = parameterSum(numbers);
  EXPECT_EQ(parameterSum(numbers), sum);
  for (const std::size_t at : {0U, 1U, 500U, 1000U, 1002U}) {
    auto other = numbers;
    other[at] = std::nextafter(other[at], 0.0F);
    EXPECT_NE(parameterSum(other), sum) << at;
  }
  std::swap(numbers[3], numbers[400]);
  EXPECT_NE(parameterSum(numbers), sum);
  EXPECT_NE(parameterSum(std::span(numbers).first(8)), parameterSum(std::span(numbers).first(7)));
}

TEST(DivergenceRule, NamesTheFirstRankThatIsUnlikeTheOthers) {
  DivergenceRule rule(3);
  for (const int rank : {1, 0, 2}) EXPECT_FALSE(rule.add(rank, 100, 7));
  EXPECT_FALSE(rule.add(0, 200, 8));
  EXPECT_FALSE(rule.add(2, 200, 9));
  EXPECT_FALSE(rule.add(2, 300, 9)) << "a rank that is ahead";
  const auto found = rule.add(1, 200, 8);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->rank, 2);
  EXPECT_EQ(found->step, 200);
  EXPECT_EQ(found->lastEqual, 100);
}

TEST(DivergenceRule, RankZeroMayBeTheOddOneOutButNotOfTwo) {
  DivergenceRule three(3);
  three.add(0, 5, 1);
  three.add(1, 5, 2);
  EXPECT_EQ(three.add(2, 5, 2)->rank, 0);
  DivergenceRule two(2);
  two.add(1, 5, 2);
  EXPECT_EQ(two.add(0, 5, 1)->rank, 1);
}

TEST(Arrivals, TheLastOneCounts) {
  const ArrivalNotices::Time begin{std::chrono::seconds(100)};
  const auto at = [&](int ms) { return begin + std::chrono::milliseconds(ms); };
  ArrivalTally tally(3);
  EXPECT_FALSE(tally.add(1, at(30)));
  EXPECT_FALSE(tally.add(2, at(90))) << "a rank that is ahead";
  EXPECT_FALSE(tally.add(1, at(10)));
  EXPECT_EQ(tally.add(1, at(20)), at(30));
  EXPECT_FALSE(tally.add(2, at(80)));
  EXPECT_EQ(tally.add(2, at(70)), at(90));
}

TEST(Arrivals, AForeignClockIsReadByItsQuickestMessage) {
  const ArrivalNotices::Time begin{std::chrono::seconds(100)};
  ForeignClock clock;
  clock.hear(5'000'000'000, begin + std::chrono::milliseconds(40));
  clock.hear(6'000'000'000, begin + std::chrono::milliseconds(1002));
  clock.hear(7'000'000'000, begin + std::chrono::milliseconds(2500));
  EXPECT_EQ(clock.here(8'000'000'000), begin + std::chrono::milliseconds(3002));
}

// Takes long, and cannot say why.
class SlowCommunicator final : public Communicator {
 public:
  [[nodiscard]] const char* name() const override { return "slow"; }
  Result<void> start(std::span<float>) override { return {}; }
  Result<void> finish() override {
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    return {};
  }
  Result<void> broadcast(std::span<float>) override { return {}; }
};

class LateBoard final : public ArrivalNotices {
 public:
  void arrived(long long collective) override {
    met[collective] = Steady::now() + std::chrono::milliseconds(50);
  }
  [[nodiscard]] std::optional<Time> allArrived(long long collective) const override {
    const auto found = met.find(collective);
    return found == met.end() ? std::nullopt : std::optional(found->second);
  }
  std::map<long long, Time> met;
};

TEST(ObservedCommunicator, TellsWaitingFromTransfer) {
  Progress progress;
  LateBoard board;
  const auto communicator = observed(std::make_unique<SlowCommunicator>(), progress, &board);
  std::vector<float> data(100);
  progress.enter(RankPhase::Backward);
  ASSERT_TRUE(communicator->start(data));
  ASSERT_TRUE(communicator->finish());
  EXPECT_EQ(progress.standing().phase, RankPhase::Backward);
  EXPECT_EQ(progress.standing().collectives, 1);
  const CommunicationTimes times = communicator->popTimes();
  EXPECT_NEAR(times.waitMs, 50, 1);
  EXPECT_GE(times.transferMs, 29);
  EXPECT_DOUBLE_EQ(times.bytes, 400);
  EXPECT_DOUBLE_EQ(communicator->popTimes().waitMs, 0);
  board.met.clear();
  ASSERT_TRUE(communicator->finish());
  board.met.clear();
  EXPECT_DOUBLE_EQ(communicator->popTimes().waitMs, 0) << "nobody knows: all of it is transfer";
}

TEST(PeerWatchArrivals, BothSidesLearnWhenTheLastOneHadCome) {
  PeerWatch::Setup setup;
  setup.worldSize = 2;
  setup.token = "t";
  auto zero = PeerWatch::host(setup);
  ASSERT_TRUE(zero);
  setup.rank = 1;
  auto one = PeerWatch::attach(setup, "127.0.0.1", (*zero)->port());
  ASSERT_TRUE(one);
  (*zero)->arrived(1);
  std::this_thread::sleep_for(std::chrono::milliseconds(30));
  EXPECT_FALSE((*zero)->allArrived(1));
  const auto last = Steady::now();
  (*one)->arrived(1);
  for (PeerWatch* watch : {zero->get(), one->get()}) {
    for (int i = 0; i < 2000 && !watch->allArrived(1); ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    ASSERT_TRUE(watch->allArrived(1));
    EXPECT_GE(*watch->allArrived(1), last - std::chrono::milliseconds(1));
    EXPECT_FALSE(watch->allArrived(2));
  }
  (*zero)->leave(std::nullopt, {});
  (*one)->leave(std::nullopt, {});
}

TEST(IndexWriter, WritesWhatTheRanksHaveStored) {
  const auto store = std::make_shared<MemoryObjectStore>();
  std::atomic<long long> segments{3};
  {
    const IndexWriter writer(
        store, "index.json",
        [&segments] {
          return std::vector<PeerStanding>{{1, {RankPhase::Forward, 5, 9, 0, segments}},
                                           {0, {RankPhase::Forward, 5, 9, 0, 7}}};
        },
        std::chrono::milliseconds(1));
    const auto indexOf = [&store] {
      const auto objects = store->objects();
      const auto found = objects.find("index.json");
      return found == objects.end() ? MetricIndex{} : parseMetricIndex(found->second).value();
    };
    while (indexOf().segments != std::vector<std::uint64_t>{7, 3})
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    const std::uint64_t written = indexOf().written;
    segments = 4;
    while (indexOf().segments != std::vector<std::uint64_t>{7, 4})
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    EXPECT_EQ(indexOf().written, written + 1) << "only when a number has changed";
    segments = 0;  // begun anew, and not heard of yet
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(indexOf().segments, (std::vector<std::uint64_t>{7, 4}));
  }
  EXPECT_LE(store->puts, 3);
}

TEST(HeartbeatWriter, SaysWhereEveryRankIsAndWhomTheyWaitFor) {
  TempDir dir;
  const auto store = openFolder(dir.path());
  std::atomic<int> asked{0};
  {
    const HeartbeatWriter heartbeat(
        store, "J/lockstep/heartbeat.json", {{0, "a", 10, {}}, {1, "b", 11, {}}},
        [&asked] {
          ++asked;
          return std::vector<PeerStanding>{{0, {RankPhase::Waiting, 17, 35, 0}},
                                           {1, {RankPhase::Backward, 17, 34, 0}}};
        },
        std::chrono::milliseconds(10));
    while (asked < 3) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  const auto text = store->get("J/lockstep/heartbeat.json", {});
  ASSERT_TRUE(text) << describe(text.error());
  auto json = nlohmann::json::parse(*text);
  for (auto& rank : json["ranks"]) {
    EXPECT_LT(rank["since"], json["time"]) << "it was there at the first of three beats";
    rank.erase("since");
  }
  EXPECT_EQ(json["ranks"][1], nlohmann::json({{"rank", 1},
                                              {"host", "b"},
                                              {"pid", 11},
                                              {"activity", "backward"},
                                              {"step", 17},
                                              {"collectives", 34}}));
  EXPECT_EQ(json["ranks"][0]["activity"], "waiting for peers");
  EXPECT_EQ(json["waitingFor"], nlohmann::json::array({1}));
  EXPECT_TRUE(json["time"].is_string());
}

TEST(Network, IsCountedWithoutLoopback) {
  const auto bytes = networkBytesFrom(
      "Inter-|   Receive                                                |  Transmit\n"
      " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs\n"
      "    lo: 9999 1 0 0 0 0 0 0 9999 1 0 0 0 0 0 0\n"
      "  eth0: 1000 2 0 0 0 0 0 0 300 4 0 0 0 0 0 0\n"
      "eth1:7 2 0 0 0 0 0 0 5 4 0 0 0 0 0 0\n");
  ASSERT_TRUE(bytes);
  EXPECT_DOUBLE_EQ(bytes->in, 1007);
  EXPECT_DOUBLE_EQ(bytes->out, 305);
  EXPECT_FALSE(networkBytesFrom("nothing"));
}

TEST(Gpu, IsReadThroughTheLibraryThatIsThere) {
  MachineUsage usage(0, {{"NVML_LIBRARY", LOCKSTEP_FAKE_NVML}, {"CUDA_VISIBLE_DEVICES", "1"}});
  const GpuUsage gpu = usage.read().gpu;
  EXPECT_EQ(gpu.percent, 87);
  EXPECT_EQ(gpu.memoryBytes, 60);
  EXPECT_EQ(gpu.powerWatts, 350.5);
  EXPECT_EQ(gpu.temperatureCelsius, 61);
  EXPECT_EQ(gpu.smClockMhz, 1980);
  EXPECT_EQ(gpu.memoryClockMhz, 2619);
  EXPECT_FALSE(gpu.eccErrors) << "what the GPU does not support is no value";
  EXPECT_EQ(gpu.lastXid, 79);
  EXPECT_EQ(gpu.processes, 2);
  MachineUsage byName(0, {{"NVML_LIBRARY", LOCKSTEP_FAKE_NVML}, {"CUDA_VISIBLE_DEVICES", "GPU-second,0"}});
  EXPECT_EQ(byName.read().gpu.percent, 87);
  MachineUsage none(7, {{"NVML_LIBRARY", LOCKSTEP_FAKE_NVML}});
  EXPECT_FALSE(none.read().gpu.percent);
  MachineUsage without(0, {{"NVML_LIBRARY", "/nowhere/libnvidia-ml.so.1"}});
  EXPECT_FALSE(without.read().gpu.percent);
}

TEST(StepRecord, PartsSumToTheStepInOneLineOfJson) {
  StepRecord record;
  record.stepMs = 20;
  record.dataMs = 1;
  record.hostToDeviceMs = 2;
  record.forwardMs = 3;
  record.backwardMs = 4;
  record.waitMs = 0.5;
  record.transferMs = 1.5;
  record.optimizerMs = 2;
  record.gradientNorm = 0.75;
  const std::string line = jsonLine(3, 17, record);
  EXPECT_EQ(line.find('\n'), std::string::npos);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json["rank"], 3);
  EXPECT_EQ(json["step"], 17);
  double sum = 0;
  for (const auto name : {metric::kDataMs, metric::kHostToDeviceMs, metric::kForwardMs, metric::kBackwardMs,
                          metric::kWaitMs, metric::kTransferMs, metric::kOptimizerMs, metric::kOtherMs})
    sum += json[std::string(name)].get<double>();
  EXPECT_DOUBLE_EQ(sum, 20);
  EXPECT_EQ(json[std::string(metric::kGradientNorm)], 0.75);
  EXPECT_FALSE(json.contains(std::string(metric::kTokensPerSecond)));
}

}  // namespace
}  // namespace lockstep::trainer
