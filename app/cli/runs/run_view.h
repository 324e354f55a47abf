// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "comparison/compared_run.h"
#include "history/run_price.h"
#include "runs/run_store.h"

namespace lockstep::cli {

/// The prices of this machine: the user's own over the built-in ones; of a table that cannot be read it is said on stderr.
[[nodiscard]] PriceTable pricesHere();

/// "12.40 USD", with a star behind what a rehearsal would have cost; "-": not known.
[[nodiscard]] std::string costText(const RunCost& cost);
/// {"soFar","forecast","currency","rehearsal"} or null.
[[nodiscard]] nlohmann::json toJson(const RunCost& cost);
/// "0.4312"; "-": absent.
[[nodiscard]] std::string numberText(const std::optional<double>& value);
/// What a run came to in a few words: "loss 0.4312", of what says most of it; empty: nothing is known.
[[nodiscard]] std::string resultText(const std::vector<RunResult>& results);

}  // namespace lockstep::cli
