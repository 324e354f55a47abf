// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/instance_identities.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "rehearsal/crypto/quick_rsa_key.h"
#include "rehearsal/iam/policy_scanner.h"

namespace lockstep::rehearsal {
namespace {

using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Name = std::unique_ptr<X509_NAME, decltype(&X509_NAME_free)>;

constexpr std::chrono::hours kLeafLifetime{2};
constexpr std::chrono::hours kAuthorityLifetime{24 * 365};

tl::unexpected<Error> cannotMake(const char* what) {
  ERR_clear_error();
  return failure(ErrorCode::Internal, what, "OpenSSL refused");
}

// OCIDs are longer than the 64 characters that the checked call allows for an organizational unit.
bool addPart(X509_NAME* name, int nid, const std::string& text) {
  return X509_NAME_add_entry_by_NID(name, nid, V_ASN1_UTF8STRING,
                                    reinterpret_cast<const unsigned char*>(text.data()),
                                    static_cast<int>(text.size()), -1, 0) == 1;
}

std::time_t secondsOf(TimePoint time) {
  return std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
}

struct Issue {
  const Key& subjectKey;
  X509_NAME* subject;
  X509_NAME* issuer;
  const Key& issuerKey;
  bool isAuthority;
  TimePoint from, to;
};

bool addExtension(X509* certificate, int nid, const char* value) {
  std::unique_ptr<X509_EXTENSION, decltype(&X509_EXTENSION_free)> extension(
      X509V3_EXT_conf_nid(nullptr, nullptr, nid, value), X509_EXTENSION_free);
  return extension && X509_add_ext(certificate, extension.get(), -1) == 1;
}

Certificate issueCertificate(const Issue& issue) {
  Certificate certificate(X509_new(), X509_free);
  const std::string serial = randomBytes(16);
  std::unique_ptr<BIGNUM, decltype(&BN_free)> number(
      BN_bin2bn(reinterpret_cast<const unsigned char*>(serial.data()), 15, nullptr), BN_free);
  const bool made = certificate && number && X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
                    BN_to_ASN1_INTEGER(number.get(), X509_get_serialNumber(certificate.get())) != nullptr &&
                    ASN1_TIME_set(X509_getm_notBefore(certificate.get()), secondsOf(issue.from)) != nullptr &&
                    ASN1_TIME_set(X509_getm_notAfter(certificate.get()), secondsOf(issue.to)) != nullptr &&
                    X509_set_subject_name(certificate.get(), issue.subject) == 1 &&
                    X509_set_issuer_name(certificate.get(), issue.issuer) == 1 &&
                    X509_set_pubkey(certificate.get(), issue.subjectKey.get()) == 1 &&
                    addExtension(certificate.get(), NID_basic_constraints,
                                 issue.isAuthority ? "critical,CA:TRUE,pathlen:0" : "critical,CA:FALSE") &&
                    X509_sign(certificate.get(), issue.issuerKey.get(), EVP_sha256()) > 0;
  if (!made) certificate.reset();
  return certificate;
}

std::string derOf(X509* certificate) {
  unsigned char* bytes = nullptr;
  const int size = i2d_X509(certificate, &bytes);
  if (size <= 0) return {};
  std::string der(reinterpret_cast<char*>(bytes), static_cast<std::size_t>(size));
  OPENSSL_free(bytes);
  return der;
}

std::string pemOf(const std::string& der) {
  const std::string text = toBase64(der);
  std::string pem = "-----BEGIN CERTIFICATE-----\n";
  for (std::size_t at = 0; at < text.size(); at += 64) pem += text.substr(at, 64) + "\n";
  return pem + "-----END CERTIFICATE-----\n";
}

std::string sha1Of(const std::string& bytes) {
  unsigned char digest[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest, &size, EVP_sha1(), nullptr) != 1) return {};
  return toHex({reinterpret_cast<const char*>(digest), size});
}

Name authorityName() {
  Name name(X509_NAME_new(), X509_NAME_free);
  addPart(name.get(), NID_organizationalUnitName, "opc-certtype:intermediate");
  addPart(name.get(), NID_commonName, "PKISVC Identity Intermediate rehearsal");
  return name;
}

Name leafName(const Principal& instance) {
  Name name(X509_NAME_new(), X509_NAME_free);
  for (const std::string& unit :
       {std::string("opc-certtype:instance"), "opc-compartment:" + instance.compartmentId,
        "opc-instance:" + instance.id, "opc-tenant:" + instance.tenancyId})
    addPart(name.get(), NID_organizationalUnitName, unit);
  addPart(name.get(), NID_commonName, instance.id);
  return name;
}

std::string plainHex(std::string_view text) {
  std::string hex = lowerWord(text);
  std::erase(hex, ':');
  return hex;
}

}  // namespace

Result<void> InstanceIdentities::makeAuthority(TimePoint now) {
  if (authorityKey_) return {};
  auto key = makeQuickRsaKey();
  if (!key) return failure(key.error());
  const Name name = authorityName();
  const auto certificate = issueCertificate(
      {*key, name.get(), name.get(), *key, true, now - std::chrono::hours(1), now + kAuthorityLifetime});
  if (!certificate) return cannotMake("cannot make the authority of the instances");
  authorityKey_ = *key;
  authorityCertificate_ = derOf(certificate.get());
  return {};
}

Result<InstanceIdentities::Leaf> InstanceIdentities::leafOf(const Principal& instance, TimePoint now) {
  const std::scoped_lock lock(mutex_);
  const auto [first, last] = leaves_.equal_range(instance.id);
  for (auto at = first; at != last; ++at)
    if (at->second.expires > now + kLeafLifetime / 2) return at->second;
  if (auto made = makeAuthority(now); !made) return failure(made.error());
  auto key = makeQuickRsaKey();
  if (!key) return failure(key.error());
  const Name subject = leafName(instance), issuer = authorityName();
  const TimePoint expires = now + kLeafLifetime;
  const auto certificate = issueCertificate(
      {*key, subject.get(), issuer.get(), authorityKey_, false, now - std::chrono::minutes(5), expires});
  if (!certificate) return cannotMake("cannot make the certificate of an instance");
  const std::string der = derOf(certificate.get());
  Leaf leaf{pemOf(der), sha1Of(der), toHex(sha256(der)), *key, instance, expires};
  std::erase_if(leaves_, [now](const auto& entry) { return entry.second.expires <= now; });
  leaves_.emplace(instance.id, leaf);
  return leaf;
}

Result<std::string> InstanceIdentities::intermediate(TimePoint now) {
  const std::scoped_lock lock(mutex_);
  if (auto made = makeAuthority(now); !made) return failure(made.error());
  return pemOf(authorityCertificate_);
}

std::optional<KnownKey> InstanceIdentities::find(const std::string& keyId, TimePoint now) const {
  const std::size_t slash = keyId.find('/'), last = keyId.rfind('/');
  if (slash == std::string::npos || slash == last) return std::nullopt;
  const std::string tenancy = keyId.substr(0, slash), kind = keyId.substr(slash + 1, last - slash - 1);
  const std::string wanted = plainHex(keyId.substr(last + 1));
  const std::scoped_lock lock(mutex_);
  for (const auto& [id, leaf] : leaves_) {
    const std::string& hash = kind == "fed-x509-sha256" ? leaf.sha256 : leaf.sha1;
    if (hash == wanted && leaf.principal.tenancyId == tenancy && leaf.expires > now)
      return KnownKey{leaf.key, leaf.principal};
  }
  return std::nullopt;
}

bool InstanceIdentities::isLeafOf(const Principal& instance, std::string_view base64, TimePoint now) const {
  const auto der = fromBase64(base64);
  if (!der) return false;
  const std::string hash = toHex(sha256(*der));
  const std::scoped_lock lock(mutex_);
  const auto [first, last] = leaves_.equal_range(instance.id);
  return std::any_of(first, last, [&](const auto& entry) {
    return entry.second.sha256 == hash && entry.second.expires > now;
  });
}

}  // namespace lockstep::rehearsal
