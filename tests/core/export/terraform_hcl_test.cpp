// SPDX-License-Identifier: GPL-3.0-or-later
// What quoteHcl writes, and that Terraform reads it back unchanged.
#include "export/hcl.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <random>

#include "base/atomic_file.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

TEST(QuoteHcl, EscapesWhatHclWouldRead) {
  EXPECT_EQ(quoteHcl(""), R"("")");
  EXPECT_EQ(quoteHcl("a b"), R"("a b")");
  EXPECT_EQ(quoteHcl("\"\\"), R"("\"\\")");
  EXPECT_EQ(quoteHcl("a\nb\r\tc"), R"("a\nb\r\tc")");
  EXPECT_EQ(quoteHcl("${x} %{y}"), R"("$${x} %%{y}")");
  EXPECT_EQ(quoteHcl("$$${x} $ % $x {}"), R"("$$$${x} $ % $x {}")");
  EXPECT_EQ(quoteHcl(std::string("\0\x01\x7F", 3)), R"("\u0000\u0001\u007f")");
  EXPECT_EQ(quoteHcl("Größe 训练 🚀"), "\"Größe 训练 🚀\"");
}

TEST(QuoteHcl, ReplacesBytesThatAreNoUnicode) {
  EXPECT_EQ(quoteHcl("a\xFFz"), "\"a\xEF\xBF\xBDz\"");
  EXPECT_EQ(quoteHcl("\xC0\xAF"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");                  // overlong
  EXPECT_EQ(quoteHcl("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");  // surrogate
  EXPECT_EQ(quoteHcl("\xE8\xAE"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");                  // cut off
}

TEST(QuoteHcl, WritesLists) {
  EXPECT_EQ(quoteHcl(std::vector<std::string>{}), "[]");
  EXPECT_EQ(quoteHcl(std::vector<std::string>{"a", "${b}"}), R"(["a", "$${b}"])");
}

/// Texts of characters that mean something to HCL, and of others.
std::vector<std::string> hostileTexts() {
  std::vector<std::string> texts{"",
                                 " ",
                                 "it's \"x\"",
                                 "${path.module}",
                                 "$${a}",
                                 "$$${a}",
                                 "%{ if true }x%{ endif }",
                                 "<<EOT\nEOT\n",
                                 "a\\nb",
                                 "\\",
                                 "\\\\\"",
                                 "${",
                                 "$",
                                 "#c",
                                 "//c",
                                 "/*c*/",
                                 "`id`$(id)",
                                 "one\ntwo\r\n\ttab",
                                 "Größe 训练 🚀",
                                 std::string("nul\0nul", 7),
                                 "\x1B[31m\x7F"};
  const std::vector<std::string> parts{"$", "{", "}", "%", "\"", "\\", "\n", "x", "é", "u0041", " ", "'"};
  std::mt19937 random(7);
  for (int i = 0; i < 400; ++i) {
    std::string text;
    for (unsigned n = random() % 12; n > 0; --n) text += parts[random() % parts.size()];
    texts.push_back(text);
  }
  return texts;
}

TEST(QuoteHcl, TerraformReadsEveryTextBackUnchanged) {
  if (!hasProgram("terraform")) GTEST_SKIP() << "terraform is not installed";
  const std::vector<std::string> texts = hostileTexts();
  std::string module = "output \"all\" {\n  value = [\n";
  for (const std::string& text : texts) module += "    " + quoteHcl(text) + ",\n";
  module += "  ]\n}\n\noutput \"listed\" {\n  value = " + quoteHcl(texts) + "\n}\n";
  const TempDir folder;
  ASSERT_TRUE(writeFileAtomically(folder.path() / "main.tf", module));
  const std::string home =
      "export HOME=" + quoteShell(folder.path().string()) + "; cd \"$HOME\"; unset TF_CLI_CONFIG_FILE; ";
  Said said = run(home + "terraform fmt -check -diff -no-color");
  EXPECT_EQ(said.code, 0) << said.text;
  said = run(home +
             "terraform apply -auto-approve -no-color >apply.log && terraform output -json >out.json; cat "
             "apply.log");
  ASSERT_EQ(said.code, 0) << said.text;
  const auto json = nlohmann::json::parse(readFile(folder.path() / "out.json").value_or(""), nullptr, false);
  ASSERT_TRUE(json.is_object()) << said.text;
  for (const char* output : {"all", "listed"}) {
    const auto back = json[output]["value"].get<std::vector<std::string>>();
    ASSERT_EQ(back.size(), texts.size());
    for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(back[i], texts[i]) << quoteHcl(texts[i]);
  }
}

}  // namespace
}  // namespace lockstep
