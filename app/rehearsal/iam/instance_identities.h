// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/error.h"
#include "base/secret.h"
#include "rehearsal/api/principal.h"
#include "rehearsal/crypto/crypto.h"

namespace lockstep::rehearsal {

/// The certificates by which instances prove who they are (oci-rest-contract 1.7), under an authority of the
/// region. Made at need and kept in memory only: a restarted region gives out new ones, as the real service
/// does when it rotates them. Thread-safe.
class InstanceIdentities {
 public:
  struct Leaf {
    std::string certificate;  // PEM
    std::string sha1;         // of its DER, lower-case hex
    std::string sha256;
    Key key;
    Principal principal;
    TimePoint expires;
  };
  /// The instance's certificate that is in force; a new one when the last has half its life behind it.
  Result<Leaf> leafOf(const Principal& instance, TimePoint now);
  /// The authority's certificate, which stands between a leaf and the root.
  Result<std::string> intermediate(TimePoint now);

  /// The key behind `<tenancy>/fed-x509/<sha1>` (hex in any case, with or without colons) or
  /// `<tenancy>/fed-x509-sha256/<sha256>`.
  [[nodiscard]] std::optional<KnownKey> find(const std::string& keyId, TimePoint now) const;
  /// Whether that certificate, base64 of its DER, is one in force of that instance.
  [[nodiscard]] bool isLeafOf(const Principal& instance, std::string_view base64, TimePoint now) const;

 private:
  Result<void> makeAuthority(TimePoint now);

  mutable std::mutex mutex_;
  Key authorityKey_;
  std::string authorityCertificate_;         // DER
  std::multimap<std::string, Leaf> leaves_;  // by instance
};

}  // namespace lockstep::rehearsal
