// SPDX-License-Identifier: GPL-3.0-or-later
#include "runs/damaged_history.h"

#include <fmt/format.h>

#include <system_error>

#include "runs/run_store.h"

namespace lockstep {
namespace {

std::filesystem::path freeName(const std::filesystem::path& history) {
  std::filesystem::path name = history.string() + ".damaged";
  std::error_code error;
  for (int number = 2; std::filesystem::exists(std::filesystem::symlink_status(name, error)); ++number)
    name = fmt::format("{}.damaged-{}", history.string(), number);
  return name;
}

}  // namespace

Result<std::filesystem::path> moveDamagedAside(const std::filesystem::path& history) {
  const std::string what = fmt::format("the run history '{}' stays where it is", history.string());
  const auto store = RunStore::open(history);
  if (store) return failure(ErrorCode::FailedPrecondition, what, "it can be read");
  if (store.error().code != ErrorCode::DataLoss)
    return failure(store.error().code, what, store.error().cause, store.error().remedy);
  const std::filesystem::path aside = freeName(history);
  std::error_code error;
  std::filesystem::rename(history, aside, error);
  if (error)
    return failure(ErrorCode::Io, fmt::format("cannot move '{}' aside", history.string()), error.message(),
                   "make its folder writable");
  // What was not written back yet belongs to the old one; beside a new one it would be taken for its own.
  for (const char* beside : {"-wal", "-shm"})
    std::filesystem::rename(history.string() + beside, aside.string() + beside, error);
  return aside;
}

}  // namespace lockstep
