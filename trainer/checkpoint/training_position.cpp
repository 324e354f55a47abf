// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/checkpoint/training_position.h"

#include <limits>
#include <nlohmann/json.hpp>

#include "base/outside_json.h"

namespace lockstep::trainer {
namespace {

constexpr std::size_t kMaxBytes = 1 << 20;

}  // namespace

std::string toText(const TrainingPosition& p) {
  return nlohmann::json{{"v", 1},
                        {"step", p.step},
                        {"epoch", p.epoch},
                        {"samplesDone", p.samplesDone},
                        {"seed", p.seed},
                        {"model", p.model},
                        {"bestTestLoss", p.bestTestLoss},
                        {"epochsWithoutGain", p.epochsWithoutGain}}
      .dump();
}

Result<TrainingPosition> positionFrom(const std::string& text) {
  const auto json = parseOutsideJson(text, kMaxBytes, "the position of the training in the checkpoint");
  if (!json) return failure(json.error());
  std::string missing;
  const auto count = [&](const char* key, std::int64_t max) {
    const auto number = outsideNumber(*json, key, 0, max);
    if (!number) missing = key;
    return number.value_or(0);
  };
  TrainingPosition p;
  p.step = count("step", std::numeric_limits<std::int64_t>::max());
  p.epoch = static_cast<int>(count("epoch", std::numeric_limits<int>::max()));
  p.samplesDone = count("samplesDone", std::numeric_limits<std::int64_t>::max());
  p.epochsWithoutGain = static_cast<int>(count("epochsWithoutGain", std::numeric_limits<int>::max()));
  const auto seed = json->find("seed"), model = json->find("model"), best = json->find("bestTestLoss");
  if (seed == json->end() || !seed->is_number_unsigned()) missing = "seed";
  if (model == json->end() || !model->is_string()) missing = "model";
  if (best == json->end() || !best->is_number()) missing = "bestTestLoss";
  if (!missing.empty())
    return failure(ErrorCode::DataLoss, "the position of the training in the checkpoint cannot be read",
                   "it has no '" + missing + "' that could be one");
  p.seed = seed->get<std::uint64_t>();
  p.model = model->get<std::string>();
  p.bestTestLoss = best->get<double>();
  return p;
}

}  // namespace lockstep::trainer
