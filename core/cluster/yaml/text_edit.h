// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>

namespace lockstep {

/// One replacement in a text, in bytes. Applying {offset, inserted, removed} undoes it.
struct TextEdit {
  std::size_t offset = 0;
  std::string removed;
  std::string inserted;
  bool operator==(const TextEdit&) const = default;
};
[[nodiscard]] std::string applyEdit(std::string text, const TextEdit& edit);

}  // namespace lockstep
