// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/data_fetch.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/digest.h"
#include "base/encoding.h"
#include "core/oci/oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::trainer {
namespace {

/// One bucket in memory that lists, tells of and hands out objects, and counts what it handed out.
class DataBucket {
 public:
  std::map<std::string, std::string> objects;
  std::map<std::string, int> given;
  std::string broken;  // this one comes with other bytes than its checksum says
  std::mutex mutex;

  static std::string etagOf(const std::string& bytes) { return toHex(md5(bytes)); }

  void answer(const httplib::Request& in, httplib::Response& out) {
    const std::lock_guard lock(mutex);
    const std::string folder = "/n/ns/b/b/o";
    if (in.path == folder) return list(in, out);
    const std::string name = in.path.substr(folder.size() + 1);
    const auto found = objects.find(name);
    if (found == objects.end()) return oci::refuseWith(out, 404, "ObjectNotFound", "no such object");
    std::string bytes = found->second;
    out.set_header("etag", etagOf(bytes));
    out.set_header("content-md5", toBase64(md5(bytes)));
    if (in.method == "GET") ++given[name];
    if (name == broken) bytes[0] ^= 1;
    out.set_content(bytes, "application/octet-stream");
  }

 private:
  void list(const httplib::Request& in, httplib::Response& out) {
    auto all = nlohmann::json::array();
    for (const auto& [name, bytes] : objects) {
      if (name.starts_with(in.get_param_value("prefix")))
        all.push_back({{"name", name}, {"size", bytes.size()}, {"etag", etagOf(bytes)}});
    }
    out.set_content(nlohmann::json{{"objects", all}}.dump(), "application/json");
  }
};

class DataFetch : public ::testing::Test {
 protected:
  DataFetch() {
    bucket_.objects = {{"data/train/a.bin", "aaaa"},
                       {"data/train/b.bin", "bbb"},
                       {"data/val.bin", "v"},
                       {"data/", ""},
                       {"other", "x"}};
  }
  Result<void> fetch() {
    const auto tell = [this](const std::string& line) { said_ += line + "\n"; };
    return fetchData(service_.client, {"ns", "b"}, "data/", dir_.path() / "here", tell, {});
  }
  std::string file(const std::string& name) { return readFile(dir_.path() / "here" / name).value_or("none"); }

  TempDir dir_;
  DataBucket bucket_;
  LoopbackServer server_{[this](const auto& in, auto& out) { bucket_.answer(in, out); }};
  oci::TestService service_{server_.url()};
  std::string said_;
};

TEST_F(DataFetch, BringsWhatLiesBelowThePrefixOnce) {
  auto done = fetch();
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(file("train/a.bin"), "aaaa");
  EXPECT_EQ(file("train/b.bin"), "bbb");
  EXPECT_EQ(file("val.bin"), "v");
  EXPECT_EQ(file("other"), "none");
  EXPECT_NE(said_.find("Fetched 3 of 3 files"), std::string::npos) << said_;
  said_.clear();
  ASSERT_TRUE(fetch());
  EXPECT_EQ(said_, "");
  for (const auto& [name, times] : bucket_.given) EXPECT_EQ(times, 1) << name;
}

TEST_F(DataFetch, FetchesWhatChangedOrWentMissing) {
  ASSERT_TRUE(fetch());
  bucket_.objects["data/train/b.bin"] = "BBB";
  std::filesystem::remove(dir_.path() / "here" / "val.bin");
  ASSERT_TRUE(fetch());
  EXPECT_EQ(file("train/b.bin"), "BBB");
  EXPECT_EQ(file("val.bin"), "v");
  EXPECT_EQ(bucket_.given["data/train/a.bin"], 1);
  EXPECT_NE(said_.find("Fetched 2 of 3 files"), std::string::npos) << said_;
}

TEST_F(DataFetch, GoesOnAfterAFailureWithWhatIsMissing) {
  bucket_.broken = "data/train/b.bin";
  const auto failed = fetch();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, StatusCode::DataLoss);
  EXPECT_EQ(file("train/b.bin"), "none") << "nothing that is not what was uploaded";
  bucket_.broken.clear();
  ASSERT_TRUE(fetch());
  EXPECT_EQ(file("train/b.bin"), "bbb");
  EXPECT_EQ(bucket_.given["data/train/a.bin"], 1);
}

TEST_F(DataFetch, RanksOfANodeShareOneFetch) {
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < 4; ++rank)
    ranks.emplace_back([this] {
      EXPECT_TRUE(
          fetchData(service_.client, {"ns", "b"}, "data/", dir_.path() / "here", [](const auto&) {}, {}));
    });
  ranks.clear();
  for (const auto& [name, times] : bucket_.given) EXPECT_EQ(times, 1) << name;
}

TEST_F(DataFetch, RefusesNamesThatLeadOutAndEmptyFolders) {
  bucket_.objects["data/../../evil"] = "x";
  auto refused = fetch();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, StatusCode::InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "evil"));
  bucket_.objects.clear();
  refused = fetch();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, StatusCode::NotFound);
}

TEST(LocalData, OfAFolderIsTheFolder) {
  const auto folder = localData("/some/where", "", {}, [](const std::string&) {});
  ASSERT_TRUE(folder);
  EXPECT_EQ(*folder, "/some/where");
  EXPECT_FALSE(localData("oci://nonsense", "", {}, [](const std::string&) {}));
}

}  // namespace
}  // namespace lockstep::trainer
