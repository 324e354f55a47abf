// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/rehearsal_code.h"

#include <algorithm>
#include <sstream>
#include <string_view>

#include "base/atomic_file.h"
#include "base/text/trimmed.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlace = "/code";
constexpr std::uint64_t kMaxIni = 1 << 16;

/// `source_folder` of [main], as `ads` writes it.
std::string sourceFolderIn(const std::string& ini) {
  std::istringstream lines(ini);
  std::string section;
  for (std::string line; std::getline(lines, line);) {
    line = trimmed(line);
    if (line.starts_with('[')) section = line;
    const std::size_t equals = line.find('=');
    if (section == "[main]" && equals != std::string::npos &&
        trimmed(std::string_view(line).substr(0, equals)) == "source_folder")
      return std::string(trimmed(std::string_view(line).substr(equals + 1)));
  }
  return {};
}

bool isBelowPlace(std::string_view path) {
  return path == kPlace || path.starts_with("/code/");
}

bool isOfName(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' ||
         c == '.' || c == '/';
}

/// Whether a path below /code stands anywhere in the text: "cd /code && python3 train.py".
bool mentionsPlace(std::string_view text) {
  for (std::size_t at = text.find(kPlace); at != std::string_view::npos; at = text.find(kPlace, at + 1)) {
    const std::size_t end = at + kPlace.size();
    const bool begins = at == 0 || !isOfName(text[at - 1]);
    if (begins && (end == text.size() || text[end] == '/' || !isOfName(text[end]))) return true;
  }
  return false;
}

bool blockUsesCode(const JobBlock& block, const fs::path& codeFolder) {
  const std::vector<std::string> words = block.words();
  if (std::any_of(words.begin(), words.end(), [](const std::string& word) { return mentionsPlace(word); }))
    return true;
  if (!block.variable("OCI__RUNTIME_TYPE").empty()) return false;  // it is cloned
  for (const auto& [name, value] : block.variables)
    if (mentionsPlace(value)) return true;
  std::error_code error;
  const fs::path entry = block.namesItsProgram() ? fs::path() : entryFileOf(block, codeFolder);
  return !entry.empty() && entry != block.variable("OCI__ENTRY_SCRIPT") && fs::exists(entry, error);
}

}  // namespace

fs::path codeFolderOf(const std::string& trainFile, const std::string& chosen) {
  std::error_code error;
  if (!chosen.empty()) return fs::absolute(expandHome(chosen), error);
  const fs::path file = trainFile.empty() || trainFile == "-" ? fs::path("train.yaml") : fs::path(trainFile);
  const fs::path beside = fs::absolute(file, error).parent_path();
  const auto ini = readFile(beside / "config.ini", kMaxIni);
  const std::string named = ini ? sourceFolderIn(*ini) : std::string();
  const fs::path source = (beside / expandHome(named)).lexically_normal();
  return !named.empty() && fs::is_directory(source, error) ? source : beside;
}

fs::path placeHere(const std::string& path, const fs::path& codeFolder) {
  if (!isBelowPlace(path)) return path;
  return codeFolder / fs::path(path).lexically_normal().lexically_relative(kPlace);
}

fs::path entryFileOf(const JobBlock& block, const fs::path& codeFolder) {
  const std::string entry = block.variable("OCI__ENTRY_SCRIPT");
  if (entry.empty() || !block.variable("OCI__RUNTIME_TYPE").empty()) return {};
  if (fs::path(entry).is_absolute()) return placeHere(entry, codeFolder);
  const std::string own = block.variable("OCI__CODE_DIR");
  const fs::path file = placeHere(own.empty() ? std::string(kPlace) : own, codeFolder) / entry;
  std::error_code error;
  const bool mayBeProgram = entry.find('/') == std::string::npos && !entry.ends_with(".py");
  return mayBeProgram && !fs::exists(file, error) ? fs::path() : file;
}

bool usesCode(const Plan& plan, const fs::path& codeFolder) {
  const std::vector<JobBlock> blocks = jobBlocksOf(plan);
  return std::any_of(blocks.begin(), blocks.end(),
                     [&](const JobBlock& block) { return blockUsesCode(block, codeFolder); });
}

Plan withCode(Plan plan, const std::string& snapshot) {
  if (!plan.requests.empty()) plan.requests.front().body["freeformTags"][kCodeTag] = snapshot;
  return plan;
}

}  // namespace lockstep
