// SPDX-License-Identifier: GPL-3.0-or-later
// The rooms of the rehearsal region and their arrows, checked by reading every #include and every CMakeLists.txt below
// app/rehearsal.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;

const fs::path kRegion = fs::path(LOCKSTEP_SOURCE_DIR) / "app/rehearsal";
constexpr const char* kTop = "";  // main.cpp, which stands in no room
constexpr int kMaxSources = 40;   // in one folder: more cannot be overlooked

using Rooms = std::set<std::string>;

// Which rooms of the region a room may include.
const std::map<std::string, Rooms> kArrows{
    {"support", {}},
    {"shapes", {}},
    {"crypto", {}},
    {"api", {"crypto"}},
    {"state", {"api"}},
    {"iam", {"support", "crypto", "api", "state"}},
    {"service", {"api", "state", "iam"}},
    {"identity", {"crypto", "api", "state", "iam", "service"}},
    {"objects", {"api", "state", "iam", "service"}},
    {"registry", {"support", "api", "state", "iam", "service"}},
    {"logging", {"support", "api", "state", "iam", "service"}},
    {"monitoring", {"support", "api", "state", "iam", "service"}},
    {"limits", {"shapes", "api", "state", "iam", "service"}},
    {"faults", {"api"}},
    {"network/rules", {"api"}},
    {"network/isolation", {"api", "network/rules"}},
    {"network/service", {"support", "api", "state", "iam", "service", "network/rules", "network/isolation"}},
    {"search", {"api", "state", "iam", "service", "network/service"}},
    {"jobs",
     {"support", "shapes", "crypto", "api", "state", "iam", "service", "logging", "monitoring", "limits",
      "faults", "network/isolation", "network/service"}},
    {"http", {"support", "api", "iam"}},
    {"region",
     {"support", "crypto", "api", "state", "iam", "service", "identity", "objects", "registry", "logging",
      "monitoring", "limits", "faults", "network/isolation", "network/service", "search", "jobs", "http"}},
};

bool isSource(const fs::path& path) {
  return path.extension() == ".h" || path.extension() == ".cpp";
}

std::string readText(const fs::path& path) {
  std::ifstream in(path);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

/// Folders with sources, relative to app/rehearsal, and their files.
std::map<std::string, std::vector<fs::path>> filesByRoom() {
  std::map<std::string, std::vector<fs::path>> rooms;
  for (const auto& entry : fs::recursive_directory_iterator(kRegion)) {
    if (!entry.is_regular_file() || !isSource(entry.path())) continue;
    const fs::path folder = fs::relative(entry.path().parent_path(), kRegion);
    rooms[folder == "." ? kTop : folder.generic_string()].push_back(entry.path());
  }
  return rooms;
}

/// The other rooms that a file includes.
Rooms roomsIncludedBy(const fs::path& file, const std::string& room) {
  static const std::regex kInclude("#\\s*include\\s*\"rehearsal/([^\"]+)/[^\"/]+\"");
  const std::string text = readText(file);
  Rooms used;
  for (std::sregex_iterator one(text.begin(), text.end(), kInclude), end; one != end; ++one)
    if ((*one)[1] != room) used.insert((*one)[1]);
  return used;
}

/// The rooms in the LINK of a room's library.
Rooms roomsLinkedBy(const std::string& room) {
  static const std::regex kLink("lockstep_rehearsal_([a-z_]+)");
  const std::string text = readText(kRegion / room / "CMakeLists.txt");
  Rooms linked;
  for (std::sregex_iterator one(text.begin(), text.end(), kLink), end; one != end; ++one) {
    std::string other = (*one)[1];
    if (other.starts_with("network_")) other.replace(7, 1, "/");
    if (other != room) linked.insert(other);  // its own name: files are embedded into it
  }
  return linked;
}

/// All that can be reached from a room along the arrows.
Rooms reachableFrom(const std::string& room) {
  Rooms reached;
  std::vector<std::string> open{room};
  while (!open.empty()) {
    const std::string next = open.back();
    open.pop_back();
    const auto row = kArrows.find(next);
    if (row == kArrows.end()) continue;
    for (const std::string& other : row->second)
      if (reached.insert(other).second) open.push_back(other);
  }
  return reached;
}

TEST(RehearsalRooms, KeepTheirArrows) {
  for (const auto& [room, files] : filesByRoom()) {
    if (room == kTop) continue;
    const auto row = kArrows.find(room);
    if (row == kArrows.end()) continue;  // named by the test below
    for (const fs::path& file : files)
      for (const std::string& other : roomsIncludedBy(file, room))
        EXPECT_TRUE(row->second.contains(other)) << file << ": " << room << " may not use " << other;
  }
}

TEST(RehearsalRooms, AreAllListedHere) {
  Rooms found;
  for (const auto& [room, files] : filesByRoom())
    if (room != kTop) found.insert(room);
  Rooms listed;
  for (const auto& [room, others] : kArrows) listed.insert(room);
  EXPECT_EQ(found, listed);
  EXPECT_EQ(filesByRoom()[kTop], std::vector<fs::path>{kRegion / "main.cpp"});
}

TEST(RehearsalRooms, HaveNoCycle) {
  for (const auto& [room, others] : kArrows)
    EXPECT_FALSE(reachableFrom(room).contains(room)) << room << " leads back to itself";
}

// An arrow that nothing needs any more would let one back in unseen.
TEST(RehearsalRooms, NeedEveryArrow) {
  const auto rooms = filesByRoom();
  for (const auto& [room, others] : kArrows) {
    Rooms used;
    if (const auto row = rooms.find(room); row != rooms.end())
      for (const fs::path& file : row->second) used.merge(roomsIncludedBy(file, room));
    for (const std::string& other : others)
      EXPECT_TRUE(used.contains(other)) << room << " does not include " << other;
  }
}

TEST(RehearsalRooms, LinkWhatTheyInclude) {
  for (const auto& [room, others] : kArrows) EXPECT_EQ(roomsLinkedBy(room), others) << room;
}

TEST(RehearsalRooms, AreSmall) {
  for (const auto& [room, files] : filesByRoom()) EXPECT_LE(files.size(), std::size_t{kMaxSources}) << room;
}

}  // namespace
