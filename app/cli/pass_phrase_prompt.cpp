// SPDX-License-Identifier: GPL-3.0-or-later
#include "pass_phrase_prompt.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <map>
#include <mutex>
#include <string>

#include "base/text/terminal_text.h"

namespace lockstep::cli {
namespace {

constexpr char kEndOfText = 0x03;          // Ctrl-C
constexpr char kEndOfTransmission = 0x04;  // Ctrl-D
constexpr char kBackspace = 0x08;
constexpr char kDelete = 0x7f;
constexpr char kKill = 0x15;  // Ctrl-U

/// The terminal at `path`; where there is none, stdin if that is one.
class Terminal {
 public:
  explicit Terminal(const std::filesystem::path& path)
      : own_(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOCTTY)), fd_(own_ >= 0 ? own_ : STDIN_FILENO) {}
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;
  ~Terminal() {
    if (own_ >= 0) ::close(own_);
  }
  [[nodiscard]] bool isOne() const { return ::isatty(fd_) == 1; }
  [[nodiscard]] int fd() const { return fd_; }

  void show(const std::string& text) const {
    const std::string shown = forTerminal(text);
    [[maybe_unused]] const ssize_t n = ::write(own_ >= 0 ? own_ : STDERR_FILENO, shown.data(), shown.size());
  }

 private:
  int own_;
  int fd_;
};

/// The terminal, key by key and silent. Keys do not become signals either: one that ended the program here
/// would leave the terminal silent.
class SilentTerminal {
 public:
  explicit SilentTerminal(int fd) : fd_(fd) {
    if (::tcgetattr(fd_, &before_) != 0) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG);
    silent.c_cc[VMIN] = 1;
    silent.c_cc[VTIME] = 0;
    isSilent_ = ::tcsetattr(fd_, TCSAFLUSH, &silent) == 0;
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;
  ~SilentTerminal() {
    if (isSilent_) ::tcsetattr(fd_, TCSAFLUSH, &before_);
  }
  [[nodiscard]] bool isSilent() const { return isSilent_; }

 private:
  int fd_;
  termios before_{};
  bool isSilent_ = false;
};

void eraseLast(std::string& text) {
  // A character of UTF-8 ends where its continuation bytes begin.
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
  if (!text.empty()) text.pop_back();
}

// False: the person gave up.
bool readLine(int fd, std::string& text) {
  char key = 0;
  while (::read(fd, &key, 1) == 1) {
    if (key == '\n' || key == '\r') return true;
    if (key == kEndOfText || (key == kEndOfTransmission && text.empty())) return false;
    if (key == kDelete || key == kBackspace)
      eraseLast(text);
    else if (key == kKill)
      text.clear();
    else
      text += key;
  }
  return false;
}

class Prompt final : public oci::PassPhraseSource {
 public:
  explicit Prompt(std::filesystem::path terminal) : path_(std::move(terminal)) {}

  Result<Secret> ask(const oci::PassPhraseQuestion& question) override {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(question.keyFile);
    if (known != known_.end() && question.attempt == 1) return known->second;
    const Terminal terminal(path_);
    if (!terminal.isOne()) {
      return failure(ErrorCode::FailedPrecondition, "no pass phrase", "there is no terminal to ask on",
                     "set OCI_CLI_PASSPHRASE, or add pass_phrase to the profile");
    }
    if (question.attempt > 1) terminal.show("That does not open it.\n");
    terminal.show(fmt::format("Pass phrase of {}: ", onOneLine(question.keyFile)));
    std::string text;
    text.reserve(256);  // so that growing leaves no copy behind
    const SilentTerminal silent(terminal.fd());
    const bool isGiven = silent.isSilent() && readLine(terminal.fd(), text);
    terminal.show("\n");
    Secret phrase(std::move(text));
    if (!isGiven) return failure(ErrorCode::Cancelled, "no pass phrase", "none was entered");
    return phrase;
  }

  void answered(const oci::PassPhraseQuestion& question, const Secret& passPhrase, bool opened) override {
    const std::lock_guard lock(mutex_);
    if (opened)
      known_[question.keyFile] = passPhrase;
    else
      known_.erase(question.keyFile);
  }

 private:
  std::filesystem::path path_;
  std::mutex mutex_;
  std::map<std::string, Secret> known_;
};

}  // namespace

std::shared_ptr<oci::PassPhraseSource> makePassPhrasePrompt(const std::filesystem::path& terminal) {
  return std::make_shared<Prompt>(terminal);
}

}  // namespace lockstep::cli
