// SPDX-License-Identifier: GPL-3.0-or-later
// Objects that are too large for one request and objects that are too many (oci-rest-contract 4.3).
#include <gtest/gtest.h>

#include <limits>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "oci/storage/object_transfers.h"
#include "oci/storage/partial_download.h"
#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

using nlohmann::json;

/// One bucket in memory, as far as transfers need it.
class Bucket4Transfers {
 public:
  struct Upload {
    std::string object;
    std::map<int, std::string> parts;
  };
  std::map<std::string, std::string> objects;
  std::map<std::string, Upload> uploads;
  std::set<std::string> inParts;     // objects without an MD5 of their own
  std::atomic<int> failingParts{0};  // so many part uploads are refused with `partStatus`
  int partStatus = 400;
  bool damagesParts = false;         // answers another checksum than what came
  bool damagesObjects = false;       // hands out other bytes than it has
  std::atomic<int> brokenRanges{0};  // so many ranges break off in their middle
  std::atomic<long> lastByte{-1};    // ranges break off before the byte of this number, and then are refused
  std::atomic<std::size_t> handedOut{0};     // bytes of objects, in ranges
  std::map<std::string, std::string> etags;  // other ones than "e-<name>"
  std::atomic<int> replacements{0};          // so many ranges meet a new object in place of the old one
  std::atomic<int> partRequests{0};
  std::mutex mutex;

  void answer(const httplib::Request& in, httplib::Response& out) {
    const std::lock_guard lock(mutex);
    if (in.path.starts_with("/n/ns/b/b/u")) return answerUpload(in, out);
    const std::string name = in.path.substr(std::string("/n/ns/b/b/o/").size());
    if (in.method == "PUT") {
      objects[name] = in.body;
      out.set_header("etag", "e-" + name);
      out.set_header("opc-content-md5", toBase64(md5(in.body)));
      return;
    }
    const auto found = objects.find(name);
    if (found == objects.end()) return refuseWith(out, 404, "ObjectNotFound", "The object was not found");
    get(in, out, name, found->second);
  }

 private:
  void get(const httplib::Request& in, httplib::Response& out, const std::string& name, std::string bytes) {
    if (in.method == "GET" && replacements > 0) {
      --replacements;
      etags[name] = "e-" + name + std::to_string(replacements);
      for (char& c : objects[name]) c ^= 0x55;
      bytes = objects[name];
    }
    const std::string etag = etags.contains(name) ? etags[name] : "e-" + name;
    if (in.has_header("if-match") && in.get_header_value("if-match") != etag) {
      const_cast<httplib::Request&>(in).ranges.clear();  // httplib would cut the refusal to the range
      return refuseWith(out, 412, "IfMatchFailed", "The etag does not match");
    }
    out.set_header("etag", etag);
    if (!inParts.contains(name)) out.set_header("content-md5", toBase64(md5(bytes)));
    if (damagesObjects && !bytes.empty()) bytes[bytes.size() / 2] ^= 1;
    const bool isRange = in.method == "GET" && in.has_header("range");
    const auto [first, last] = isRange ? in.ranges.at(0) : std::pair<ssize_t, ssize_t>();
    if (isRange && lastByte >= 0 && last >= lastByte) {
      if (first >= lastByte) return refuseWith(out, 400, "InvalidParameter", "not this range");
      return breakOff(out, bytes, static_cast<std::size_t>(first), static_cast<std::size_t>(lastByte));
    }
    if (isRange && brokenRanges > 0) {
      --brokenRanges;
      return breakOff(out, bytes, static_cast<std::size_t>(first),
                      static_cast<std::size_t>(first + (last - first + 1) / 2));
    }
    if (isRange) handedOut += static_cast<std::size_t>(last - first + 1);
    out.set_content(bytes, "application/octet-stream");
  }

  void breakOff(httplib::Response& out, const std::string& bytes, std::size_t first, std::size_t end) {
    handedOut += end - first;
    out.set_content_provider(bytes.size(), "application/octet-stream",
                             [bytes, end](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                               if (offset >= end) return false;
                               return sink.write(bytes.data() + offset, std::min(length, end - offset));
                             });
  }

  void answerUpload(const httplib::Request& in, httplib::Response& out) {
    const std::string id = in.get_param_value("uploadId");
    if (in.method == "GET" && id.empty()) {
      json all = json::array();
      for (const auto& [key, upload] : uploads) all.push_back({{"object", upload.object}, {"uploadId", key}});
      return out.set_content(all.dump(), "application/json");
    }
    if (in.method == "POST" && id.empty()) {
      const std::string made = "up/" + std::to_string(uploads.size() + 1);
      uploads[made].object = json::parse(in.body)["object"];
      return out.set_content(json{{"object", uploads[made].object}, {"uploadId", made}}.dump(),
                             "application/json");
    }
    if (!uploads.contains(id)) return refuseWith(out, 404, "NoSuchUpload", "no such upload");
    Upload& upload = uploads[id];
    if (in.method == "DELETE") {
      uploads.erase(id);
      out.status = 204;
    } else if (in.method == "PUT") {
      putPart(in, out, upload);
    } else if (in.method == "GET") {
      json all = json::array();
      for (const auto& [number, bytes] : upload.parts)
        all.push_back({{"partNumber", number},
                       {"etag", "p" + std::to_string(number)},
                       {"md5", toBase64(md5(bytes))},
                       {"size", bytes.size()}});
      out.set_content(all.dump(), "application/json");
    } else {
      commit(in, out, id);
    }
  }

  void putPart(const httplib::Request& in, httplib::Response& out, Upload& upload) {
    ++partRequests;
    if (failingParts > 0) {
      --failingParts;
      return refuseWith(out, partStatus, "InvalidParameter", "not this part");
    }
    const int number = std::stoi(in.get_param_value("uploadPartNum"));
    EXPECT_EQ(in.get_header_value("content-md5"), toBase64(md5(in.body)));
    upload.parts[number] = in.body;
    out.set_header("etag", "p" + std::to_string(number));
    out.set_header("opc-content-md5", damagesParts ? "AAAA" : toBase64(md5(in.body)));
  }

  void commit(const httplib::Request& in, httplib::Response& out, const std::string& id) {
    std::string whole, sums;
    const json body = json::parse(in.body);
    for (const auto& part : body["partsToCommit"]) {
      const int number = part["partNum"];
      EXPECT_EQ(part["etag"], "p" + std::to_string(number));
      whole += uploads[id].parts.at(number);
      sums += md5(uploads[id].parts.at(number));
    }
    const std::string name = uploads[id].object;
    out.set_header("etag", "e-" + name);
    out.set_header("opc-multipart-md5", toBase64(md5(sums)) + "-" + std::to_string(uploads[id].parts.size()));
    objects[name] = whole;
    inParts.insert(name);
    uploads.erase(id);
  }
};

class TransfersTest : public testing::Test {
 protected:
  ObjectTransfers transfers(std::uint64_t partSize = 1000) {
    ObjectTransfers::Options options;
    options.partSize = partSize;
    options.progress = [this](std::uint64_t done, std::uint64_t total) { progress_ = {done, total}; };
    return {service_.client, {"ns", "b"}, options};
  }
  std::filesystem::path file(std::size_t size) {
    bytes_ = randomBytes(size);
    const auto path = dir_.path() / "file";
    EXPECT_TRUE(writeFileAtomically(path, bytes_));
    return path;
  }
  TempDir dir_;
  Bucket4Transfers bucket_;
  LoopbackServer server_{[this](const auto& in, auto& out) { bucket_.answer(in, out); }};
  TestService service_{server_.url()};
  std::string bytes_;
  std::pair<std::uint64_t, std::uint64_t> progress_;
};

TEST_F(TransfersTest, AFileGoesInOnePutOrInParts) {
  for (const std::size_t size : {0U, 1U, 1000U, 1001U, 9500U}) {
    bucket_.partRequests = 0;
    const auto done = transfers().upload(file(size), "dir/o b", {});
    ASSERT_TRUE(done) << size << ": " << describe(done.error());
    EXPECT_EQ(bucket_.objects["dir/o b"], bytes_) << size;
    EXPECT_EQ(bucket_.partRequests, size <= 1000 ? 0 : (static_cast<int>(size) + 999) / 1000);
    EXPECT_EQ(done->etag, "e-dir/o b");
    EXPECT_EQ(progress_.first, size);
    EXPECT_EQ(progress_.second, size);
  }
  EXPECT_TRUE(bucket_.uploads.empty());
}

TEST_F(TransfersTest, NothingIsLeftOfAnUploadThatFailed) {
  bucket_.failingParts = 1;
  const auto refused = transfers().upload(file(5000), "o", {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().service->operation, "UploadPart");
  EXPECT_TRUE(bucket_.uploads.empty());
  EXPECT_TRUE(bucket_.objects.empty());
  bucket_.damagesParts = true;
  const auto damaged = transfers().upload(file(5000), "o", {});
  ASSERT_FALSE(damaged);
  EXPECT_EQ(damaged.error().code, ErrorCode::DataLoss);
  EXPECT_TRUE(bucket_.uploads.empty());
}

TEST_F(TransfersTest, AKeptUploadGoesOnWhereItEnded) {
  const auto path = file(8000);
  std::stop_source stop;
  const ObjectTransfers::Options untilTwoParts{1000, 1, [&](std::uint64_t done, std::uint64_t) {
                                                 if (done >= 2000) stop.request_stop();
                                               }};
  const auto cancelled = ObjectTransfers(service_.client, {"ns", "b"}, untilTwoParts)
                             .upload(path, "o", stop.get_token(), ObjectTransfers::Unfinished::Keep);
  ASSERT_FALSE(cancelled);
  EXPECT_EQ(cancelled.error().code, ErrorCode::Cancelled);
  ASSERT_EQ(bucket_.uploads.size(), 1U);
  const std::size_t there = bucket_.uploads.begin()->second.parts.size();
  EXPECT_GE(there, 2U);
  bucket_.partRequests = 0;
  const auto done = transfers().upload(path, "o", {}, ObjectTransfers::Unfinished::Keep);
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(bucket_.objects["o"], bytes_);
  EXPECT_EQ(static_cast<std::size_t>(bucket_.partRequests), 8 - there);
}

TEST_F(TransfersTest, APartThatIsThrottledIsSentAgain) {
  bucket_.failingParts = 3;
  bucket_.partStatus = 503;
  const auto done = transfers().upload(file(4000), "o", {});
  ASSERT_TRUE(done) << describe(done.error());
  EXPECT_EQ(bucket_.objects["o"], bytes_);
}

TEST_F(TransfersTest, DownloadsInRanges) {
  for (const std::size_t size : {0U, 1U, 999U, 1000U, 1001U, 9500U}) {
    bucket_.objects["o"] = randomBytes(size);
    const auto target = dir_.path() / "got";
    const auto head = transfers().download("o", target, {});
    ASSERT_TRUE(head) << size << ": " << describe(head.error());
    EXPECT_EQ(*readFile(target), bucket_.objects["o"]) << size;
    EXPECT_EQ(progress_.first, size == 0 ? progress_.first : size);
  }
}

TEST_F(TransfersTest, ARangeThatBreaksOffGoesOnWhereItEnded) {
  bucket_.objects["o"] = randomBytes(9500);
  bucket_.brokenRanges = 5;
  const auto target = dir_.path() / "got";
  const auto head = transfers().download("o", target, {});
  ASSERT_TRUE(head) << describe(head.error());
  EXPECT_EQ(*readFile(target), bucket_.objects["o"]);
  EXPECT_EQ(bucket_.brokenRanges, 0);
}

TEST_F(TransfersTest, ADamagedDownloadLeavesNoFile) {
  bucket_.objects["o"] = randomBytes(5000);
  bucket_.damagesObjects = true;
  const auto target = dir_.path() / "got";
  const auto head = transfers().download("o", target, {});
  ASSERT_FALSE(head);
  EXPECT_EQ(head.error().code, ErrorCode::DataLoss);
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
  EXPECT_EQ(transfers().download("none", target, {}).error().service->httpStatus, 404);
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

/// Downloads that are broken off and taken up again.
class ResumedDownload : public TransfersTest {
 protected:
  Result<ObjectHead> fetch(std::uint64_t partSize = 1000) {
    ObjectTransfers::Options options;
    options.partSize = partSize;
    options.parallel = 1;
    options.progress = [this](std::uint64_t done, std::uint64_t) { told_.push_back(done); };
    told_.clear();
    bucket_.handedOut = 0;
    return ObjectTransfers(service_.client, {"ns", "b"}, options)
        .download("o", target_, {}, ObjectTransfers::Unfinished::Keep);
  }
  /// After it, 2300 of 5000 bytes are there.
  void breakOffAt2300() {
    bucket_.objects["o"] = randomBytes(5000);
    bucket_.lastByte = 2300;
    const auto failed = fetch();
    ASSERT_FALSE(failed);
    EXPECT_FALSE(std::filesystem::exists(target_)) << "whole or not at all";
    ASSERT_TRUE(std::filesystem::exists(part_));
    bucket_.lastByte = -1;
  }
  void expectWhole(const Result<ObjectHead>& head) {
    ASSERT_TRUE(head) << describe(head.error());
    EXPECT_EQ(*readFile(target_), bucket_.objects["o"]);
    EXPECT_EQ(told_.back(), 5000U);
    EXPECT_FALSE(std::filesystem::exists(part_));
    EXPECT_FALSE(std::filesystem::exists(notes_));
  }
  const std::filesystem::path target_ = dir_.path() / "got";
  const std::filesystem::path part_ = target_.string() + ".lockstep-part";
  const std::filesystem::path notes_ = part_.string() + ".json";
  std::vector<std::uint64_t> told_;
};

TEST_F(ResumedDownload, OnlyTheRestTravels) {
  breakOffAt2300();
  const auto head = fetch();
  expectWhole(head);
  EXPECT_EQ(bucket_.handedOut, 2700U);
  EXPECT_EQ(told_.front(), 2300U) << "what was there counts";
}

TEST_F(ResumedDownload, OtherRangesThanBeforeAreNoReasonToBeginAnew) {
  breakOffAt2300();
  expectWhole(fetch(777));
  EXPECT_EQ(bucket_.handedOut, 2700U);
}

TEST_F(ResumedDownload, PartsWithoutAChecksumGoOnToo) {
  bucket_.inParts.insert("o");
  breakOffAt2300();
  expectWhole(fetch());
  EXPECT_EQ(bucket_.handedOut, 2700U);
}

TEST_F(ResumedDownload, AnotherObjectIsFetchedFromItsBeginning) {
  breakOffAt2300();
  bucket_.objects["o"] = randomBytes(5000);
  bucket_.etags["o"] = "another";
  bucket_.inParts.insert("o");  // no checksum would find out
  expectWhole(fetch());
  EXPECT_EQ(bucket_.handedOut, 5000U);
}

TEST_F(ResumedDownload, AnObjectThatIsReplacedMeanwhileIsFetchedAnew) {
  breakOffAt2300();
  bucket_.inParts.insert("o");
  bucket_.replacements = 1;
  expectWhole(fetch());
  bucket_.replacements = 1'000'000;
  std::filesystem::remove(target_);
  const auto failed = fetch();
  ASSERT_FALSE(failed) << "but not for ever";
  EXPECT_EQ(failed.error().code, ErrorCode::FailedPrecondition);
}

TEST_F(ResumedDownload, AFileThatIsNotAsItWasLeftIsThrownAway) {
  const auto damages = std::vector<std::function<void()>>{
      [this] { std::filesystem::resize_file(part_, 5001); },  // longer than the object
      [this] { std::filesystem::resize_file(part_, 2299); },  // shorter than was noted
      [this] { std::filesystem::remove(part_); },
      [this] { std::filesystem::remove(notes_); },
      [this] { ASSERT_TRUE(writeFileAtomically(notes_, "{\"etag\":\"e-o\",\"size\":5000")); },
      [this] {
        ASSERT_TRUE(writeFileAtomically(
            notes_, R"({"etag":"e-o","size":5000,"rangeSize":1000,"got":[1001,0,0,0,0]})"));
      },
      [this] {
        ASSERT_TRUE(writeFileAtomically(notes_, R"({"etag":"e-o","size":5000,"rangeSize":0,"got":[]})"));
      },
      [this] {
        ASSERT_TRUE(
            writeFileAtomically(notes_, R"({"etag":"e-o","size":5000,"rangeSize":1000,"got":[-1,"x"]})"));
      }};
  for (std::size_t i = 0; i < damages.size(); ++i) {
    SCOPED_TRACE(i);
    breakOffAt2300();
    damages[i]();
    expectWhole(fetch());
    EXPECT_EQ(bucket_.handedOut, 5000U);
    std::filesystem::remove(target_);
  }
}

// The disk gave other bytes back than were written: found by the checksum, and fixed without anybody's help.
TEST_F(ResumedDownload, BytesThatWentBadOnTheDiskAreFetchedAgain) {
  breakOffAt2300();
  auto bytes = *readFile(part_);
  bytes[7] ^= 1;
  ASSERT_TRUE(writeFileAtomically(part_, bytes));
  expectWhole(fetch());
  EXPECT_EQ(bucket_.handedOut, 2700U + 5000U);
  std::filesystem::remove(target_);
  bucket_.damagesObjects = true;
  const auto failed = fetch();
  ASSERT_FALSE(failed) << "what comes damaged in one go is not asked for again";
  EXPECT_EQ(failed.error().code, ErrorCode::DataLoss);
  EXPECT_FALSE(std::filesystem::exists(part_)) << "and nobody goes on with it";
}

TEST_F(ResumedDownload, TwoProcessesDoNotWriteOneFile) {
  bucket_.objects["o"] = randomBytes(5000);
  ObjectHead head;
  head.size = 5000;
  head.etag = "e-o";
  const auto first = PartialDownload::open(target_, head, 1000, true);
  ASSERT_TRUE(first);
  const auto refused = fetch();
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(refused.error().cause.find("another process"), std::string::npos);
}

TEST_F(ResumedDownload, ASizeThatNoObjectHasIsNotPlannedFor) {
  ObjectHead head;
  head.etag = "e-o";
  for (const std::uint64_t size : {std::uint64_t{11} << 40, std::numeric_limits<std::uint64_t>::max()}) {
    head.size = size;
    const auto refused = PartialDownload::open(target_, head, 1, true);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::DataLoss);
  }
  EXPECT_TRUE(std::filesystem::is_empty(target_.parent_path()));
}

TEST_F(ResumedDownload, WhatIsNotKeptLeavesNothing) {
  bucket_.objects["o"] = randomBytes(5000);
  bucket_.lastByte = 2300;
  EXPECT_FALSE(transfers().download("o", target_, {}));
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
}

TEST_F(TransfersTest, FetchesManyInTheOrderOfTheirNames) {
  std::vector<std::string> names;
  for (int i = 0; i < 200; ++i) {
    names.push_back("part-" + std::to_string(i));
    if (i != 77) bucket_.objects[names.back()] = "bytes " + std::to_string(i);
  }
  const auto all = transfers().fetchMany(names, {});
  ASSERT_EQ(all.size(), names.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (i == 77) {
      EXPECT_EQ(all[i].error().code, ErrorCode::NotFound);
      continue;
    }
    ASSERT_TRUE(all[i]) << describe(all[i].error());
    EXPECT_EQ(*all[i], "bytes " + std::to_string(i));
  }
  std::stop_source stopped;
  stopped.request_stop();
  EXPECT_EQ(transfers().fetchMany(names, stopped.get_token())[0].error().code, ErrorCode::Cancelled);
}

}  // namespace
}  // namespace lockstep::oci
