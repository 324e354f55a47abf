// SPDX-License-Identifier: GPL-3.0-or-later
// Nothing that a job, a service or a file says steers the terminal that it is shown on.
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "base/text/quote.h"
#include "follow_view.h"
#include "health_view.h"
#include "output.h"
#include "progress_bar.h"
#include "rank_rows.h"
#include "train_file.h"

namespace lockstep::cli {
namespace {

// Title, clipboard, clear, over the line before, C1, overwritten line, right to left, another line.
const std::string kHostile =
    "a\033]0;owned\007\033]52;c;eA==\007\033[2J\033[1A\033[2K\u009b2J\r\u202E\x9b\nrun x Succeeded";

struct Said {
  std::string out, err;
};

Said saying(const std::function<void()>& action) {
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  action();
  std::fflush(stdout);
  Said said;
  said.out = testing::internal::GetCapturedStdout();
  said.err = testing::internal::GetCapturedStderr();
  return said;
}

void expectHarmless(const Said& said, const char* what) {
  const std::string text = said.out + said.err;
  EXPECT_FALSE(text.empty()) << what;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const bool isOurColor = byte == 0x1B && text.find_first_not_of("0123456789;", i + 2) == text.find('m', i);
    EXPECT_TRUE(byte >= 0x20 || byte == '\n' || byte == '\t' || isOurColor) << what << ": " << text;
  }
  EXPECT_EQ(text.find("\u009b"), std::string::npos) << what;
  EXPECT_EQ(text.find("\u202E"), std::string::npos) << what;
}

LogLine hostileLine() {
  LogLine line;
  line.node = kHostile;
  line.text = kHostile;
  return line;
}

TrainingRun hostileRun() {
  TrainingRun run;
  run.id = RunId(kHostile);
  run.name = run.failure = run.workDir = kHostile;
  NodeRun node;
  node.displayName = kHostile;
  node.state = JobRunState::Failed;
  run.nodes.push_back(node);
  return run;
}

TEST(HostileText, NothingThatIsPrintedSteersTheTerminal) {
  const Error refusal{ErrorCode::Internal,
                      kHostile,
                      kHostile,
                      kHostile,
                      kHostile,
                      ServiceAnswer{kHostile, kHostile, 500, kHostile, kHostile}};
  Table table({"NAME", "N"});
  table.add({kHostile, "1"});
  for (const char* colors : {"never", "always"}) {
    chooseColors(colors);
    expectHarmless(saying([] { printLine(kHostile); }), "line");
    expectHarmless(saying([] { printLine(painted(kHostile, Tone::Bad)); }), "painted line");
    expectHarmless(saying([] { printLine(painted(lineText(hostileLine()), Tone::Warn)); }), "log line");
    expectHarmless(saying([] { printJsonLine(toJson(hostileLine())); }), "log line as JSON");
    expectHarmless(saying([&] { printError(refusal); }), "failure");
    expectHarmless(saying([&] { printJson(toJson(refusal)); }), "failure as JSON");
    expectHarmless(saying([] { note(kHostile); }), "note");
    expectHarmless(saying([] { warn(kHostile); }), "warning");
    expectHarmless(saying([] { askOnStderr(kHostile); }), "question");
    expectHarmless(saying([&] { printText(table.text()); }), "table");
    expectHarmless(saying([] { printText(rankTable(rankRows(hostileRun(), {}))); }), "ranks");
    expectHarmless(saying([] { (void)printSummary(hostileRun(), {}, false); }), "summary");
    expectHarmless(saying([] { ProgressBar(true).show(0.5, kHostile); }), "progress");
    expectHarmless(saying([] { printLine(barText(0.5, kHostile, 200)); }), "bar");
    expectHarmless(
        saying([] {
          printText(issuesText({{Severity::Error, "c", kHostile, kHostile, {}, {1, 1}}}, kHostile, false));
        }),
        "issues");
  }
  chooseColors("never");
}

TEST(HostileText, AJobsLineCannotBecomeTwo) {
  const std::string text = lineText(hostileLine());
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  Table table({"NAME"});
  table.add({"a\nb"});
  EXPECT_EQ(table.text(), "NAME\na␊b\n");
}

TEST(HostileText, ColorsOfAJobsLinePassOnlyWhereOursDo) {
  LogLine line;
  line.node = "node";
  line.text = "\033[31mred";
  chooseColors("always");
  EXPECT_NE(saying([&] { printLine(lineText(line)); }).out.find("\033[31mred\033[0m\n"), std::string::npos);
  chooseColors("never");
  EXPECT_NE(saying([&] { printLine(lineText(line)); }).out.find(" red\n"), std::string::npos);
}

TEST(HostileText, DocumentsStayAsTheyAreForAFile) {
  EXPECT_EQ(saying([] { printDocument(kHostile); }).out, kHostile) << "stdout is no terminal here";
}

// A spreadsheet would run these.
TEST(HostileText, NoNameInACsvIsAFormula) {
  EXPECT_EQ(quoteCsv("loss"), "loss");
  EXPECT_EQ(quoteCsv(""), "");
  EXPECT_EQ(quoteCsv("a=b"), "a=b");
  EXPECT_EQ(quoteCsv("=HYPERLINK(\"http://x\",\"y\")"), "\"'=HYPERLINK(\"\"http://x\"\",\"\"y\"\")\"");
  for (const char* text : {"=1+1", "+1", "-1", "@SUM(A1)", "\tx"})
    EXPECT_EQ(quoteCsv(text), "'" + std::string(text));
  EXPECT_EQ(quoteCsv("\rx"), "\"'\rx\"");
}

TEST(HostileText, ABarIsCutBetweenCharacters) {
  for (int width = 38; width < 60; ++width) {
    const std::string bar = barText(0.5, "東京東京東京", width);
    EXPECT_LE(bar.size(), static_cast<std::size_t>(width));
    EXPECT_EQ(bar.find("\\x"), std::string::npos);
    EXPECT_NE(static_cast<unsigned char>(bar.back()) & 0xC0U, 0xC0U) << bar;
  }
}

}  // namespace
}  // namespace lockstep::cli
