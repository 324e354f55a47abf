// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/stacks/process_stacks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>

#include "base/bounds.h"
#include "base/captured_process.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

std::string contentOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// Behind the name of the program, which may have spaces and brackets itself.
std::string afterName(const std::string& stat) {
  const std::size_t end = stat.rfind(") ");
  return end == std::string::npos ? "" : stat.substr(end + 2);
}

pid_t parentOf(const fs::path& process) {
  const std::string rest = afterName(contentOf(process / "stat"));
  if (rest.size() < 3) return 0;
  return integerIn(std::string_view(rest).substr(2, rest.find(' ', 2) - 2), 0, INT32_MAX).value_or(0);
}

/// The process first, then its children, then theirs.
std::vector<pid_t> treeOf(pid_t root) {
  std::multimap<pid_t, pid_t> children;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator("/proc", error))
    if (const auto pid = integerIn(std::string_view(entry.path().filename().native()), 1, INT32_MAX))
      children.emplace(parentOf(entry.path()), *pid);
  std::vector<pid_t> tree{root};
  for (std::size_t i = 0; i < tree.size() && tree.size() < kMaxProcessStacks; ++i) {
    const auto [first, last] = children.equal_range(tree[i]);
    for (auto child = first; child != last && tree.size() < kMaxProcessStacks; ++child)
      tree.push_back(child->second);
  }
  return tree;
}

std::string wordOf(char state) {
  switch (state) {
    case 'R':
      return "R (running)";
    case 'S':
      return "S (sleeping)";
    case 'D':
      return "D (waits for a disk or a device)";
    case 'T':
    case 't':
      return "T (stopped)";
    case 'Z':
      return "Z (has ended)";
    default:
      return std::string(1, state);
  }
}

std::string stateOf(const fs::path& process) {
  const std::string rest = afterName(contentOf(process / "stat"));
  if (rest.empty()) return {};
  const std::string waitsIn = contentOf(process / "wchan");  // "0": in nothing, or nobody may know
  return wordOf(rest.front()) + (waitsIn.size() > 1 ? ", " + waitsIn : "");
}

std::string commandOf(const fs::path& process) {
  std::string command = contentOf(process / "cmdline");
  while (command.ends_with('\0')) command.pop_back();
  std::ranges::replace(command, '\0', ' ');
  return command;
}

bool isPython(const fs::path& process) {
  std::error_code error;
  return fs::read_symlink(process / "exe", error).filename().native().starts_with("python");
}

/// What went wrong is said at the end of what a program says, if anywhere.
std::string lastLineOf(const std::string& text) {
  const std::size_t end = text.find_last_not_of("\n ");
  if (end == std::string::npos) return {};
  const std::size_t start = text.rfind('\n', end);
  return text.substr(start == std::string::npos ? 0 : start + 1,
                     end - (start == std::string::npos ? -1 : start));
}

/// True: the tool is in this image, and has answered for better or worse.
bool readWith(const StackTool& tool, ProcessStack& process, std::chrono::milliseconds limit,
              const std::stop_token& stop) {
  std::vector<std::string> command = tool.command;
  std::ranges::replace(command, "{pid}", std::to_string(process.pid));
  const auto read = runCaptured(command, limit, stop);
  if (!read && read.error().code == ErrorCode::NotFound) return false;
  if (!read) {
    process.problem = fmt::format("{}: {}", tool.name, describe(read.error()));
  } else if (!read->exit.ok() || read->output.empty()) {
    process.problem = fmt::format("{}: {} ({})", tool.name, lastLineOf(read->errors), describe(read->exit));
  } else {
    process.tool = tool.name;
    process.stack = read->output;
    process.problem.clear();
  }
  return true;
}

}  // namespace

std::vector<StackTool> stackTools() {
  return {{"py-spy", {"py-spy", "dump", "--pid", "{pid}"}, true},
          {"gdb", {"gdb", "-nx", "-batch", "-p", "{pid}", "-ex", "thread apply all backtrace 64"}, false}};
}

std::vector<ProcessStack> processStacks(pid_t root, const std::vector<StackTool>& tools,
                                        std::chrono::milliseconds limit, const std::stop_token& stop) {
  std::vector<ProcessStack> stacks;
  for (const pid_t pid : treeOf(root)) {
    if (pid == ::getpid()) continue;  // who reads the tool's output must not stand still
    const fs::path folder = fs::path("/proc") / std::to_string(pid);
    ProcessStack process{pid, commandOf(folder), stateOf(folder), {}, {}, {}};
    if (process.state.empty()) continue;  // it has gone
    process.problem = "neither py-spy nor gdb is in the image";
    for (const StackTool& tool : tools)
      if (process.tool.empty() && (!tool.onlyPython || isPython(folder)))
        readWith(tool, process, limit, stop);
    stacks.push_back(std::move(process));
  }
  return stacks;
}

}  // namespace lockstep::node
