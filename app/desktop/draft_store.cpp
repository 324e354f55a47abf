// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/draft_store.h"

#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <mutex>
#include <nlohmann/json.hpp>
#include <system_error>

#include "base/atomic_file.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

std::string programOf(pid_t pid) {
  std::error_code error;
  return fs::read_symlink("/proc/" + std::to_string(pid) + "/exe", error).filename().string();
}

/// A process id comes round again: only a process that runs the same program is a window that is still open.
bool isOpenWindow(pid_t pid) {
  return pid > 0 && ::kill(pid, 0) == 0 && programOf(pid) == programOf(::getpid());
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
  return folder_ / (std::to_string(::getpid()) + ".json");
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
  std::error_code error;
  fs::path newest;
  fs::file_time_type newestTime;
  for (const auto& entry : fs::directory_iterator(folder_, error)) {
    const auto pid = static_cast<pid_t>(std::atol(entry.path().stem().c_str()));
    if (entry.path().extension() != ".json" || (pid != ::getpid() && isOpenWindow(pid))) continue;
    std::error_code timeError;
    const auto time = entry.last_write_time(timeError);
    if (timeError || (!newest.empty() && time <= newestTime) || !readDraft(entry.path())) continue;
    newest = entry.path();
    newestTime = time;
  }
  if (newest.empty()) return std::nullopt;
  auto draft = readDraft(newest);
  fs::rename(newest, ownFile(), error);
  return draft;
}

}  // namespace lockstep
