// SPDX-License-Identifier: GPL-3.0-or-later
#include "pass_phrase_prompt.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include <array>
#include <future>
#include <stdexcept>
#include <thread>

#include "base/atomic_file.h"
#include "temp_dir.h"

namespace lockstep::cli {
namespace {

bool isSilent(int terminal) {
  termios mode{};
  return ::tcgetattr(terminal, &mode) == 0 && (mode.c_lflag & ECHO) == 0;
}

/// A terminal of our own, with a prompt that asks on it.
class Screen {
 public:
  Screen() {
    std::array<char, 256> name{};
    if (::openpty(&master_, &slave_, name.data(), nullptr, nullptr) != 0)
      throw std::runtime_error("no terminal");
    prompt_ = makePassPhrasePrompt(name.data());
  }
  Screen(const Screen&) = delete;
  Screen& operator=(const Screen&) = delete;
  ~Screen() {
    ::close(slave_);
    ::close(master_);
  }
  [[nodiscard]] oci::PassPhraseSource& prompt() const { return *prompt_; }

  /// What the prompt makes of the keys typed on the terminal.
  Result<Secret> typed(const std::string& keys, int attempt = 1, const std::string& keyFile = "/k.pem") {
    auto asked = std::async(std::launch::async, [&] { return prompt_->ask({keyFile, "P", attempt}); });
    // What is typed before the terminal is silent would be thrown away.
    while (!isSilent(slave_) && asked.wait_for(std::chrono::milliseconds(5)) != std::future_status::ready) {
    }
    (void)!::write(master_, keys.data(), keys.size());
    auto answer = asked.get();
    EXPECT_FALSE(isSilent(slave_)) << "the terminal is left as it was";
    return answer;
  }

  /// What the terminal showed so far.
  std::string shown() {
    std::string text(1024, '\0');
    pollfd there{master_, POLLIN, 0};
    const ssize_t n = ::poll(&there, 1, 0) == 1 ? ::read(master_, text.data(), text.size()) : 0;
    text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
    return text;
  }

 private:
  int master_ = -1;
  int slave_ = -1;
  std::shared_ptr<oci::PassPhraseSource> prompt_;
};

TEST(PassPhrasePrompt, ReadsALineWithoutShowingIt) {
  Screen screen;
  const auto answer = screen.typed("wrongx\x15pa\xc3\xa9\x7fss phrase\n");
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_EQ(answer->reveal(), "pass phrase") << "Ctrl-U and a deleted character of two bytes";
  const std::string shown = screen.shown();
  EXPECT_NE(shown.find("Pass phrase of /k.pem: "), std::string::npos) << shown;
  EXPECT_EQ(shown.find("phrase\n"), std::string::npos) << shown;
}

TEST(PassPhrasePrompt, RemembersOnlyWhatOpenedTheKey) {
  Screen screen;
  screen.prompt().answered({"/k.pem", "P", 1}, Secret("right"), true);
  EXPECT_EQ(screen.typed("other\n")->reveal(), "right") << "nobody is asked again";
  Screen second;
  second.prompt().answered({"/k.pem", "P", 1}, Secret("right"), true);
  EXPECT_EQ(second.typed("other\n", 2)->reveal(), "other") << "unless it does not open it";
  second.prompt().answered({"/k.pem", "P", 2}, Secret("other"), false);
  EXPECT_EQ(second.typed("third\n")->reveal(), "third");
}

TEST(PassPhrasePrompt, ControlCIsNo) {
  Screen screen;
  EXPECT_EQ(screen.typed("half\x03").error().code, ErrorCode::Cancelled);
}

TEST(PassPhrasePrompt, ANameOfAFileCannotSteerTheTerminal) {
  Screen screen;
  ASSERT_TRUE(screen.typed("x\n", 1, "/k\033]0;owned\007\r.pem"));
  EXPECT_NE(screen.shown().find("Pass phrase of /k␛]0;owned␇␍.pem: "), std::string::npos);
}

/// A process that is led by a terminal of its own while its stdin is a file, as with "lockstep run - <
/// train.yaml".
struct WithFileAsStdin {
  int master = -1;
  int answer = -1;  // what it read: the pass phrase, "|", and what is left in stdin
  pid_t pid = -1;
};

void askThere(int answer, const char* file) {
  ::dup2(::open(file, O_RDONLY), STDIN_FILENO);
  const auto phrase = makePassPhrasePrompt()->ask({"/k.pem", "P", 1});
  std::string said = phrase ? std::string(phrase->reveal()) : describe(phrase.error());
  std::array<char, 64> rest{};
  const ssize_t n = ::read(STDIN_FILENO, rest.data(), rest.size());
  said += "|" + std::string(rest.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  (void)!::write(answer, said.data(), said.size());
}

WithFileAsStdin startThere(const char* file) {
  WithFileAsStdin started;
  std::array<int, 2> pipe{};
  if (::pipe(pipe.data()) != 0) return started;
  started.pid = ::forkpty(&started.master, nullptr, nullptr, nullptr);
  if (started.pid == 0) {
    askThere(pipe[1], file);
    ::_exit(0);
  }
  ::close(pipe[1]);
  started.answer = pipe[0];
  return started;
}

TEST(PassPhrasePrompt, AsksOnTheTerminalWhileAFileComesFromStdin) {
  const TempDir dir;
  const std::string file = (dir.path() / "train.yaml").string();
  ASSERT_TRUE(writeFileAtomically(file, "kind: distributed"));
  const WithFileAsStdin started = startThere(file.c_str());
  ASSERT_GT(started.pid, 0);
  std::string shown;
  std::array<char, 256> bytes{};
  while (shown.find("Pass phrase of /k.pem: ") == std::string::npos) {
    const ssize_t n = ::read(started.master, bytes.data(), bytes.size());
    if (n <= 0) break;
    shown.append(bytes.data(), static_cast<std::size_t>(n));
  }
  while (!isSilent(started.master)) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  (void)!::write(started.master, "secret\n", 7);
  std::string said;
  for (ssize_t n; (n = ::read(started.answer, bytes.data(), bytes.size())) > 0;)
    said.append(bytes.data(), static_cast<std::size_t>(n));
  EXPECT_EQ(said, "secret|kind: distributed");
  ::waitpid(started.pid, nullptr, 0);
  ::close(started.answer);
  ::close(started.master);
}

TEST(PassPhrasePrompt, RefusesWithoutATerminal) {
  const auto answer = makePassPhrasePrompt("/dev/null")->ask({"/k.pem", "P", 1});
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, ErrorCode::FailedPrecondition);
  EXPECT_NE(answer.error().remedy.find("OCI_CLI_PASSPHRASE"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::cli
