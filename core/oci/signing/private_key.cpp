// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/private_key.h"

#include <fmt/format.h>
#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <cstring>

#include "base/atomic_file.h"
#include "base/digest.h"
#include "base/text/encoding.h"

namespace lockstep::oci {
namespace {

constexpr std::uint64_t kMaxKeyBytes = 1 << 20;

// OpenSSL would ask on the terminal without a callback.
int givePassPhrase(char* buffer, int size, int /*writing*/, void* secret) {
  const std::string_view text = static_cast<const Secret*>(secret)->reveal();
  if (text.empty() || text.size() > static_cast<std::size_t>(size)) return -1;
  std::memcpy(buffer, text.data(), text.size());
  return static_cast<int>(text.size());
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

bool isEncryptedKey(std::string_view pem) {
  return contains(pem, "BEGIN ENCRYPTED PRIVATE KEY") || contains(pem, "Proc-Type: 4,ENCRYPTED");
}

namespace {

// Why OpenSSL could not take the key, from its armor: OpenSSL's own reasons differ by format and version.
tl::unexpected<Error> explain(std::string_view pem, const Secret& passPhrase, const std::string& origin) {
  const std::string what = fmt::format("cannot use the private key {}", origin);
  const auto bad = [&](const char* cause, const char* remedy) {
    return failure(ErrorCode::InvalidArgument, what, cause, remedy);
  };
  if (isEncryptedKey(pem)) {
    if (passPhrase.empty()) {
      return bad("it is encrypted and the profile has no pass phrase",
                 "add pass_phrase to the profile or set OCI_CLI_PASSPHRASE");
    }
    return bad("it is encrypted and the pass phrase does not open it", "correct pass_phrase in the profile");
  }
  if (contains(pem, "OPENSSH PRIVATE KEY")) {
    return bad("it is in OpenSSH's own format", "convert a copy with: ssh-keygen -p -m PEM -f KEYFILE");
  }
  if (contains(pem, "PUBLIC KEY-----")) {
    return bad("the file holds the public key", "name the file of the private key in key_file");
  }
  if (!contains(pem, "-----BEGIN"))
    return bad("the file holds no PEM key", "name the .pem file of the API key in key_file");
  return bad("its PEM text is damaged", "restore the file, or make a new API key");
}

}  // namespace

Result<std::shared_ptr<EVP_PKEY>> parsePrivateKey(std::string_view pem, const Secret& passPhrase,
                                                  const std::string& origin) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  EVP_PKEY* raw = PEM_read_bio_PrivateKey(bio.get(), nullptr, &givePassPhrase,
                                          const_cast<void*>(static_cast<const void*>(&passPhrase)));
  ERR_clear_error();
  if (raw == nullptr) return explain(pem, passPhrase, origin);
  std::shared_ptr<EVP_PKEY> key(raw, &EVP_PKEY_free);
  if (EVP_PKEY_get_base_id(raw) != EVP_PKEY_RSA) {
    return failure(ErrorCode::InvalidArgument, fmt::format("cannot use the private key {}", origin),
                   "it is not an RSA key", "OCI takes RSA keys of at least 2048 bits: make a new API key");
  }
  return key;
}

Result<std::shared_ptr<EVP_PKEY>> readPrivateKey(const std::string& file, const Secret& passPhrase) {
  auto text = readFile(file, kMaxKeyBytes);
  if (!text) {
    Error error = text.error();
    error.what = fmt::format("cannot read the key file '{}'", file);
    if (error.code == ErrorCode::NotFound)
      error.remedy = "correct key_file in the profile, or restore the file";
    return failure(std::move(error));
  }
  const Secret pem(std::move(*text));
  return parsePrivateKey(pem.reveal(), passPhrase, fmt::format("'{}'", file));
}

std::string fingerprintOf(EVP_PKEY* key) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key, &der);
  if (size <= 0) return {};
  const std::string hex = toHex(md5({reinterpret_cast<const char*>(der), static_cast<std::size_t>(size)}));
  OPENSSL_free(der);
  std::string text;
  for (std::size_t i = 0; i < hex.size(); i += 2) text += (i == 0 ? "" : ":") + hex.substr(i, 2);
  return text;
}

Result<std::string> signBase64(EVP_PKEY* key, std::string_view text) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  const auto* bytes = reinterpret_cast<const unsigned char*>(text.data());
  std::size_t size = 0;
  std::string signature;
  bool fine = context != nullptr &&
              EVP_DigestSignInit(context.get(), nullptr, EVP_sha256(), nullptr, key) == 1 &&
              EVP_DigestSign(context.get(), nullptr, &size, bytes, text.size()) == 1;
  if (fine) {
    signature.resize(size);
    fine = EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytes,
                          text.size()) == 1;
  }
  ERR_clear_error();
  if (!fine) return failure(ErrorCode::Internal, "cannot sign a request", "the private key refused to sign");
  signature.resize(size);
  return toBase64(signature);
}

}  // namespace lockstep::oci
