// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <chrono>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "base/child_process.h"
#include "temp_dir.h"

namespace lockstep {

/// How a `lockstep` ended, and what it printed.
struct CliExit {
  ProcessExit exit;
  std::string out, err;
  [[nodiscard]] int code() const { return exit.signal != 0 ? -exit.signal : exit.exitCode; }
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(out, nullptr, false); }
  /// The documents of an output with one per line.
  [[nodiscard]] std::vector<nlohmann::json> jsonLines() const;
};

/// A `lockstep` that goes on; its streams are files.
class CliRunning {
 public:
  CliRunning(ChildProcess process, std::filesystem::path out, std::filesystem::path err);
  [[nodiscard]] ChildProcess& process() { return process_; }
  [[nodiscard]] std::string outSoFar() const;
  /// Waits for its end; kills it and throws when that takes longer.
  CliExit wait(std::chrono::seconds limit = std::chrono::seconds(120));

 private:
  ChildProcess process_;
  std::filesystem::path out_, err_;
};

/// The real `lockstep` on an empty machine: own home, own data, no display, nothing of the caller's
/// environment but PATH.
class CliHome {
 public:
  CliHome();
  [[nodiscard]] const std::filesystem::path& path() const { return dir_.path(); }
  std::map<std::string, std::string>& environment() { return environment_; }
  CliRunning start(std::vector<std::string> arguments);
  CliExit run(std::vector<std::string> arguments) { return start(std::move(arguments)).wait(); }
  std::filesystem::path write(const std::string& name, const std::string& text);

 private:
  TempDir dir_;
  std::map<std::string, std::string> environment_;
  int calls_ = 0;
};

}  // namespace lockstep
