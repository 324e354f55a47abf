// SPDX-License-Identifier: GPL-3.0-or-later
#include "workdir/work_dir_uri.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(WorkDirUri, ReadsABucketFolder) {
  const auto uri = parseWorkDirUri("oci://my-bucket_1.x@names/path/to/runs/");
  ASSERT_TRUE(uri) << describe(uri.error());
  EXPECT_EQ(uri->scheme, WorkDirUri::Scheme::Oci);
  EXPECT_EQ(uri->bucket, "my-bucket_1.x");
  EXPECT_EQ(uri->nameSpace, "names");
  EXPECT_EQ(uri->prefix, "path/to/runs");
  EXPECT_EQ(uri->toString(), "oci://my-bucket_1.x@names/path/to/runs");
}

TEST(WorkDirUri, APrefixMayBeAbsent) {
  for (const char* text : {"oci://b@n", "oci://b@n/", "oci://b@n//"}) {
    const auto uri = parseWorkDirUri(text);
    ASSERT_TRUE(uri) << text;
    EXPECT_EQ(uri->prefix, "");
    EXPECT_EQ(uri->toString(), "oci://b@n");
  }
}

TEST(WorkDirUri, ReadsFolders) {
  for (const char* text : {"file:///data/runs", "/data/runs", "/data/runs//", "file:///data/runs/"}) {
    const auto uri = parseWorkDirUri(text);
    ASSERT_TRUE(uri) << text;
    EXPECT_EQ(uri->scheme, WorkDirUri::Scheme::File);
    EXPECT_EQ(uri->prefix, "/data/runs");
    EXPECT_EQ(uri->toString(), "file:///data/runs");
  }
  EXPECT_EQ(parseWorkDirUri("/")->prefix, "/");
}

TEST(WorkDirUri, WhatItWritesItReads) {
  for (const char* text : {"oci://b@n/x y/%41", "file:///a b/c", "oci://b@n"}) {
    const auto uri = parseWorkDirUri(text);
    ASSERT_TRUE(uri);
    EXPECT_EQ(uri->toString(), text);
    EXPECT_EQ(parseWorkDirUri(uri->toString())->prefix, uri->prefix);
  }
}

TEST(WorkDirUri, RefusesWithReasonAndRemedy) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "empty"},
      {"runs", "not absolute"},
      {"file://runs", "not absolute"},
      {"s3://bucket/x", "'s3' is not known"},
      {"oci://bucket/x", "no '@'"},
      {"oci://@names/x", "bucket is missing"},
      {"oci://bucket@/x", "namespace is missing"},
      {"oci://a b@names/x", "'a b' cannot be a bucket"},
      {"oci://b@na me/x", "'na me' cannot be a namespace"},
      {"oci://b@n@m/x", "'n@m' cannot be a namespace"},
      {"/a\nb", "control character"},
  };
  for (const auto& [text, reason] : cases) {
    const auto uri = parseWorkDirUri(text);
    ASSERT_FALSE(uri) << text;
    EXPECT_EQ(uri.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(describe(uri.error()).find(reason), std::string::npos) << describe(uri.error());
    EXPECT_NE(uri.error().remedy.find("oci://bucket@namespace/prefix"), std::string::npos);
  }
}

TEST(Layout, NamesAreWhereAdsAndTheNodesLookForThem) {
  EXPECT_EQ(layout::jobFolder("J"), "J/");
  EXPECT_EQ(layout::mainConfig("J"), "J/MAIN_config.json");
  EXPECT_EQ(layout::workerConfig("J", "R"), "J/WORKER_R_config.json");
  EXPECT_EQ(layout::stopFile("J"), "J/stop");
  EXPECT_EQ(layout::failureFile("J"), "J/lockstep/failure.json");
  EXPECT_EQ(layout::runDescription("J"), "J/lockstep/run.json");
  EXPECT_EQ(layout::metricsFolder("J"), "J/lockstep/metrics/");
}

}  // namespace
}  // namespace lockstep
