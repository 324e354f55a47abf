// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/services/certificates_client.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/child_process.h"
#include "base/json_fields.h"
#include "base/text/encoding.h"
#include "oci/calls/regions.h"

namespace lockstep::oci {
namespace {

std::string baseOf(const ServiceClient::Setup& setup) {
  if (!setup.endpoint.empty()) return setup.endpoint;
  const Region region = regionFor(setup.region, currentEnvironment());
  return region.domain.empty() ? "https://certificates." + region.id
                               : fmt::format("https://certificates.{}.oci.{}", region.id, region.domain);
}

Error refusal(const std::string& operation, const HttpResponse& response) {
  const auto body = nlohmann::json::parse(response.body, nullptr, false);
  const bool forbidden = response.status == 401 || response.status == 404;
  return {response.status >= 500 ? ErrorCode::Unavailable : ErrorCode::PermissionDenied,
          fmt::format("Certificates {} was refused", operation),
          fmt::format("HTTP {} {}", response.status, stringField(body, "message")),
          forbidden ? "allow the dynamic group of the job runs to read leaf-certificate-bundles and "
                      "certificate-authority-bundles in the compartment"
                    : "",
          {},
          {}};
}

}  // namespace

Result<CertificateBundle> CertificatesClient::getCertificate(const std::string& certificateId,
                                                             const std::stop_token& stop) {
  return get("GetCertificateBundle",
             "/20210224/certificateBundles/" + percentEncode(certificateId) +
                 "?certificateBundleType=CERTIFICATE_CONTENT_WITH_PRIVATE_KEY",
             stop);
}

Result<CertificateBundle> CertificatesClient::getAuthority(const std::string& authorityId,
                                                           const std::stop_token& stop) {
  return get("GetCertificateAuthorityBundle",
             "/20210224/certificateAuthorityBundles/" + percentEncode(authorityId), stop);
}

Result<CertificateBundle> CertificatesClient::get(const std::string& operation, const std::string& path,
                                                  const std::stop_token& stop) {
  HttpRequest request;
  request.method = "GET";
  request.url = baseOf(services_->setup()) + path;
  const auto response = services_->send(std::move(request), BodySigning::Signed, stop);
  if (!response) return failure(response.error());
  if (response->status / 100 != 2) return failure(refusal(operation, *response));
  const auto json = nlohmann::json::parse(response->body, nullptr, false);
  if (!json.is_object() || stringField(json, "certificatePem").empty())
    return failure(ErrorCode::DataLoss,
                   fmt::format("the answer of Certificates {} has no certificate", operation));
  return CertificateBundle{stringField(json, "certificatePem"), stringField(json, "certChainPem"),
                           Secret(stringField(json, "privateKeyPem"))};
}

}  // namespace lockstep::oci
