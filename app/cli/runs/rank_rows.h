// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "launch/rank_rows.h"

namespace lockstep::cli {

/// The rows of core as the command line prints them.
[[nodiscard]] nlohmann::json toJson(const RankRow& row);
/// `phases`: what each rank does now, in a column of its own unless empty.
[[nodiscard]] std::string rankTable(const std::vector<RankRow>& rows,
                                    const std::map<Rank, std::string>& phases = {});

}  // namespace lockstep::cli
