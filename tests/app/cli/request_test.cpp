// SPDX-License-Identifier: GPL-3.0-or-later
// `lockstep request --dry-run`: which bodies are signed.
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "cli_process.h"

namespace lockstep {
namespace {

TEST(Request, LeavesOnlyUploadsUnsigned) {
  CliHome home;
  const auto key = home.write("key.pem", *readFile(LOCKSTEP_TEST_DATA "/signing/test_key.pem"));
  std::filesystem::permissions(key, std::filesystem::perms::owner_read);
  const auto config = home.write("config",
                                 "[DEFAULT]\nuser=ocid1.user.oc1..u\ntenancy=ocid1.tenancy.oc1..t\n"
                                 "fingerprint=b1:23:02:0b:3e:3d:c2:08:8d:da:78:8e:3e:f6:c0:a4\n"
                                 "region=us-ashburn-1\nkey_file=" +
                                     key.string() + "\n");
  const std::string objects = "https://objectstorage.us-ashburn-1.oraclecloud.com";
  const struct {
    std::string method, url;
    bool isSigned;
  } cases[] = {
      {"PUT", objects + "/n/ns/b/b/o/dir/x", false},
      {"PUT", objects + "/n/ns/b/b/u/x?uploadId=1&uploadPartNum=1", false},
      {"POST", "https://datascience.us-ashburn-1.oci.oraclecloud.com/20190101/jobs/j/artifact", false},
      {"POST", objects + "/n/ns/b/b/u", true},
      {"POST", "https://artifacts.us-ashburn-1.oci.oraclecloud.com/20160918/container/repositories", true},
      {"PUT", "https://identity.us-ashburn-1.oci.oraclecloud.com/20160918/policies/p?x=/n/a/b/c/o/d", true}};
  for (const auto& one : cases) {
    const CliExit done = home.run(
        {"--config", config.string(), "request", one.method, one.url, "-d", "{}", "--dry-run", "--json"});
    ASSERT_EQ(done.code(), 0) << done.err;
    EXPECT_EQ(done.json()["headers"].contains("x-content-sha256"), one.isSigned) << one.url;
  }
}

}  // namespace
}  // namespace lockstep
