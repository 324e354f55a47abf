// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_names.h"

#include <algorithm>

#include "base/encoding.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxSlug = 40;
constexpr int kShortTries = 20;

bool isTaken(const std::vector<TrainingRun>& runs, const std::string& id) {
  return std::any_of(runs.begin(), runs.end(), [&](const TrainingRun& r) { return r.id.value == id; });
}

}  // namespace

std::string slugOf(const std::string& name) {
  std::string slug;
  for (const char c : name) {
    if (slug.size() == kMaxSlug) break;
    const bool upper = c >= 'A' && c <= 'Z';
    if (upper || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += upper ? static_cast<char>(c - 'A' + 'a') : c;
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug.empty() ? "run" : slug;
}

Result<RunId> newRunId(const std::string& name, RunStore& store) {
  auto known = store.all();
  if (!known) return failure(std::move(known.error()));
  const std::string slug = slugOf(name);
  for (int i = 0; i < kShortTries; ++i) {
    std::string id = slug + "-" + toHex(randomBytes(2));
    if (!isTaken(*known, id)) return RunId(std::move(id));
  }
  return RunId(slug + "-" + toHex(randomBytes(8)));
}

}  // namespace lockstep
