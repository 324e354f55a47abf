// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/compartment_paths.h"

namespace lockstep::oci {
namespace {

constexpr int kDeepest =
    8;  // compartments nest at most six deep; who answers that one is its own parent ends, too

}  // namespace

std::map<std::string, std::string> compartmentPaths(const std::vector<Compartment>& compartments) {
  std::map<std::string, const Compartment*> byId;
  for (const Compartment& compartment : compartments) byId.emplace(compartment.id, &compartment);
  std::map<std::string, std::string> paths;
  for (const Compartment& compartment : compartments) {
    std::string path = compartment.name;
    auto parent = byId.find(compartment.compartmentId);
    for (int depth = 0; depth < kDeepest && parent != byId.end(); ++depth) {
      path = parent->second->name + " / " + path;
      parent = byId.find(parent->second->compartmentId);
    }
    paths.emplace(compartment.id, std::move(path));
  }
  return paths;
}

}  // namespace lockstep::oci
