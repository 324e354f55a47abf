// SPDX-License-Identifier: GPL-3.0-or-later
// A real job that prints what steers terminals, followed with the real command line.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <regex>

#include "base/text/encoding.h"
#include "cli_process.h"

using namespace lockstep;
using namespace std::chrono_literals;

namespace {

// Window title, clipboard, clear screen, over the line above, C1 as UTF-8 and as a byte, overwritten line,
// hidden and colored text, right to left.
const std::string kHostile =
    "title\033]0;owned\007\n"
    "clipboard\033]52;c;cm0gLXJmIH4=\007\n"
    "clear\033[2J\033[H\n"
    "above\033[1A\033[2Krun hostile Succeeded\n"
    "c1\u009b2J\x9b"
    "2J\n"
    "run hostile Succeeded\b\b\n"
    "color\033[31mred\033[8mhidden\n"
    "bidi\u202Etxt.exe\n";

std::string trainYaml() {
  return R"(kind: job
apiVersion: v1.0
spec:
  name: hostile
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaa
      compartmentId: ocid1.compartment.oc1..aaaa
      displayName: hostile
      logGroupId: ocid1.loggroup.oc1.iad.aaaa
      logId: ocid1.log.oc1.iad.aaaa
      subnetId: ocid1.subnet.oc1.iad.aaaa
      shapeName: VM.Standard.E4.Flex
      shapeConfigDetails: {ocpus: 1, memoryInGBs: 16}
      blockStorageSize: 50
  runtime:
    kind: runtime
    type: container
    spec:
      image: iad.ocir.io/mytenancy/hostile:1
      entrypoint: [bash, -c]
      cmd: ["echo )" +
         toBase64(kHostile) + " | base64 -d; exit 3\"]\n";
}

void expectHarmless(const std::string& text, bool isTerminal, const char* what) {
  static const std::regex kColor("\033\\[[0-9;]*m");
  const std::string rest = isTerminal ? std::regex_replace(text, kColor, "") : text;
  for (const char c : rest) {
    const auto byte = static_cast<unsigned char>(c);
    EXPECT_TRUE(byte >= 0x20 || c == '\n' || c == '\t' || (isTerminal && c == '\r'))
        << what << ": byte " << int{byte} << " in " << text;
    if (byte < 0x20 && c != '\n' && c != '\t' && c != '\r') return;
  }
  EXPECT_EQ(text.find('\177'), std::string::npos) << what;
  EXPECT_TRUE(isUtf8(rest)) << what;
  EXPECT_EQ(text.find("\u009b"), std::string::npos) << what;
  EXPECT_EQ(text.find("\u202E"), std::string::npos) << what;
}

struct HostileRun : testing::Test {
  CliHome home;
  ~HostileRun() override { home.run({"rehearsal", "stop"}); }

  /// What a terminal gets of the command.
  std::string onATerminal(const std::vector<std::string>& arguments) {
    int master = -1;
    const pid_t pid = ::forkpty(&master, nullptr, nullptr, nullptr);
    if (pid == 0) {
      std::vector<std::string> words{LOCKSTEP_BIN_DIR "/lockstep"}, variables;
      words.insert(words.end(), arguments.begin(), arguments.end());
      for (const auto& [name, value] : home.environment()) variables.push_back(name + "=" + value);
      std::vector<char*> argv, environment;
      for (std::string& word : words) argv.push_back(word.data());
      for (std::string& variable : variables) environment.push_back(variable.data());
      argv.push_back(nullptr);
      environment.push_back(nullptr);
      ::execve(argv[0], argv.data(), environment.data());
      ::_exit(127);
    }
    std::string shown;
    std::array<char, 4096> bytes{};
    for (ssize_t n; (n = ::read(master, bytes.data(), bytes.size())) > 0;)
      shown.append(bytes.data(), static_cast<std::size_t>(n));
    ::waitpid(pid, nullptr, 0);
    ::close(master);
    return shown;
  }
};

TEST_F(HostileRun, WhatAJobPrintsSteersNoTerminal) {
  home.write("train.yaml", trainYaml());
  const CliExit run = home.start({"run", "--on", "rehearsal", "train.yaml"}).wait(180s);
  EXPECT_EQ(run.code(), 1) << run.err << run.out;
  expectHarmless(run.out, false, "run, stdout");
  expectHarmless(run.err, false, "run, stderr");
  for (const char* shown : {"title␛]0;owned␇", "clipboard␛]52;c;cm0gLXJmIH4=␇", "clear␛[2J␛[H",
                            "above␛[1A␛[2Krun hostile Succeeded", "c1\\x9B2J", "run hostile Succeeded␈␈",
                            "colorredhidden", "bidi\\u202Etxt.exe"})
    EXPECT_NE(run.out.find(shown), std::string::npos) << shown << "\n" << run.out;

  const std::vector<std::string> watch{"watch", "last", "--no-follow"};
  const std::string terminal = onATerminal(watch);
  expectHarmless(terminal, true, "a terminal");
  EXPECT_NE(terminal.find("color\033[31mredhidden\033[0m"), std::string::npos) << terminal;
  const CliExit json = home.run({"watch", "last", "--no-follow", "--json"});
  expectHarmless(json.out, false, "JSON");
  bool isWhole = false;
  for (const auto& line : json.jsonLines())
    isWhole = isWhole || (line.is_object() && line.value("text", "") == "title\033]0;owned\007");
  EXPECT_TRUE(isWhole) << "JSON keeps the text itself: " << json.out;
  expectHarmless(onATerminal({"status", "last"}), true, "status");
}

}  // namespace
