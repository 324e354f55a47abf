// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <compare>
#include <functional>
#include <string>

namespace lockstep {

/// A text id that cannot be mixed up with an id of another kind. Opaque: compared whole, never parsed.
template <class Tag>
struct TextId {
  std::string value;

  TextId() = default;
  explicit TextId(std::string v) : value(std::move(v)) {}
  [[nodiscard]] bool empty() const { return value.empty(); }
  auto operator<=>(const TextId&) const = default;
};

using RunId = TextId<struct RunIdTag>;        // ours: one launch, e.g. "cifar-ddp-7f3a"
using JobId = TextId<struct JobIdTag>;        // OCID of a job
using JobRunId = TextId<struct JobRunIdTag>;  // OCID of one job run (one node)

/// Index of one trainer process in the whole job, from 0.
struct Rank {
  int value = 0;
  Rank() = default;
  explicit Rank(int v) : value(v) {}
  auto operator<=>(const Rank&) const = default;
};

using Step = long long;  // optimiser updates, counted from 0

}  // namespace lockstep

template <class Tag>
struct std::hash<lockstep::TextId<Tag>> {
  std::size_t operator()(const lockstep::TextId<Tag>& id) const { return std::hash<std::string>{}(id.value); }
};
template <>
struct std::hash<lockstep::Rank> {
  std::size_t operator()(const lockstep::Rank& r) const { return std::hash<int>{}(r.value); }
};
