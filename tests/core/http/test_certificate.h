// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <memory>
#include <string>

namespace lockstep {

using TestKey = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;
using TestCertificate = std::unique_ptr<X509, decltype(&X509_free)>;

/// Signed by itself, for the given subject alternative name ("IP:127.0.0.1", "DNS:x").
inline TestCertificate makeCertificate(EVP_PKEY* key, const char* name) {
  TestCertificate certificate(X509_new(), &X509_free);
  X509* x = certificate.get();
  X509_set_version(x, 2);
  ASN1_INTEGER_set(X509_get_serialNumber(x), 1);
  X509_gmtime_adj(X509_getm_notBefore(x), -3600);
  X509_gmtime_adj(X509_getm_notAfter(x), 3600);
  X509_set_pubkey(x, key);
  X509_NAME* subject = X509_get_subject_name(x);
  X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC,
                             reinterpret_cast<const unsigned char*>("lockstep test"), -1, -1, 0);
  X509_set_issuer_name(x, subject);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, name);
  X509_add_ext(x, extension, -1);
  X509_EXTENSION_free(extension);
  X509_sign(x, key, EVP_sha256());
  return certificate;
}

/// What `write` puts into a BIO, as text.
template <class Write>
std::string pemText(Write write) {
  const std::unique_ptr<BIO, decltype(&BIO_free)> bio(BIO_new(BIO_s_mem()), &BIO_free);
  write(bio.get());
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return {data, static_cast<std::size_t>(size)};
}
inline std::string pemOf(X509* certificate) {
  return pemText([&](BIO* bio) { PEM_write_bio_X509(bio, certificate); });
}
inline std::string pemOf(EVP_PKEY* key) {
  return pemText(
      [&](BIO* bio) { PEM_write_bio_PrivateKey(bio, key, nullptr, nullptr, 0, nullptr, nullptr); });
}

}  // namespace lockstep
