// SPDX-License-Identifier: GPL-3.0-or-later
// Each quoting function against the program that has to read it.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "base/text/quote.h"
#include "tests/core/export/hostile_values.h"
#include "tests/core/export/python_yaml.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/temp_dir.h"
#include "yaml/yaml_text.h"

namespace lockstep {
namespace {

std::vector<std::string> allValues() {
  std::vector<std::string> values = hostileValues();
  const std::vector<std::string> drawn = drawnValues(2000, 20261120);
  values.insert(values.end(), drawn.begin(), drawn.end());
  return values;
}

std::vector<std::string> splitAtNul(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\0', begin);
    parts.push_back(text.substr(begin, end - begin));
    if (end == std::string::npos) break;
    begin = end + 1;
  }
  return parts;
}

TEST(Quoting, AShellGetsEveryWordAsItWas) {
  const std::vector<std::string> values = allValues();
  for (const char* shell : {"bash", "dash"}) {
    if (!hasProgram(shell)) continue;
    const TempDir folder;
    std::string script;
    for (const std::string& value : values) script += "printf '%s\\0' " + quoteShell(value) + "\n";
    const auto path = folder.path() / "words.sh";
    ASSERT_TRUE(writeFileAtomically(path, script));
    const Said said = run(fmt::format("{} {}", shell, path.string()));
    EXPECT_EQ(said.code, 0);
    EXPECT_EQ(splitAtNul(said.text), values) << shell;
  }
}

TEST(Quoting, AShellVariableGetsItToo) {
  const TempDir folder;
  std::string script;
  const std::vector<std::string> values = hostileValues();
  for (const std::string& value : values) script += "V=" + quoteShell(value) + "\nprintf '%s\\0' \"$V\"\n";
  ASSERT_TRUE(writeFileAtomically(folder.path() / "v.sh", script));
  EXPECT_EQ(splitAtNul(run("bash " + (folder.path() / "v.sh").string()).text), values);
}

TEST(Quoting, AYamlReaderGetsEveryTextAsItWas) {
  if (!hasPythonYaml()) GTEST_SKIP() << "python3-yaml is not installed";
  nlohmann::ordered_json tree = {
      {"number", 3}, {"yes", true}, {"none", nullptr}, {"empty", nlohmann::ordered_json::object()}};
  for (const std::string& value : allValues()) {
    tree["list"].push_back(value);
    tree["map"].push_back({{"name", value}, {"inner", {{"deep", value}, {"list", {value, value}}}}});
  }
  for (const std::string& value : hostileValues()) tree["keys"][value] = value;
  const TempDir folder;
  const auto path = folder.path() / "all.yaml";
  ASSERT_TRUE(writeFileAtomically(path, yamlText(tree).value()));
  EXPECT_EQ(readWithPython(path), nlohmann::json(tree));
}

TEST(Quoting, YamlTwelveDoesNotTurnAWordIntoAnythingElse) {
  // Words that YAML 1.1 and 1.2 readers disagree about stand in quotes.
  for (const char* word :
       {"y",     "n",     "yes", "no",   "on",   "off", "true",       "null", "0o17", "1e3", "1E3", "010",
        "1_000", "12:30", "1.5", ".inf", ".nan", "~",   "2024-01-31", "0x1F", "+1",   "-1",  "<<",  "="}) {
    const std::string text = yamlText(nlohmann::ordered_json(word)).value();
    EXPECT_TRUE(text[0] == '\'' || text[0] == '"') << text;
  }
  EXPECT_EQ(yamlText(nlohmann::ordered_json("iad.ocir.io/team/net:1")).value(), "iad.ocir.io/team/net:1\n");
}

TEST(Quoting, EveryDollarIsDoubledAndNothingElse) {
  EXPECT_EQ(quoteDollars("a$b$$c${d}$(e)$"), "a$$b$$$$c$${d}$$(e)$$");
  EXPECT_EQ(quoteDollars("no dollar 'at' \"all\""), "no dollar 'at' \"all\"");
}

TEST(Quoting, ASlurmDirectiveIsOneWordOnOneLine) {
  EXPECT_EQ(quoteSlurm("plain"), "\"plain\"");
  EXPECT_EQ(quoteSlurm("a \"b\" \\ c"), "\"a \\\"b\\\" \\\\ c\"");
  EXPECT_EQ(quoteSlurm("two\nlines\r\t#SBATCH"), "\"two lines  #SBATCH\"");
  for (const std::string& value : allValues()) {
    const std::string quoted = quoteSlurm(value);
    EXPECT_EQ(quoted.find_first_of("\n\r"), std::string::npos);
    // Slurm reads a directive's value as a shell reads "…" without expansions: quotes and backslashes only.
    std::string back;
    for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
      if (quoted[i] == '\\') ++i;
      back += quoted[i];
    }
    std::string expected;
    for (const char c : value) expected += static_cast<unsigned char>(c) < 0x20U ? ' ' : c;
    EXPECT_EQ(back, expected);
  }
}

}  // namespace
}  // namespace lockstep
