// SPDX-License-Identifier: GPL-3.0-or-later
// Rooms within the rooms of includes_test: small folders, each a library, none of which needs itself through another.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;

const fs::path kRoot = LOCKSTEP_SOURCE_DIR;
constexpr std::size_t kMaxSourceFiles = 40;  // what a reader takes in at one look

using Arrows =
    std::map<std::string, std::map<std::string, std::string>>;  // room -> room it uses -> a file that does

bool isSource(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

std::vector<fs::path> sourcesBelow(const std::string& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
    if (entry.is_regular_file() && isSource(entry.path())) files.push_back(fs::relative(entry.path(), kRoot));
  return files;
}

/// The room of an included file; empty: none of ours. What core includes begins in core, and the region's in app.
std::string roomOf(const std::string& include) {
  for (const char* root : {"core", "app", "."}) {
    const fs::path file = (fs::path(root) / include).lexically_normal();
    if (file.has_parent_path() && fs::is_regular_file(kRoot / file)) return file.parent_path().string();
  }
  return {};
}

void addArrowsOf(const fs::path& file, Arrows& arrows) {
  static const std::regex kInclude("^\\s*#\\s*include\\s*\"([^\"]+)\"");
  const std::string room = file.parent_path().string();
  std::ifstream in(kRoot / file);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (!std::regex_search(line, match, kInclude)) continue;
    const std::string other = roomOf(match[1]);
    if (!other.empty() && other != room) arrows[room].emplace(other, file.string());
  }
}

Arrows arrowsOfTheTree() {
  Arrows arrows;
  for (const char* top : {"core", "widgets", "trainer", "app"})
    for (const fs::path& file : sourcesBelow(top)) addArrowsOf(file, arrows);
  return arrows;
}

/// The rooms from `room` back to itself; empty when no way leads back.
std::vector<std::string> cycleThrough(const std::string& room, const Arrows& arrows) {
  std::set<std::string> seen;
  std::vector<std::string> way{room};
  const std::function<bool(const std::string&)> walk = [&](const std::string& from) {
    const auto found = arrows.find(from);
    if (found == arrows.end()) return false;
    for (const auto& [to, file] : found->second) {
      if (to == room) return true;
      if (!seen.insert(to).second) continue;
      way.push_back(to);
      if (walk(to)) return true;
      way.pop_back();
    }
    return false;
  };
  if (!walk(room)) way.clear();
  return way;
}

TEST(Rooms, NoneNeedsItselfThroughAnother) {
  const Arrows arrows = arrowsOfTheTree();
  ASSERT_GT(arrows.size(), 60U);
  for (const auto& [room, uses] : arrows) {
    const auto cycle = cycleThrough(room, arrows);
    if (cycle.empty()) continue;
    std::string text;
    for (std::size_t i = 0; i < cycle.size(); ++i) {
      const std::string& next = cycle[(i + 1) % cycle.size()];
      text += "\n  " + cycle[i] + " uses " + next + " (" + arrows.at(cycle[i]).at(next) + ")";
    }
    ADD_FAILURE() << room << " needs itself:" << text;
  }
}

TEST(Rooms, NoFolderHoldsMoreThanAReaderTakesIn) {
  std::map<fs::path, std::size_t> count;
  for (const char* top : {"core", "widgets", "trainer", "app", "tests"})
    for (const fs::path& file : sourcesBelow(top)) ++count[file.parent_path()];
  for (const auto& [folder, files] : count)
    EXPECT_LE(files, kMaxSourceFiles) << folder << " has " << files << " source files: make rooms of it";
}

TEST(Rooms, EachIsALibraryOfItsOwn) {
  std::set<fs::path> rooms;
  for (const char* top : {"core", "widgets", "trainer", "app"})
    for (const fs::path& file : sourcesBelow(top))
      if (file.extension() == ".cpp" && file.filename() != "main.cpp") rooms.insert(file.parent_path());
  for (const fs::path& room : rooms) {
    // The commands of the command line, and what they say of runs, are one library with what they share.
    if (room == "app/cli/commands" || room == "app/cli/runs") continue;
    EXPECT_TRUE(fs::exists(kRoot / room / "CMakeLists.txt")) << room << " has no CMakeLists.txt";
  }
}

/// Names of one list of sources stand in their order, one a line: two people who each add a file then seldom meet.
TEST(Rooms, SourcesAreSortedOneALine) {
  for (const char* top : {"core", "widgets", "trainer", "app"})
    for (const auto& entry : fs::recursive_directory_iterator(kRoot / top)) {
      if (entry.path().filename() != "CMakeLists.txt") continue;
      std::ifstream in(entry.path());
      std::vector<std::string> run;
      const auto endRun = [&] {
        EXPECT_TRUE(std::is_sorted(run.begin(), run.end()))
            << entry.path() << ": sort the sources from " << run.front();
        run.clear();
      };
      static const std::regex kOneSource("^\\s*([\\w/]+\\.cpp)\\)?$"),
          kMany("[\\w/]+\\.cpp\\s+[\\w/]+\\.cpp");
      for (std::string line; std::getline(in, line);) {
        std::smatch match;
        if (line.starts_with("set_source_files_properties")) continue;
        EXPECT_FALSE(std::regex_search(line, kMany)) << entry.path() << ": one file a line: " << line;
        if (std::regex_match(line, match, kOneSource))
          run.push_back(match[1]);
        else if (!run.empty())
          endRun();
      }
      if (!run.empty()) endRun();
    }
}

}  // namespace
