// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "tests/trainer/started_program.h"

namespace lockstep::node {

/// Nodes as real processes that share a file:// work dir.
class NodeProcess : public ::testing::Test {
 protected:
  void script(const std::string& body) {
    ASSERT_TRUE(writeFileAtomically(dir_.path() / "code" / "entry.sh", "#!/bin/sh\n" + body, 0755));
  }
  void SetUp() override { std::filesystem::create_directories(dir_.path() / "code"); }

  StartedProgram start(int rank, int nodes, std::map<std::string, std::string> more = {}) {
    std::map<std::string, std::string> environment = {
        {"OCI__WORK_DIR", "file://" + (dir_.path() / "work").string()},
        {"OCI__WORKER_COUNT", std::to_string(nodes - 1)},
        {"OCI__MODE", rank == 0 ? "MAIN" : "WORKER"},
        {"RANK", std::to_string(rank)},
        {"OCI__ENTRY_SCRIPT", "entry.sh"},
        {"OCI__CODE_DIR", (dir_.path() / "code").string()},
        {"JOB_RUN_OCID", "run" + std::to_string(rank)},
        {"OCI__TIMEOUT", "60"}};
    environment.merge(more);
    for (const auto& [name, value] : more) environment[name] = value;
    return StartedProgram(dir_.path() / ("node-" + std::to_string(rank)), {program("lockstep-node")},
                          environment);
  }
  std::vector<StartedProgram> startAll(int nodes, const std::map<std::string, std::string>& more = {}) {
    std::vector<StartedProgram> all;
    for (int rank = 0; rank < nodes; ++rank) all.push_back(start(rank, nodes, more));
    return all;
  }
  [[nodiscard]] std::filesystem::path inWorkDir(const std::string& name) const {
    return dir_.path() / "work" / name;
  }

  TempDir dir_;
};

}  // namespace lockstep::node
