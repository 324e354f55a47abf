// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/clock.h"
#include "temp_dir.h"
#include "trainer/node/settings/node_settings.h"
#include "workdir/file_object_store.h"

namespace lockstep::node {

/// What the service and ads set for the second of three workers.
inline Environment workerEnvironment() {
  return {{"RANK", "2"},
          {"OCI__MODE", "WORKER"},
          {"OCI__WORKER_COUNT", "3"},
          {"OCI__WORK_DIR", "oci://b@n/p"},
          {"JOB_OCID", "job1"},
          {"JOB_RUN_OCID", "run3"},
          {"OCI__ENTRY_SCRIPT", "train.py"},
          {"OCI__ENTRY_SCRIPT_ARGS", "--name 'a b' --epochs 3"}};
}

/// Nodes that share a work dir, which is a folder.
class NodeWorld : public ::testing::Test {
 protected:
  static NodeSettings settingsOf(int rank, const std::string& job = "job1") {
    auto environment = workerEnvironment();
    environment["RANK"] = std::to_string(rank);
    environment["JOB_OCID"] = job;
    environment["JOB_RUN_OCID"] = "run" + std::to_string(rank);
    environment["OCI__TIMEOUT"] = "1";
    return *nodeSettingsFrom(environment, 0);
  }
  TempDir dir_;
  std::shared_ptr<ObjectStore> store_ = openFolder(dir_.path());
  SystemClock clock_;
};

}  // namespace lockstep::node
