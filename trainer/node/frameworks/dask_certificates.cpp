// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/frameworks/dask_certificates.h"

#include "base/atomic_file.h"
#include "base/child_process.h"
#include "oci/services/certificates_client.h"
#include "trainer/node/processes/node_log.h"

namespace lockstep::node {
namespace {

Result<void> fetchBoth(const ClusterNode& node, const std::string& certificateId,
                       const std::string& authorityId, const std::stop_token& stop) {
  if (!node.services)
    return failure(ErrorCode::FailedPrecondition, "the Certificates service cannot be asked",
                   "this node has no credentials of a job run");
  oci::CertificatesClient client(node.services);
  const auto authority = client.getAuthority(authorityId, stop);
  if (!authority) return failure(authority.error());
  const auto certificate = client.getCertificate(certificateId, stop);
  if (!certificate) return failure(certificate.error());
  const auto place = [&](const char* variable, const char* missing) {
    return std::filesystem::path(environmentValue(node.environment, variable, missing));
  };
  auto wrote = writeFileAtomically(place("OCI__CA_DOWNLOAD_LOCATION", "ca-cert.pem"),
                                   authority->certificate + "\n" + authority->chain, 0644);
  if (wrote)
    wrote = writeFileAtomically(place("OCI__CERTIFICATE_DOWNLOAD_LOCATION", "cert.pem"),
                                certificate->certificate + "\n" + certificate->chain, 0644);
  if (wrote)
    wrote = writeFileAtomically(place("OCI__CERTIFICATE_KEY_DOWNLOAD_LOCATION", "key.pem"),
                                certificate->privateKey.reveal(), 0600);
  return wrote;
}

}  // namespace

Result<void> fetchDaskCertificates(const ClusterNode& node, const std::stop_token& stop) {
  const std::string authority = environmentValue(node.environment, "OCI__CERTIFICATE_AUTHORITY_OCID");
  const std::string certificate = environmentValue(node.environment, "OCI__CERTIFICATE_OCID");
  if (authority.empty() || certificate.empty()) return {};
  const auto fetched = fetchBoth(node, certificate, authority, stop);
  if (fetched) return {};
  if (fetched.error().code == ErrorCode::Cancelled) return failure(fetched.error());
  say("warning: the certificates for Dask could not be fetched: {}", describe(fetched.error()));
  return {};
}

}  // namespace lockstep::node
