// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/crypto.h>

#include <string>

namespace lockstep {

/// A text that must not reach a log, a file, argv or a message: it has no stream operator, no formatter and no JSON
/// conversion, and wipes its memory when it goes. Use reveal() only where the secret is consumed.
class Secret {
 public:
  Secret() = default;
  explicit Secret(std::string text) : text_(std::move(text)) {}
  Secret(const Secret&) = default;
  Secret(Secret&& other) noexcept : text_(std::move(other.text_)) { other.wipe(); }
  Secret& operator=(Secret other) noexcept {
    text_.swap(other.text_);
    return *this;
  }
  ~Secret() { wipe(); }

  [[nodiscard]] const std::string& reveal() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }

 private:
  void wipe() {
    if (!text_.empty()) OPENSSL_cleanse(text_.data(), text_.size());
    text_.clear();
  }
  std::string text_;
};

}  // namespace lockstep
