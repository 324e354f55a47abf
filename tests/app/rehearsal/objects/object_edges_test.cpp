// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <set>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {
namespace {

/// What Oracle's SDK cannot ask for, or would not: the edges of Object Storage.
class ObjectEdges : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { region_ = std::make_unique<RegionUnderTest>(); }
  static void TearDownTestSuite() { region_.reset(); }
  static TestCaller caller() { return region_->caller(); }

  std::string bucket(const nlohmann::json& more = nlohmann::json::object()) {
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    nlohmann::json body{{"name", name}, {"compartmentId", region_->place("compartmentId")}};
    body.update(more);
    const TestResponse made = caller().post("/n/rehearsal/b", body);
    EXPECT_EQ(made.status, 200) << made.body;
    return "/n/rehearsal/b/" + name;
  }
  static TestResponse put(const std::string& path, const std::string& body, const HeaderList& headers = {}) {
    return caller().send("PUT", path, body, headers);
  }
  /// Without any signature.
  static TestResponse openly(const std::string& method, const std::string& target,
                             const std::string& body = {}) {
    TestCaller plain = caller();
    plain.spoil = [](std::string&, std::map<std::string, std::string>& headers, std::string&) {
      for (auto it = headers.begin(); it != headers.end();)
        it = it->first == "authorization" || it->first == "Authorization" ? headers.erase(it) : std::next(it);
    };
    return plain.send(method, target, body);
  }
  static std::unique_ptr<RegionUnderTest> region_;
};
std::unique_ptr<RegionUnderTest> ObjectEdges::region_;

TEST_F(ObjectEdges, HostileNames) {
  const std::string path = bucket() + "/o/";
  for (const std::string& name :
       {std::string("..%2F..%2Fetc%2Fpasswd"), std::string(".."), std::string("a%2F%2Fb"), std::string("%20"),
        std::string("%F0%9F%94%A5"), std::string("'%22%3Bdrop"), std::string(1024, 'x')}) {
    ASSERT_EQ(put(path + name, "content of " + name).status, 200) << name;
    EXPECT_EQ(caller().get(path + name).body, "content of " + name) << name;
  }
  EXPECT_EQ(put(path + std::string(1025, 'x'), "").code(), "InvalidParameter");
  for (const char* bad : {"a%0Ab", "a%0Db", "a%00b", "%FF%FE", "%C0%AF"})
    EXPECT_EQ(put(path + bad, "").code(), "InvalidParameter") << bad;
  EXPECT_EQ(caller().get(path + "a/b").status, 404);
  ASSERT_EQ(put(path + "a%2Fb", "1").status, 200);
  EXPECT_EQ(caller().get(path + "a/b").body, "1") << "'/' and %2F mean the same";
}

TEST_F(ObjectEdges, HostileBuckets) {
  const std::string compartment = region_->place("compartmentId");
  for (const std::string& name :
       {std::string(), std::string("a b"), std::string("a/b"), std::string("ä"), std::string(257, 'a')}) {
    const TestResponse made =
        caller().post("/n/rehearsal/b", {{"name", name}, {"compartmentId", compartment}});
    EXPECT_EQ(made.status, 400) << name << made.body;
  }
  const TestResponse fat = caller().post(
      "/n/rehearsal/b",
      {{"name", "fat"}, {"compartmentId", compartment}, {"metadata", {{"k", std::string(5000, 'v')}}}});
  EXPECT_EQ(fat.code(), "InvalidParameter");
  EXPECT_EQ(caller().post("/n/foreign/b", {{"name", "x"}, {"compartmentId", compartment}}).code(),
            "NamespaceNotFound");
}

TEST_F(ObjectEdges, RangesAtTheEdges) {
  const std::string object = bucket() + "/o/digits";
  ASSERT_EQ(put(object, "0123456789").status, 200);
  const auto read = [&](const std::string& range) { return caller().get(object, {{"range", range}}); };
  EXPECT_EQ(read("bytes=0-0").body, "0");
  EXPECT_EQ(read("bytes=9-").body, "9");
  EXPECT_EQ(read("bytes=-1").body, "9");
  EXPECT_EQ(read("bytes=-500").body, "0123456789");
  EXPECT_EQ(read("bytes=0-99999999999999999999").body, "0123456789");
  EXPECT_EQ(read("bytes=10-").code(), "InvalidRange");
  EXPECT_EQ(read("bytes=-0").code(), "InvalidRange");
  for (const char* odd : {"bytes=5-2", "bytes=a-b", "bytes=0-1,3-4", "lines=0-1", "bytes=-", "bytes="})
    EXPECT_EQ(read(odd).body, "0123456789") << odd;
  const std::string empty = object + "-empty";
  ASSERT_EQ(put(empty, "").status, 200);
  EXPECT_EQ(caller().get(empty, {{"range", "bytes=0-0"}}).code(), "InvalidRange");
}

TEST_F(ObjectEdges, MultipartMisuse) {
  const std::string path = bucket();
  const TestResponse made = caller().post(path + "/u", {{"object", "joined"}});
  ASSERT_EQ(made.status, 200) << made.body;
  const std::string upload = path + "/u/joined?uploadId=" + made.json()["uploadId"].get<std::string>();
  const std::string part = upload + "&uploadPartNum=";
  for (const char* number : {"0", "10001", "-1", "one", "", "1e3"})
    EXPECT_EQ(put(part + number, "x").code(), "InvalidParameter") << number;
  const std::string tag = put(part + "10000", "last").header("etag");
  const std::string first = put(part + "7", "first ").header("etag");
  const auto commit = [&](const nlohmann::json& body, const HeaderList& headers = {}) {
    return caller().post(upload, body, headers);
  };
  const nlohmann::json good{{{"partNum", 7}, {"etag", first}}, {{"partNum", 10000}, {"etag", tag}}};
  EXPECT_EQ(commit({{"partsToCommit", nlohmann::json::array()}}).status, 400);
  EXPECT_EQ(commit({{"partsToCommit", 7}}).status, 400);
  EXPECT_EQ(commit({{"partsToCommit", {{{"partNum", 7}, {"etag", "other"}}, good[1]}}}).status, 400);
  EXPECT_EQ(commit({{"partsToCommit", {good[0], good[0], good[1]}}}).status, 400) << "listed twice";
  EXPECT_EQ(commit({{"partsToCommit", good}, {"partsToExclude", {7}}}).status, 400)
      << "committed and excluded";
  EXPECT_EQ(commit({{"partsToCommit", {{{"partNum", 9999999999}, {"etag", tag}}}}}).status, 400);
  EXPECT_EQ(commit({{"partsToCommit", good}, {"partsToExclude", "7"}}).status, 400);
  EXPECT_EQ(caller()
                .post(path + "/u/other?uploadId=" + made.json()["uploadId"].get<std::string>(),
                      {{"partsToCommit", good}})
                .status,
            404);
  ASSERT_EQ(put(path + "/o/joined", "in the way").status, 200);
  EXPECT_EQ(commit({{"partsToCommit", good}}, {{"if-none-match", "*"}}).code(), "IfNoneMatchFailed");
  EXPECT_EQ(commit({{"partsToCommit", good}}).status, 200);
  EXPECT_EQ(caller().get(path + "/o/joined").body, "first last");
  EXPECT_EQ(put(part + "1", "x").status, 404) << "the upload is over";
  EXPECT_EQ(caller().send("DELETE", path).code(), "BucketNotEmpty");
}

TEST_F(ObjectEdges, LinksReachNoFurtherThanTheySay) {
  const std::string path = bucket();
  ASSERT_EQ(put(path + "/o/a%2Fshared", "shared").status, 200);
  ASSERT_EQ(put(path + "/o/private", "private").status, 200);
  const auto link = [&](nlohmann::json body) {
    body["name"] = "link";
    if (!body.contains("timeExpires")) body["timeExpires"] = "2099-01-01T00:00:00Z";
    return caller().post(path + "/p", body);
  };
  EXPECT_EQ(link({{"accessType", "ObjectRead"}}).code(), "MissingParameter");
  EXPECT_EQ(link({{"accessType", "Everything"}, {"objectName", "x"}}).code(), "InvalidParameter");
  EXPECT_EQ(link({{"accessType", "AnyObjectRead"}, {"timeExpires", "2001-01-01T00:00:00Z"}}).code(),
            "InvalidParameter");
  const std::string uri = link({{"accessType", "AnyObjectRead"}, {"objectName", "a/"}}).json()["accessUri"];
  EXPECT_EQ(openly("GET", uri + "a/shared").body, "shared");
  EXPECT_EQ(openly("GET", uri + "private").status, 404);
  EXPECT_EQ(openly("GET", uri + "a/../private").status, 404);
  EXPECT_EQ(openly("GET", uri).status, 404) << "listing was not asked for";
  EXPECT_EQ(openly("DELETE", uri + "a/shared").status, 401);
  std::string wrong = uri;
  wrong[5] = wrong[5] == 'A' ? 'B' : 'A';
  EXPECT_EQ(openly("GET", wrong + "a/shared").status, 404);
  std::string elsewhere = uri;
  elsewhere.replace(elsewhere.find("/b/") + 3, std::string("LinksReachNoFurtherThanTheySay").size(),
                    "lockstep");
  EXPECT_EQ(openly("GET", elsewhere + "a/shared").status, 404) << "a link belongs to its bucket";
}

TEST_F(ObjectEdges, PublicBuckets) {
  const std::string path = bucket({{"publicAccessType", "ObjectReadWithoutList"}});
  ASSERT_EQ(put(path + "/o/x", "public").status, 200);
  EXPECT_EQ(openly("GET", path + "/o/x").body, "public");
  EXPECT_EQ(openly("GET", path + "/o").status, 401);
  EXPECT_EQ(openly("PUT", path + "/o/x", "no").status, 401);
  ASSERT_EQ(caller().post(path, {{"publicAccessType", "NoPublicAccess"}}).status, 200);
  EXPECT_EQ(openly("GET", path + "/o/x").status, 401);
}

TEST_F(ObjectEdges, SuspendedVersioning) {
  const std::string path = bucket({{"versioning", "Enabled"}});
  const std::string object = path + "/o/v";
  const std::string first = put(object, "first").header("version-id");
  ASSERT_FALSE(first.empty());
  ASSERT_EQ(caller().post(path, {{"versioning", "Suspended"}}).status, 200);
  EXPECT_EQ(caller().post(path, {{"versioning", "Disabled"}}).code(), "InvalidParameter");
  const std::string second = put(object, "second").header("version-id");
  const std::string third = put(object, "third").header("version-id");
  EXPECT_EQ((std::set<std::string>{"", first, second, third}).size(), 4u);
  EXPECT_EQ(caller().get(object).header("version-id"), third);
  EXPECT_EQ(caller().get(object + "?versionId=" + first).body, "first");
  EXPECT_EQ(caller().get(path + "/objectversions").json()["items"].size(), 2u) << "second was replaced";
  EXPECT_EQ(caller().get(object + "?versionId=nothing").status, 404);
  const std::string large(100'000, 'x');
  ASSERT_EQ(caller().post(path, {{"versioning", "Enabled"}}).status, 200);
  const std::string big = put(object, large).header("version-id");
  ASSERT_EQ(put(object, "small").status, 200);
  EXPECT_EQ(caller().get(object + "?versionId=" + big).body, large) << "its file is kept";
}

// ocifs reads the header of every HeadObject, and takes an object without it for none.
TEST_F(ObjectEdges, EveryAnswerHasAVersionInBucketsWithoutVersionsToo) {
  const std::string path = bucket();
  const std::string object = path + "/o/v";
  const std::string first = put(object, "first").header("version-id");
  ASSERT_EQ(first.size(), 36u) << "a UUID";
  EXPECT_EQ(caller().get(object).header("version-id"), first);
  EXPECT_EQ(caller().send("HEAD", object).header("version-id"), first);
  EXPECT_EQ(caller().get(object + "?versionId=" + first).body, "first");
  EXPECT_EQ(caller().get(path + "/objectversions").json()["items"][0]["versionId"], first);
  const std::string second = put(object, "second").header("version-id");
  EXPECT_NE(second, first);
  EXPECT_EQ(caller().get(object + "?versionId=" + first).status, 404) << "none is kept";
  EXPECT_EQ(caller().send("DELETE", object).header("version-id"), second);
  EXPECT_EQ(caller().get(path + "/objectversions").json()["items"].size(), 0u);
}

TEST_F(ObjectEdges, VersionsPageToTheEnd) {
  const std::string path = bucket({{"versioning", "Enabled"}});
  for (int i = 0; i < 4; ++i)
    for (const char* name : {"a/1", "a/2", "b"})
      ASSERT_EQ(put(path + "/o/" + name, std::to_string(i)).status, 200);
  std::vector<std::string> seen;
  std::string page;
  do {
    const TestResponse response =
        caller().get(path + "/objectversions?limit=5" + (page.empty() ? "" : "&page=" + page));
    ASSERT_EQ(response.status, 200) << response.body;
    const nlohmann::json list = response.json();
    for (const auto& item : list["items"])
      seen.push_back(item["name"].get<std::string>() + " " + item["versionId"].get<std::string>());
    page = response.header("opc-next-page");
  } while (!page.empty());
  EXPECT_EQ(seen.size(), 12u);
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), 12u);
  const nlohmann::json folders = caller().get(path + "/objectversions?delimiter=/").json();
  EXPECT_EQ(folders["prefixes"], nlohmann::json::parse(R"(["a/"])"));
  EXPECT_EQ(folders["items"].size(), 4u);
}

TEST_F(ObjectEdges, Checksums) {
  const std::string object = bucket() + "/o/x";
  const TestResponse stored = put(object, "123456789", {{"opc-checksum-algorithm", "CRC32C"}});
  EXPECT_EQ(stored.header("opc-content-crc32c"), toBase64("\xE3\x06\x92\x83"));
  EXPECT_EQ(caller().get(object).header("opc-content-crc32c"), stored.header("opc-content-crc32c"));
  EXPECT_EQ(put(object, "x", {{"opc-content-crc32c", "AAAAAA=="}}).status, 400);
  EXPECT_EQ(put(object, "x", {{"opc-checksum-algorithm", "MD4"}}).code(), "InvalidParameter");
  EXPECT_EQ(put(object, "x", {{"opc-checksum-algorithm", "SHA384"}}).status, 200);
  EXPECT_EQ(caller().get(object).header("opc-content-crc32c"), "") << "of the object before";
}

}  // namespace
}  // namespace lockstep::testing
