// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/config_file.h"

#include <gtest/gtest.h>

namespace lockstep::oci {
namespace {

using Values = std::map<std::string, std::string>;

Result<Values> read(const std::string& text, const std::string& profile) {
  auto file = ConfigFile::parse(text, "/c/config");
  if (!file) return failure(file.error());
  return file->profile(profile);
}

TEST(ConfigFile, ReadsWhatTheOciToolsRead) {
  struct Case {
    const char* why;
    std::string text;
    Values expected;  // of the profile "P"
  };
  const Case cases[] = {
      {"plain", "[P]\nuser=u\nregion=r\n", {{"user", "u"}, {"region", "r"}}},
      {"no final line end", "[P]\nuser=u", {{"user", "u"}}},
      {"blanks", "  [ P ]  \n  user  =  u v  \n\tregion=\tr\n", {{"user", "u v"}, {"region", "r"}}},
      {"CRLF", "[P]\r\nuser=u\r\nregion=r\r\n", {{"user", "u"}, {"region", "r"}}},
      {"byte order mark", "\xEF\xBB\xBF[P]\nuser=u\n", {{"user", "u"}}},
      {"comments", "# a\n;b\n[P]\n# user=x\n  ; user=y\nuser=u\n", {{"user", "u"}}},
      {"no comment inside a value", "[P]\npass_phrase=a#b;c\n", {{"pass_phrase", "a#b;c"}}},
      {"'=' in a value", "[P]\npass_phrase=a=b==\n", {{"pass_phrase", "a=b=="}}},
      {"empty value", "[P]\nuser=\n", {{"user", ""}}},
      {"inherits from DEFAULT",
       "[DEFAULT]\nuser=d\nregion=dr\n[P]\nuser=u\n",
       {{"user", "u"}, {"region", "dr"}}},
      {"DEFAULT may come later", "[P]\nuser=u\n[DEFAULT]\nregion=dr\n", {{"user", "u"}, {"region", "dr"}}},
      {"other profiles do not matter", "[O]\nuser=o\nx=y\n[P]\nuser=u\n", {{"user", "u"}}},
      {"keys keep their case", "[P]\nUser=a\nuser=b\n", {{"User", "a"}, {"user", "b"}}},
  };
  for (const auto& c : cases) {
    const auto values = read(c.text, "P");
    ASSERT_TRUE(values) << c.why << ": " << describe(values.error());
    EXPECT_EQ(*values, c.expected) << c.why;
  }
}

TEST(ConfigFile, SaysWhatIsWrongAndWhere) {
  const std::tuple<const char*, const char*, const char*> cases[] = {
      {"[P]\nuser\n", "/c/config:2", "neither"},
      {"user=u\n[P]\n", "/c/config:1", "before the first profile"},
      {"[P]\n\n[P]\n", "/c/config:3", "twice; the first is in line 1"},
      {"[P]\nuser=a\nuser=b\n", "/c/config:3", "'user' is there twice in the profile 'P'"},
      {"[P\nuser=a\n", "/c/config:1", "']'"},
  };
  for (const auto& [text, where, reason] : cases) {
    const auto values = read(text, "P");
    ASSERT_FALSE(values) << text;
    EXPECT_EQ(values.error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(values.error().where, where);
    EXPECT_NE(values.error().cause.find(reason), std::string::npos) << describe(values.error());
    EXPECT_FALSE(values.error().remedy.empty());
  }
}

TEST(ConfigFile, AMissingProfileListsThoseThereAre) {
  const auto values = read("[DEFAULT]\na=b\n[REHEARSAL]\na=b\n", "prod");
  ASSERT_FALSE(values);
  EXPECT_EQ(values.error().code, ErrorCode::NotFound);
  const std::string text = describe(values.error());
  for (const char* part : {"'prod'", "/c/config", "DEFAULT, REHEARSAL", "--profile"}) {
    EXPECT_NE(text.find(part), std::string::npos) << text;
  }
  EXPECT_NE(describe(read("# nothing\n", "P").error()).find("no profile at all"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::oci
