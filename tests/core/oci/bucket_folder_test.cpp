// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "object_store_conformance.h"
#include "oci/storage/object_storage_client.h"
#include "oci_test_support.h"
#include "temp_dir.h"
#include "tiny_bucket_server.h"

namespace lockstep::oci {
namespace {

TEST(BucketFolder, DoesWhatEveryStoreDoes) {
  for (const char* uri : {"oci://bucket@names/runs/mine", "oci://bucket@names"}) {
    TinyBucketServer server(2);  // so small that every listing has pages
    TestService service(server.url());
    const auto store = openWorkDir(service.client, uri);
    ASSERT_TRUE(store) << describe(store.error());
    EXPECT_EQ((*store)->describe(), uri);
    ObjectStoreConformance(**store).checkAll();
    EXPECT_TRUE(server.objects().empty());
  }
}

TEST(BucketFolder, StaysInItsFolder) {
  TinyBucketServer server;
  TestService service(server.url());
  const auto store = *openWorkDir(service.client, "oci://bucket@names/runs");
  ASSERT_TRUE(store->put("a", "1", {}));
  ObjectStorageClient client(service.client);
  for (const char* name : {"runs2/b", "runs/", "other"})
    ASSERT_TRUE(client.putObject("names", "bucket", name, "x", {}));
  const auto found = store->list("", "", {});
  ASSERT_TRUE(found);
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ((*found)[0].name, "a");
  EXPECT_EQ(server.objects().at("runs/a"), "1");
}

TEST(BucketFolder, ErrorsNameTheObjectAndTheWorkDir) {
  TinyBucketServer server;
  TestService service(server.url());
  const auto store = *openWorkDir(service.client, "oci://bucket@names/runs");
  const auto none = store->get("none", {});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().what, "cannot read 'none' in the work dir 'oci://bucket@names/runs'");
  EXPECT_EQ(none.error().service->errorCode, "ObjectNotFound");
  EXPECT_EQ(none.error().service->requestId, "tiny/1");
  const auto elsewhere = *openWorkDir(service.client, "oci://none@names");
  EXPECT_EQ(elsewhere->list("", "", {}).error().service->errorCode, "BucketNotFound");
}

TEST(BucketFolder, PutsDoNotSignTheirBodies) {
  TinyBucketServer server;
  TestService service(server.url());
  const auto store = *openWorkDir(service.client, "oci://bucket@names/runs");
  ASSERT_TRUE(store->put("dir/a b", "x", {}));
  const auto seen = server.http().seen().at(0);
  EXPECT_EQ(seen.target, "/n/names/b/bucket/o/runs/dir/a%20b");
  EXPECT_NE(seen.get_header_value("Authorization").find("headers=\"date (request-target) host\""),
            std::string::npos);
  EXPECT_EQ(seen.get_header_value("Content-MD5"), toBase64(md5("x")));
}

TEST(OpenWorkDir, TakesFoldersWithoutAnyService) {
  const TempDir dir;
  const auto store = openWorkDir(nullptr, "file://" + dir.path().string());
  ASSERT_TRUE(store);
  EXPECT_TRUE((*store)->put("a", "1", {}));
  const auto bucket = openWorkDir(nullptr, "oci://b@n/p");
  ASSERT_FALSE(bucket);
  EXPECT_EQ(bucket.error().code, ErrorCode::FailedPrecondition);
  EXPECT_EQ(openWorkDir(nullptr, "nonsense").error().code, ErrorCode::InvalidArgument);
}

}  // namespace
}  // namespace lockstep::oci
