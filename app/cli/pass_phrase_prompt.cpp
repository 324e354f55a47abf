// SPDX-License-Identifier: GPL-3.0-or-later
#include "pass_phrase_prompt.h"

#include <fmt/format.h>
#include <termios.h>
#include <unistd.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <string>

namespace lockstep::cli {
namespace {

constexpr char kEndOfText = 0x03;          // Ctrl-C
constexpr char kEndOfTransmission = 0x04;  // Ctrl-D
constexpr char kBackspace = 0x08;
constexpr char kDelete = 0x7f;
constexpr char kKill = 0x15;  // Ctrl-U

/// The terminal, key by key and silent. Keys do not become signals either: one that ended the program here
/// would leave the terminal silent.
class SilentTerminal {
 public:
  SilentTerminal() {
    if (::tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios silent = before_;
    silent.c_lflag &= ~static_cast<tcflag_t>(ECHO | ICANON | ISIG);
    silent.c_cc[VMIN] = 1;
    silent.c_cc[VTIME] = 0;
    isSilent_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &silent) == 0;
  }
  SilentTerminal(const SilentTerminal&) = delete;
  SilentTerminal& operator=(const SilentTerminal&) = delete;
  ~SilentTerminal() {
    if (isSilent_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }
  [[nodiscard]] bool isSilent() const { return isSilent_; }

 private:
  termios before_{};
  bool isSilent_ = false;
};

void eraseLast(std::string& text) {
  // A character of UTF-8 ends where its continuation bytes begin.
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0U) == 0x80U) text.pop_back();
  if (!text.empty()) text.pop_back();
}

// False: the person gave up.
bool readLine(std::string& text) {
  char key = 0;
  while (::read(STDIN_FILENO, &key, 1) == 1) {
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
  Result<Secret> ask(const oci::PassPhraseQuestion& question) override {
    const std::lock_guard lock(mutex_);
    const auto known = known_.find(question.keyFile);
    if (known != known_.end() && question.attempt == 1) return known->second;
    if (::isatty(STDIN_FILENO) != 1) {
      return failure(StatusCode::FailedPrecondition, "no pass phrase", "stdin is no terminal to ask on",
                     "set OCI_CLI_PASSPHRASE, or add pass_phrase to the profile");
    }
    if (question.attempt > 1) fmt::print(stderr, "That does not open it.\n");
    fmt::print(stderr, "Pass phrase of {}: ", question.keyFile);
    std::string text;
    text.reserve(256);  // so that growing leaves no copy behind
    const SilentTerminal terminal;
    const bool isGiven = terminal.isSilent() && readLine(text);
    fmt::print(stderr, "\n");
    Secret phrase(std::move(text));
    if (!isGiven) return failure(StatusCode::Cancelled, "no pass phrase", "none was entered");
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
  std::mutex mutex_;
  std::map<std::string, Secret> known_;
};

}  // namespace

std::shared_ptr<oci::PassPhraseSource> makePassPhrasePrompt() {
  return std::make_shared<Prompt>();
}

}  // namespace lockstep::cli
