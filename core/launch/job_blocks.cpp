// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/job_blocks.h"

#include "base/json_fields.h"
#include "plan/job_field.h"

namespace lockstep {
namespace {

using Json = nlohmann::ordered_json;

std::optional<std::vector<std::string>> wordsAt(const Json& holder, const char* name) {
  const auto found = holder.find(name);
  if (found == holder.end() || !found->is_array()) return std::nullopt;
  std::vector<std::string> words;
  for (const Json& word : *found)
    if (word.is_string()) words.push_back(word.get<std::string>());
  return words;
}

JobBlock blockFrom(const Json& json) {
  JobBlock block;
  const Json& variables = objectField(objectField(json, job_field::kConfiguration), "environmentVariables");
  for (const auto& [name, value] : variables.items())
    if (value.is_string()) block.variables[name] = value.get<std::string>();
  const Json& container = objectField(json, job_field::kEnvironment);
  if (container.empty()) return block;
  block.isContainer = true;
  block.entrypoint = wordsAt(container, "entrypoint");
  block.cmd = wordsAt(container, "cmd").value_or(std::vector<std::string>());
  return block;
}

}  // namespace

std::string JobBlock::variable(const std::string& name) const {
  const auto found = variables.find(name);
  return found == variables.end() ? std::string() : found->second;
}

std::vector<std::string> JobBlock::words() const {
  std::vector<std::string> all = entrypoint.value_or(std::vector<std::string>());
  all.insert(all.end(), cmd.begin(), cmd.end());
  return all;
}

std::vector<JobBlock> jobBlocksOf(const Plan& plan) {
  if (plan.requests.empty()) return {};
  const Json& job = plan.requests.front().body;
  const Json& nodes = objectField(job, job_field::kNodes);
  if (nodes.empty()) return {blockFrom(job)};
  std::vector<JobBlock> blocks;
  const auto groups = nodes.find(job_field::kGroups);
  if (groups != nodes.end())
    for (const Json& group : *groups) blocks.push_back(blockFrom(group));
  return blocks;
}

}  // namespace lockstep
