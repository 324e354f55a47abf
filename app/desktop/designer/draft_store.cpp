// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/designer/draft_store.h"

#include <unistd.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <functional>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>
#include <system_error>

#include "base/atomic_file.h"
#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// Which run of which program a window is.
struct Window {
  std::string machine, boot;
  pid_t pid = 0;
  std::string started;  // in ticks since the machine's start; empty: no such process
};

std::string lineOf(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::string shortened(const std::string& text) {
  return toHex(sha256(text)).substr(0, 12);
}

/// Both: machines that were copied from one image can share an id, and those of a container a name.
std::string thisMachine() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return shortened(lineOf("/etc/machine-id") + "\n" + name.data());
}

std::string startOf(pid_t pid) {
  const std::string line = lineOf("/proc/" + std::to_string(pid) + "/stat");
  const std::size_t end = line.rfind(')');  // the program's name may hold anything
  if (end == std::string::npos) return {};
  std::istringstream fields(line.substr(end + 1));
  std::string field;
  for (int i = 3; i <= 22; ++i) {  // proc(5): 3 is the state, 22 the start
    fields >> field;
    if (i == 3 && (field == "Z" || field == "X")) return {};
  }
  return field;
}

Window windowOf(pid_t pid) {
  return {thisMachine(), shortened(lineOf("/proc/sys/kernel/random/boot_id")), pid, startOf(pid)};
}

std::string nameOf(const Window& window) {
  return window.machine + "-" + window.boot + "-" + std::to_string(window.pid) + "-" + window.started +
         ".json";
}

/// nothing: no name of a draft.
std::optional<Window> windowNamed(const fs::path& file) {
  static const std::regex kName("([0-9a-f]{12})-([0-9a-f]{12})-([0-9]{1,9})-([0-9]*)");
  const std::string stem = file.stem();
  std::smatch match;
  if (file.extension() != ".json" || !std::regex_match(stem, match, kName)) return std::nullopt;
  return Window{match[1], match[2], static_cast<pid_t>(std::stol(match[3])), match[4]};
}

/// Files of earlier versions say the process id alone.
bool isGoneOfEarlierVersion(const fs::path& file) {
  const std::string stem = file.stem();
  if (stem.empty() || stem.size() > 9 || stem.find_first_not_of("0123456789") != std::string::npos)
    return false;
  return file.extension() == ".json" && startOf(static_cast<pid_t>(std::stol(stem))).empty();
}

bool isGone(const fs::path& file) {
  const auto window = windowNamed(file);
  if (!window) return isGoneOfEarlierVersion(file);
  const Window now = windowOf(window->pid);
  if (window->machine != now.machine) return false;  // whether it is, only that machine can tell
  return window->boot != now.boot || now.started.empty() || window->started != now.started;
}

std::optional<Draft> readDraft(const fs::path& file) {
  const auto bytes = readFile(file, 64ULL << 20);
  if (!bytes) return std::nullopt;
  const auto json = nlohmann::json::parse(*bytes, nullptr, false);
  if (!json.is_object() || !json.contains("path") || !json.contains("text")) return std::nullopt;
  if (!json["path"].is_string() || !json["text"].is_string()) return std::nullopt;
  return Draft{json["path"].get<std::string>(), json["text"].get<std::string>()};
}

}  // namespace

struct DraftStore::Gate {
  std::mutex mutex;
  std::uint64_t last = 0;

  /// Whether the write of that number is still wanted.
  bool enter(std::uint64_t number) {
    if (number < last) return false;
    last = number;
    return true;
  }
};

DraftStore::DraftStore(fs::path folder) : folder_(std::move(folder)), gate_(std::make_shared<Gate>()) {}

fs::path DraftStore::ownFile() const {
  return folder_ / nameOf(windowOf(::getpid()));
}

Result<void> DraftStore::keep(const Draft& draft, std::uint64_t number) const {
  const std::lock_guard lock(gate_->mutex);
  if (!gate_->enter(number)) return {};
  static_cast<void>(makePrivateFolder(folder_));  // the write below says what is wrong
  const nlohmann::json json = {{"path", draft.path}, {"text", draft.text}};
  return writeFileAtomically(ownFile(), json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                             0600);
}

void DraftStore::drop(std::uint64_t number) const {
  const std::lock_guard lock(gate_->mutex);
  if (!gate_->enter(number)) return;
  std::error_code error;
  fs::remove(ownFile(), error);
}

std::optional<Draft> DraftStore::recover() const {
  const fs::path own = ownFile();
  if (auto draft = readDraft(own)) return draft;
  std::multimap<fs::file_time_type, fs::path, std::greater<>> gone;  // the newest first
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    std::error_code timeError;
    const auto time = entry.last_write_time(timeError);
    if (!timeError && isGone(entry.path())) gone.emplace(time, entry.path());
  }
  for (const auto& [time, file] : gone) {
    auto draft = readDraft(file);
    // A rename is whole: of several windows that start at once, one has the file and the others find none.
    if (draft && ::rename(file.c_str(), own.c_str()) == 0) return draft;
  }
  return std::nullopt;
}

}  // namespace lockstep
