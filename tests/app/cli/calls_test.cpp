// SPDX-License-Identifier: GPL-3.0-or-later
// `lockstep calls`: what the programs of this user asked of the services.
#include <gtest/gtest.h>
#include <signal.h>

#include <fstream>
#include <thread>

#include "cli_process.h"

namespace lockstep {
namespace {

std::string line(int number) {
  return R"({"at":"2026-01-01T00:00:0)" + std::to_string(number % 10) +
         R"(.000Z","method":"POST","service":"Data Science","operation":"CreateJobRun","host":"h","attempt":2,)"
         R"("status":404,"errorCode":"NotAuthorizedOrNotFound","ms":12.5,"requestId":"ID/)" +
         std::to_string(number) + "\"}\n";
}

std::filesystem::path logOf(CliHome& home) {
  return std::filesystem::path(home.environment().at("LOCKSTEP_HOME")) / "data" / "calls.jsonl";
}

void append(CliHome& home, int first, int last) {
  std::filesystem::create_directories(logOf(home).parent_path());
  std::ofstream out(logOf(home), std::ios::app);
  for (int i = first; i <= last; ++i) out << line(i);
}

TEST(Calls, NoneYet) {
  CliHome home;
  const CliExit done = home.run({"calls"});
  EXPECT_EQ(done.code(), 0) << done.err;
  EXPECT_NE(done.err.find("no call has been made"), std::string::npos);
  EXPECT_EQ(home.run({"calls", "--json"}).json(), nlohmann::json::array());
}

TEST(Calls, TheLastOnesAsTableAndAsJson) {
  CliHome home;
  append(home, 1, 60);
  const CliExit table = home.run({"calls", "-n", "2"});
  EXPECT_EQ(table.code(), 0) << table.err;
  EXPECT_EQ(std::count(table.out.begin(), table.out.end(), '\n'), 3) << table.out;
  for (const char* part : {"TIME", "REQUEST ID", "2026-01-01T00:00:00.000Z", "POST", "Data Science",
                           "CreateJobRun", "404 NotAuthorizedOrNotFound", "12", "ID/59", "ID/60"})
    EXPECT_NE(table.out.find(part), std::string::npos) << part << " in " << table.out;
  EXPECT_EQ(table.out.find("ID/58"), std::string::npos);
  const auto all = home.run({"calls", "--json"}).json();
  ASSERT_EQ(all.size(), 50U);
  EXPECT_EQ(all.back()["requestId"], "ID/60");
}

TEST(Calls, FollowsWhatComes) {
  CliHome home;
  append(home, 1, 3);
  CliRunning running = home.start({"calls", "--json", "--follow", "-n", "1"});
  const auto linesSoFar = [&] {
    const std::string out = running.outSoFar();
    return std::count(out.begin(), out.end(), '\n');
  };
  const auto waitFor = [&](long lines) {
    for (int i = 0; i < 600 && linesSoFar() < lines; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
  };
  waitFor(1);
  append(home, 4, 5);
  waitFor(3);
  running.process().signalAll(SIGINT);
  const CliExit done = running.wait();
  EXPECT_EQ(done.code(), 4) << done.err;
  const auto records = done.jsonLines();
  ASSERT_EQ(records.size(), 3U) << done.out;
  EXPECT_EQ(records[0]["requestId"], "ID/3");
  EXPECT_EQ(records[2]["requestId"], "ID/5");
}

}  // namespace
}  // namespace lockstep
