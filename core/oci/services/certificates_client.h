// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <stop_token>
#include <string>

#include "base/secret.h"
#include "oci/calls/service_client.h"

namespace lockstep::oci {

/// A certificate with what leads up to it, each in PEM.
struct CertificateBundle {
  std::string certificate, chain;  // the chain may be empty
  Secret privateKey;               // empty where the service gives none, as of an authority
};

/// What the Certificates service hands out (oci-rest-contract 4.13). Asked once: whoever needs a certificate
/// says when to ask again. Thread-safe.
class CertificatesClient {
 public:
  explicit CertificatesClient(std::shared_ptr<ServiceClient> services) : services_(std::move(services)) {}
  /// GetCertificateBundle, private key included.
  Result<CertificateBundle> getCertificate(const std::string& certificateId, const std::stop_token& stop);
  /// GetCertificateAuthorityBundle.
  Result<CertificateBundle> getAuthority(const std::string& authorityId, const std::stop_token& stop);

 private:
  Result<CertificateBundle> get(const std::string& operation, const std::string& path,
                                const std::stop_token& stop);
  std::shared_ptr<ServiceClient> services_;
};

}  // namespace lockstep::oci
