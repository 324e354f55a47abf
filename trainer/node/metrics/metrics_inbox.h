// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <filesystem>
#include <memory>
#include <vector>

#include "base/error.h"
#include "metrics/segments/metric_segment.h"

namespace lockstep::node {

/// The folder in which scripts of this node leave their metrics (resources/python/lockstep.py): whole segments, as
/// `rank-<rank>/<writer>/<number>.lsm`. One thread.
class MetricsInbox {
 public:
  /// A new folder below `parent`, for this user alone, with lockstep.py in its folder python/. It goes with this object.
  static Result<std::unique_ptr<MetricsInbox>> open(const std::filesystem::path& parent);
  MetricsInbox(const MetricsInbox&) = delete;
  MetricsInbox& operator=(const MetricsInbox&) = delete;
  ~MetricsInbox();

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Where Python finds lockstep.py.
  [[nodiscard]] std::filesystem::path pythonFolder() const { return folder_ / "python"; }
  /// Takes what is there out of the folder, each writer's segments in order; some hundred at most, the rest next time.
  std::vector<MetricSegment> take();
  /// Files that were no segments. They are taken away, too.
  [[nodiscard]] std::size_t broken() const { return broken_; }

 private:
  explicit MetricsInbox(std::filesystem::path folder) : folder_(std::move(folder)) {}
  void takeFile(const std::filesystem::path& file, std::vector<MetricSegment>& to);

  std::filesystem::path folder_;
  std::size_t broken_ = 0;
};

}  // namespace lockstep::node
