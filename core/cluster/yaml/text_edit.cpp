// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/yaml/text_edit.h"

#include <algorithm>

namespace lockstep {

std::string applyEdit(std::string text, const TextEdit& edit) {
  const std::size_t offset = std::min(edit.offset, text.size());
  text.replace(offset, edit.removed.size(), edit.inserted);
  return text;
}

}  // namespace lockstep
