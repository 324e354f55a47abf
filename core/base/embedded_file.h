// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <string_view>

namespace lockstep {

/// A text file of resources/ that is compiled into the program (cmake/EmbedFiles.cmake).
struct EmbeddedFile {
  std::string_view path;  // relative, '/' between folders
  std::string_view content;
};

namespace embedded {
// Each is defined by the room that embeds the files.
std::span<const EmbeddedFile> catalogues();  // shapes.json (cluster)
std::span<const EmbeddedFile> prices();      // prices.json (plan)
std::span<const EmbeddedFile> starters();    // <name>/<file> (starter)
}  // namespace embedded

}  // namespace lockstep
