// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <cmath>
#include <filesystem>

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "base/digest.h"
#include "base/field_path.h"
#include "base/issue.h"
#include "base/plain_nan.h"
#include "base/text/encoding.h"
#include "base/text/quote.h"
#include "base/time_text.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

TEST(FieldPath, RoundTripsAnyKey) {
  for (const FieldPath& path : {FieldPath{"spec", "env", std::size_t{2}, "value"},
                                FieldPath{"a.b", "c[0]", "d\"e\\"}, FieldPath{"", "x"}, FieldPath{}})
    EXPECT_EQ(FieldPath::parse(path.toString()), path) << path.toString();
  EXPECT_EQ((FieldPath{"spec", "env", std::size_t{2}}).toString(), "spec.env[2]");
}

TEST(FieldPath, KnowsItsPrefixes) {
  const FieldPath path = FieldPath::parse("spec.cluster.spec");
  EXPECT_TRUE(path.startsWith(FieldPath::parse("spec.cluster")));
  EXPECT_FALSE(FieldPath::parse("spec").startsWith(path));
  EXPECT_EQ(path.parent().toString(), "spec.cluster");
}

TEST(TimeText, RefusesYearsThatATimePointCannotHold) {
  for (const char* bad :
       {"0001-01-01T00:00:00Z", "1677-12-31T23:59:59Z", "2262-01-01T00:00:00Z", "9999-12-31T23:59:59Z"})
    EXPECT_FALSE(parseRfc3339(bad)) << bad;
  EXPECT_EQ(toRfc3339(*parseRfc3339("1678-01-01T00:00:00+23:59")), "1677-12-31T00:01:00.000Z");
  EXPECT_EQ(toRfc3339(*parseRfc3339("2261-12-31T23:59:59-23:59")), "2262-01-01T23:58:59.000Z");
  EXPECT_FALSE(parseRfc1123("Thu, 05 Jan 9999 21:31:40 GMT"));
}

TEST(TimeText, WritesAndReadsRfc3339) {
  const auto time = parseRfc3339("2026-03-01T12:30:45.123Z");
  ASSERT_TRUE(time);
  EXPECT_EQ(toRfc3339(*time), "2026-03-01T12:30:45.123Z");
  EXPECT_EQ(parseRfc3339("2026-03-01T13:30:45.123456789+01:00"), *time + std::chrono::nanoseconds(456789));
  EXPECT_EQ(toRfc3339(*parseRfc3339("2026-03-01T12:30:45Z")), "2026-03-01T12:30:45.000Z");
  for (const char* bad :
       {"", "2026-13-01T00:00:00Z", "2026-03-01", "2026-03-01T12:30:45", "2026-02-30T00:00:00Z"})
    EXPECT_FALSE(parseRfc3339(bad)) << bad;
}

TEST(TimeText, WritesTheDateOfThePublishedSigningSample) {
  const auto time =
      parseRfc1123("Thu, 05 Jan 2014 21:31:40 GMT");  // it was a Sunday; the verifier must not mind
  ASSERT_TRUE(time);
  EXPECT_EQ(toRfc1123(*time), "Sun, 05 Jan 2014 21:31:40 GMT");
}

TEST(Encoding, Base64AndPercent) {
  EXPECT_EQ(toBase64("hello"), "aGVsbG8=");
  EXPECT_EQ(fromBase64("aGVs\nbG8="), "hello");
  EXPECT_FALSE(fromBase64("a"));
  EXPECT_EQ(fromBase64Url(toBase64Url("\xff\xfe?")), "\xff\xfe?");
  EXPECT_EQ(percentEncode("a/b c+é", true), "a/b%20c%2B%C3%A9");
  EXPECT_EQ(percentDecode("a%2Fb%zz%2"), "a/b%zz%2");
}

TEST(Encoding, RepairsBrokenUtf8) {
  EXPECT_TRUE(isUtf8("añ☕🚀"));
  for (const char* bad : {"\xff", "\xc0\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80", "\xe2\x98"})
    EXPECT_FALSE(isUtf8(bad));
  EXPECT_EQ(toValidUtf8("a\xff"
                        "b"),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Digest, KnownValues) {
  EXPECT_EQ(crc32c("123456789"), 0xE3069283U);
  EXPECT_EQ(toBase64(sha256("")), "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(toHex(md5("")), "d41d8cd98f00b204e9800998ecf8427e");
}

TEST(Quote, AsPythonWritesIt) {
  // What python3 -c 'import shlex; print(shlex.quote(...))' prints.
  EXPECT_EQ(quoteShellAsPython("a,b"), "a,b");
  EXPECT_EQ(quoteShellAsPython(","), ",");
  EXPECT_EQ(quoteShellAsPython(""), "''");
  EXPECT_EQ(quoteShellAsPython("it's"), "'it'\"'\"'s'");
  EXPECT_EQ(quoteShellAsPython("a b"), "'a b'");
  EXPECT_EQ(quoteShellAsPython("--lr=1e-3"), "--lr=1e-3");
  EXPECT_EQ(quoteShell("a,b"), "'a,b'") << "an array of words with bare commas looks like a mistake";
}

TEST(Quote, ShellWordsSurvive) {
  for (const std::string& word : {std::string("plain"), std::string(""), std::string("a b"),
                                  std::string("it's $HOME"), std::string("new\nline\t\"q\" \\ ☕")})
    EXPECT_EQ(splitShell(quoteShell(word)), std::vector<std::string>{word}) << word;
  EXPECT_EQ(splitShell("--a 'b c' d\\ e \"f \\\" g\" ''"),
            (std::vector<std::string>{"--a", "b c", "d e", "f \" g", ""}));
}

TEST(AtomicFile, ReplacesWholeAndKeepsTheMode) {
  const TempDir dir;
  const auto path = dir.path() / "train.yaml";
  ASSERT_TRUE(writeFileAtomically(path, "one"));
  std::filesystem::permissions(path, std::filesystem::perms(0600));
  ASSERT_TRUE(writeFileAtomically(path, "two"));
  EXPECT_EQ(readFile(path).value(), "two");
  struct stat info {};
  ASSERT_EQ(::stat(path.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1)
      << "a temporary file was left";
}

TEST(AtomicFile, FollowsALinkAlsoToWhatIsNotThereYet) {
  const TempDir dir;
  namespace fs = std::filesystem;
  fs::create_directory(dir.path() / "real");
  fs::create_symlink("real/config", dir.path() / "second");
  fs::create_symlink(dir.path() / "second", dir.path() / "first");
  for (const char* text : {"new", "newer"}) {
    ASSERT_TRUE(writeFileAtomically(dir.path() / "first", text));
    EXPECT_TRUE(fs::is_symlink(dir.path() / "first"));
    EXPECT_TRUE(fs::is_symlink(dir.path() / "second"));
    EXPECT_EQ(readFile(dir.path() / "real/config").value(), text);
  }
  fs::create_symlink("circle", dir.path() / "circle");
  EXPECT_FALSE(writeFileAtomically(dir.path() / "circle", "x"));
  EXPECT_TRUE(fs::is_symlink(dir.path() / "circle"));
  fs::create_symlink("nowhere/file", dir.path() / "lost");
  EXPECT_FALSE(writeFileAtomically(dir.path() / "lost", "x"));
}

TEST(AtomicFile, SaysWhyItCannot) {
  const auto written = writeFileAtomically("/nowhere/at/all", "x");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, ErrorCode::NotFound);
  EXPECT_NE(describe(written.error()).find("/nowhere/at/all"), std::string::npos);
  const auto big = readFile("/dev/zero", 1000);
  ASSERT_FALSE(big);
  EXPECT_EQ(big.error().code, ErrorCode::InvalidArgument);
}

TEST(AtomicFile, AFullDiskLeavesTheOldFile) {
  const TempDir dir;
  const auto path = dir.path() / "train.yaml";
  ASSERT_TRUE(writeFileAtomically(path, "old"));
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ::getrlimit(RLIMIT_FSIZE, &before);
  const rlimit small{1000, before.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &small);
  const auto written = writeFileAtomically(path, std::string(5000, 'x'));
  ::setrlimit(RLIMIT_FSIZE, &before);
  EXPECT_FALSE(written);
  EXPECT_EQ(readFile(path).value(), "old");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(dir.path()), {}), 1)
      << "a temporary file was left";
}

TEST(AtomicFile, NeverReplacesADevice) {
  EXPECT_FALSE(writeFileAtomically("/dev/null", "x"));
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
}

TEST(ChildProcess, ReportsExitAndSignal) {
  auto exits = ChildProcess::start({.command = {"sh", "-c", "exit 3"}, .environment = {}});
  ASSERT_TRUE(exits);
  EXPECT_EQ(describe(exits->waitFor(std::chrono::seconds(5)).value()), "exit code 3");
  auto sleeps = ChildProcess::start({.command = {"sh", "-c", "sleep 60 & sleep 60"}, .environment = {}});
  ASSERT_TRUE(sleeps);
  sleeps->signalAll(SIGKILL);
  EXPECT_EQ(sleeps->waitFor(std::chrono::seconds(5)).value().signal, SIGKILL);
}

TEST(ChildProcess, GivesExactlyTheEnvironment) {
  const TempDir dir;
  auto child = ChildProcess::start(
      {.command = {"/bin/sh", "-c", "env | grep -v -e ^PWD= -e ^_= -e ^SHLVL= | sort > out"},
       .environment = {{"ONLY", "this one"}, {"PATH", "/usr/bin:/bin"}},
       .workingDirectory = dir.path()});
  ASSERT_TRUE(child);
  ASSERT_TRUE(child->waitFor(std::chrono::seconds(5)));
  EXPECT_EQ(readFile(dir.path() / "out").value_or("none"), "ONLY=this one\nPATH=/usr/bin:/bin\n");
}

TEST(ChildProcess, AMissingProgramIsAFailureOfStart) {
  const auto child = ChildProcess::start({.command = {"no-such-program"}, .environment = {}});
  ASSERT_FALSE(child);
  EXPECT_EQ(child.error().code, ErrorCode::NotFound);
}

TEST(Issue, NamesFileLineAndColumn) {
  const Issue issue{Severity::Error, "missing-field", "projectId is missing", "add it", {}, {12, 5}};
  EXPECT_EQ(describe(issue, "train.yaml"), "train.yaml:12:5: error: projectId is missing\n  add it");
}

TEST(PlainNan, HasNoSign) {
  const double infinity = std::numeric_limits<double>::infinity();
  volatile double other = -infinity;
  for (const double nan : {-std::nan(""), std::nan("7"), infinity + other})
    EXPECT_EQ(fmt::format("{} {:.3f}", plainNan(nan), plainNan(nan)), "nan nan");
  EXPECT_EQ(plainNan(-1.5), -1.5);
  EXPECT_TRUE(std::signbit(plainNan(-0.0)));
  EXPECT_EQ(plainNan(-infinity), -infinity);
}

}  // namespace
}  // namespace lockstep
