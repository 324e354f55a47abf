// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace lockstep::testing {

/// A secret that can be recognized, and the files that are made to hold it, by a part of their path.
struct Canary {
  std::string name, text;
  std::vector<std::string> homes;
};

/// Looks for secrets in all that was written, printed or given to a process as an argument. What it finds is
/// a failure of the test.
class CanaryHunt {
 public:
  /// Once each; what is too short to be told from other text is refused with a failure.
  void add(Canary canary);
  [[nodiscard]] const std::vector<Canary>& canaries() const { return canaries_; }

  /// Remembers the arguments of every process there is now.
  void searchProcesses();
  /// Adds the resource principals that job runs have now.
  void searchRuns(const std::filesystem::path& runsFolder);

  void checkText(const std::string& text, const std::string& where) const;
  /// Every file below; with `isPrivate` the folders, too, are nobody else's. "/work" is a container's own.
  void checkTree(const std::filesystem::path& folder, bool isPrivate) const;
  void checkArguments() const;

 private:
  void checkFile(const std::filesystem::path& file) const;

  std::vector<Canary> canaries_;
  std::set<std::string> arguments_;
};

/// Empty when it is gone.
[[nodiscard]] std::string contentOf(const std::filesystem::path& path);
/// A line from within a PEM file: what no other text has by chance.
[[nodiscard]] std::string lineOf(const std::string& pem);
/// Mode 0600 from the first byte on.
void writePrivate(const std::filesystem::path& file, const std::string& text);

}  // namespace lockstep::testing
