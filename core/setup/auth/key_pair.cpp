// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/auth/key_pair.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

#include "base/user_dirs.h"
#include "oci/signing/private_key.h"

namespace lockstep {
namespace {

constexpr unsigned int kBits = 2048;
// The console ends the keys that it makes with this line, and Oracle's command line warns at each call when
// it is missing. Readers of keys stop before it.
constexpr const char* kLabel = "OCI_API_KEY\n";

using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;

// And leaves nothing of it behind.
std::string textOf(BIO* memory) {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(memory, &bytes);
  std::string text(bytes, size > 0 ? static_cast<std::size_t>(size) : 0);
  if (size > 0) OPENSSL_cleanse(bytes, static_cast<std::size_t>(size));
  return text;
}

tl::unexpected<Error> noKey() {
  ERR_clear_error();
  return failure(ErrorCode::Internal, "cannot make a key pair", "OpenSSL refused");
}

}  // namespace

Result<std::string> publicPemOf(EVP_PKEY* key) {
  const Memory memory(BIO_new(BIO_s_mem()), &BIO_free);
  if (memory == nullptr || PEM_write_bio_PUBKEY(memory.get(), key) != 1) return noKey();
  return textOf(memory.get());
}

Result<KeyPair> makeKeyPair() {
  const Key key(EVP_RSA_gen(kBits), &EVP_PKEY_free);
  const Memory memory(BIO_new(BIO_s_mem()), &BIO_free);
  if (key == nullptr || memory == nullptr ||
      PEM_write_bio_PKCS8PrivateKey(memory.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1 ||
      BIO_puts(memory.get(), kLabel) <= 0)
    return noKey();
  auto publicPem = publicPemOf(key.get());
  if (!publicPem) return failure(publicPem.error());
  return KeyPair{Secret(textOf(memory.get())), *std::move(publicPem), oci::fingerprintOf(key.get())};
}

Result<void> writeNewFile(const std::filesystem::path& file, std::string_view bytes, mode_t mode) {
  const std::string what = fmt::format("cannot write '{}'", file.string());
  if (const int error = makePrivateFolder(file.parent_path()); error != 0)
    return failure(errnoError(what, error));
  const int fd = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode);
  if (fd < 0) return failure(errnoError(what, errno, "choose another name, or move that file away"));
  bool written = true;
  for (std::size_t done = 0; written && done < bytes.size();) {
    const ssize_t n = ::write(fd, bytes.data() + done, bytes.size() - done);
    if (n < 0 && errno == EINTR) continue;
    written = n > 0;
    if (written) done += static_cast<std::size_t>(n);
  }
  const bool synced = written && ::fsync(fd) == 0;
  const int error = errno;
  const bool closed = ::close(fd) == 0;
  if (synced && closed) return {};
  ::unlink(file.c_str());
  return failure(errnoError(what, error));
}

}  // namespace lockstep
