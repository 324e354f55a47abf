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
std::span<const EmbeddedFile> catalogues();      // shapes.json (cluster)
std::span<const EmbeddedFile> regionShapes();    // shapes.json (rehearsal/shapes)
std::span<const EmbeddedFile> prices();          // prices.json (plan)
std::span<const EmbeddedFile> starters();        // <name>/<file> (starter)
std::span<const EmbeddedFile> starterModules();  // lockstep.py (starter)
std::span<const EmbeddedFile> exports();         // <target>/<file> (export)
std::span<const EmbeddedFile> launchPrograms();  // missing_modules.py (launch)
std::span<const EmbeddedFile> sshPrograms();     // what hosts run for the set-up (setup/ssh)
std::span<const EmbeddedFile> metricPrograms();  // lockstep.py (trainer/node)
std::span<const EmbeddedFile> nodePrograms();    // dask_gather.py (trainer/node)
}  // namespace embedded

/// The content of the one at `path`; empty where there is none.
[[nodiscard]] constexpr std::string_view contentOf(std::span<const EmbeddedFile> files,
                                                   std::string_view path) {
  for (const EmbeddedFile& file : files)
    if (file.path == path) return file.content;
  return {};
}

}  // namespace lockstep
