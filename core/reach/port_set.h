// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

namespace lockstep {

/// A set of ports 0…65535 as disjoint closed intervals in rising order. A value; operations are linear.
class PortSet {
 public:
  struct Interval {
    int first = 0, last = 0;
    bool operator==(const Interval&) const = default;
  };
  PortSet() = default;
  [[nodiscard]] static PortSet of(int first, int last);
  [[nodiscard]] static PortSet all();

  [[nodiscard]] PortSet operator|(const PortSet& other) const;
  [[nodiscard]] PortSet operator&(const PortSet& other) const;
  [[nodiscard]] PortSet operator-(const PortSet& other) const;
  [[nodiscard]] bool contains(const PortSet& other) const { return (other - *this).empty(); }
  [[nodiscard]] bool empty() const { return intervals_.empty(); }
  [[nodiscard]] const std::vector<Interval>& intervals() const { return intervals_; }
  [[nodiscard]] std::string toString() const;  // "8786-8787, 29400"; "all"; "none"
  bool operator==(const PortSet&) const = default;

 private:
  explicit PortSet(std::vector<Interval> intervals);  // any order, may overlap
  std::vector<Interval> intervals_;
};

}  // namespace lockstep
