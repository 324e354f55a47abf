// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/durability/canary_hunt.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>
#include <sstream>

#include "base/atomic_file.h"

namespace lockstep::testing {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMinLength = 16;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

mode_t modeOf(const fs::path& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0 ? info.st_mode : 0;
}

}  // namespace

std::string contentOf(const fs::path& path) {
  return readFile(path).value_or("");  // a process may end while it is looked at
}

std::string lineOf(const std::string& pem) {
  std::istringstream lines(pem);
  std::string line;
  for (int i = 0; i < 2; ++i) std::getline(lines, line);  // the keys of tokens are short
  return line;
}

void writePrivate(const fs::path& file, const std::string& text) {
  const auto done = writeFileAtomically(file, text, 0600);
  ASSERT_TRUE(done) << describe(done.error());
}

void CanaryHunt::add(Canary canary) {
  const auto same = [&](const Canary& known) { return known.text == canary.text; };
  if (std::any_of(canaries_.begin(), canaries_.end(), same)) return;
  EXPECT_GE(canary.text.size(), kMinLength) << canary.name << " cannot be looked for";
  if (canary.text.size() >= kMinLength) canaries_.push_back(std::move(canary));
}

void CanaryHunt::searchProcesses() {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") == std::string::npos)
      arguments_.insert(contentOf(entry.path() / "cmdline"));
  }
}

void CanaryHunt::searchRuns(const fs::path& runsFolder) {
  std::error_code ec;
  for (const auto& entry : fs::recursive_directory_iterator(runsFolder, ec)) {
    const std::string file = entry.path().filename();
    const std::string text = file == "rpst" || file == "session.pem" ? contentOf(entry.path()) : "";
    if (text.empty()) continue;  // it went while we looked
    if (file == "rpst") add({"a resource principal token", text, {"/rpst"}});
    if (file == "session.pem") add({"a session key", lineOf(text), {"/session.pem", "/spec.json"}});
  }
}

void CanaryHunt::checkText(const std::string& text, const std::string& where) const {
  for (const Canary& canary : canaries_)
    EXPECT_FALSE(contains(text, canary.text)) << canary.name << " stands in " << where << ":\n" << text;
}

void CanaryHunt::checkFile(const fs::path& file) const {
  const std::string content = contentOf(file);
  for (const Canary& canary : canaries_) {
    if (!contains(content, canary.text)) continue;
    const bool isAtHome = std::any_of(canary.homes.begin(), canary.homes.end(),
                                      [&](const std::string& home) { return contains(file.string(), home); });
    EXPECT_TRUE(isAtHome) << canary.name << " stands in " << file;
    EXPECT_EQ(modeOf(file) & 077, 0U) << file << " holds " << canary.name << " and can be read by others";
  }
}

void CanaryHunt::checkTree(const fs::path& folder, bool isPrivate) const {
  std::error_code ec;
  for (const auto& entry : fs::recursive_directory_iterator(folder, ec)) {
    const bool ofTheJob = contains(entry.path().string(), "/work");
    if (entry.is_directory(ec) && isPrivate && !ofTheJob) {
      EXPECT_EQ(modeOf(entry.path()) & 077, 0U) << entry.path() << " is open to others";
    }
    if (entry.is_regular_file(ec)) checkFile(entry.path());
  }
}

void CanaryHunt::checkArguments() const {
  for (const std::string& line : arguments_)
    for (const Canary& canary : canaries_)
      EXPECT_FALSE(contains(line, canary.text)) << canary.name << " is an argument of a process";
}

}  // namespace lockstep::testing
