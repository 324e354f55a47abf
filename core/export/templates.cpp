// SPDX-License-Identifier: GPL-3.0-or-later
#include "export/templates.h"

#include "base/embedded_file.h"

namespace lockstep {

std::string exportTemplate(std::string_view path,
                           const std::vector<std::pair<std::string, std::string>>& values) {
  std::string text(contentOf(embedded::exports(), path));
  for (const auto& [name, value] : values) {
    const std::string mark = "%" + name + "%";
    for (std::size_t at = text.find(mark); at != std::string::npos; at = text.find(mark, at + value.size()))
      text.replace(at, mark.size(), value);
  }
  return text;
}

}  // namespace lockstep
