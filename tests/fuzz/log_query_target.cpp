// SPDX-License-Identifier: GPL-3.0-or-later
#include <memory>

#include "fuzz_targets.h"
#include "rehearsal/logging/log_query.h"

namespace lockstep {
namespace {

using namespace rehearsal;

constexpr int kRows = 6;

LogRow rowOf(int number) {
  static constexpr const char* kMessages[] = {"epoch 1 loss 0.5", "", "Traceback", "1e400",
                                              "{\"a\":[1,2]}",    "ü"};
  auto record = std::make_shared<SearchedRecord>();
  record->time = 1'767'225'600'000 + number * 1000LL;
  record->id = "id-" + std::to_string(number / 2);
  record->source = number % 2 == 0 ? "main" : "worker_0";
  record->type = "com.oraclecloud.logging.custom";
  record->content = {
      {"data", {{"message", kMessages[number]}, {"rank", number}, {"list", {1, "a", nullptr}}}}};
  return {std::move(record), nlohmann::json::object()};
}

}  // namespace

std::string tryLogQuery(std::string_view input) {
  const auto query = parseLogQuery(input);
  if (!query) return query.error().empty() ? "refused without a word" : "";
  if (query->streams.empty()) return "a query without a place to search in";
  LogPipeline pipeline(*query);
  for (int number = 0; number < kRows; ++number) pipeline.take(rowOf(number));
  pipeline.finish();
  if (pipeline.rows().size() > kRows) return "more rows come out than went in";
  for (const LogRow& row : pipeline.rows())
    (void)shownRow(row).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  return {};
}

}  // namespace lockstep
