// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/run_names.h"

#include "base/text/encoding.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxSlug = 40;
constexpr int kShortTries = 20;

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
  const std::string slug = slugOf(name);
  for (int i = 0; i < kShortTries; ++i) {
    RunId id(slug + "-" + toHex(randomBytes(2)));
    const auto isTaken = store.has(id);
    if (!isTaken) return failure(isTaken.error());
    if (!*isTaken) return id;
  }
  return RunId(slug + "-" + toHex(randomBytes(8)));
}

}  // namespace lockstep
