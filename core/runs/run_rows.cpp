// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/run_rows.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_map>

namespace lockstep {
namespace {

using nlohmann::json;

std::int64_t nanoseconds(TimePoint time) {
  return time.time_since_epoch().count();
}

TimePoint timeIn(const SQLite::Column& column) {
  return TimePoint(std::chrono::nanoseconds(column.getInt64()));
}

std::optional<double> numberIn(const SQLite::Column& column) {
  return column.isNull() ? std::nullopt : std::optional(column.getDouble());
}

void bindNumber(SQLite::Statement& statement, int place, const std::optional<double>& value) {
  if (value)
    statement.bind(place, *value);
  else
    statement.bind(place);
}

Result<TrainingRun> runOfRow(SQLite::Statement& row) {
  const json document = json::parse(row.getColumn(0).getString(), nullptr, false);
  auto run = trainingRunFrom(document);
  if (!run) return run;
  run->trainYaml = row.getColumn(1).getString();
  run->created = timeIn(row.getColumn(2));
  return run;
}

void writeJobRuns(SQLite::Database& db, const TrainingRun& run) {
  for (const NodeRun& node : run.nodes) {
    if (node.id.empty()) continue;
    SQLite::Statement link(db, "INSERT OR REPLACE INTO job_run(id, run_id) VALUES(?,?)");
    link.bind(1, node.id.value);
    link.bind(2, run.id.value);
    link.exec();
  }
}

void writeDifference(SQLite::Database& db, const TrainingRun& run) {
  if (run.code.difference.empty()) return;
  SQLite::Statement keep(db, "INSERT OR IGNORE INTO code_difference(run_id, difference) VALUES(?,?)");
  keep.bind(1, run.id.value);
  keep.bind(2, run.code.difference);
  keep.exec();
}

void writeFirstGroup(SQLite::Database& db, const TrainingRun& run) {
  if (run.sweep.empty()) return;
  SQLite::Statement keep(db, "INSERT OR IGNORE INTO mark(run_id, run_group) VALUES(?,?)");
  keep.bind(1, run.id.value);
  keep.bind(2, run.sweep);
  keep.exec();
}

std::vector<std::string> wordsIn(std::string_view text) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    if (end > 0) words.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

/// Of three columns, from that one on.
std::optional<RunFindings> findingsIn(const SQLite::Statement& row, int at) {
  const SQLite::Column count = row.getColumn(at);
  if (count.isNull()) return std::nullopt;
  return RunFindings{count.getInt(), row.getColumn(at + 1).getString(),
                     wordsIn(row.getColumn(at + 2).getText())};
}

RunSummary summaryOfRow(SQLite::Statement& row) {
  RunSummary run;
  int at = 0;
  const auto text = [&] { return row.getColumn(at++).getString(); };
  const auto number = [&] { return row.getColumn(at++).getInt64(); };
  run.id = RunId(text());
  run.created = timeIn(row.getColumn(at++));
  if (const auto finished = row.getColumn(at++); !finished.isNull()) run.finished = timeIn(finished);
  run.name = text();
  run.state = runStateNamed(text()).value_or(RunState::Silent);
  run.backend = text();
  run.profile = text();
  run.configFile = text();
  run.image = text();
  run.workDir = text();
  run.jobId = JobId(text());
  run.failure = text();
  run.nodes = static_cast<int>(number());
  run.jobRuns = static_cast<int>(number());
  run.nodeTime.ended = std::chrono::nanoseconds(number());
  run.nodeTime.live = static_cast<int>(number());
  run.nodeTime.liveSince = TimePoint(std::chrono::nanoseconds(number()));
  run.cancelRequested = number() != 0;
  run.hasText = number() != 0;
  run.commit = text();
  run.isDirty = number() != 0;
  run.isPriced = number() != 0;
  run.perHour = numberIn(row.getColumn(at++));
  run.currency = text();
  run.marks.note = text();
  run.marks.group = text();
  run.marks.isPinned = number() != 0;
  run.marks.isArchived = number() != 0;
  run.findings = findingsIn(row, at);
  return run;
}

constexpr const char* kSummaries =
    "SELECT s.run_id, s.created, s.finished, s.name, s.state, s.backend, s.profile, s.config_file, s.image, "
    "s.work_dir, s.job_id, s.failure, s.nodes, s.job_runs, s.ended_ns, s.live_nodes, s.live_since, "
    "s.cancel_requested, s.has_text, s.commit_id, s.is_dirty, s.is_priced, s.per_hour, s.currency, m.note, "
    "m.run_group, m.pinned, m.archived, f.count, f.worst, f.kinds FROM summary s "
    "LEFT JOIN mark m ON m.run_id = s.run_id LEFT JOIN finding f ON f.run_id = s.run_id "
    "ORDER BY s.created DESC, s.run_id DESC";

using Places = std::unordered_map<std::string_view, std::size_t>;

void addTags(SQLite::Database& db, const Places& places, std::vector<RunSummary>& runs) {
  SQLite::Statement tags(db, "SELECT run_id, tag FROM tag ORDER BY run_id, tag");
  while (tags.executeStep()) {
    const auto at = places.find(tags.getColumn(0).getText());
    if (at != places.end()) runs[at->second].marks.tags.push_back(tags.getColumn(1).getString());
  }
}

RunResult resultOfRow(const SQLite::Statement& row) {
  return {row.getColumn(1).getString(), row.getColumn(2).getDouble(), row.getColumn(3).getInt64(),
          numberIn(row.getColumn(4)),   row.getColumn(5).getInt64(),  numberIn(row.getColumn(6)),
          numberIn(row.getColumn(7))};
}

constexpr const char* kResults =
    "SELECT run_id, metric, last, last_step, best, best_step, mean, error FROM result ";

void addResults(SQLite::Database& db, const Places& places, std::vector<RunSummary>& runs) {
  SQLite::Statement rows(db, kResults + std::string("ORDER BY run_id, metric"));
  RunSummary* found = nullptr;  // those of one run follow each other
  while (rows.executeStep()) {
    const SQLite::Column id = rows.getColumn(0);
    if (found == nullptr || found->id.value != id.getText()) {
      const auto at = places.find(id.getText());
      found = at == places.end() ? nullptr : &runs[at->second];
    }
    if (found != nullptr) found->results.push_back(resultOfRow(rows));
  }
}

}  // namespace

Result<std::vector<TrainingRun>> runsWhere(SQLite::Database& db, const std::string& rest,
                                           const std::string& value) {
  SQLite::Statement query(db, "SELECT run.document, run.train_yaml, run.created FROM run " + rest);
  if (query.getBindParameterCount() > 0) query.bind(1, value);
  std::vector<TrainingRun> runs;
  while (query.executeStep()) {
    auto run = runOfRow(query);
    if (!run) return failure(run.error());
    runs.push_back(*std::move(run));
  }
  return runs;
}

void writeRun(SQLite::Database& db, const TrainingRun& run) {
  SQLite::Statement insert(db,
                           "INSERT INTO run(id, created, job_id, document, train_yaml) VALUES(?,?,?,?,?) "
                           "ON CONFLICT(id) DO UPDATE SET created=excluded.created, job_id=excluded.job_id, "
                           "document=excluded.document, train_yaml=excluded.train_yaml");
  insert.bind(1, run.id.value);
  insert.bind(2, nanoseconds(run.created));
  insert.bind(3, run.jobId.value);
  insert.bind(4, toJson(run).dump(-1, ' ', false, json::error_handler_t::replace));
  insert.bind(5, run.trainYaml);
  insert.exec();
  writeSummary(db, run);
  writeJobRuns(db, run);
  writeDifference(db, run);
  writeFirstGroup(db, run);
}

void writeSummary(SQLite::Database& db, const TrainingRun& run) {
  const RunSummary summary = summaryOf(run);
  // Only what follows from the run: a price stays.
  SQLite::Statement put(
      db,
      "INSERT INTO summary(run_id, created, finished, name, state, backend, profile, config_file, image, "
      "work_dir, job_id, failure, nodes, job_runs, ended_ns, live_nodes, live_since, cancel_requested, "
      "has_text, commit_id, is_dirty, sweep, sweep_point) "
      "VALUES(?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) ON CONFLICT(run_id) DO UPDATE SET "
      "created=excluded.created, finished=excluded.finished, name=excluded.name, state=excluded.state, "
      "backend=excluded.backend, profile=excluded.profile, config_file=excluded.config_file, "
      "image=excluded.image, work_dir=excluded.work_dir, job_id=excluded.job_id, failure=excluded.failure, "
      "nodes=excluded.nodes, job_runs=excluded.job_runs, ended_ns=excluded.ended_ns, "
      "live_nodes=excluded.live_nodes, live_since=excluded.live_since, "
      "cancel_requested=excluded.cancel_requested, has_text=excluded.has_text, "
      "commit_id=excluded.commit_id, is_dirty=excluded.is_dirty, sweep=excluded.sweep, "
      "sweep_point=excluded.sweep_point");
  int at = 0;
  const auto text = [&](const std::string& value) { put.bind(++at, value); };
  const auto number = [&](std::int64_t value) { put.bind(++at, value); };
  text(summary.id.value);
  number(nanoseconds(summary.created));
  if (summary.finished)
    number(nanoseconds(*summary.finished));
  else
    put.bind(++at);
  text(summary.name);
  text(toString(summary.state));
  for (const auto* part : {&summary.backend, &summary.profile, &summary.configFile, &summary.image,
                           &summary.workDir, &summary.jobId.value, &summary.failure})
    text(*part);
  number(summary.nodes);
  number(summary.jobRuns);
  number(summary.nodeTime.ended.count());
  number(summary.nodeTime.live);
  number(nanoseconds(summary.nodeTime.liveSince));
  number(summary.cancelRequested ? 1 : 0);
  number(summary.hasText ? 1 : 0);
  text(summary.commit);
  number(summary.isDirty ? 1 : 0);
  text(run.sweep);
  number(run.sweepPoint);
  put.exec();
}

std::vector<RunSummary> readSummaries(SQLite::Database& db) {
  SQLite::Transaction asOneSees(db);  // all tables as they were at one moment
  std::vector<RunSummary> runs;
  runs.reserve(static_cast<std::size_t>(db.execAndGet("SELECT count(*) FROM summary").getInt64()));
  SQLite::Statement rows(db, kSummaries);
  while (rows.executeStep()) runs.push_back(summaryOfRow(rows));
  Places places;
  places.reserve(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) places.emplace(runs[i].id.value, i);
  addTags(db, places, runs);
  addResults(db, places, runs);
  return runs;
}

std::vector<RunResult> readResults(SQLite::Database& db, const RunId& id) {
  SQLite::Statement rows(db, kResults + std::string("WHERE run_id = ? ORDER BY metric"));
  rows.bind(1, id.value);
  std::vector<RunResult> results;
  while (rows.executeStep()) results.push_back(resultOfRow(rows));
  return results;
}

void writeResults(SQLite::Database& db, const RunId& id, const std::vector<RunResult>& results) {
  SQLite::Statement put(
      db,
      "INSERT OR REPLACE INTO result(run_id, metric, last, last_step, best, best_step, mean, "
      "error) VALUES(?,?,?,?,?,?,?,?)");
  for (const RunResult& result : results) {
    put.reset();
    put.bind(1, id.value);
    put.bind(2, result.metric);
    put.bind(3, result.last);
    put.bind(4, static_cast<std::int64_t>(result.lastStep));
    bindNumber(put, 5, result.best);
    put.bind(6, static_cast<std::int64_t>(result.bestStep));
    bindNumber(put, 7, result.mean);
    bindNumber(put, 8, result.error);
    put.exec();
  }
}

void writeFindings(SQLite::Database& db, const RunId& id, const RunFindings& findings) {
  std::string kinds;
  for (const std::string& kind : findings.kinds) kinds += (kinds.empty() ? "" : " ") + kind;
  SQLite::Statement put(db, "INSERT OR REPLACE INTO finding(run_id, count, worst, kinds) VALUES(?,?,?,?)");
  put.bind(1, id.value);
  put.bind(2, findings.count);
  put.bind(3, findings.worst);
  put.bind(4, kinds);
  put.exec();
}

}  // namespace lockstep
