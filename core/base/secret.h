// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace lockstep {

/// A text that must not reach a log, a file, argv or a message: it has no stream operator, no formatter and no JSON
/// conversion. It lives in a buffer of its own, never inside the object, so that a move hands the one copy over and a
/// destructor wipes it; a copy has a buffer of its own. Use reveal() only where the secret is consumed: the view is valid
/// as long as the object is neither changed nor moved from.
class Secret {
 public:
  Secret() = default;
  /// Copies `text`; the caller's own text stays as it is. A temporary std::string is wiped, see below.
  explicit Secret(std::string_view text);
  explicit Secret(const char* text) : Secret(std::string_view(text)) {}
  explicit Secret(const std::string& text) : Secret(std::string_view(text)) {}
  /// Takes over `text`: what it held is wiped, so that no second copy stays behind.
  explicit Secret(std::string&& text);
  Secret(const Secret& other) : Secret(other.reveal()) {}
  Secret(Secret&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
  Secret& operator=(Secret other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Secret() { wipe(); }

  [[nodiscard]] std::string_view reveal() const { return {data_, size_}; }
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  void wipe() noexcept;
  char* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Overwrites what `text` holds, also in its own small buffer, and empties it.
void wipe(std::string& text) noexcept;

/// Keeps the secrets of this process (and the private keys that OpenSSL opens) in memory that is left out of core dumps
/// and, where the system allows it, never swapped. Call it once, first thing in main; for programs with a handful of keys:
/// the memory is 1 MiB, and OpenSSL fails to make keys once it is used up.
void keepSecretsOutOfDumps();

}  // namespace lockstep
