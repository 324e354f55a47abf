// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace lockstep {

/// A file whose name has "tfevents" in it.
struct EventFilePlace {
  std::filesystem::path path;  // begins with the folder that was searched
  std::string run;             // its folder below that one, "." for itself: what TensorBoard calls a run
  TimePoint changed{};
  std::uint64_t size = 0;  // in bytes
};

/// Looks for event files in the folders and up to 8 folders deep below them, those that are near first, among at most 20,000
/// entries in all. Symbolic links are followed, every folder and file is met once, and only regular files are given. What
/// cannot be read is passed over. Blocks on disk.
[[nodiscard]] std::vector<EventFilePlace> findEventFiles(const std::vector<std::filesystem::path>& folders);

/// The process that writes a file of this name: events.out.tfevents.<seconds>.<host>.<process>[.<number>][.v2], with dots in
/// the host's name or without (torch/utils/tensorboard, tensorflow/core/util/events_writer.cc and
/// tensorflow/core/summary/summary_file_writer.cc). nullopt: the name does not say it, as those of TensorFlow 1.
[[nodiscard]] std::optional<int> writerOf(std::string_view fileName);

}  // namespace lockstep
