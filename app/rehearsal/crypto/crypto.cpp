// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/crypto/crypto.h"

#include <openssl/bio.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

#include "base/digest.h"
#include "base/text/encoding.h"

namespace lockstep::rehearsal {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using DigestContext = std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)>;

Key own(EVP_PKEY* key) {
  return {key, EVP_PKEY_free};
}

tl::unexpected<Error> cryptoFailure(const std::string& what) {
  char text[256] = "unknown cause";
  if (const unsigned long code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return failure(ErrorCode::Internal, what, text);
}

std::string textOf(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return {data, static_cast<std::size_t>(size)};
}

const unsigned char* bytesOf(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// Without this, a key with a pass phrase would make OpenSSL ask on the terminal.
int noPassPhrase(char*, int, int, void*) {
  return -1;
}

}  // namespace

Result<Key> makeRsaKey() {
  Key key = own(EVP_RSA_gen(2048));
  if (!key) return cryptoFailure("cannot make an RSA key");
  return key;
}

Result<Key> makeTokenKey() {
  Key key = own(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (!key) return cryptoFailure("cannot make a token key");
  return key;
}

Result<Secret> privatePem(const Key& key) {
  const Bio bio(BIO_new(BIO_s_secmem()), BIO_free);
  if (!bio || PEM_write_bio_PrivateKey(bio.get(), key.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return cryptoFailure("cannot write a private key as PEM");
  return Secret(textOf(bio.get()));
}

Result<std::string> publicPem(const Key& key) {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  if (!bio || PEM_write_bio_PUBKEY(bio.get(), key.get()) != 1)
    return cryptoFailure("cannot write a public key as PEM");
  return textOf(bio.get());
}

Result<Key> readPrivatePem(const Secret& pem) {
  const Bio bio(BIO_new_mem_buf(pem.reveal().data(), static_cast<int>(pem.reveal().size())), BIO_free);
  Key key = own(PEM_read_bio_PrivateKey(bio.get(), nullptr, noPassPhrase, nullptr));
  if (!key) return cryptoFailure("cannot read a private key");
  return key;
}

Result<Key> readPublicPem(std::string_view pem) {
  const Bio bio(BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), BIO_free);
  Key key = own(PEM_read_bio_PUBKEY(bio.get(), nullptr, noPassPhrase, nullptr));
  if (!key) return cryptoFailure("cannot read a public key");
  return key;
}

bool isRsaKey(const Key& key) {
  return EVP_PKEY_get_base_id(key.get()) == EVP_PKEY_RSA && EVP_PKEY_get_bits(key.get()) >= 2048;
}

Result<std::string> fingerprintOf(const Key& key) {
  unsigned char* der = nullptr;
  const int size = i2d_PUBKEY(key.get(), &der);
  if (size <= 0) return cryptoFailure("cannot encode a public key");
  const std::string hex = toHex(md5({reinterpret_cast<char*>(der), static_cast<std::size_t>(size)}));
  OPENSSL_free(der);
  std::string pairs;
  for (std::size_t i = 0; i < hex.size(); i += 2) pairs += (i == 0 ? "" : ":") + hex.substr(i, 2);
  return pairs;
}

bool verifyRsaSha256(const Key& publicKey, std::string_view text, std::string_view signature) {
  if (EVP_PKEY_get_base_id(publicKey.get()) != EVP_PKEY_RSA) return false;
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const bool good =
      EVP_DigestVerifyInit(context.get(), nullptr, EVP_sha256(), nullptr, publicKey.get()) == 1 &&
      EVP_DigestVerify(context.get(), bytesOf(signature), signature.size(), bytesOf(text), text.size()) == 1;
  ERR_clear_error();
  return good;
}

Result<std::string> signWithTokenKey(const Key& key, std::string_view text) {
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  std::string signature(64, '\0');
  std::size_t size = signature.size();
  if (EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key.get()) != 1 ||
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(signature.data()), &size, bytesOf(text),
                     text.size()) != 1)
    return cryptoFailure("cannot sign a token");
  signature.resize(size);
  return signature;
}

bool verifyWithTokenKey(const Key& key, std::string_view text, std::string_view signature) {
  const DigestContext context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  const bool good =
      EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context.get(), bytesOf(signature), signature.size(), bytesOf(text), text.size()) == 1;
  ERR_clear_error();
  return good;
}

}  // namespace lockstep::rehearsal
