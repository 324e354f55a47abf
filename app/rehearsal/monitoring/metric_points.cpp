// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/monitoring/metric_points.h"

#include <nlohmann/json.hpp>

namespace lockstep::rehearsal {
namespace {

std::string textOf(const std::map<std::string, std::string>& dimensions) {
  return nlohmann::json(dimensions).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

// The id of the point's stream, made when it is new.
long long streamOf(Transaction& transaction, const MetricPoint& point) {
  auto& save = transaction.sql(
      "INSERT INTO metric_streams(compartment, namespace, name, resource_group, dimensions, unit, last) "
      "VALUES(?,?,?,?,?,?,?) ON CONFLICT(compartment, namespace, name, resource_group, dimensions) DO UPDATE "
      "SET last = max(last, excluded.last), unit = CASE excluded.unit WHEN '' THEN unit ELSE excluded.unit "
      "END RETURNING id");
  save.bind(1, point.compartment);
  save.bind(2, point.nameSpace);
  save.bind(3, point.name);
  save.bind(4, point.resourceGroup);
  save.bind(5, textOf(point.dimensions));
  save.bind(6, point.unit);
  save.bind(7, static_cast<int64_t>(point.millis));
  save.executeStep();
  return save.getColumn(0).getInt64();
}

void forgetOld(Transaction& transaction, long long stream, long long before) {
  auto& forget = transaction.sql("DELETE FROM metric_points WHERE stream = ? AND time < ?");
  forget.bind(1, static_cast<int64_t>(stream));
  forget.bind(2, static_cast<int64_t>(before));
  forget.exec();
}

void bindOptional(SQLite::Statement& statement, int at, const std::optional<std::string>& value) {
  value ? statement.bind(at, *value) : statement.bind(at);
}

}  // namespace

void saveMetricPoints(Transaction& transaction, const std::vector<MetricPoint>& points) {
  for (const MetricPoint& point : points) {
    const long long stream = streamOf(transaction, point);
    forgetOld(transaction, stream, point.millis - kMetricRetentionMs);
    auto& insert =
        transaction.sql("INSERT OR IGNORE INTO metric_points(stream, time, value, count) VALUES(?,?,?,?)");
    insert.bind(1, static_cast<int64_t>(stream));
    insert.bind(2, static_cast<int64_t>(point.millis));
    insert.bind(3, point.value);
    insert.bind(4, point.count);
    insert.exec();
  }
}

std::vector<MetricStream> findStreams(Transaction& transaction, const StreamQuery& query) {
  auto& select = transaction.sql(
      "SELECT id, namespace, name, resource_group, dimensions, unit FROM metric_streams "
      "WHERE compartment = ?1 AND (?2 IS NULL OR namespace = ?2) AND (?3 IS NULL OR name = ?3) "
      "AND (?4 IS NULL OR resource_group = ?4) ORDER BY id");
  select.bind(1, query.compartment);
  bindOptional(select, 2, query.nameSpace);
  bindOptional(select, 3, query.name);
  bindOptional(select, 4, query.resourceGroup);
  std::vector<MetricStream> streams;
  while (select.executeStep()) {
    MetricStream stream{select.getColumn(0).getInt64(),  select.getColumn(1).getString(),
                        select.getColumn(2).getString(), query.compartment,
                        select.getColumn(3).getString(), {},
                        select.getColumn(5).getString()};
    const auto dimensions = nlohmann::json::parse(select.getColumn(4).getString(), nullptr, false);
    for (const auto& [name, value] : dimensions.items())
      stream.dimensions.emplace(name, value.get<std::string>());
    streams.push_back(std::move(stream));
  }
  return streams;
}

std::vector<std::string> compartmentsWithMetrics(Transaction& transaction) {
  auto& select = transaction.sql("SELECT DISTINCT compartment FROM metric_streams ORDER BY compartment");
  std::vector<std::string> ids;
  while (select.executeStep()) ids.push_back(select.getColumn(0).getString());
  return ids;
}

std::vector<MetricSample> readSamples(Transaction& transaction, long long stream, long long begin,
                                      long long end, std::size_t max) {
  auto& select = transaction.sql(
      "SELECT time, value, count FROM metric_points WHERE stream = ? AND time >= ? AND time < ? "
      "ORDER BY time LIMIT ?");
  select.bind(1, static_cast<int64_t>(stream));
  select.bind(2, static_cast<int64_t>(begin));
  select.bind(3, static_cast<int64_t>(end));
  select.bind(4, static_cast<int64_t>(max));
  std::vector<MetricSample> samples;
  while (select.executeStep())
    samples.push_back(
        {select.getColumn(0).getInt64(), select.getColumn(1).getDouble(), select.getColumn(2).getDouble()});
  return samples;
}

}  // namespace lockstep::rehearsal
