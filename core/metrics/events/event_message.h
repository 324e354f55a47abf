// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/ids.h"

namespace lockstep {

/// One number that a training program gave TensorBoard.
struct EventScalar {
  Step step = 0;     // within ±2^53
  TimePoint time{};  // from 1970 to 2200, as its writer said
  std::string name;  // its tag: 1 to 300 bytes of UTF-8 without control characters
  double value = 0;  // NaN and infinities are values

  bool operator==(const EventScalar&) const = default;
};

/// Whether the message is what an event file begins with: it names the version of the format, "brain.Event:2".
[[nodiscard]] bool isVersionEvent(std::string_view message);

/// Appends the scalars of an event (the message Event of tensorflow/core/util/event.proto, with Summary of
/// tensorflow/core/framework/summary.proto), in its order: numbers in `simple_value`, and tensors of one element
/// (scalarOfTensor), which are what TensorFlow 2 writes. What belongs to another plugin of TensorBoard than "scalars" is
/// passed over: histograms, pictures, texts, hyperparameters.
///
/// False: the message is cut short or no protobuf, or has more than 65,536 scalars, or has some whose step or time is out
/// of bounds. Nothing was appended then.
[[nodiscard]] bool appendScalars(std::string_view message, std::vector<EventScalar>& to);

}  // namespace lockstep
