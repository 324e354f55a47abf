// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsal_needs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <sstream>
#include <utility>
#include <vector>

#include "base/captured_process.h"
#include "base/embedded_file.h"
#include "base/user_dirs.h"
#include "cluster/spec/framework_traits.h"
#include "launch/job_blocks.h"
#include "launch/rehearsal_code.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using Words = std::vector<std::string>;

constexpr auto kTimeout = 20s;
constexpr std::string_view kOwnModule = "lockstep";  // the node agent puts it on the path of every script

struct Package {
  std::string_view module, name;
};
constexpr Package kDebian[] = {{"torch", "python3-torch"}, {"torchvision", "python3-torchvision"},
                               {"numpy", "python3-numpy"}, {"distributed", "python3-distributed"},
                               {"dask", "python3-dask"},   {"sklearn", "python3-sklearn"},
                               {"scipy", "python3-scipy"}, {"pandas", "python3-pandas"},
                               {"yaml", "python3-yaml"},   {"matplotlib", "python3-matplotlib"},
                               {"PIL", "python3-pil"},     {"requests", "python3-requests"},
                               {"tqdm", "python3-tqdm"}};
constexpr Package kPip[] = {{"cv2", "opencv-python"}, {"skimage", "scikit-image"}, {"bs4", "beautifulsoup4"}};

/// What a machine lacks, and how it is had.
struct Lack {
  Words modules, importers, programs, packages, wheels;
  [[nodiscard]] bool isEmpty() const { return modules.empty() && programs.empty(); }
};

void addOnce(Words& words, const std::string& word) {
  if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
}

/// Where the programs of a run are looked for: beside the region's own, and where a system has them.
std::string pathOfRuns() {
  return programDir().string() + ":/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
}

fs::path programHere(const std::string& name) {
  std::istringstream folders(pathOfRuns());
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((fs::path(folder) / name).c_str(), X_OK) == 0) return fs::path(folder) / name;
  return {};
}

void needModule(Lack& lack, const std::string& module, const std::string& importer) {
  addOnce(lack.modules, fmt::format("'{}'", module));
  addOnce(lack.importers, importer);
  const auto named = [&](const auto& table) {
    return std::find_if(std::begin(table), std::end(table),
                        [&](const Package& p) { return p.module == module; });
  };
  if (const auto known = named(kDebian); known != std::end(kDebian)) {
    addOnce(lack.packages, std::string(known->name));
  } else {
    const auto other = named(kPip);
    addOnce(lack.wheels, other == std::end(kPip) ? module : std::string(other->name));
  }
}

void needProgram(Lack& lack, const std::string& name, const std::string& package) {
  if (!programHere(name).empty()) return;
  addOnce(lack.programs, fmt::format("'{}'", name));
  if (!package.empty()) addOnce(lack.packages, package);
}

std::string foldersOf(const JobBlock& block, const fs::path& codeFolder) {
  std::string folders;
  const auto add = [&folders](const fs::path& folder) { folders += folder.string() + ":"; };
  std::istringstream own(block.variable("OCI__RUNTIME_PYTHON_PATH")), python(block.variable("PYTHONPATH"));
  for (std::string one; std::getline(own, one, ':');) add(codeFolder / one);
  for (std::string one; std::getline(python, one, ':');)
    if (!one.empty()) add(placeHere(one, codeFolder));
  return folders;
}

Result<void> lookForModules(Lack& lack, const fs::path& script, const std::string& folders,
                            const std::stop_token& stop) {
  needProgram(lack, "python3", "python3");
  if (!lack.programs.empty()) return {};
  const Words command{"/usr/bin/env",
                      "-i",
                      "PATH=" + pathOfRuns(),
                      "LANG=C.UTF-8",
                      "HOME=/nonexistent",
                      "python3",
                      "-s",
                      "-c",
                      std::string(contentOf(embedded::launchPrograms(), "missing_modules.py")),
                      script.string(),
                      folders};
  const auto done = runCaptured(command, kTimeout, stop);
  if (!done) return failure(done.error());
  std::istringstream lines(done->output);  // one that fails has found nothing: the run says what is wrong
  for (std::string module, importer; lines >> module && std::getline(lines >> std::ws, importer);)
    if (module != kOwnModule) needModule(lack, module, importer);
  return {};
}

tl::unexpected<Error> noScript(const std::string& named, const fs::path& file, const fs::path& codeFolder) {
  return failure(
      ErrorCode::NotFound, fmt::format("'{}' does not exist", named),
      fmt::format("no image is run in a rehearsal: '{}' stands for /code, and '{}' is not there",
                  codeFolder.string(), file.string()),
      "keep the script beside the train.yaml, or name its folder with `lockstep run --source-folder DIR`");
}

Result<void> checkContainer(Lack& lack, const JobBlock& block, const fs::path& codeFolder,
                            const std::stop_token& stop) {
  const Words words = block.words();
  const std::string program = fs::path(words.front()).filename().string();
  std::error_code error;
  if (words.front().find('/') == std::string::npos) {
    needProgram(lack, program, program == "python" ? "python-is-python3" : "");
  } else if (const fs::path here = placeHere(words.front(), codeFolder);
             here.is_absolute() && !fs::exists(here, error)) {
    return noScript(words.front(), here, codeFolder);
  }
  if (!program.starts_with("python")) return {};
  const auto script = std::find_if(words.begin() + 1, words.end(),
                                   [](const std::string& word) { return !word.starts_with('-'); });
  if (script == words.end() || !script->ends_with(".py") || !fs::path(*script).is_absolute()) return {};
  const fs::path file = placeHere(*script, codeFolder);
  if (!fs::exists(file, error)) return noScript(*script, file, codeFolder);
  return lookForModules(lack, file, foldersOf(block, codeFolder), stop);
}

void lookForLaunchers(Lack& lack, const std::string& kind) {
  const FrameworkTraits& traits = traitsOf(frameworkNamed(kind));
  for (const FrameworkProgram& program : traits.programs) {
    const bool does = std::any_of(program.orElse.begin(), program.orElse.end(), [](std::string_view other) {
      return !other.empty() && !programHere(std::string(other)).empty();
    });
    if (!does) needProgram(lack, std::string(program.name), std::string(program.package));
  }
}

Result<void> checkCluster(Lack& lack, const JobBlock& block, const fs::path& codeFolder,
                          const std::stop_token& stop) {
  lookForLaunchers(lack, block.kind());
  const std::string entry = block.variable("OCI__ENTRY_SCRIPT");
  const fs::path file = entryFileOf(block, codeFolder);
  std::error_code error;
  if (!file.empty() && !fs::exists(file, error)) return noScript(entry, file, codeFolder);
  if (file.extension() != ".py") return {};
  return lookForModules(lack, file, foldersOf(block, codeFolder), stop);
}

std::string counted(const Words& words, const char* what) {
  if (words.empty()) return {};
  return fmt::format("the {}{} {}", what, words.size() == 1 ? "" : "s", fmt::join(words, ", "));
}

tl::unexpected<Error> notHere(const Lack& lack) {
  const bool both = !lack.modules.empty() && !lack.programs.empty();
  const bool one = lack.modules.size() + lack.programs.size() == 1;
  const std::string what =
      counted(lack.modules, "Python module") + (both ? " and " : "") + counted(lack.programs, "program");
  std::string why;
  if (!lack.modules.empty())
    why = fmt::format("{} imports {}, and ", fmt::join(lack.importers, ", "),
                      lack.modules.size() == 1 ? "it" : "them");
  std::string remedy;
  if (!lack.packages.empty()) remedy = fmt::format("apt-get install {}; ", fmt::join(lack.packages, " "));
  if (!lack.wheels.empty())
    remedy +=
        fmt::format("{} -m pip install {}; ", programHere("python3").string(), fmt::join(lack.wheels, " "));
  return failure(
      ErrorCode::FailedPrecondition, fmt::format("{} {} not on this machine", what, one ? "is" : "are"),
      why + "a rehearsal runs no image: its nodes use what this machine has", remedy + "or launch it in OCI");
}

}  // namespace

Result<void> rehearsalNeeds(const Plan& plan, const fs::path& codeFolder, const std::stop_token& stop) {
  Lack lack;
  for (const JobBlock& block : jobBlocksOf(plan)) {
    const auto looked = block.namesItsProgram() ? checkContainer(lack, block, codeFolder, stop)
                                                : checkCluster(lack, block, codeFolder, stop);
    if (!looked) return looked;
  }
  if (lack.isEmpty()) return {};
  return notHere(lack);
}

}  // namespace lockstep
