// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/limits/limits_match.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <set>

#include "cluster/reading/shape_catalogue.h"
#include "plan/node_groups.h"

namespace lockstep {
namespace {

std::string lowerCased(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t begin = 0;
  for (std::size_t end = text.find(separator); end != std::string::npos; end = text.find(separator, begin)) {
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  parts.push_back(text.substr(begin));
  return parts;
}

bool isNumber(const std::string& text) {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isdigit(c); });
}

// What is left of a limit's name without the words that every limit has.
std::string familyOfLimit(const std::string& name) {
  static const std::set<std::string> kCommon{"ds", "count",    "core",     "cores", "memory",
                                             "gb", "regional", "reserved", "vm",    "bm"};
  std::string family;
  for (const std::string& word : split(lowerCased(name), '-')) {
    if (!kCommon.contains(word)) family += (family.empty() ? "" : "-") + word;
  }
  return family;
}

// "BM.GPU4" of "BM.GPU4.8": as descriptions name it.
std::string stemOf(const std::string& shape) {
  const std::size_t dot = shape.rfind('.');
  const std::string last = dot == std::string::npos ? "" : shape.substr(dot + 1);
  return isNumber(last) || last == "Flex" ? shape.substr(0, dot) : shape;
}

bool mentions(const std::string& description, const std::string& stem) {
  const std::string text = lowerCased(description), word = lowerCased(stem);
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool goesOn = end < text.size() && (std::isalnum(static_cast<unsigned char>(text[end])) != 0);
    if (!goesOn) return true;  // "BM.GPU4", not "BM.GPU40"
  }
  return false;
}

bool says(const oci::LimitDefinition& limit, const char* word) {
  return lowerCased(limit.name + " " + limit.description).find(word) != std::string::npos;
}

}  // namespace

std::string shapeFamily(const std::string& shape) {
  std::string family;
  for (const std::string& part : split(lowerCased(stemOf(shape)), '.')) {
    if (part == "vm" || part == "bm") continue;
    family += (family.empty() ? "" : "-") + part;
  }
  return family;
}

std::vector<oci::LimitDefinition> limitsOfShape(const std::string& shape,
                                                const std::vector<oci::LimitDefinition>& definitions) {
  std::vector<oci::LimitDefinition> byName, byDescription;
  for (const oci::LimitDefinition& one : definitions) {
    if (one.isDeprecated) continue;
    if (familyOfLimit(one.name) == shapeFamily(shape)) byName.push_back(one);
    if (mentions(one.description, stemOf(shape))) byDescription.push_back(one);
  }
  return byName.empty() ? byDescription : byName;
}

LimitDemand demandOn(const oci::LimitDefinition& limit, const ShapeNeed& need) {
  const auto exactly = [](double amount, const char* unit) {
    const auto whole = static_cast<std::int64_t>(std::ceil(amount));
    return LimitDemand{whole, whole, unit};
  };
  if (says(limit, "memory") && need.memoryInGBs > 0) return exactly(need.memoryInGBs, "GB");
  if ((says(limit, "-core-") || says(limit, "ocpu")) && need.ocpus > 0) return exactly(need.ocpus, "OCPUs");
  if (need.gpus == 0 || says(limit, "nodes of") || says(limit, "instances"))
    return exactly(static_cast<double>(need.nodes), "nodes");
  if (says(limit, "gpus of") || says(limit, "number of gpus"))
    return exactly(static_cast<double>(need.gpus), "GPUs");
  return {need.nodes, std::max<std::int64_t>(need.nodes, need.gpus), "nodes or GPUs"};
}

std::vector<ShapeNeed> shapeNeedsOf(const ClusterSpec& spec) {
  std::vector<ShapeNeed> needs;
  for (const NodeGroup& group : nodeGroupsOf(spec)) {
    const std::string shape = shapeNameOf(spec, group.role);
    if (shape.empty()) continue;
    auto found =
        std::find_if(needs.begin(), needs.end(), [&](const ShapeNeed& one) { return one.shape == shape; });
    if (found == needs.end()) found = needs.insert(needs.end(), ShapeNeed{shape});
    found->nodes += group.replicas;
    found->gpus += group.replicas * gpusOfShape(shape).value_or(0);
    const auto config = shapeConfigOf(spec, group.role);
    const auto nodes = static_cast<double>(group.replicas);
    found->ocpus += nodes * (config ? config->ocpus.value_or(0) : 0);
    found->memoryInGBs += nodes * (config ? config->memoryInGBs.value_or(0) : 0);
  }
  return needs;
}

}  // namespace lockstep
