// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/compartment_tree.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr std::size_t kDeepest = 16;  // OCI has six levels; an answer with a circle in it must not hang us

}  // namespace

CompartmentTree::CompartmentTree(std::string tenancyId, std::string tenancyName)
    : tenancyId_(std::move(tenancyId)) {
  places_[tenancyId_] = {std::move(tenancyName), ""};
}

void CompartmentTree::add(const std::string& id, const std::string& name, const std::string& parentId) {
  if (id != tenancyId_) places_[id] = {name, parentId};
}

std::string CompartmentTree::parentOf(const std::string& id) const {
  if (id == tenancyId_ || id.empty()) return {};
  const auto found = places_.find(id);
  // A parent that we may not see is somewhere below the tenancy.
  const bool isKnown = found != places_.end() && places_.contains(found->second.parentId);
  return isKnown ? found->second.parentId : tenancyId_;
}

std::vector<std::string> CompartmentTree::upwards(const std::string& id) const {
  std::vector<std::string> all;
  for (std::string at = id; !at.empty() && all.size() < kDeepest; at = parentOf(at)) all.push_back(at);
  return all;
}

bool CompartmentTree::isWithin(const std::string& id, const std::string& ancestorId) const {
  const auto all = upwards(id);
  return !ancestorId.empty() && std::ranges::find(all, ancestorId) != all.end();
}

std::string CompartmentTree::commonAncestor(const std::vector<std::string>& ids) const {
  if (ids.empty()) return tenancyId_;
  for (const std::string& candidate : upwards(ids.front())) {
    const bool hasAll =
        std::ranges::all_of(ids, [&](const std::string& id) { return isWithin(id, candidate); });
    if (hasAll) return candidate;
  }
  return tenancyId_;
}

bool CompartmentTree::hasChildren(const std::string& id) const {
  return std::ranges::any_of(places_, [&](const auto& entry) { return entry.second.parentId == id; });
}

std::string CompartmentTree::nameOf(const std::string& id) const {
  if (id == tenancyId_) return "tenancy";
  if (!has(id)) return id;
  std::string text;
  for (const std::string& one : upwards(id)) {
    if (one == tenancyId_) break;
    text = places_.at(one).name + (text.empty() ? "" : ":" + text);
  }
  return text;
}

std::string CompartmentTree::find(const std::string& from, const std::vector<std::string>& path) const {
  std::string at = from;
  for (std::size_t i = 0; i < path.size(); ++i) {
    const auto child = std::ranges::find_if(places_, [&](const auto& entry) {
      return entry.second.parentId == at && isSameWord(entry.second.name, path[i]);
    });
    if (child != places_.end()) {
      at = child->first;
      continue;
    }
    const auto here = places_.find(at);
    const bool isItself =
        i == 0 && at != tenancyId_ && here != places_.end() && isSameWord(here->second.name, path[i]);
    if (!isItself) return {};
  }
  return at;
}

std::string CompartmentTree::placeOf(const PolicyLocation& location, const std::string& from) const {
  switch (location.kind) {
    case PolicyLocation::Kind::Tenancy:
      return from == tenancyId_ ? tenancyId_ : std::string();
    case PolicyLocation::Kind::CompartmentId:
      return isWithin(location.id, from) ? location.id : std::string();
    case PolicyLocation::Kind::CompartmentPath:
      return find(from, location.path);
  }
  return {};
}

}  // namespace lockstep
