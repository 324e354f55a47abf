// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

class ObjectStorage : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region_ = std::make_unique<RegionUnderTest>(); }
  static void TearDownTestSuite() { region_.reset(); }
  static TestCaller caller() { return region_->caller(); }

  // A bucket of its own for each test.
  std::string bucket() {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    const TestResponse made =
        caller().post("/n/rehearsal/b", {{"name", name}, {"compartmentId", region_->place("compartmentId")}});
    EXPECT_TRUE(made.status == 200 || made.code() == "BucketAlreadyExists") << made.body;
    return "/n/rehearsal/b/" + name;
  }
  static TestResponse put(const std::string& path, const std::string& body, const HeaderList& headers = {}) {
    return caller().send("PUT", path, body, headers);
  }
  static std::vector<std::string> names(const nlohmann::json& list) {
    std::vector<std::string> found;
    for (const auto& object : list["objects"]) found.push_back(object["name"]);
    return found;
  }
  static std::unique_ptr<RegionUnderTest> region_;
};
std::unique_ptr<RegionUnderTest> ObjectStorage::region_;
using Names = std::vector<std::string>;

TEST_F(ObjectStorage, Namespace) {
  for (const char* path : {"/n", "/n/"}) {
    const TestResponse response = caller().get(path, {{"opc-request-id", "mine"}});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.body, "\"rehearsal\"");
    const std::string id = response.header("opc-request-id");
    EXPECT_TRUE(id.starts_with("mine/")) << id;
    EXPECT_EQ(std::count(id.begin(), id.end(), '/'), 2);
    EXPECT_FALSE(response.header("date").empty());
  }
}

TEST_F(ObjectStorage, Buckets) {
  const TestResponse ready = caller().get("/n/rehearsal/b/lockstep");
  EXPECT_EQ(ready.status, 200);
  EXPECT_EQ(ready.json()["etag"], ready.header("etag"));
  const std::string path = bucket();
  EXPECT_EQ(caller().send("HEAD", path).status, 200);
  EXPECT_EQ(
      caller()
          .post("/n/rehearsal/b", {{"name", "Buckets"}, {"compartmentId", region_->place("compartmentId")}})
          .code(),
      "BucketAlreadyExists");
  const TestResponse list = caller().get("/n/rehearsal/b?compartmentId=" + region_->place("compartmentId"));
  EXPECT_EQ(list.status, 200);
  const nlohmann::json listed = list.json();
  EXPECT_TRUE(std::any_of(listed.begin(), listed.end(), [](const auto& b) { return b["name"] == "Buckets"; }))
      << listed;
  EXPECT_EQ(put(path + "/o/x", "1").status, 200);
  EXPECT_EQ(caller().send("DELETE", path).code(), "BucketNotEmpty");
  EXPECT_EQ(caller().send("DELETE", path + "/o/x").status, 204);
  EXPECT_EQ(caller().send("DELETE", path).status, 204);
  const TestResponse gone = caller().get(path);
  EXPECT_EQ(gone.status, 404);
  EXPECT_EQ(gone.code(), "BucketNotFound");
  EXPECT_EQ(gone.json()["message"],
            "Either the bucket named 'Buckets' does not exist in the namespace 'rehearsal' or you are not "
            "authorized to access it");
  const TestResponse head = caller().send("HEAD", path);
  EXPECT_EQ(head.status, 404);
  EXPECT_TRUE(head.body.empty());
  EXPECT_EQ(caller()
                .post("/n/rehearsal/b", {{"name", "a b"}, {"compartmentId", region_->place("compartmentId")}})
                .code(),
            "InvalidParameter");
  EXPECT_EQ(caller().post("/n/rehearsal/b", {{"name", "ab"}}).code(), "MissingParameter");
  EXPECT_EQ(caller()
                .post("/n/rehearsal/b", {{"name", "ab"}, {"compartmentId", "ocid1.compartment.oc1..other"}})
                .code(),
            "NotAuthorizedOrNotFound");
}

TEST_F(ObjectStorage, PutAndGetSmallAndLarge) {
  const std::string path = bucket() + "/o/dir%2Fa%20b%2B%C3%A9.bin";
  for (const std::size_t size : {0UL, 1UL, 1000UL, 65536UL, 65537UL, 3'000'000UL}) {
    std::string bytes = randomBytes(size);
    const TestResponse stored =
        put(path, bytes, {{"content-type", "application/x-www-form-urlencoded"}, {"opc-meta-step", "7"}});
    ASSERT_EQ(stored.status, 200) << stored.body;
    EXPECT_EQ(stored.header("opc-content-md5"), toBase64(md5(bytes)));
    const TestResponse read = caller().get(path);
    EXPECT_EQ(read.status, 200);
    EXPECT_EQ(read.body, bytes) << size;
    EXPECT_EQ(read.header("etag"), stored.header("etag"));
    EXPECT_EQ(read.header("content-md5"), toBase64(md5(bytes)));
    EXPECT_EQ(read.header("opc-meta-step"), "7");
    EXPECT_EQ(read.header("content-type"), "application/x-www-form-urlencoded");
    const TestResponse head = caller().send("HEAD", path);
    EXPECT_EQ(head.status, 200);
    EXPECT_EQ(head.header("content-length"), std::to_string(size));
  }
  // '/' and %2F in the path are one name.
  EXPECT_EQ(caller().get(bucket() + "/o/dir/a%20b%2B%C3%A9.bin").body.size(), 3'000'000u);
}

TEST_F(ObjectStorage, KeepsCompressedAndFormBytesAsSent) {
  const std::string path = bucket() + "/o/z";
  const std::string bytes("\x1f\x8b\x08 not really gzip", 19);
  ASSERT_EQ(
      put(path, bytes, {{"content-encoding", "gzip"}, {"content-type", "multipart/form-data; boundary=x"}})
          .status,
      200);
  const TestResponse head = caller().send("HEAD", path);
  EXPECT_EQ(head.header("content-length"), "19");
  EXPECT_EQ(head.header("content-encoding"), "gzip");
  // Text is not compressed on the way, whatever the caller accepts.
  ASSERT_EQ(put(path, std::string(5000, 'a'), {{"content-type", "text/plain"}}).status, 200);
  EXPECT_EQ(caller().get(path, {{"accept-encoding", "gzip, deflate, br"}}).header("content-length"), "5000");
}

TEST_F(ObjectStorage, Ranges) {
  const std::string path = bucket() + "/o/r";
  for (const std::size_t size : {10UL, 100'000UL}) {  // in the row, in a file
    std::string bytes = "0123456789";
    bytes.resize(size, 'x');
    ASSERT_EQ(put(path, bytes).status, 200);
    const auto range = [&](const char* value) { return caller().get(path, {{"range", value}}); };
    EXPECT_EQ(range("bytes=2-4").status, 206);
    EXPECT_EQ(range("bytes=2-4").body, "234");
    EXPECT_EQ(range("bytes=2-4").header("content-range"), "bytes 2-4/" + std::to_string(size));
    EXPECT_EQ(range("bytes=2-4").header("content-length"), "3");
    EXPECT_EQ(range("bytes=8-").body, bytes.substr(8));
    EXPECT_EQ(range("bytes=-3").body, bytes.substr(size - 3));
    EXPECT_EQ(range("bytes=5-99999999").body, bytes.substr(5));
    const TestResponse beyond = range(("bytes=" + std::to_string(size) + "-").c_str());
    EXPECT_EQ(beyond.status, 416);
    EXPECT_EQ(beyond.code(), "InvalidRange");
  }
  EXPECT_EQ(caller().get(bucket() + "/o/absent", {{"range", "bytes=0-5"}}).code(), "ObjectNotFound");
}

TEST_F(ObjectStorage, Conditions) {
  const std::string path = bucket() + "/o/c";
  const TestResponse first = put(path, "1", {{"if-none-match", "*"}});
  ASSERT_EQ(first.status, 200);
  const TestResponse second = put(path, "2", {{"if-none-match", "*"}});
  EXPECT_EQ(second.status, 412);
  EXPECT_EQ(second.code(), "IfNoneMatchFailed");
  EXPECT_EQ(put(path, "2", {{"if-match", "nonsense"}}).code(), "IfMatchFailed");
  EXPECT_EQ(put(path, "2", {{"if-match", first.header("etag")}}).status, 200);
  const std::string etag = caller().send("HEAD", path).header("etag");
  EXPECT_NE(etag, first.header("etag"));
  EXPECT_EQ(caller().get(path, {{"if-none-match", etag}}).status, 304);
  EXPECT_EQ(caller().get(path, {{"if-match", first.header("etag")}}).status, 412);
  EXPECT_EQ(put(path, "3", {{"content-md5", toBase64(md5("4"))}}).code(), "UnmatchedContentMD5");
  EXPECT_EQ(put(path, "3", {{"content-md5", toBase64(md5("3"))}}).status, 200);
  EXPECT_EQ(caller().get(path).body, "3");
  EXPECT_EQ(caller().send("DELETE", path, {}, {{"if-match", etag}}).status, 412);
  EXPECT_EQ(caller().send("DELETE", path).status, 204);
  EXPECT_EQ(caller().send("DELETE", path).code(), "ObjectNotFound");
}

TEST_F(ObjectStorage, Listing) {
  const std::string path = bucket();
  for (const char* name : {"a", "dir%2Fone", "dir%2Fsub%2Ftwo", "dir%2Fthree", "dir0", "%C3%A9", "z"})
    ASSERT_EQ(put(path + "/o/" + name, "x").status, 200);
  const auto list = [&](const std::string& query) { return caller().get(path + "/o" + query).json(); };
  EXPECT_EQ(names(list("")), (Names{"a", "dir/one", "dir/sub/two", "dir/three", "dir0", "z", "é"}));
  EXPECT_EQ(list("")["objects"][0], (nlohmann::json{{"name", "a"}}));
  EXPECT_TRUE(list("")["nextStartWith"].is_null());
  EXPECT_EQ(names(list("?prefix=dir%2F")), (Names{"dir/one", "dir/sub/two", "dir/three"}));
  EXPECT_EQ(names(list("?start=dir%2Fsub")), (Names{"dir/sub/two", "dir/three", "dir0", "z", "é"}));
  EXPECT_EQ(names(list("?startAfter=dir0&end=z")), Names{});
  EXPECT_EQ(names(list("?startAfter=dir%2Fthree")), (Names{"dir0", "z", "é"}));
  EXPECT_EQ(names(list("?prefix=%C3%A9")), Names{"é"});
  const nlohmann::json folders = list("?delimiter=%2F");
  EXPECT_EQ(names(folders), (Names{"a", "dir0", "z", "é"}));
  EXPECT_EQ(folders["prefixes"], nlohmann::json({"dir/"}));
  const nlohmann::json inside = list("?delimiter=/&prefix=dir/");
  EXPECT_EQ(names(inside), (Names{"dir/one", "dir/three"}));
  EXPECT_EQ(inside["prefixes"], nlohmann::json({"dir/sub/"}));
  const nlohmann::json detailed = list("?fields=name,SIZE,etag,md5,timeCreated&limit=1");
  EXPECT_EQ(detailed["objects"][0]["size"], 1);
  EXPECT_EQ(detailed["objects"][0]["md5"], toBase64(md5("x")));
  EXPECT_TRUE(detailed["objects"][0].contains("timeCreated"));
  EXPECT_EQ(caller().get(path + "/o?fields=color").code(), "InvalidParameter");
  EXPECT_EQ(caller().get(path + "/o?delimiter=x").code(), "InvalidParameter");
  EXPECT_EQ(caller().get(path + "/o?limit=0").code(), "InvalidParameter");
}

TEST_F(ObjectStorage, ListingPagesToTheEnd) {
  const std::string path = bucket();
  Names all;
  for (int i = 0; i < 25; ++i) {
    all.push_back("n" + std::to_string(100 + i));
    ASSERT_EQ(put(path + "/o/" + all.back(), "x").status, 200);
  }
  for (const std::string extra : {"", "&delimiter=/"}) {
    Names found;
    std::string start;
    do {
      const nlohmann::json page =
          caller().get(path + "/o?limit=7" + extra + (start.empty() ? "" : "&start=" + start)).json();
      for (const std::string& name : names(page)) found.push_back(name);
      start = page["nextStartWith"].is_null() ? "" : page["nextStartWith"].get<std::string>();
    } while (!start.empty());
    EXPECT_EQ(found, all);
  }
}

TEST_F(ObjectStorage, Rename) {
  const std::string path = bucket();
  for (const std::size_t size : {5UL, 100'000UL}) {
    const std::string bytes = randomBytes(size);
    ASSERT_EQ(put(path + "/o/from", bytes).status, 200);
    ASSERT_EQ(put(path + "/o/to", "old").status, 200);
    const nlohmann::json body{{"sourceName", "from"}, {"newName", "to"}};
    nlohmann::json careful = body;
    careful["newObjIfNoneMatchETag"] = "*";
    EXPECT_EQ(caller().post(path + "/actions/renameObject", careful).status, 412);
    EXPECT_EQ(caller().post(path + "/actions/renameObject", body).status, 200);
    EXPECT_EQ(caller().get(path + "/o/to").body, bytes);
    EXPECT_EQ(caller().get(path + "/o/from").status, 404);
  }
}

TEST_F(ObjectStorage, Multipart) {
  const std::string path = bucket();
  const TestResponse begun =
      caller().post(path + "/u", {{"object", "big"}, {"contentType", "text/x"}, {"metadata", {{"k", "v"}}}});
  ASSERT_EQ(begun.status, 200) << begun.body;
  const std::string id = begun.json()["uploadId"];
  const std::string first = randomBytes(100'000), third = "end";
  const auto part = [&](int number, const std::string& bytes) {
    return put(path + "/u/big?uploadId=" + id + "&uploadPartNum=" + std::to_string(number), bytes)
        .header("etag");
  };
  const std::string etag3 = part(3, third), wrong = part(1, "wrong"), etag2 = part(2, "left out"),
                    etag1 = part(1, first);
  EXPECT_EQ(caller().get(path + "/u/big?uploadId=" + id).json().size(), 3u);
  EXPECT_EQ(caller().get(path + "/u").json()[0]["uploadId"], id);
  EXPECT_EQ(caller().get(path + "/o/big").status, 404);
  const std::string commit = path + "/u/big?uploadId=" + id;
  const auto parts = [](const std::string& one, const std::string& three) {
    return nlohmann::json::array({{{"partNum", 3}, {"etag", three}}, {{"partNum", 1}, {"etag", one}}});
  };
  EXPECT_EQ(caller().post(commit, {{"partsToCommit", parts(etag1, etag3)}}).status,
            400);  // part 2 is in neither list
  EXPECT_EQ(caller().post(commit, {{"partsToCommit", parts(wrong, etag3)}, {"partsToExclude", {2}}}).status,
            400);
  const TestResponse done =
      caller().post(commit, {{"partsToCommit", parts(etag1, etag3)}, {"partsToExclude", {2}}});
  ASSERT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.header("opc-multipart-md5"), toBase64(md5(md5(first) + md5(third))));
  const TestResponse read = caller().get(path + "/o/big");
  EXPECT_EQ(read.body, first + third);
  EXPECT_EQ(read.header("content-type"), "text/x");
  EXPECT_EQ(read.header("opc-meta-k"), "v");
  EXPECT_EQ(read.header("content-md5"), "");
  const std::string other = caller().post(path + "/u", {{"object", "no"}}).json()["uploadId"];
  EXPECT_EQ(caller().send("DELETE", path + "/u/no?uploadId=" + other).status, 204);
  EXPECT_EQ(caller().send("DELETE", path + "/u/no?uploadId=" + other).status, 404);
}

}  // namespace
}  // namespace lockstep::testing
