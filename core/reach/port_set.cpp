// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/port_set.h"

#include <algorithm>

namespace lockstep {
namespace {

constexpr int kLastPort = 65535;

}  // namespace

PortSet::PortSet(std::vector<Interval> intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.first < b.first; });
  for (const Interval& one : intervals) {
    if (one.first > one.last) continue;
    if (!intervals_.empty() && one.first <= intervals_.back().last + 1)
      intervals_.back().last = std::max(intervals_.back().last, one.last);
    else
      intervals_.push_back(one);
  }
}

PortSet PortSet::of(int first, int last) {
  return PortSet({{std::max(first, 0), std::min(last, kLastPort)}});
}

PortSet PortSet::all() {
  return of(0, kLastPort);
}

PortSet PortSet::operator|(const PortSet& other) const {
  std::vector<Interval> both = intervals_;
  both.insert(both.end(), other.intervals_.begin(), other.intervals_.end());
  return PortSet(std::move(both));
}

PortSet PortSet::operator&(const PortSet& other) const {
  std::vector<Interval> common;
  auto a = intervals_.begin();
  auto b = other.intervals_.begin();
  while (a != intervals_.end() && b != other.intervals_.end()) {
    common.push_back({std::max(a->first, b->first), std::min(a->last, b->last)});
    (a->last < b->last ? a : b)++;
  }
  return PortSet(std::move(common));
}

PortSet PortSet::operator-(const PortSet& other) const {
  std::vector<Interval> rest;
  int next = 0;  // the first port that `other` does not take
  for (const Interval& taken : other.intervals_) {
    rest.push_back({next, taken.first - 1});
    next = taken.last + 1;
  }
  rest.push_back({next, kLastPort});
  return *this & PortSet(std::move(rest));
}

std::string PortSet::toString() const {
  if (empty()) return "none";
  if (*this == all() || *this == of(1, kLastPort)) return "all";
  std::string text;
  for (const Interval& one : intervals_) {
    if (!text.empty()) text += ", ";
    text += std::to_string(one.first);
    if (one.last != one.first) text += "-" + std::to_string(one.last);
  }
  return text;
}

}  // namespace lockstep
