// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/oci_log_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/digest.h"
#include "base/text/encoding.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

constexpr auto kLongLook = 180s;
constexpr auto kShortLook = 15s;
constexpr std::size_t kManyRecords = 2000;  // two pages; beyond that the long look is made every tenth poll
constexpr int kPollsPerLongLook = 10;
constexpr std::size_t kFirstPart = 1000,
                      kLargestPart = 16'000;  // records of a long past that are read at once
constexpr std::size_t kAll = std::numeric_limits<std::size_t>::max();
constexpr auto kAhead = std::chrono::hours(2);  // records of nodes whose clocks are ahead, or ours set back
constexpr auto kLongestSearch = std::chrono::days(13);  // the service refuses more than 14 days
constexpr auto kLatest =
    15min;  // with a new source: of what comes later than any look back of the last one found
constexpr std::string_view kNodeAgent = "[node] ";

/// The lines of a message. What a carriage return overwrote, as progress bars do, is left out.
std::vector<std::string> partsOf(const std::string& message) {
  std::vector<std::string> lines;
  std::string_view rest = message;
  while (!rest.empty() && (rest.back() == '\n' || rest.back() == '\r')) rest.remove_suffix(1);
  for (bool more = true; more;) {
    const auto end = rest.find('\n');
    more = end != std::string_view::npos;
    std::string_view line = rest.substr(0, end);
    if (more) rest.remove_prefix(end + 1);
    while (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    if (const auto back = line.rfind('\r'); back != std::string_view::npos) line.remove_prefix(back + 1);
    lines.push_back(toValidUtf8(line));
  }
  return lines;
}

/// Every record has an id; were there one without, its content is what makes it one.
std::string identityOf(const oci::LogRecord& record) {
  if (!record.id.empty()) return record.id;
  return toHex(sha256(
      fmt::format("{}\n{}\n{}", record.source, record.time.time_since_epoch().count(), record.message)));
}

}  // namespace

OciLogSource::OciLogSource(const std::shared_ptr<oci::LogSearchClient>& client, const Place& place,
                           std::vector<LogNode> nodes, TimePoint since, std::shared_ptr<Clock> clock)
    : OciLogSource(
          [client, place](const std::vector<std::string>& jobRunIds, TimePoint from, TimePoint to,
                          std::size_t most, const std::stop_token& stop) {
            return client->searchPart(place.compartmentId, place.logGroupId, place.logId, jobRunIds, from, to,
                                      most, stop);
          },
          [client, place](const std::vector<std::string>& jobRunIds, TimePoint from, TimePoint to,
                          const std::stop_token& stop) {
            return client->searchNewest(place.compartmentId, place.logGroupId, place.logId, jobRunIds, from,
                                        to, stop);
          },
          std::move(nodes), since, std::move(clock)) {}

OciLogSource::OciLogSource(Search search, NewestSearch newest, std::vector<LogNode> nodes, TimePoint since,
                           std::shared_ptr<Clock> clock)
    : search_(std::move(search)),
      newestSearch_(std::move(newest)),
      nodes_(std::move(nodes)),
      since_(since),
      clock_(std::move(clock)) {}

void OciLogSource::startWithNewest(const std::optional<KeptLines>& kept) {
  const auto hasLines = [&](const LogNode& node) {
    return std::ranges::find(kept->nodes, node.name) != kept->nodes.end();
  };
  if (kept && std::ranges::all_of(nodes_, hasLines)) since_ = std::max(since_, kept->wholeUntil - kLatest);
  beginsWithNewest_ = true;
}

std::optional<TimePoint> OciLogSource::wholeUntil() const {
  return lastPoll_ ? forgottenBefore_ : std::nullopt;
}

void OciLogSource::setNodes(std::vector<LogNode> nodes) {
  const auto isKnown = [this](const LogNode& node) {
    return std::any_of(nodes_.begin(), nodes_.end(),
                       [&](const LogNode& old) { return old.jobRun == node.jobRun; });
  };
  if (!std::all_of(nodes.begin(), nodes.end(), isKnown)) {
    past_.reset();
    lastPoll_.reset();  // what was seen is still known by its id, unless it was forgotten
    if (forgottenBefore_) since_ = std::max(since_, *forgottenBefore_);
  }
  nodes_ = std::move(nodes);
}

Result<std::vector<LogLine>> OciLogSource::poll(const std::stop_token& stop) {
  const TimePoint now = clock_->now();
  if (!lastPoll_ && beginsWithNewest_) return readNewest(now, stop);
  if (!lastPoll_) return readPast(now, stop);
  const bool isShort = isShortLook();
  const auto found = search(lookBack(isShort ? kShortLook : kLongLook), now + kAhead, kAll, stop);
  if (!found) return failure(found.error());
  if (!isShort) recordsInLongLook_ = found->records.size();
  pollsSinceLongLook_ = isShort ? pollsSinceLongLook_ + 1 : 0;
  std::vector<LogLine> lines = linesOf(found->records);
  lastPoll_ = now;
  if (!isShort) forgetOld();
  return lines;
}

// A run that ended long ago has written nothing in the last days: then its last lines are looked for before these.
Result<std::vector<LogLine>> OciLogSource::readNewest(TimePoint now, const std::stop_token& stop) {
  std::vector<oci::LogRecord> records;
  bool isAll = true;
  for (TimePoint to = now + kAhead; records.empty() && isAll && since_ < to;) {
    const TimePoint from = std::max(since_, to - kLongestSearch);
    auto newest = newestSearch_(jobRunIds(), from, to, stop);
    if (!newest) return failure(newest.error());
    records = std::move(newest->records);
    isAll = isAll && !newest->rest && (records.empty() || from == since_);
    to = from;
  }
  beginsWithNewest_ = false;
  std::vector<LogLine> lines = linesOf(records);
  const Past past{since_, now, kFirstPart, records.size()};
  if (!isAll)
    past_ = past;
  else
    endPast(past);
  return lines;
}

// Whatever was late while the parts were read is found by the long look that follows: it counts from the first of them.
Result<std::vector<LogLine>> OciLogSource::readPast(TimePoint now, const std::stop_token& stop) {
  Past past = past_.value_or(Past{since_, now, kFirstPart});
  const auto found = search(past.from, now + kAhead, past.part, stop);
  if (!found) return failure(found.error());
  std::vector<LogLine> lines = linesOf(found->records);
  past.records += found->records.size();
  past.part = std::min(4 * past.part, kLargestPart);
  if (found->rest) {
    past.from = *found->rest;
    past_ = past;
    return lines;
  }
  endPast(past);
  return lines;
}

void OciLogSource::endPast(const Past& past) {
  past_.reset();
  recordsInLongLook_ = past.records;
  pollsSinceLongLook_ = 0;
  lastPoll_ = past.began;
  forgetOld();
}

std::vector<LogLine> OciLogSource::linesOf(const std::vector<oci::LogRecord>& records) {
  std::vector<LogLine> lines;
  for (const auto& record : records) take(record, lines);
  std::stable_sort(lines.begin(), lines.end(),
                   [](const LogLine& a, const LogLine& b) { return a.time < b.time; });
  return lines;
}

bool OciLogSource::isShortLook() const {
  return lastPoll_ && recordsInLongLook_ > kManyRecords && pollsSinceLongLook_ + 1 < kPollsPerLongLook;
}

TimePoint OciLogSource::lookBack(std::chrono::seconds by) const {
  // A silent hour leaves few records behind, so that looking back over it costs nothing; our own calendar alone, which
  // may have been set meanwhile, says nothing about when the next record comes.
  if (!lastPoll_ || !newest_) return since_;
  return std::max(since_, std::min(*lastPoll_, *newest_) - by);
}

Result<oci::LogRecords> OciLogSource::search(TimePoint from, TimePoint to, std::size_t most,
                                             const std::stop_token& stop) const {
  const std::vector<std::string> ids = jobRunIds();
  oci::LogRecords all;
  while (!ids.empty() && from < to) {
    const TimePoint end = std::min(to, from + kLongestSearch);
    auto part = search_(ids, from, end, most, stop);
    if (!part) return part;
    std::move(part->records.begin(), part->records.end(), std::back_inserter(all.records));
    all.rest = part->rest;
    if (all.rest) return all;
    from = end;  // a record of exactly this time may come twice: its id tells
  }
  return all;
}

std::vector<std::string> OciLogSource::jobRunIds() const {
  std::vector<std::string> ids;
  for (const auto& node : nodes_)
    if (!node.jobRun.empty()) ids.push_back(node.jobRun.value);
  return ids;
}

void OciLogSource::take(const oci::LogRecord& record, std::vector<LogLine>& into) {
  const std::string id = identityOf(record);
  if (!seen_.emplace(id, record.time).second) return;
  newest_ = std::max(newest_.value_or(record.time), record.time);
  const LogNode* const node = nodeOf(record.source);
  int part = 0;
  std::optional<Rank> rank;
  for (auto& text : partsOf(record.message)) {
    LogLine line;
    line.id = part == 0 ? id : fmt::format("{}#{}", id, part);
    ++part;
    line.time = record.time;
    if (node) line.jobRun = node->jobRun;
    line.node = node ? node->name : record.source;
    if (const auto prefix = parseRankPrefix(text))
      rank = prefix;  // stands before the first line of a message only
    line.rank = rank;
    if (!line.rank && node && !text.starts_with(kNodeAgent)) line.rank = node->rank;
    line.level = levelOf(text);
    line.text = std::move(text);
    into.push_back(std::move(line));
  }
}

const LogNode* OciLogSource::nodeOf(const std::string& source) const {
  for (const auto& node : nodes_)
    if (!node.jobRun.empty() && source.ends_with(node.jobRun.value)) return &node;
  return nullptr;
}

void OciLogSource::forgetOld() {
  // No search will look there again; without this the ids of a long run would fill the memory.
  forgottenBefore_ = lookBack(kLongLook) - kLongLook;
  std::erase_if(seen_, [this](const auto& entry) { return entry.second < *forgottenBefore_; });
}

}  // namespace lockstep
