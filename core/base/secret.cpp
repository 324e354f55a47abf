// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/secret.h"

#include <openssl/crypto.h>

#include <cstring>
#include <new>

namespace lockstep {
namespace {

constexpr std::size_t kArenaBytes = 1 << 20;
constexpr std::size_t kSmallestBlock = 32;

char* allocate(std::size_t size) {
  void* memory = CRYPTO_secure_malloc_initialized() != 0 ? OPENSSL_secure_malloc(size) : nullptr;
  if (memory == nullptr) memory = OPENSSL_malloc(size);  // used up, or a program without: wiped all the same
  if (memory == nullptr) throw std::bad_alloc();
  return static_cast<char*>(memory);
}

}  // namespace

Secret::Secret(std::string_view text) {
  if (text.empty()) return;
  data_ = allocate(text.size());
  size_ = text.size();
  std::memcpy(data_, text.data(), size_);
}

Secret::Secret(std::string&& text) : Secret(std::string_view(text)) {
  lockstep::wipe(text);
}

void Secret::wipe() noexcept {
  OPENSSL_secure_clear_free(data_, size_);  // also of memory that is not the secure heap's
  data_ = nullptr;
  size_ = 0;
}

void wipe(std::string& text) noexcept {
  text.resize(text.capacity());  // within its capacity: nothing is allocated, nothing moves
  OPENSSL_cleanse(text.data(), text.size());
  text.clear();
}

void keepSecretsOutOfDumps() {
  CRYPTO_secure_malloc_init(kArenaBytes, kSmallestBlock);
}

}  // namespace lockstep
