// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/checkpoint/training_position.h"

#include <nlohmann/json.hpp>

namespace lockstep::trainer {

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
  try {
    const auto json = nlohmann::json::parse(text);
    TrainingPosition p;
    json.at("step").get_to(p.step);
    json.at("epoch").get_to(p.epoch);
    json.at("samplesDone").get_to(p.samplesDone);
    json.at("seed").get_to(p.seed);
    json.at("model").get_to(p.model);
    json.at("bestTestLoss").get_to(p.bestTestLoss);
    json.at("epochsWithoutGain").get_to(p.epochsWithoutGain);
    return p;
  } catch (const nlohmann::json::exception& error) {
    return failure(StatusCode::DataLoss, "the position of the training in the checkpoint cannot be read",
                   error.what());
  }
}

}  // namespace lockstep::trainer
