// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/metrics_inbox.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <string>

#include "base/atomic_file.h"
#include "base/embedded_file.h"
#include "metrics/segments/segment_envelope.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kMaxAtOnce = 512;

bool isFolder(const fs::directory_entry& entry) {
  std::error_code ignored;
  return entry.is_directory(ignored) && !entry.is_symlink(ignored);
}

/// Whole files only: what is being written has another ending.
bool isSegment(const fs::directory_entry& entry) {
  std::error_code ignored;
  return entry.path().extension() == ".lsm" && !entry.is_symlink(ignored) && entry.is_regular_file(ignored);
}

/// In the order of their names, which are numbers with leading zeros.
std::vector<fs::path> segmentsIn(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code ignored;
  for (fs::recursive_directory_iterator at(folder, ignored), end; at != end && !ignored;
       at.increment(ignored)) {
    if (at.depth() > 2 || (isFolder(*at) && at->path().filename() == "python"))
      at.disable_recursion_pending();
    if (at.depth() == 2 && isSegment(*at)) files.push_back(at->path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

Result<std::unique_ptr<MetricsInbox>> MetricsInbox::open(const fs::path& parent) {
  std::string name = (parent / "lockstep-metrics-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    return failure(
        errnoError("cannot make a folder for the metrics of the script in '" + parent.string() + "'", errno));
  std::unique_ptr<MetricsInbox> inbox(new MetricsInbox(name));
  std::error_code error;
  fs::create_directory(inbox->pythonFolder(), error);
  auto wrote = writeFileAtomically(inbox->pythonFolder() / "lockstep.py",
                                   std::string(contentOf(embedded::metricPrograms(), "lockstep.py")), 0644);
  if (!wrote) return failure(wrote.error());
  return inbox;
}

MetricsInbox::~MetricsInbox() {
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

std::vector<MetricSegment> MetricsInbox::take() {
  std::vector<MetricSegment> segments;
  std::size_t count = 0;
  for (const fs::path& file : segmentsIn(folder_)) {
    takeFile(file, segments);
    if (++count == kMaxAtOnce) break;
  }
  return segments;
}

void MetricsInbox::takeFile(const fs::path& file, std::vector<MetricSegment>& to) {
  const auto bytes = readFile(file, kMaxSegmentBytes);
  auto segment = bytes ? decodeSegment(*bytes) : Result<MetricSegment>(failure(bytes.error()));
  if (segment)
    to.push_back(*std::move(segment));
  else
    ++broken_;
  std::error_code ignored;
  fs::remove(file, ignored);
}

}  // namespace lockstep::node
