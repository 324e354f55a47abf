// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/run_metrics.h"

#include <fcntl.h>
#include <unistd.h>

#include <vector>

#include "rehearsal/jobs/node_sampler.h"
#include "rehearsal/monitoring/metric_points.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kChunk = 64 * 1024;

// Two nodes that sampled in the same millisecond must not count as one point of the run's stream.
long long timeOf(const NodeSample& sample, const SampleIntake& intake) {
  return sample.time - sample.time % intake.nodes + intake.node;
}

void addPoints(std::vector<MetricPoint>& points, const NodeSample& sample, const SampleIntake& intake) {
  for (const NodeQuantity& quantity : nodeQuantities()) {
    const std::optional<double>& value = sample.*quantity.value;
    if (!value) continue;
    MetricPoint point;
    point.nameSpace = "oci_datascience_jobrun";
    point.name = quantity.metric;
    point.compartment = intake.compartment;
    point.dimensions = {{"resourceId", intake.runId}};
    point.unit = quantity.unit;
    point.millis = timeOf(sample, intake);
    point.value = *value;
    points.push_back(std::move(point));
  }
}

std::string placeOf(const SampleIntake& intake) {
  return intake.runId + "#metrics" + std::to_string(intake.node);
}

long long reachedIn(Transaction& transaction, const SampleIntake& intake) {
  auto& select = transaction.sql("SELECT offset FROM run_tails WHERE run = ?");
  select.bind(1, placeOf(intake));
  return select.executeStep() ? select.getColumn(0).getInt64() : 0;
}

void saveReached(Transaction& transaction, const SampleIntake& intake, long long offset) {
  auto& save = transaction.sql(
      "INSERT INTO run_tails(run, offset) VALUES(?,?) ON CONFLICT(run) DO UPDATE SET offset = "
      "excluded.offset");
  save.bind(1, placeOf(intake));
  save.bind(2, static_cast<int64_t>(offset));
  save.exec();
}

}  // namespace

bool copySomeSamples(Database& database, const SampleIntake& intake) {
  const int fd = ::open(intake.file.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  Transaction transaction(database);
  const long long offset = reachedIn(transaction, intake);
  std::string bytes(kChunk, '\0');
  const ssize_t n = ::pread(fd, bytes.data(), bytes.size(), offset);
  ::close(fd);
  if (n <= 0) return false;
  bytes.resize(static_cast<std::size_t>(n));
  std::vector<MetricPoint> points;
  std::size_t begin = 0;
  for (std::size_t end = 0; (end = bytes.find('\n', begin)) != std::string::npos; begin = end + 1)
    if (const auto sample = sampleFrom(bytes.substr(begin, end - begin))) addPoints(points, *sample, intake);
  if (begin == 0) return false;
  saveMetricPoints(transaction, points);
  saveReached(transaction, intake, offset + static_cast<long long>(begin));
  transaction.commit();
  return true;
}

}  // namespace lockstep::rehearsal
