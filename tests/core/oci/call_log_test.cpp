// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/call_log.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <set>
#include <thread>

#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;

CallRecord recordOf(const std::string& operation) {
  CallRecord record;
  record.at = TimePoint(std::chrono::milliseconds(1'767'225'600'123));
  record.method = "POST";
  record.service = "Data Science";
  record.operation = operation;
  record.host = "datascience.us-ashburn-1.oci.oraclecloud.com";
  record.attempt = 2;
  record.httpStatus = 404;
  record.errorCode = "NotAuthorizedOrNotFound";
  record.requestId = "A/B/C";
  record.duration = 12'345us;
  return record;
}

class CallLogTest : public ::testing::Test {
 protected:
  TempDir dir_;
  std::filesystem::path file_ = dir_.path() / "data" / "calls.jsonl";
};

TEST_F(CallLogTest, ALineSaysWhatHappenedAndComesBack) {
  const CallRecord record = recordOf("CreateJobRun");
  const std::string line = toLine(record);
  EXPECT_EQ(
      line,
      R"({"at":"2026-01-01T00:00:00.123Z","method":"POST","service":"Data Science","operation":"CreateJobRun",)"
      R"("host":"datascience.us-ashburn-1.oci.oraclecloud.com","attempt":2,"status":404,)"
      R"("errorCode":"NotAuthorizedOrNotFound","ms":12.345,"requestId":"A/B/C"})");
  const auto back = callRecordOf(line);
  ASSERT_TRUE(back);
  EXPECT_EQ(toLine(*back), line);
  for (const char* odd : {"", "{", "[]", "7", R"({"at":"yesterday","method":"GET"})", R"({"at":7})"})
    EXPECT_FALSE(callRecordOf(odd)) << odd;
  CallRecord bad = record;
  bad.requestId = "line\nfeed \xff" + std::string(9999, 'x');
  EXPECT_EQ(toLine(bad).find('\n'), std::string::npos);
  EXPECT_LT(toLine(bad).size(), 1000U);
}

TEST_F(CallLogTest, NothingIsMadeBeforeTheFirstRecordAndNobodyElseMayRead) {
  CallLog log(file_);
  EXPECT_FALSE(std::filesystem::exists(file_));
  log.record(recordOf("A"));
  EXPECT_FALSE(log.problem());
  struct stat info {};
  ASSERT_EQ(::stat(file_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  ::chmod(file_.c_str(), 0644);
  CallLog(file_).record(recordOf("B"));
  ASSERT_EQ(::stat(file_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
}

TEST_F(CallLogTest, ReadsTheLastOnesAndFollowsAcrossRotations) {
  CallLogReader reader(file_);
  ASSERT_TRUE(reader.last(10)) << "no log yet";
  CallLog log(file_, 1500);
  std::vector<std::string> seen;
  const auto take = [&](const Result<std::vector<CallRecord>>& got) {
    ASSERT_TRUE(got) << describe(got.error());
    for (const auto& record : *got) seen.push_back(record.operation);
  };
  for (int i = 0; i < 40; ++i) {
    log.record(recordOf("Op" + std::to_string(i)));
    if (i % 3 == 0) take(reader.more());
  }
  take(reader.more());
  ASSERT_EQ(seen.size(), 40U);
  for (int i = 0; i < 40; ++i) EXPECT_EQ(seen[static_cast<std::size_t>(i)], "Op" + std::to_string(i));
  EXPECT_LE(std::filesystem::file_size(file_), 1500U);
  EXPECT_LE(std::filesystem::file_size(file_.string() + ".1"), 1500U);
  const auto last = CallLogReader(file_).last(3);
  ASSERT_TRUE(last);
  ASSERT_EQ(last->size(), 3U);
  EXPECT_EQ(last->back().operation, "Op39");
}

TEST_F(CallLogTest, SeveralProcessesLoseAndTearNothing) {
  constexpr int kProcesses = 4;
  constexpr int kEach = 300;
  CallLogReader reader(file_);
  ASSERT_TRUE(reader.last(0));
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      CallLog log(file_, 200'000);  // rotated once on the way
      for (int i = 0; i < kEach; ++i) log.record(recordOf(std::to_string(p) + "/" + std::to_string(i)));
      ::_exit(log.problem() ? 1 : 0);
    }
    children.push_back(pid);
  }
  std::multiset<std::string> seen;
  const auto take = [&] {
    const auto got = reader.more();
    ASSERT_TRUE(got);
    for (const auto& record : *got) seen.insert(record.operation);
  };
  for (std::size_t left = children.size(); left > 0;) {
    take();
    int status = 0;
    if (::waitpid(-1, &status, WNOHANG) > 0) {
      EXPECT_EQ(status, 0);
      --left;
    }
  }
  take();
  EXPECT_TRUE(std::filesystem::exists(file_.string() + ".1"));
  EXPECT_EQ(CallLogReader(file_).last(9999)->size(), static_cast<std::size_t>(kProcesses * kEach));
  EXPECT_EQ(std::set<std::string>(seen.begin(), seen.end()).size(), seen.size()) << "nothing twice";
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(kProcesses * kEach));
}

TEST_F(CallLogTest, RotationsBetweenTwoLooksLoseNothingThatIsStillThere) {
  CallLogReader reader(file_);
  ASSERT_TRUE(reader.last(0)) << "nothing is there yet";
  CallLog log(file_, 20'000);
  int made = 0;
  const auto recordUntilRotated = [&] {
    const auto before = std::filesystem::exists(file_) ? std::filesystem::file_size(file_) : 0;
    auto size = before;
    do {
      size = std::filesystem::exists(file_) ? std::filesystem::file_size(file_) : 0;
      log.record(recordOf(std::to_string(made++)));
    } while (std::filesystem::file_size(file_) > size);
  };
  recordUntilRotated();
  const auto first = reader.more();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->size(), static_cast<std::size_t>(made)) << "the first file was never open";
  const int known = made;
  recordUntilRotated();
  recordUntilRotated();
  const auto second = reader.more();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->size(), static_cast<std::size_t>(made - known)) << "one file lies between those it saw";
  EXPECT_TRUE(reader.more()->empty());
}

TEST_F(CallLogTest, WhatCannotBeWrittenIsSaidAndHurtsNobody) {
  std::filesystem::create_directories(file_);  // a folder stands in the place of the file
  CallLog log(file_);
  log.record(recordOf("A"));
  ASSERT_TRUE(log.problem());
  EXPECT_NE(log.problem()->what.find("cannot write the call log"), std::string::npos);
  std::filesystem::remove(file_);
  log.record(recordOf("B"));
  EXPECT_FALSE(log.problem());
}

TEST_F(CallLogTest, EveryAttemptOfACallIsRecordedAndNothingSecret) {
  std::atomic<int> count{0};
  LoopbackServer server(failingAtFirst(2, 503, "ServiceUnavailable", count));
  TestService service(server.url());
  ServiceClient::Setup setup = service.client->setup();
  const auto history = std::make_shared<CallHistory>();
  setup.audit = bothAudits(std::make_shared<CallLog>(file_), history);
  ServiceCall call = getCall("/20190101/jobRuns?displayName=CANARY-QUERY");
  call.operation = "CreateJobRun";
  call.method = "POST";
  call.body = "CANARY-BODY";
  call.headers = {{"opc-retry-token", "CANARY-TOKEN"}};
  ASSERT_TRUE(ServiceClient(setup).call(call, {}));
  const auto records = history->since(0);
  ASSERT_EQ(records.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(records[i].attempt, static_cast<int>(i) + 1);
    EXPECT_EQ(records[i].method, "POST");
    EXPECT_EQ(records[i].service, "Data Science");
    EXPECT_EQ(records[i].operation, "CreateJobRun");
    EXPECT_EQ(records[i].httpStatus, i < 2 ? 503 : 200);
    EXPECT_EQ(records[i].errorCode, i < 2 ? "ServiceUnavailable" : "");
    EXPECT_EQ("http://" + records[i].host, server.url());
    EXPECT_FALSE(records[i].requestId.empty());
    EXPECT_GT(records[i].duration.count(), 0);
  }
  const std::string text = *readFile(file_);
  EXPECT_EQ(text.find("CANARY"), std::string::npos) << text;
  EXPECT_EQ(text.find("Signature"), std::string::npos) << text;
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 3);
}

TEST_F(CallLogTest, AnAttemptWithoutAnAnswerIsRecordedToo) {
  TestService service("http://127.0.0.1:" + std::to_string(closedPort()));
  ServiceClient::Setup setup = service.client->setup();
  const auto history = std::make_shared<CallHistory>();
  setup.audit = history;
  setup.maxAttempts = 1;
  const auto answer = ServiceClient(setup).call(getCall(), {});
  ASSERT_FALSE(answer);
  ASSERT_EQ(history->since(0).size(), 1U);
  EXPECT_EQ(history->since(0)[0].httpStatus, 0);
  EXPECT_EQ(history->since(0)[0].errorCode, "unavailable");
  EXPECT_EQ(history->since(0)[0].requestId, answer.error().service->requestId);
}

}  // namespace
}  // namespace lockstep::oci
