// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signin/instance_metadata.h"

#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/x509.h>

#include <algorithm>
#include <array>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "base/json_fields.h"
#include "base/text/encoding.h"
#include "base/text/trimmed.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/session_token.h"

namespace lockstep::oci {
namespace {

using namespace std::chrono_literals;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;

constexpr const char* kAddresses[] = {"http://169.254.169.254/opc/v2", "http://[fd00:c1::a9fe:a9fe]/opc/v2"};
constexpr const char* kWhat = "cannot sign in as an instance principal";

Result<std::string> ask(const SigningIn& in, const std::string& base, const char* path) {
  HttpRequest request{"GET", base + path, {{"authorization", "Bearer Oracle"}}, {}};
  request.connectTimeout = 2s;
  request.timeout = 10s;
  const auto answer = in.http->send(request, {});
  if (!answer) return failure(answer.error());
  if (answer->status == 200) return answer->body;
  return failure(ErrorCode::Unavailable, kWhat,
                 fmt::format("the metadata service answers {} with HTTP {}", base + path, answer->status),
                 "look whether the metadata service of this instance is enabled");
}

// The base URL that answers, and the region that it answered.
Result<std::pair<std::string, std::string>> find(const SigningIn& in) {
  const auto given = in.environment.find("OCI_METADATA_BASE_URL");
  const bool isGiven = given != in.environment.end() && !given->second.empty();
  std::vector<std::string> bases(std::begin(kAddresses), std::end(kAddresses));
  if (isGiven) bases = {given->second};
  Error last;
  for (std::string& base : bases) {
    while (base.ends_with('/')) base.pop_back();
    auto region = ask(in, base, "/instance/region");
    if (region) return std::pair(base, std::string(trimmed(*region)));
    last = region.error();
    if (last.code != ErrorCode::Unavailable && last.code != ErrorCode::DeadlineExceeded) break;
  }
  return failure(ErrorCode::FailedPrecondition, kWhat,
                 fmt::format("no metadata service answers at {}: {}", bases.front(),
                             last.cause.empty() ? last.what : last.cause),
                 "this works on a compute instance of OCI only; elsewhere use an API key or a session token");
}

Certificate parse(const std::string& pem) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(
      BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size())), &BIO_free);
  X509* raw = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr);
  ERR_clear_error();
  return {raw, &X509_free};
}

// An OU or O "opc-tenant:<OCID>", else "opc-identity:<OCID>".
std::string tenancyOf(X509* certificate) {
  const X509_NAME* subject = X509_get_subject_name(certificate);
  for (const std::string prefix : {"opc-tenant:", "opc-identity:"}) {
    for (int i = 0; i < X509_NAME_entry_count(subject); ++i) {
      const X509_NAME_ENTRY* entry = X509_NAME_get_entry(subject, i);
      const int kind = OBJ_obj2nid(X509_NAME_ENTRY_get_object(entry));
      if (kind != NID_organizationalUnitName && kind != NID_organizationName) continue;
      const ASN1_STRING* data = X509_NAME_ENTRY_get_data(entry);
      const std::string value(reinterpret_cast<const char*>(ASN1_STRING_get0_data(data)),
                              static_cast<std::size_t>(ASN1_STRING_length(data)));
      if (value.starts_with(prefix)) return value.substr(prefix.size());
    }
  }
  return {};
}

std::string fingerprintOf(X509* certificate) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  if (X509_digest(certificate, EVP_sha256(), digest.data(), &size) != 1) return {};
  const std::string hex = toHex({reinterpret_cast<const char*>(digest.data()), size});
  std::string text;
  for (std::size_t i = 0; i < hex.size(); i += 2) text += (i == 0 ? "" : ":") + hex.substr(i, 2);
  return text;
}

std::string domainOf(const std::string& regionInfo) {
  return stringField(nlohmann::json::parse(regionInfo, nullptr, false), "realmDomainComponent");
}

}  // namespace

std::string withoutArmor(const std::string& pem) {
  const std::size_t begin = pem.find('\n', pem.find("-----BEGIN"));
  const std::size_t end = pem.find("-----END");
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  std::string text = pem.substr(begin, end - begin);
  std::erase_if(text, [](char c) { return c == '\n' || c == '\r'; });
  return text;
}

Result<InstanceMetadata> readInstanceMetadata(const SigningIn& in) {
  const auto found = find(in);
  if (!found) return failure(found.error());
  InstanceMetadata metadata;
  metadata.region = found->second;
  if (const auto info = ask(in, found->first, "/instance/regionInfo"))  // older instances have none
    metadata.realmDomain = domainOf(*info);
  auto certificate = ask(in, found->first, "/identity/cert.pem");
  if (!certificate) return failure(certificate.error());
  auto key = ask(in, found->first, "/identity/key.pem");
  if (!key) return failure(key.error());
  auto intermediate = ask(in, found->first, "/identity/intermediate.pem");
  if (!intermediate) return failure(intermediate.error());
  metadata.certificate = *std::move(certificate);
  metadata.key = Secret(*std::move(key));
  metadata.intermediate = *std::move(intermediate);
  const Certificate leaf = parse(metadata.certificate);
  if (leaf == nullptr)
    return failure(ErrorCode::DataLoss, kWhat, "the metadata service's certificate is none");
  metadata.tenancyId = tenancyOf(leaf.get());
  metadata.fingerprint = fingerprintOf(leaf.get());
  if (!metadata.tenancyId.empty()) return metadata;
  return failure(ErrorCode::DataLoss, kWhat, "the instance's certificate names no tenancy");
}

}  // namespace lockstep::oci
