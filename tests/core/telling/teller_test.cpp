// SPDX-License-Identifier: GPL-3.0-or-later
#include "telling/teller.h"

#include <gtest/gtest.h>

#include <atomic>

#include "base/atomic_file.h"
#include "http/curl_http_client.h"
#include "loopback_server.h"
#include "made_up_news.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

TEST(Teller, TellsOneAfterAnother) {
  const TempDir temp;
  const std::string out = (temp.path() / "out").string();
  LoopbackServer server([](const httplib::Request&, httplib::Response& response) { response.status = 200; });
  Teller teller(makeCurlHttpClient(), {});
  for (int i = 0; i < 5; ++i)
    teller.tell({"cat > /dev/null; echo " + std::to_string(i) + " >> " + out, server.url() + "/x"},
                newsOfFinding());
  ASSERT_TRUE(teller.finish(30s));
  EXPECT_EQ(readFile(out).value(), "0\n1\n2\n3\n4\n");
  EXPECT_EQ(server.seen().size(), 5U);
}

TEST(Teller, AProblemIsSaidOnceUntilItWorksAgain) {
  std::atomic<int> said = 0;
  Teller teller(makeCurlHttpClient(), [&](const Error&) { ++said; });
  for (const char* command : {"exit 1", "exit 1", "true", "exit 2"})
    teller.tell({command, ""}, newsOfFinding());
  ASSERT_TRUE(teller.finish(30s));
  EXPECT_EQ(said, 2);
}

TEST(Teller, NothingThatWaitsIsBegunOnceItEnds) {
  const TempDir temp;
  const std::string out = (temp.path() / "out").string();
  {
    Teller teller(makeCurlHttpClient(), {});
    for (int i = 0; i < 20; ++i) teller.tell({"echo begun >> " + out + "; sleep 60", ""}, newsOfFinding());
    for (int i = 0; i < 500 && !readFile(out); ++i) EXPECT_FALSE(teller.finish(20ms));
  }
  EXPECT_EQ(readFile(out).value_or(""), "begun\n");
}

TEST(Teller, EndsWhileSomethingIsUnderWay) {
  const auto begin = std::chrono::steady_clock::now();
  {
    Teller teller(makeCurlHttpClient(), {});
    for (int i = 0; i < 100; ++i) teller.tell({"sleep 60", ""}, newsOfFinding());
    EXPECT_FALSE(teller.finish(100ms));
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 25s);
}

TEST(Teller, NobodyToTellIsNoWork) {
  Teller teller(makeCurlHttpClient(), {});
  teller.tell({}, newsOfFinding());
  EXPECT_TRUE(teller.finish(0ms));
}

}  // namespace
}  // namespace lockstep
