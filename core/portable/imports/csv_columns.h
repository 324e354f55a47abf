// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace lockstep {

/// What the columns of a file of metrics are, by its first line. Known: what `lockstep metrics` writes, exports of charts and
/// of histories of Weights & Biases, downloads of TensorBoard, the metrics.csv of Lightning, and any table with a column for
/// each quantity.
struct CsvColumns {
  enum class Time { Absolute, Relative };
  struct Quantity {
    std::size_t column = 0;
    std::string name;
    std::size_t run = 0;  // index of `runs`
  };
  std::optional<std::size_t> step;  // absent: the number of the row is the step
  std::optional<std::size_t> time, rank;
  Time timeIs = Time::Absolute;
  // One row a sample, with the name in it; then there are no quantities.
  std::optional<std::size_t> name, value;
  std::vector<Quantity> quantities;
  std::vector<std::string> runs;  // a chart may be of several; else one without a name
};

/// nullopt: it is no such line (nothing in it could be a quantity). `fileName` names the quantity of a download of TensorBoard,
/// whose columns do not.
[[nodiscard]] std::optional<CsvColumns> csvColumnsOf(std::span<const std::string> header,
                                                     const std::string& fileName);

}  // namespace lockstep
