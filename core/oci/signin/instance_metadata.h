// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "oci/signin/sign_in.h"
#include "oci/signing/credentials.h"

namespace lockstep::oci {

/// What a compute instance knows of itself (oci-rest-contract 1.7).
struct InstanceMetadata {
  std::string region;        // id or short code
  std::string realmDomain;   // "oraclecloud.com"; empty: not said
  std::string certificate;   // PEM
  std::string intermediate;  // PEM
  Secret key;                // PEM
  std::string tenancyId;     // of the certificate's subject
  std::string fingerprint;   // SHA-256 of the certificate, "aa:bb:…"
};

/// Asks the metadata service: OCI_METADATA_BASE_URL, or its link-local addresses. FailedPrecondition where
/// there is none.
Result<InstanceMetadata> readInstanceMetadata(const SigningIn& in);

/// The text between a PEM's armor, without line ends.
[[nodiscard]] std::string withoutArmor(const std::string& pem);

}  // namespace lockstep::oci
