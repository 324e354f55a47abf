// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/secret.h"

namespace lockstep {

/// A key pair for signing requests.
struct KeyPair {
  Secret privatePem;        // PKCS#8, then the line OCI_API_KEY
  std::string publicPem;    // what is pasted into the console or uploaded
  std::string fingerprint;  // "aa:bb:…" (oci-rest-contract 1.2)
};

/// A fresh RSA key of 2048 bits, as OCI wants it. Takes some tenths of a second.
Result<KeyPair> makeKeyPair();
/// The public half of a key as PEM text.
Result<std::string> publicPemOf(EVP_PKEY* key);

/// A file that was not there before, never readable for others: AlreadyExists when it is. Makes its folder
/// for its owner alone when that is missing. Blocks on disk.
Result<void> writeNewFile(const std::filesystem::path& file, std::string_view bytes, mode_t mode);

}  // namespace lockstep
