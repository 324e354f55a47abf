// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/secret_filter.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

namespace lockstep {
namespace {

LogLine lineOf(const std::string& text, const std::string& node = "main") {
  LogLine line;
  line.node = node;
  line.text = text;
  return line;
}

TEST(SecretFilter, LeavesATrainYamlThatCanBeRead) {
  const SecretFilter filter(
      "# mine\nspec:\n  env:\n    - name: API_TOKEN  # keep\n      value: 'tok-123456'\n    - name: EPOCHS\n "
      "     value: "
      "\"10\"\n");
  EXPECT_EQ(filter.trainYaml(),
            "# mine\nspec:\n  env:\n    - name: API_TOKEN  # keep\n      value: '…'\n    - name: EPOCHS\n    "
            "  value: "
            "\"10\"\n");
}

TEST(SecretFilter, LeavesOutWhatIsNoYaml) {
  EXPECT_EQ(SecretFilter("a: [b").trainYaml(), "");
  EXPECT_EQ(SecretFilter("").trainYaml(), "");
}

TEST(SecretFilter, AnAliasOfASecretIsHiddenOrAllIsLeftOut) {
  const std::string yaml =
      SecretFilter("x: &s tok-123456\nenv:\n  - name: API_TOKEN\n    value: *s\n").trainYaml();
  EXPECT_EQ(yaml.find("tok-123456"), std::string::npos) << yaml;
}

TEST(SecretFilter, FindsKnownValuesAnywhere) {
  SecretFilter filter(
      "env:\n  - name: API_TOKEN\n    value: tok-123456\n  - name: PASSWORD\n    value: abc\n", "/home/ann/");
  EXPECT_EQ(filter.line(lineOf("sent tok-123456 twice: tok-123456")), "sent … twice: …");
  EXPECT_EQ(filter.line(lineOf("abc is the alphabet")), "abc is the alphabet")
      << "too short to be told from words";
  EXPECT_EQ(filter.text("in /home/ann/x of ocid1.job.oc1.iad.aaaabbbbccccdddd"),
            "in ~/x of ocid1.job.oc1.iad.aaaa…dddd");
  const auto json = filter.document({{"a", {"tok-123456", 5}}, {"db_password", "x"}, {"n", 1.5}});
  EXPECT_EQ(json, (nlohmann::json{{"a", {"…", 5}}, {"db_password", "…"}, {"n", 1.5}}));
}

TEST(SecretFilter, ALineIsOtherwiseAsItWas) {
  SecretFilter filter("");
  for (const char* text :
       {"epoch 3 step 811 loss 0.4123", "tokens: 4096 per step", "monkey: banana",
        "job ocid1.datasciencejob.oc1.iad.aaaaaaaabbbbcccc", "a8:17:22:de:ad:be:ef:00:11:22",
        "\x1b[31mred\x1b[0m\ttab — ü", "key error: 'x'", ""})
    EXPECT_EQ(filter.line(lineOf(text)), text);
}

TEST(SecretFilter, AKeyThatIsPrintedInLinesIsHiddenAsAWhole) {
  SecretFilter filter("");
  EXPECT_EQ(filter.line(lineOf("-----BEGIN RSA PRIVATE KEY-----")), "(key left out)");
  EXPECT_EQ(filter.line(lineOf("MIIEow")), "…");
  EXPECT_EQ(filter.line(lineOf("another node", "worker_0")), "another node");
  EXPECT_EQ(filter.line(lineOf("-----END RSA PRIVATE KEY-----")), "…");
  EXPECT_EQ(filter.line(lineOf("goes on")), "goes on");
  // One that never ends hides no log.
  (void)filter.line(lineOf("-----BEGIN X-----"));
  int hidden = 0;
  while (hidden < 1000 && filter.line(lineOf("text")) != "text") ++hidden;
  EXPECT_LT(hidden, 300);
}

}  // namespace
}  // namespace lockstep
