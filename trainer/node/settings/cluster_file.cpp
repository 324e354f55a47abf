// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/settings/cluster_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/atomic_file.h"
#include "base/bounds.h"
#include "base/outside_json.h"
#include "trainer/node/settings/beginning.h"

namespace lockstep::node {
namespace {

std::optional<int> rankOf(const nlohmann::json& entry) {
  const auto found = entry.find("Rank");
  if (found == entry.end()) return std::nullopt;
  if (found->is_string()) return integerIn<int>(found->get_ref<const std::string&>(), 0, kMaxRanks - 1);
  const auto number = outsideNumber(entry, "Rank", 0, kMaxRanks - 1);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

Error incomplete(const std::string& why) {
  return failure(ErrorCode::NotFound, "the addresses of the nodes are not complete", why).value();
}

}  // namespace

Result<std::vector<std::string>> clusterAddresses(const std::string& text, int count) {
  const auto list = nlohmann::json::parse(text, nullptr, false);
  if (!list.is_array()) return failure(incomplete("the file is no list"));
  std::vector<std::string> addresses(static_cast<std::size_t>(count));
  for (const auto& entry : list) {
    if (!entry.is_object()) continue;
    const auto rank = rankOf(entry);
    const auto address = entry.find("IPAddress");
    if (!rank || *rank >= count || address == entry.end() || !address->is_string()) continue;
    addresses[static_cast<std::size_t>(*rank)] = address->get<std::string>();
  }
  const auto missing = std::find(addresses.begin(), addresses.end(), "");
  if (missing == addresses.end()) return addresses;
  return failure(incomplete(fmt::format("it lacks node {} of {}", missing - addresses.begin(), count)));
}

Result<std::vector<std::string>> awaitCluster(const NodeSettings& settings, Clock& clock,
                                              const std::stop_token& stop) {
  const Beginning begin(clock);
  std::chrono::milliseconds pause{250};
  while (true) {
    const auto text = readFile(settings.clusterFile);
    auto addresses = text ? clusterAddresses(*text, settings.nodeCount)
                          : Result<std::vector<std::string>>(failure(incomplete("there is no file yet")));
    if (addresses) return addresses;
    if (begin.passed(clock) > settings.timeout) {
      return failure(ErrorCode::DeadlineExceeded,
                     fmt::format("the service did not tell the addresses of the nodes within {} s",
                                 settings.timeout.count()),
                     fmt::format("{}: {}", settings.clusterFile.string(), addresses.error().cause),
                     "look whether all nodes were started; OCI__TIMEOUT sets the limit");
    }
    if (!clock.sleepFor(pause, stop))
      return failure(ErrorCode::Cancelled, "told to stop while waiting for the addresses of the nodes");
    pause = std::min(pause * 3 / 2, std::chrono::milliseconds(1000));  // a local file: cheap to look at
  }
}

}  // namespace lockstep::node
