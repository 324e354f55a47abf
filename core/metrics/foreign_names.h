// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

namespace lockstep {

/// The name in the catalogue of what somebody else's program calls `name`: "train/loss" and "epoch_loss" are the loss, "lr"
/// is the learning rate. What was measured on data that were not trained on is kept apart: "val_loss". `run` is the folder
/// of TensorBoard that it lies in, whose last part says the same where the name does not ("validation"); may be empty. What
/// means nothing here is kept as it is. Values are not scaled.
[[nodiscard]] std::string metricNameOf(std::string_view name, std::string_view run);

}  // namespace lockstep
