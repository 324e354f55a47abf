// SPDX-License-Identifier: GPL-3.0-or-later
#include "cli_process.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <sstream>
#include <stdexcept>

#include "base/atomic_file.h"

namespace lockstep {
namespace {

int openForOutput(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0) throw std::runtime_error("cannot write " + path.string());
  return fd;
}

std::string contentOf(const std::filesystem::path& path) {
  return readFile(path).value_or("");
}

}  // namespace

std::vector<nlohmann::json> CliExit::jsonLines() const {
  std::vector<nlohmann::json> documents;
  std::istringstream lines(out);
  for (std::string line; std::getline(lines, line);)
    documents.push_back(nlohmann::json::parse(line, nullptr, false));
  return documents;
}

CliRunning::CliRunning(ChildProcess process, std::filesystem::path out, std::filesystem::path err)
    : process_(std::move(process)), out_(std::move(out)), err_(std::move(err)) {}

std::string CliRunning::outSoFar() const {
  return contentOf(out_);
}

CliExit CliRunning::wait(std::chrono::seconds limit) {
  const auto exit = process_.waitFor(limit);
  if (!exit) {
    process_.signalAll(SIGKILL);
    throw std::runtime_error("lockstep does not end; it said: " + contentOf(err_));
  }
  return {*exit, contentOf(out_), contentOf(err_)};
}

CliHome::CliHome() {
  environment_ = {{"HOME", dir_.path().string()},
                  {"LOCKSTEP_HOME", (dir_.path() / "lockstep").string()},
                  {"LANG", "C.UTF-8"},
                  {"PATH", "/usr/local/bin:/usr/bin:/bin"}};
}

CliRunning CliHome::start(std::vector<std::string> arguments) {
  const std::string number = std::to_string(calls_++);
  const auto out = dir_.path() / ("out." + number);
  const auto err = dir_.path() / ("err." + number);
  ProcessOptions options;
  options.command = {LOCKSTEP_BIN_DIR "/lockstep"};
  options.command.insert(options.command.end(), arguments.begin(), arguments.end());
  options.environment = environment_;
  options.workingDirectory = dir_.path();
  options.stdoutFd = openForOutput(out);
  options.stderrFd = openForOutput(err);
  auto process = ChildProcess::start(options);
  ::close(options.stdoutFd);
  ::close(options.stderrFd);
  if (!process) throw std::runtime_error(describe(process.error()));
  return {*process, out, err};
}

std::filesystem::path CliHome::write(const std::string& name, const std::string& text) {
  const auto path = dir_.path() / name;
  if (const auto written = writeFileAtomically(path, text); !written)
    throw std::runtime_error(describe(written.error()));
  return path;
}

}  // namespace lockstep
