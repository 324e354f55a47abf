// SPDX-License-Identifier: GPL-3.0-or-later
// A service that shows records late, repeatedly, in any order, with equal times, in pages that break anywhere, and refuses
// every few calls; read through the client's paging, the source, and the log that keeps lines. What is there in the end is
// what was written, each line once and in its place, whatever was drawn.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>

#include "fake_clock.h"
#include "logs/oci_log_source.h"
#include "logs/store/kept_log.h"
#include "logs/store/log_reader.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr std::array kNodes{"main", "worker_0", "worker_1"};

struct Written {
  oci::LogRecord record;
  TimePoint visibleAt{};
};

class HostileService {
 public:
  explicit HostileService(unsigned seed, std::shared_ptr<Clock> clock)
      : random_(seed), clock_(std::move(clock)) {}

  /// Some records of now; a few of the same time, some of a little earlier, and all of them seen later.
  void write() {
    for (auto n = draw(12); n > 0; --n) {
      const auto node = draw(kNodes.size());
      oci::LogRecord record;
      record.id = "id-" + std::to_string(all_.size());
      record.time = clock_->now() - std::chrono::milliseconds(draw(3) == 0 ? draw(4000) : 0);
      record.source = "ocid1.job/run." + std::string(kNodes[node]);
      record.message = "text " + std::to_string(draw(50));  // often the same
      for (auto more = draw(12) == 0 ? draw(4) : 0; more > 0; --more) record.message += "\nmore";
      all_.push_back({record, clock_->now() + std::chrono::seconds(draw(4) == 0 ? draw(150) : draw(4))});
    }
  }

  /// One search with all of its pages, each of which may be refused; a refused search brings nothing.
  Result<oci::LogRecords> search(const std::vector<std::string>& jobRuns, TimePoint from, TimePoint to,
                                 std::size_t most) {
    std::vector<oci::LogRecord> matching;
    for (const auto& [record, visibleAt] : all_) {
      const bool isAsked = std::any_of(jobRuns.begin(), jobRuns.end(),
                                       [&](const std::string& id) { return record.source.ends_with(id); });
      if (isAsked && visibleAt <= clock_->now() && record.time >= from && record.time <= to)
        matching.push_back(record);
    }
    oci::LogRecords some;
    if (most < 1'000'000 && draw(2) == 0) some.rest = cut(matching);
    for (std::size_t i = 0; i < matching.size(); ++i) {
      if (draw(6) == 0) std::swap(matching[i], matching[draw(matching.size())]);
      if (draw(10) == 0) matching.push_back(matching[draw(matching.size())]);  // on two pages
      if (matching.size() > 2 * all_.size() + 8) break;
    }
    std::vector<oci::LogRecord> found;
    for (std::size_t at = 0; at < matching.size();) {
      if (draw(25) == 0) return failure(ErrorCode::ResourceExhausted, "HTTP 429 TooManyRequests");
      const std::size_t end = std::min(matching.size(), at + 1 + draw(40));
      found.insert(found.end(), matching.begin() + static_cast<std::ptrdiff_t>(at),
                   matching.begin() + static_cast<std::ptrdiff_t>(end));
      at = end;
    }
    if (draw(8) == 0) return failure(ErrorCode::Unavailable, "the connection was closed");
    some.records = std::move(found);
    return some;
  }

  /// The newest of all that a search would find, in any order, or fewer.
  Result<oci::LogRecords> newest(const std::vector<std::string>& jobRuns, TimePoint from, TimePoint to) {
    auto found = search(jobRuns, from, to, 1'000'000);
    if (!found || found->records.empty() || draw(2) == 0) return found;
    const TimePoint time = found->records[draw(found->records.size())].time;
    found->rest = time;
    std::erase_if(found->records, [time](const oci::LogRecord& record) { return record.time < time; });
    return found;
  }

  /// Leaves those before some time, if there are any.
  std::optional<TimePoint> cut(std::vector<oci::LogRecord>& records) {
    if (records.empty()) return std::nullopt;
    const TimePoint time = std::chrono::floor<std::chrono::milliseconds>(records[draw(records.size())].time);
    const auto isEarlier = [time](const oci::LogRecord& record) { return record.time < time; };
    if (std::none_of(records.begin(), records.end(), isEarlier)) return std::nullopt;
    std::erase_if(records, [&](const oci::LogRecord& record) { return !isEarlier(record); });
    return time;
  }

  /// Texts of every line of every record.
  [[nodiscard]] std::map<std::string, std::string> truth() const {
    std::map<std::string, std::string> lines;
    for (const auto& [record, visibleAt] : all_) {
      std::size_t at = 0;
      for (int part = 0; at != std::string::npos; ++part) {
        const std::size_t end = record.message.find('\n', at);
        lines[record.id + (part == 0 ? "" : "#" + std::to_string(part))] =
            record.message.substr(at, end == std::string::npos ? end : end - at);
        at = end == std::string::npos ? end : end + 1;
      }
    }
    return lines;
  }
  std::size_t draw(std::size_t below) { return random_() % below; }

 private:
  std::mt19937 random_;
  std::shared_ptr<Clock> clock_;
  std::vector<Written> all_;
};

std::vector<LogNode> nodes(std::size_t count) {
  std::vector<LogNode> all;
  for (std::size_t i = 0; i < count; ++i)
    all.push_back({JobRunId(std::string("run.") + kNodes[i]), kNodes[i], Rank(static_cast<int>(i))});
  return all;
}

/// Follows it for a while, with restarts of the desktop in between; the log as it is in the end.
class Following {
 public:
  Following(unsigned seed, const std::filesystem::path& folder)
      : clock_(std::make_shared<FakeClock>()),
        service_(seed, clock_),
        folder_(folder),
        begin_(clock_->now()) {
    restart();
  }

  void run() {
    for (int round = 0; round < 90; ++round) {
      pass(std::chrono::milliseconds(service_.draw(6000)));
      service_.write();
      if (service_.draw(25) == 0) restart();
      if (round == 20) source_->setNodes(nodes(known_ = kNodes.size()));
      poll();
    }
    for (int round = 0; round < 60; ++round) {  // nothing is later than 150 s
      pass(10s);
      if (service_.draw(20) == 0) restart();
      poll();
    }
  }
  void expectTruth() {
    auto truth = service_.truth();
    LogReader reader(log_->snapshot());
    TimePoint last{};
    for (std::uint64_t i = 0; i < reader.size(); ++i) {
      const LogLineView line = reader.line(i);
      ASSERT_GE(line.time, last);
      last = line.time;
    }
    ASSERT_EQ(got_.size(), truth.size());
    ASSERT_EQ(reader.size(), truth.size());
    for (const auto& [id, text] : truth) ASSERT_EQ(got_[id], text) << id;
  }

 private:
  void pass(std::chrono::nanoseconds time) { (void)clock_->sleepFor(time, {}); }
  void restart() {
    log_.reset();
    log_ = std::make_unique<KeptLog>(folder_);
    source_ = std::make_unique<OciLogSource>(
        [this](const auto& jobRuns, TimePoint from, TimePoint to, std::size_t most, const std::stop_token&) {
          return service_.search(jobRuns, from, to, most);
        },
        [this](const auto& jobRuns, TimePoint from, TimePoint to, const std::stop_token&) {
          return service_.newest(jobRuns, from, to);
        },
        nodes(known_), begin_ - 60s, clock_);
    if (service_.draw(3) == 0) return;  // as for those who keep no lines
    std::optional<KeptLines> kept;
    if (const auto until = log_->wholeUntil()) kept = KeptLines{*until, log_->snapshot()->nodes()};
    source_->startWithNewest(kept);
  }
  void poll() {
    auto lines = source_->poll({});
    if (!lines) return;
    ASSERT_TRUE(
        std::is_sorted(lines->begin(), lines->end(), [](auto& a, auto& b) { return a.time < b.time; }));
    for (const LogLine& line : log_->add(*std::move(lines))) {
      ASSERT_TRUE(got_.emplace(line.id, line.text).second) << "twice: " << line.id;
      ASSERT_EQ("run." + line.node, line.jobRun.value);
    }
    if (const auto until = source_->wholeUntil()) log_->noteWholeUntil(*until);
  }

  std::shared_ptr<FakeClock> clock_;
  HostileService service_;
  std::filesystem::path folder_;
  TimePoint begin_;
  std::size_t known_ = 2;  // the third node comes later
  std::unique_ptr<OciLogSource> source_;
  std::unique_ptr<KeptLog> log_;
  std::map<std::string, std::string> got_;
};

TEST(HostileLog, ExactlyTheLinesThatWereWritten) {
  const char* const asked = std::getenv("LOCKSTEP_LOG_SEEDS");
  const unsigned seeds = asked ? static_cast<unsigned>(std::atoi(asked)) : 1000;
  for (unsigned seed = 0; seed < seeds; ++seed) {
    SCOPED_TRACE(seed);
    const TempDir dir;
    Following following(seed, dir.path() / "run");
    following.run();
    following.expectTruth();
    if (HasFatalFailure()) return;
  }
}

}  // namespace
}  // namespace lockstep
