// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/save_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/outside_json.h"
#include "metrics/segments/calls_at_once.h"
#include "metrics/segments/metric_index.h"
#include "metrics/segments/segment_envelope.h"
#include "portable/line_chunks.h"
#include "portable/run_description.h"
#include "portable/run_file_format.h"
#include "portable/run_file_writer.h"
#include "portable/secret_filter.h"
#include "workdir/work_dir_uri.h"

namespace lockstep {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxDocumentBytes = 4 << 20;  // of health; a heartbeat is the largest
constexpr std::chrono::milliseconds kProgressInterval{50};

enum class Kind { Document, Segment, Index };

/// An object of the work dir that goes into the file.
struct Wanted {
  std::string name;  // below the run's folder
  Kind kind = Kind::Document;
};

class Saving {
 public:
  Saving(const RunToSave& what, RunFileWriter writer, const SaveProgressHandler& progress,
         std::stop_token stop)
      : what_(what),
        writer_(std::move(writer)),
        filter_(what.run.trainYaml, what.home),
        progress_(progress),
        stop_(std::move(stop)) {}

  Result<SavedRun> save() {
    using Part = Result<void> (Saving::*)();
    for (const Part part : {&Saving::addDescription, &Saving::addWorkDir, &Saving::addLines}) {
      if (auto done = (this->*part)(); !done) return failure(std::move(done.error()));
    }
    if (auto done = goesOn(); !done) return failure(std::move(done.error()));
    if (auto done = writer_.finish(); !done) return failure(std::move(done.error()));
    tell(true);
    return saved_;
  }

 private:
  Result<void> addDescription() {
    auto done = writer_.add(run_file::kDescription, describedRun(what_.run, filter_, what_.now));
    saved_.hasTrainYaml = !filter_.trainYaml().empty();
    if (done && saved_.hasTrainYaml) done = writer_.add(run_file::kTrainYaml, filter_.trainYaml());
    const json findings = json::parse(what_.findings, nullptr, false);
    if (done && findings.is_array())
      done = writer_.add(run_file::kFindings,
                         filter_.document(findings).dump(-1, ' ', false, json::error_handler_t::replace));
    return done;
  }

  Result<void> addWorkDir() {
    if (!what_.workDir) return {};
    const auto wanted = wantedObjects();
    if (!wanted) return failure(wanted.error());
    saved_.written.ofObjects = wanted->size();
    CallsAtOnce calls;
    std::size_t from = 0;
    while (from < wanted->size()) {
      const std::size_t count = std::min(calls.width(), wanted->size() - from);
      std::vector<Result<std::string>> objects(count);
      calls.make(count, [&](std::size_t i) {
        objects[i] = what_.workDir->get(folder() + (*wanted)[from + i].name, stop_);
      });
      for (std::size_t i = 0; i < count; ++i)
        if (auto done = addObject((*wanted)[from + i], std::move(objects[i])); !done) return done;
      from += count;
    }
    return {};
  }

  [[nodiscard]] std::string folder() const { return layout::jobFolder(what_.run.jobId.value); }

  Result<std::vector<Wanted>> wantedObjects() const {
    const std::string job = what_.run.jobId.value, metrics = layout::metricsFolder(job);
    std::vector<Wanted> wanted;
    const std::string reach = layout::reachFile(job, 0);
    for (const std::string& prefix :
         {layout::runDescription(job), layout::heartbeatFile(job), layout::failureFile(job),
          reach.substr(0, reach.rfind('/') + 1), metrics}) {
      const auto found = what_.workDir->list(prefix, {}, stop_);
      if (!found && found.error().code != ErrorCode::NotFound) return failure(found.error());
      if (!found) continue;
      for (const ObjectInfo& one : *found)
        if (const auto kind = kindOf(one, metrics))
          wanted.push_back({one.name.substr(folder().size()), *kind});
    }
    return wanted;
  }

  // What somebody else has put there stays there.
  static std::optional<Kind> kindOf(const ObjectInfo& object, const std::string& metrics) {
    if (!object.name.starts_with(metrics))
      return object.name.ends_with(".json") && object.size <= kMaxDocumentBytes
                 ? std::optional(Kind::Document)
                 : std::nullopt;
    const std::string_view name = std::string_view(object.name).substr(metrics.size());
    if (name == layout::kMetricIndexName && object.size <= kMaxIndexBytes) return Kind::Index;
    return parseSegmentName(name) && object.size <= kMaxSegmentBytes ? std::optional(Kind::Segment)
                                                                     : std::nullopt;
  }

  Result<void> addObject(const Wanted& wanted, Result<std::string> bytes) {
    if (auto done = goesOn(); !done) return done;
    if (!bytes && bytes.error().code != ErrorCode::NotFound) return failure(std::move(bytes.error()));
    const auto content = bytes ? contentOf(wanted.kind, *std::move(bytes)) : std::nullopt;
    if (!content) ++saved_.leftOut;
    ++saved_.written.objects;
    auto done = content ? writer_.add(run_file::kWorkDir + wanted.name, *content) : Result<void>();
    tell(false);
    return done;
  }

  // Segments are numbers, and go as they are; of what else lies there only documents do.
  [[nodiscard]] std::optional<std::string> contentOf(Kind kind, std::string bytes) const {
    if (kind == Kind::Segment)
      return openSegment(bytes, SegmentLevel::Raw, SegmentLevel::Of4096) ? std::optional(std::move(bytes))
                                                                         : std::nullopt;
    if (kind == Kind::Index) {
      const auto index = parseMetricIndex(bytes);
      return index ? std::optional(toText(*index)) : std::nullopt;
    }
    const auto document = parseOutsideJson(bytes, kMaxDocumentBytes, "a document of the run");
    if (!document) return std::nullopt;
    return filter_.document(*document).dump(-1, ' ', false, json::error_handler_t::replace);
  }

  Result<void> addLines() {
    if (!what_.lines) return {};
    LineChunks chunks(writer_);
    auto done = what_.lines([&](const LogLine& line) -> Result<void> {
      if (auto still = goesOn(); !still) return still;
      LogLine safe = line;
      safe.text = filter_.line(line);
      safe.node = withoutSecretsOf(line.node);
      if (safe.text != line.text) ++saved_.shortenedLines;
      ++saved_.written.lines;
      auto added = chunks.add(safe);
      tell(false);
      return added;
    });
    return done ? chunks.finish() : done;
  }

  [[nodiscard]] std::string withoutSecretsOf(const std::string& text) const { return filter_.text(text); }

  [[nodiscard]] Result<void> goesOn() const {
    if (!stop_.stop_requested()) return {};
    return failure(ErrorCode::Cancelled, "the run was not saved", "cancelled");
  }

  void tell(bool isLast) {
    saved_.written.bytes = writer_.bytes();
    const auto now = std::chrono::steady_clock::now();
    if (!progress_ || (!isLast && now - told_ < kProgressInterval)) return;
    told_ = now;
    progress_(saved_.written);
  }

  const RunToSave& what_;
  RunFileWriter writer_;
  SecretFilter filter_;
  const SaveProgressHandler& progress_;
  std::stop_token stop_;
  SavedRun saved_;
  std::chrono::steady_clock::time_point told_{};
};

}  // namespace

Result<SavedRun> saveRun(const RunToSave& what, const std::filesystem::path& path,
                         const SaveProgressHandler& progress, const std::stop_token& stop) {
  auto writer = RunFileWriter::create(path);
  if (!writer) return failure(std::move(writer.error()));
  return Saving(what, *std::move(writer), progress, stop).save();
}

}  // namespace lockstep
