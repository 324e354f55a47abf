// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <filesystem>
#include <memory>
#include <string>

#include "base/error.h"
#include "http/http_client.h"

namespace lockstep::oci {

/// What signs a request now: the keyId parameter and the private key.
struct SigningIdentity {
  std::string keyId;
  std::shared_ptr<EVP_PKEY> key;
  HttpHeaders headers{};  // that every request carries, and signs: opc-obo-token
};

/// Who we are to the services. current() may re-read files (rotated tokens). Thread-safe.
class Credentials {
 public:
  virtual ~Credentials() = default;
  virtual Result<SigningIdentity> current() = 0;
  /// Re-reads what can be re-read after a service refused us; true when current() gives something else than
  /// `refused`.
  virtual bool refresh(const std::string& refusedKeyId) {
    (void)refusedKeyId;
    return false;
  }
  /// What is suspicious about these credentials, as a sentence for a "not authenticated" message; empty:
  /// nothing.
  [[nodiscard]] virtual std::string doubts() const { return {}; }
  /// What to do when a service goes on refusing them; empty: what helps with an API key.
  [[nodiscard]] virtual std::string wayOut() const { return {}; }
  /// The region where they were made, for a profile that names none; empty: they do not know.
  [[nodiscard]] virtual std::string region() const { return {}; }
};

/// `inner` on behalf of a user: every request carries the token of `tokenFile`, read again each time.
Result<std::shared_ptr<Credentials>> delegated(std::shared_ptr<Credentials> inner,
                                               const std::filesystem::path& tokenFile);

}  // namespace lockstep::oci
