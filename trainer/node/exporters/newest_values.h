// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "metrics/exporting/exported_values.h"

namespace lockstep::node {

/// The newest values of the ranks of this node, as exporters want them. Any thread; nobody waits for longer than a copy takes.
class NewestValues {
 public:
  NewestValues(std::string run, std::string node, std::string jobRun)
      : run_(std::move(run)), node_(std::move(node)), jobRun_(std::move(jobRun)) {}

  /// These ranks run here from now on; what was known is forgotten.
  void begin(const std::vector<int>& ranks);
  /// What a rank has now; values that are older than what is known change nothing. `step`: if it has reported one.
  void note(int rank, std::optional<Step> step, TimePoint time, const std::vector<NamedValue>& values);
  [[nodiscard]] ExportedRun newest() const;

 private:
  std::string run_, node_, jobRun_;
  mutable std::mutex mutex_;
  std::map<int, ExportedRank> ranks_;
};

}  // namespace lockstep::node
