// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/secret.h"

namespace lockstep::rehearsal {

using Key = std::shared_ptr<EVP_PKEY>;

/// A fresh RSA key of 2048 bits, as API keys and the session keys of resource principals are.
Result<Key> makeRsaKey();
/// A fresh Ed25519 key: the region signs its own tokens with it, and only the region reads them.
Result<Key> makeTokenKey();

Result<Secret> privatePem(const Key& key);
Result<std::string> publicPem(const Key& key);
Result<Key> readPrivatePem(const Secret& pem);
Result<Key> readPublicPem(std::string_view pem);

/// An RSA key of 2048 bits or more, as API keys are.
[[nodiscard]] bool isRsaKey(const Key& key);

/// MD5 of the DER SubjectPublicKeyInfo, lower-case hex pairs with colons (oci-rest-contract 1.2).
Result<std::string> fingerprintOf(const Key& key);

/// RSA PKCS#1 v1.5 over SHA-256.
[[nodiscard]] bool verifyRsaSha256(const Key& publicKey, std::string_view text, std::string_view signature);

Result<std::string> signWithTokenKey(const Key& key, std::string_view text);
[[nodiscard]] bool verifyWithTokenKey(const Key& key, std::string_view text, std::string_view signature);

}  // namespace lockstep::rehearsal
