// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/secret.h"

namespace lockstep::oci {

/// An RSA private key from PEM text: PKCS#1 or PKCS#8, plain or encrypted; what stands before and after the
/// armor is ignored (keys from the console end with a line of their own). `origin` names the key in messages,
/// which never show any of its text. Thread-safe; the key may sign in several threads.
Result<std::shared_ptr<EVP_PKEY>> parsePrivateKey(std::string_view pem, const Secret& passPhrase,
                                                  const std::string& origin);
Result<std::shared_ptr<EVP_PKEY>> readPrivateKey(const std::string& file, const Secret& passPhrase);

/// Whether it takes a pass phrase to open the key of a PEM text.
[[nodiscard]] bool isEncryptedKey(std::string_view pem);

/// Fingerprint as OCI shows it: MD5 of the public key's DER, "aa:bb:…" (oci-rest-contract 1.2).
[[nodiscard]] std::string fingerprintOf(EVP_PKEY* key);

/// base64 of the RSA PKCS#1 v1.5 signature over SHA-256.
Result<std::string> signBase64(EVP_PKEY* key, std::string_view text);

}  // namespace lockstep::oci
