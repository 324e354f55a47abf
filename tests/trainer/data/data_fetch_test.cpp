// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/base/data_fetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <map>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "core/oci/oci_test_support.h"
#include "temp_dir.h"
#include "tests/trainer/started_program.h"

namespace lockstep::trainer {
namespace {

/// One bucket in memory that lists, tells of and hands out objects, and counts what it handed out.
class DataBucket {
 public:
  std::map<std::string, std::string> objects;
  std::map<std::string, int> given;
  std::string broken;  // this one comes with other bytes than its checksum says
  std::string cut;     // this one breaks off before byte `cutAt`, and then is refused
  ssize_t cutAt = 0;
  std::atomic<std::size_t> sent{0};                // bytes of objects
  std::atomic<std::chrono::milliseconds> pause{};  // between two pieces of an object
  std::mutex mutex;                                // of all but the two

  /// For whoever is no thread of the server: alone with the bucket to the end of the statement.
  struct Held {
    std::unique_lock<std::mutex> lock;
    DataBucket* bucket;
    DataBucket* operator->() const { return bucket; }
  };
  Held held() { return {std::unique_lock(mutex), this}; }

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
    if (in.method != "GET" || in.ranges.empty()) return out.set_content(bytes, "application/octet-stream");
    if (name == cut && in.ranges[0].first >= cutAt) {
      const_cast<httplib::Request&>(in).ranges.clear();  // httplib would cut the refusal to the range
      return oci::refuseWith(out, 400, "InvalidParameter", "not this range");
    }
    const std::size_t end = name == cut ? static_cast<std::size_t>(cutAt) : bytes.size();
    sendPieces(out, std::make_shared<const std::string>(std::move(bytes)), end);
  }

 private:
  void sendPieces(httplib::Response& out, std::shared_ptr<const std::string> bytes, std::size_t end) {
    out.set_content_provider(
        bytes->size(), "application/octet-stream",
        [this, bytes, end](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
          if (offset >= end) return false;
          std::this_thread::sleep_for(pause.load());
          const std::size_t size = std::min({length, end - offset, std::size_t(64) << 10});
          sent += size;
          return sink.write(bytes->data() + offset, size);
        });
  }

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
    bucket_.held()->objects = {{"data/train/a.bin", "aaaa"},
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
  for (const auto& [name, times] : bucket_.held()->given) EXPECT_EQ(times, 1) << name;
}

TEST_F(DataFetch, FetchesWhatChangedOrWentMissing) {
  ASSERT_TRUE(fetch());
  bucket_.held()->objects["data/train/b.bin"] = "BBB";
  std::filesystem::remove(dir_.path() / "here" / "val.bin");
  ASSERT_TRUE(fetch());
  EXPECT_EQ(file("train/b.bin"), "BBB");
  EXPECT_EQ(file("val.bin"), "v");
  EXPECT_EQ(bucket_.held()->given["data/train/a.bin"], 1);
  EXPECT_NE(said_.find("Fetched 2 of 3 files"), std::string::npos) << said_;
}

TEST_F(DataFetch, GoesOnAfterAFailureWithWhatIsMissing) {
  bucket_.held()->broken = "data/train/b.bin";
  const auto failed = fetch();
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().code, ErrorCode::DataLoss);
  EXPECT_EQ(file("train/b.bin"), "none") << "nothing that is not what was uploaded";
  bucket_.held()->broken.clear();
  ASSERT_TRUE(fetch());
  EXPECT_EQ(file("train/b.bin"), "bbb");
  EXPECT_EQ(bucket_.held()->given["data/train/a.bin"], 1);
}

TEST_F(DataFetch, OnlyTheRestOfAFileTravelsTheNextTime) {
  bucket_.held()->objects = {{"data/large.bin", randomBytes(3'000'000)}, {"data/small.bin", "s"}};
  bucket_.held()->cut = "data/large.bin";
  bucket_.held()->cutAt = 1'234'567;
  EXPECT_FALSE(fetch());
  EXPECT_EQ(file("large.bin"), "none");
  bucket_.held()->cut.clear();
  bucket_.sent = 0;
  said_.clear();
  const auto done = fetch();
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(file("large.bin"), bucket_.held()->objects["data/large.bin"]);
  EXPECT_EQ(bucket_.sent, 3'000'000U - 1'234'567U + 1U);
  EXPECT_NE(said_.find("Fetching oci://b@ns/data/: 41 % of 3.0 MB"), std::string::npos) << said_;
  EXPECT_NE(said_.find("Fetched 2 of 2 files (3.0 MB, 1.2 MB of it here before)"), std::string::npos)
      << said_;
}

TEST_F(DataFetch, AFileThatChangedMeanwhileIsFetchedFromItsBeginning) {
  bucket_.held()->objects = {{"data/large.bin", randomBytes(1'000'000)}};
  bucket_.held()->cut = "data/large.bin";
  bucket_.held()->cutAt = 500'000;
  EXPECT_FALSE(fetch());
  bucket_.held()->cut.clear();
  bucket_.held()->objects["data/large.bin"] = randomBytes(1'000'000);
  bucket_.sent = 0;
  ASSERT_TRUE(fetch());
  EXPECT_EQ(file("large.bin"), bucket_.held()->objects["data/large.bin"]);
  EXPECT_EQ(bucket_.sent, 1'000'000U);
}

// The trainer as a process that is killed without a word in the middle of a file.
TEST_F(DataFetch, AKilledTrainerCostsSomeMegabytesOnly) {
  if (!std::filesystem::exists(program("lockstep-trainer")))
    GTEST_SKIP() << "this build has no lockstep-trainer";
  constexpr std::size_t kSize = 40 << 20;
  bucket_.held()->objects = {{"data/train.txt", std::string(kSize, 'a')}};
  bucket_.pause = std::chrono::milliseconds(4);
  const auto config = dir_.path() / "config";
  ASSERT_TRUE(writeFileAtomically(
      config, "[DEFAULT]\nuser=ocid1.user.oc1..u\nfingerprint=" + oci::kSampleFingerprint +
                  "\ntenancy=ocid1.tenancy.oc1..t\nregion=us-ashburn-1\nkey_file=" + oci::kSigningData +
                  "/published_sample.pem\nlockstep_endpoint=" + server_.url() + "\n"));
  const auto start = [&](const std::string& output) {
    return StartedProgram(
        dir_.path() / output,
        {program("lockstep-trainer"), "--model", "gpt-tiny", "--data-dir", "oci://b@ns/data", "--data-cache",
         (dir_.path() / "cache").string(), "--output-dir", (dir_.path() / "out").string()},
        {{"OCI_IAM_TYPE", "api_key"}, {"OCI_CONFIG_FILE", config.string()}, {"HOME", dir_.path().string()}});
  };
  {
    auto killed = start("first");
    for (int i = 0; i < 6000 && bucket_.sent < kSize / 2; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    ASSERT_GE(bucket_.sent, kSize / 2) << killed.output();
    killed.signal(SIGKILL);
    EXPECT_EQ(killed.exitCode(), 128 + SIGKILL) << killed.output();
  }
  bucket_.pause = std::chrono::milliseconds(0);
  std::this_thread::sleep_for(
      std::chrono::milliseconds(300));  // what still is on its way counts for the first
  bucket_.sent = 0;
  auto second = start("second");
  EXPECT_TRUE(second.waitUntilItSays("MB of it here before")) << second.output();
  EXPECT_LE(bucket_.sent, kSize - (8 << 20)) << "what was noted is not fetched again";
  EXPECT_GE(bucket_.sent, kSize / 4);
  second.signal(SIGKILL);
}

TEST_F(DataFetch, RanksOfANodeShareOneFetch) {
  std::vector<std::jthread> ranks;
  for (int rank = 0; rank < 4; ++rank)
    ranks.emplace_back([this] {
      EXPECT_TRUE(
          fetchData(service_.client, {"ns", "b"}, "data/", dir_.path() / "here", [](const auto&) {}, {}));
    });
  ranks.clear();
  for (const auto& [name, times] : bucket_.held()->given) EXPECT_EQ(times, 1) << name;
}

TEST_F(DataFetch, RefusesNamesThatLeadOutAndEmptyFolders) {
  bucket_.held()->objects["data/../../evil"] = "x";
  auto refused = fetch();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "evil"));
  bucket_.held()->objects.clear();
  refused = fetch();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::NotFound);
}

TEST(LocalData, OfAFolderIsTheFolder) {
  const auto folder = localData("/some/where", "", {}, [](const std::string&) {});
  ASSERT_TRUE(folder);
  EXPECT_EQ(*folder, "/some/where");
  EXPECT_FALSE(localData("oci://nonsense", "", {}, [](const std::string&) {}));
}

}  // namespace
}  // namespace lockstep::trainer
