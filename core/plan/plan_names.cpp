// SPDX-License-Identifier: GPL-3.0-or-later
#include "plan/plan_names.h"

#include <fmt/format.h>

#include <array>

#include "plan/job_environment.h"
#include "plan/plan.h"

namespace lockstep {
namespace {

/// A name that is there and not empty.
const std::string* given(const std::optional<std::string>& name) {
  return name && !name->empty() ? &*name : nullptr;
}

}  // namespace

std::string jobNameTemplate(const ClusterSpec& spec) {
  if (const std::string* name = given(spec.clusterName)) return *name;
  return spec.infrastructure.displayName.value_or("");
}

std::string runNameTemplate(const ClusterSpec& spec, NodeRole role, long long index) {
  const RoleSpec* said = roleOf(spec, role);
  const std::string* own = said ? given(said->name) : nullptr;
  if (role == NodeRole::Main) return own ? *own : "main";
  return fmt::format("{}_{}", own ? *own : role == NodeRole::Worker ? "worker" : "ps", index);
}

std::string timeInName(TimePoint moment) {
  using namespace std::chrono;
  const auto day = floor<days>(moment);
  const year_month_day date(day);
  const hh_mm_ss time(floor<seconds>(moment - day));
  return fmt::format("{}-{:02}-{:02}-{:02}:{:02}.{:02}", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     time.hours().count(), time.minutes().count(), time.seconds().count());
}

std::string generatedJobName(TimePoint now, std::string_view randomness) {
  static constexpr std::array<const char*, 16> kAdjectives{
      "amber", "brisk", "calm",   "clever", "crisp", "eager", "fair",  "gentle",
      "happy", "keen",  "lively", "merry",  "proud", "quiet", "swift", "witty"};
  static constexpr std::array<const char*, 16> kAnimals{
      "badger", "bison", "crane",  "dolphin", "falcon", "gecko", "heron", "ibex",
      "koala",  "lynx",  "marmot", "otter",   "panda",  "raven", "seal",  "wombat"};
  const auto pick = [&](std::size_t i) {
    return i < randomness.size() ? static_cast<unsigned char>(randomness[i]) % 16U : 0U;
  };
  return fmt::format("{}-{}-{}", kAdjectives[pick(0)], kAnimals[pick(1)], timeInName(now));
}

}  // namespace lockstep
