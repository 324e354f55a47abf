// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/atomic_file.h"
#include "base/text/encoding.h"
#include "rehearsal/api/router.h"
#include "rehearsal/iam/tokens.h"
#include "rehearsal/region/profile_writer.h"
#include "rehearsal/support/line_capture.h"
#include "temp_dir.h"

namespace lockstep::rehearsal {
namespace {

std::vector<std::string> linesOf(const std::vector<std::string>& pieces) {
  std::vector<std::string> lines;
  LineCapture capture([&](std::string_view line) { lines.emplace_back(line); });
  for (const std::string& piece : pieces) capture.take(piece);
  capture.finish();
  return lines;
}

using Lines = std::vector<std::string>;

TEST(LineCapture, CutsLinesWhereverThePiecesEnd) {
  EXPECT_EQ(linesOf({"one\ntw", "o\n", "\nthree"}), (Lines{"one", "two", "", "three"}));
  EXPECT_EQ(linesOf({""}), Lines{});
  EXPECT_EQ(linesOf({"a\n"}), Lines{"a"});
}

TEST(LineCapture, DropsTheCrOfALineEndAndKeepsTheOthers) {
  EXPECT_EQ(linesOf({"dos\r", "\n10%\r20%\r", "\n"}), (Lines{"dos", "10%\r20%"}));
}

TEST(LineCapture, KeepsTheBeginningOfAnEndlessLine) {
  const Lines lines = linesOf({std::string(100'000, 'x'), std::string(100'000, 'y'), "\nnext"});
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0], std::string(LineCapture::kKeptBytes, 'x'));
  EXPECT_EQ(lines[1], "next");
}

TEST(LineCapture, CutsCharactersNotBytes) {
  std::string text;
  for (int i = 0; i < 20; ++i) text += "é";
  EXPECT_EQ(cutToCharacters(text, 10), text.substr(0, 20));
  EXPECT_EQ(cutToCharacters("abc", 10), "abc");
  EXPECT_EQ(cutToCharacters("a\xff"
                            "b",
                            10),
            "a\xEF\xBF\xBD"
            "b");
}

TEST(Router, ObjectNamesTakeAllThatIsLeft) {
  Router router;
  const auto nothing = [](const Call&) -> OperationResult { return emptyResponse(200); };
  router.add("GET", "/n", "Namespace", nothing);
  router.add("GET", "/n/", "Namespace", nothing);
  router.add("GET", "/n/{ns}/b/{b}/o", "List", nothing);
  router.add("GET", "/n/{ns}/b/{b}/o/{*o}", "Get", nothing);
  for (const char* path : {"/n/ns/b/b1/o/a%2Fb%20c", "/n/ns/b/b1/o/a/b%20c"}) {
    const auto match = router.find("GET", path);
    ASSERT_NE(match.route, nullptr) << path;
    EXPECT_EQ(match.route->name, "Get");
    EXPECT_EQ(match.values.at("o"), "a/b c");
  }
  EXPECT_EQ(router.find("GET", "/n/ns/b/b1/o").route->name, "List");
  EXPECT_EQ(router.find("GET", "/n/").route->name, "Namespace");
  EXPECT_EQ(router.find("GET", "/n/ns/b/x%2Fy/o/z").values.at("b"), "x/y");
  EXPECT_EQ(router.find("GET", "/n/ns/b/b1/o//").values.at("o"), "/");
  const auto other = router.find("DELETE", "/n/ns/b/b1/o");
  EXPECT_EQ(other.route, nullptr);
  EXPECT_TRUE(other.pathKnown);
  EXPECT_FALSE(router.find("GET", "/x").pathKnown);
}

const std::vector<std::pair<std::string, std::string>> kValues{
    {"user", "u"}, {"key_file", "/k.pem"}, {"lockstep_endpoint", "http://127.0.0.1:1"}};

TEST(ProfileWriter, ReplacesItsOwnSectionOnly) {
  TempDir temp;
  const auto file = temp.path() / "config";
  std::ofstream(file) << "# "
                         "mine\n[DEFAULT]\nuser=me\n\n[REHEARSAL]\nuser=old\nendpoint=http://"
                         "127.0.0.1:9\n[OTHER]\r\nregion = x\r\n";
  ASSERT_TRUE(writeProfile(file, kValues).has_value());
  EXPECT_EQ(*readFile(file),
            "# "
            "mine\n[DEFAULT]\nuser=me\n\n[REHEARSAL]\nuser=u\nkey_file=/k.pem\nlockstep_endpoint=http://"
            "127.0.0.1:1\n\n[OTHER]\r\nregion = x\r\n");
  struct stat info {};
  ::stat(file.c_str(), &info);
  EXPECT_EQ(info.st_mode & 0777, 0600u);
}

TEST(ProfileWriter, AppendsToAFileWithoutFinalNewlineAndMakesAMissingOne) {
  TempDir temp;
  const auto file = temp.path() / "config";
  std::ofstream(file) << "[DEFAULT]\nuser=me";
  ASSERT_TRUE(writeProfile(file, kValues).has_value());
  EXPECT_EQ(
      *readFile(file),
      "[DEFAULT]\nuser=me\n\n[REHEARSAL]\nuser=u\nkey_file=/k.pem\nlockstep_endpoint=http://127.0.0.1:1\n");
  const auto fresh = temp.path() / "dir" / "config";
  ASSERT_TRUE(writeProfile(fresh, kValues).has_value());
  EXPECT_EQ(*readFile(fresh), "[REHEARSAL]\nuser=u\nkey_file=/k.pem\nlockstep_endpoint=http://127.0.0.1:1\n");
}

TEST(ProfileWriter, SaysWhenTheNamePointedElsewhere) {
  TempDir temp;
  const auto file = temp.path() / "config";
  std::ofstream(file) << "[REHEARSAL]\nuser=x\nendpoint=https://somewhere.example\n";
  const auto change = writeProfile(file, kValues);
  ASSERT_TRUE(change.has_value());
  EXPECT_EQ(change->replacedEndpoint, "https://somewhere.example");
  EXPECT_EQ(writeProfile(file, kValues)->replacedEndpoint, "");
}

TEST(ProfileWriter, MendsWhatEarlierVersionsWroteOfItsOwnKeyOnly) {
  TempDir temp;
  const auto file = temp.path() / "config";
  const std::string old = "[A]\nendpoint=oraclecloud.com\n[REHEARSAL]\nkey_file=/k.pem\nendpoint = ";
  const std::string rest = "https://127.0.0.1:9\n[B]\nendpoint=x\n";
  std::ofstream(file) << old << rest;
  ASSERT_TRUE(repairProfile(file, "/other.pem").has_value());
  EXPECT_EQ(*readFile(file), old + rest);
  ASSERT_TRUE(repairProfile(file, "/k.pem").has_value());
  const std::string fixed =
      "[A]\nendpoint=oraclecloud.com\n[REHEARSAL]\nkey_file=/k.pem\nlockstep_endpoint = " + rest;
  EXPECT_EQ(*readFile(file), fixed);
  ASSERT_TRUE(repairProfile(file, "/k.pem").has_value());
  EXPECT_EQ(*readFile(file), fixed);
}

TEST(ProfileWriter, RemovesTheSectionOfItsOwnKeyOnly) {
  TempDir temp;
  const auto file = temp.path() / "config";
  std::ofstream(file) << "[A]\nx=1\n[REHEARSAL]\nkey_file=/k.pem\n[B]\ny=2\n";
  ASSERT_TRUE(removeProfile(file, "/other.pem").has_value());
  EXPECT_NE(readFile(file)->find("REHEARSAL"), std::string::npos);
  ASSERT_TRUE(removeProfile(file, "/k.pem").has_value());
  EXPECT_EQ(*readFile(file), "[A]\nx=1\n[B]\ny=2\n");
}

TEST(Tokens, AreReadUntilTheyExpireAndNotWhenChanged) {
  const TokenIssuer issuer(*makeTokenKey());
  const TimePoint now{std::chrono::seconds(1'000'000)};
  const auto token = issuer.issue({{"sub", "run"}, {"exp", 1'000'100}});
  ASSERT_TRUE(token.has_value());
  ASSERT_TRUE(issuer.read(*token, now).has_value());
  EXPECT_EQ((*issuer.read(*token, now))["sub"], "run");
  EXPECT_FALSE(issuer.read(*token, now + std::chrono::seconds(100)).has_value());
  EXPECT_FALSE(TokenIssuer(*makeTokenKey()).read(*token, now).has_value());
  const std::size_t dot = token->find('.');
  const std::string forged = token->substr(0, dot + 1) + toBase64Url(R"({"sub":"other","exp":1000100})") +
                             token->substr(token->rfind('.'));
  EXPECT_FALSE(issuer.read(forged, now).has_value());
  EXPECT_FALSE(issuer.read("", now).has_value());
}

}  // namespace
}  // namespace lockstep::rehearsal
