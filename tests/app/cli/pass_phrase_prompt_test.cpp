// SPDX-License-Identifier: GPL-3.0-or-later
#include "pass_phrase_prompt.h"

#include <gtest/gtest.h>
#include <pty.h>
#include <termios.h>
#include <unistd.h>

#include <future>

namespace lockstep::cli {
namespace {

/// Our stdin is the given descriptor for as long as this lives.
class StdinFrom {
 public:
  explicit StdinFrom(int fd) : before_(::dup(STDIN_FILENO)) { ::dup2(fd, STDIN_FILENO); }
  StdinFrom(const StdinFrom&) = delete;
  StdinFrom& operator=(const StdinFrom&) = delete;
  ~StdinFrom() {
    ::dup2(before_, STDIN_FILENO);
    ::close(before_);
  }

 private:
  int before_;
};

bool isSilent(int terminal) {
  termios mode{};
  return ::tcgetattr(terminal, &mode) == 0 && (mode.c_lflag & ECHO) == 0;
}

/// What the prompt makes of the keys typed on a terminal, and what the terminal showed of them.
std::pair<Result<Secret>, std::string> typed(oci::PassPhraseSource& prompt, const std::string& keys,
                                             int attempt = 1) {
  int master = -1, slave = -1;
  if (::openpty(&master, &slave, nullptr, nullptr, nullptr) != 0)
    return {failure(StatusCode::Io, "no terminal"), ""};
  auto answer = [&] {
    const StdinFrom terminal(slave);
    auto asked = std::async(std::launch::async, [&] { return prompt.ask({"/k.pem", "P", attempt}); });
    // What is typed before the terminal is silent would be thrown away.
    while (!isSilent(slave) && asked.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
    }
    (void)!::write(master, keys.data(), keys.size());
    return asked.get();
  }();
  EXPECT_FALSE(isSilent(slave)) << "the terminal is left as it was";
  ::close(slave);
  std::string shown(256, '\0');
  const ssize_t n = ::read(master, shown.data(), shown.size());
  shown.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  ::close(master);
  return {std::move(answer), shown};
}

TEST(PassPhrasePrompt, ReadsALineWithoutShowingIt) {
  const auto prompt = makePassPhrasePrompt();
  const auto [answer, shown] = typed(*prompt, "wrongx\x15pa\xc3\xa9\x7fss phrase\n");
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->reveal(), "pass phrase") << "Ctrl-U and a deleted character of two bytes";
  EXPECT_EQ(shown.find("phrase"), std::string::npos) << shown;
}

TEST(PassPhrasePrompt, RemembersOnlyWhatOpenedTheKey) {
  const auto prompt = makePassPhrasePrompt();
  prompt->answered({"/k.pem", "P", 1}, Secret("right"), true);
  EXPECT_EQ(typed(*prompt, "other\n").first->reveal(), "right") << "nobody is asked again";
  EXPECT_EQ(typed(*prompt, "other\n", 2).first->reveal(), "other") << "unless it does not open it";
  prompt->answered({"/k.pem", "P", 2}, Secret("other"), false);
  EXPECT_EQ(typed(*prompt, "third\n").first->reveal(), "third");
}

TEST(PassPhrasePrompt, ControlCIsNo) {
  const auto prompt = makePassPhrasePrompt();
  EXPECT_EQ(typed(*prompt, "half\x03").first.error().code, StatusCode::Cancelled);
}

TEST(PassPhrasePrompt, RefusesWithoutATerminal) {
  int pipe[2];
  ASSERT_EQ(::pipe(pipe), 0);
  ASSERT_EQ(::write(pipe[1], "phrase\n", 7), 7);
  const StdinFrom in(pipe[0]);
  const auto answer = makePassPhrasePrompt()->ask({"/k.pem", "P", 1});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, StatusCode::FailedPrecondition);
  EXPECT_NE(answer.error().remedy.find("OCI_CLI_PASSPHRASE"), std::string::npos);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

}  // namespace
}  // namespace lockstep::cli
