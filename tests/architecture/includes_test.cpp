// SPDX-License-Identifier: GPL-3.0-or-later
// The arrows of ARCHITECTURE.md, checked by reading every #include of the tree.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;

const fs::path kRoot = LOCKSTEP_SOURCE_DIR;

struct SourceFile {
  std::string path;  // relative to the root
  std::vector<std::string> includes;
  std::string text;
};

bool isSource(const fs::path& path) {
  const std::string extension = path.extension().string();
  return extension == ".h" || extension == ".cpp";
}

SourceFile readSource(const fs::path& path) {
  static const std::regex kInclude("^\\s*#\\s*include\\s*[<\"]([^>\"]+)[>\"]");
  SourceFile file{fs::relative(path, kRoot).string(), {}, {}};
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (std::regex_search(line, match, kInclude)) file.includes.push_back(match[1]);
    file.text += line + '\n';
  }
  return file;
}

std::vector<SourceFile> sourcesBelow(const std::string& folder) {
  std::vector<SourceFile> files;
  for (const auto& entry : fs::recursive_directory_iterator(kRoot / folder))
    if (entry.is_regular_file() && isSource(entry.path())) files.push_back(readSource(entry.path()));
  return files;
}

bool matches(const std::string& include, const std::string& pattern) {
  return std::regex_search(include, std::regex(pattern));
}

void expectNoInclude(const std::string& folder, const std::string& pattern, const std::string& why) {
  for (const SourceFile& file : sourcesBelow(folder))
    for (const std::string& include : file.includes)
      EXPECT_FALSE(matches(include, pattern)) << file.path << " includes " << include << ": " << why;
}

constexpr char kQt[] = "^(Q[A-Z]|Qt[A-Z]|qcustomplot|qt6keychain)";
constexpr char kTorch[] = "^(torch|ATen|c10|gloo|nccl|cuda)";

TEST(Architecture, CoreKnowsNeitherQtNorTorch) {
  expectNoInclude("core", kQt, "core has no screen");
  expectNoInclude("core", kTorch, "LibTorch stays in the trainer");
}

TEST(Architecture, TrainerDependsOnCoreOnly) {
  expectNoInclude("trainer", kQt, "the trainer has no screen");
  expectNoInclude("trainer", "^(app|widgets)/", "the trainer depends on core only");
}

TEST(Architecture, NobodyBelowAppUsesApp) {
  for (const char* folder : {"core", "widgets", "trainer"})
    expectNoInclude(folder, "^app/", "app is the top");
  expectNoInclude("core", "^(widgets|trainer)/", "core is the bottom");
}

/// How a launch is composed is said once, in core/launch/launch_session: the front ends take its steps.
TEST(Architecture, BothFrontEndsLaunchByTheSameSteps) {
  const std::regex own("\\b(movedToRehearsal|movedTo|readyToRehearse|launchWithCode|RunStore::open)\\b");
  std::set<std::string> launching;
  for (const char* frontEnd : {"app/desktop", "app/cli"})
    for (const SourceFile& file : sourcesBelow(frontEnd)) {
      EXPECT_FALSE(std::regex_search(file.text, own)) << file.path << " launches in a way of its own";
      if (file.text.find("prepareLaunch(") == std::string::npos) continue;
      launching.insert(file.path);
      EXPECT_EQ(file.text.find("makePlan("), std::string::npos) << file.path << " plans beside the session";
      for (const char* step : {"readyToLaunch(", "moveToTarget(", "servicesFor(", "launchPrepared("})
        EXPECT_NE(file.text.find(step), std::string::npos) << file.path << " leaves out " << step;
    }
  EXPECT_EQ(launching,
            (std::set<std::string>{"app/cli/launch_steps.cpp", "app/desktop/runs/launch_cluster.cpp"}));
}

TEST(Architecture, TorchNeverEntersTheGui) {
  expectNoInclude("widgets", kTorch, "LibTorch is a process of its own");
  expectNoInclude("app", kTorch, "LibTorch is a process of its own");
}

TEST(Architecture, WidgetsStartNoThreadAndDoNoIo) {
  expectNoInclude("widgets",
                  "^(fstream|thread|curl/"
                  "|sqlite3|SQLiteCpp|QThread|QProcess|QtConcurrent|QNetwork|QFile$|QSaveFile|QSettings|QDir$"
                  "|QFileSystemWatcher)",
                  "widgets show and edit; app does the rest");
}

/// libyaml is below the editor that changes text in place, since only it gives the end of every value; all other YAML
/// is yaml-cpp's, whose exceptions one room turns into statuses.
TEST(Architecture, EachYamlLibraryHasOneRoom) {
  std::map<std::string, std::set<std::string>> rooms;
  for (const char* folder : {"app", "core", "trainer", "widgets"})
    for (const SourceFile& file : sourcesBelow(folder)) {
      const std::string room = fs::path(file.path).parent_path().string();
      for (const std::string& include : file.includes) {
        if (include == "yaml.h") rooms["libyaml"].insert(room);
        if (include.starts_with("yaml-cpp/")) rooms["yaml-cpp"].insert(room);
      }
      if (file.text.find("catch (const YAML::") != std::string::npos) rooms["exceptions"].insert(file.path);
    }
  EXPECT_EQ(rooms["libyaml"], (std::set<std::string>{"core/cluster/yaml"}));
  EXPECT_EQ(rooms["yaml-cpp"], (std::set<std::string>{"core/yaml"}));
  EXPECT_EQ(rooms["exceptions"], (std::set<std::string>{"core/yaml/yaml_document.cpp"}));
}

TEST(Architecture, QCustomPlotIsFencedIntoOneRoom) {
  std::set<std::string> users;
  for (const char* folder : {"widgets", "app"})
    for (const SourceFile& file : sourcesBelow(folder))
      for (const std::string& include : file.includes)
        if (include == "qcustomplot.h") users.insert(fs::path(file.path).parent_path().string());
  EXPECT_EQ(users, (std::set<std::string>{"widgets/metrics/charts", "widgets/metrics/charts/overlay"}))
      << "qcustomplot.h belongs to the charts alone";
}

// Which rooms of core a room may include. base is open to all.
const std::map<std::string, std::set<std::string>> kRoomArrows{
    {"base", {}},
    {"cluster", {"workdir"}},
    {"http", {}},
    {"yaml", {}},
    {"workdir", {}},
    {"plan", {"cluster"}},
    {"export", {"plan", "cluster", "yaml"}},
    {"starter", {"cluster"}},
    {"oci", {"http", "workdir"}},
    {"pattern", {}},
    {"metrics", {"pattern", "workdir"}},
    {"health", {"workdir"}},
    {"timeline", {"health", "metrics"}},
    {"logs", {"oci", "pattern"}},
    {"runs", {"cluster"}},
    {"diagnosis", {"cluster", "health", "logs", "metrics", "runs", "timeline", "workdir"}},
    {"comparison", {"cluster", "export", "history", "launch", "metrics", "runs", "timeline"}},
    {"history", {"cluster", "export", "launch", "metrics", "plan", "portable", "runs", "workdir"}},
    {"launch",
     {"plan", "cluster", "portable", "runs", "logs", "metrics", "health", "oci", "workdir", "http"}},
    {"policy", {}},
    {"portable", {"cluster", "export", "logs", "metrics", "runs", "workdir"}},
    {"reach", {"oci"}},
    {"report", {"diagnosis", "history", "launch", "metrics", "portable", "runs"}},
    {"telling", {"diagnosis", "http", "runs"}},
    {"setup", {"cluster", "export", "http", "oci", "plan", "policy", "reach", "workdir"}},
};

TEST(Architecture, RoomsOfCoreKeepTheirArrows) {
  for (const auto& [room, allowed] : kRoomArrows)
    for (const SourceFile& file : sourcesBelow("core/" + room))
      for (const std::string& include : file.includes) {
        const std::string other = include.substr(0, include.find('/'));
        if (include.find('/') == std::string::npos || !kRoomArrows.count(other) || other == "base" ||
            other == room)
          continue;
        EXPECT_TRUE(allowed.count(other))
            << file.path << " includes " << include << ": " << room << " may not use " << other;
      }
}

TEST(Architecture, EveryRoomOfCoreIsListedHere) {
  for (const auto& entry : fs::directory_iterator(kRoot / "core")) {
    if (!entry.is_directory()) continue;
    EXPECT_TRUE(kRoomArrows.count(entry.path().filename().string())) << entry.path();
  }
}

TEST(Architecture, RehearsalVerifiesWithItsOwnCode) {
  expectNoInclude(
      "app/rehearsal", "^(oci|launch|logs|runs|plan|cluster|metrics|setup|workdir)/",
      "the region shares only base and http with the client, so that a bug of the signer cannot hide");
}

// Two types of one name in one namespace are undefined behaviour once both are linked into one program: the linker
// takes the members of either for both.
TEST(Architecture, ATypeHasItsNameToItself) {
  static const std::regex kNamespace("^namespace ([a-z:_]+) \\{");
  static const std::regex kType(
      "^(?:class|struct|enum class|enum) ([A-Z]\\w*(?:::\\w+)*)[^;()]*\\{\\s*\\}?;?$");
  std::map<std::string, std::string> owners;
  for (const char* folder : {"core", "widgets", "app", "trainer"}) {
    for (const SourceFile& file : sourcesBelow(folder)) {
      if (fs::path(file.path).extension() != ".h") continue;
      std::string inside;
      std::istringstream lines(file.text);
      for (std::string line; std::getline(lines, line);) {
        std::smatch match;
        if (std::regex_search(line, match, kNamespace)) inside = match[1];
        if (!std::regex_search(line, match, kType)) continue;
        const auto [owner, isNew] = owners.emplace(inside + "::" + match[1].str(), file.path);
        EXPECT_TRUE(isNew) << file.path << " and " << owner->second << " both define " << owner->first;
      }
    }
  }
  EXPECT_GT(owners.size(), 200U);
}

TEST(Architecture, EveryFileSaysItsLicence) {
  for (const char* folder : {"app", "core", "trainer", "widgets", "tests"})
    for (const SourceFile& file : sourcesBelow(folder))
      EXPECT_EQ(file.text.rfind("// SPDX-License-Identifier: GPL-3.0-or-later", 0), 0U) << file.path;
}

}  // namespace
