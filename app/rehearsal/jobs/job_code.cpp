// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/job_code.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <string_view>

#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kNameLength = 32;
constexpr std::string_view kPlace = kCodePlace;

// Variables in which a path may stand anywhere.
constexpr const char* kTexts[] = {"OCI__CODE_DIR",          "OCI__ENTRY_SCRIPT",
                                  "OCI__ENTRY_SCRIPT_ARGS", "OCI__ENTRY_SCRIPT_KWARGS",
                                  "OCI__LAUNCH_CMD",        "PYTHONPATH"};

bool isName(const std::string& name) {
  return name.size() == kNameLength && name.find_first_not_of("0123456789abcdef") == std::string::npos;
}

bool isOfWord(char c) {
  return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || c == '_' || c == '-' ||
         c == '.';
}

bool beginsWithPlace(const std::string& text) {
  return text.starts_with(kPlace) && (text.size() == kPlace.size() || text[kPlace.size()] == '/');
}

// The folders of a copy are read only; without the right to write nothing in them can be removed.
void removeTree(const fs::path& folder) {
  std::error_code ignored;  // what stays behind costs only disk
  if (fs::is_symlink(folder, ignored)) return;
  fs::permissions(folder, fs::perms::owner_all, ignored);
  for (fs::recursive_directory_iterator entry(folder, ignored), end; entry != end; entry.increment(ignored)) {
    std::error_code unseen;
    if (entry->is_directory(unseen) && !entry->is_symlink(unseen))
      fs::permissions(entry->path(), fs::perms::owner_all, unseen);
    if (ignored) break;
  }
  fs::remove_all(folder, ignored);
}

}  // namespace

std::string codeNameIn(const nlohmann::json& jobBody) {
  const auto tags = jobBody.find("freeformTags");
  if (tags == jobBody.end() || !tags->is_object()) return {};
  const auto tag = tags->find(kCodeTag);
  if (tag == tags->end() || !tag->is_string()) return {};
  std::string name = tag->get<std::string>();
  return isName(name) ? name : std::string();
}

void removeCode(const fs::path& codeFolder, const std::string& name) {
  if (isName(name)) removeTree(codeFolder / name);
}

void removeAllCode(const fs::path& codeFolder) {
  removeTree(codeFolder);
}

void sweepCode(Database& database, const fs::path& codeFolder) {
  std::error_code error;
  if (!fs::is_directory(codeFolder, error) || fs::is_empty(codeFolder, error)) return;
  std::set<std::string> named;
  {
    Transaction transaction(database);
    ListQuery query;
    query.kind = kind::kJob;
    query.limit = 1 << 20;
    if (const auto jobs = listResources(transaction, query))
      for (const Resource& job : jobs->items)
        if (job.state != "DELETED") named.insert(codeNameIn(job.body));
  }
  const auto young = fs::file_time_type::clock::now() - std::chrono::hours(1);
  for (fs::directory_iterator entry(codeFolder, error), end; !error && entry != end; entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    std::error_code gone;
    if (!named.contains(name) && fs::last_write_time(entry->path(), gone) < young && !gone)
      removeCode(codeFolder, name);
  }
}

std::string withCodeAt(const std::string& text, const std::string& folder) {
  std::string mapped;
  std::size_t begin = 0;
  for (std::size_t at = text.find(kPlace); at != std::string::npos; at = text.find(kPlace, begin)) {
    const std::size_t end = at + kPlace.size();
    const bool isPath = (at == 0 || (!isOfWord(text[at - 1]) && text[at - 1] != '/')) &&
                        (end == text.size() || !isOfWord(text[end]));
    mapped.append(text, begin, at - begin);
    mapped += isPath ? folder : std::string(kPlace);
    begin = end;
  }
  return mapped.append(text, begin, std::string::npos);
}

void mapCode(NodeTask& task, const std::string& folder) {
  for (std::string& word : task.command) word = withCodeAt(word, folder);
  if (task.probe)
    for (std::string& word : task.probe->command) word = withCodeAt(word, folder);
  for (auto& [name, value] : task.environment) {
    const bool isText = std::find(std::begin(kTexts), std::end(kTexts), name) != std::end(kTexts);
    if (isText || beginsWithPlace(value)) value = withCodeAt(value, folder);
  }
  task.environment.try_emplace("OCI__CODE_DIR", folder);
}

}  // namespace lockstep::rehearsal
