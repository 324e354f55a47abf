// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/crypto/certificates.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509v3.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "rehearsal/crypto/crypto.h"

namespace lockstep::rehearsal {
namespace {

using Certificate = std::shared_ptr<X509>;
using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;

constexpr long kDay = 24L * 3600;
constexpr long kAuthorityDays = 3650;
constexpr long kServerDays = 397;  // what browsers accept
constexpr long kReserveDays = 30;

tl::unexpected<Error> tlsFailure(const std::string& what) {
  char text[256] = "unknown cause";
  if (const unsigned long code = ERR_get_error(); code != 0) ERR_error_string_n(code, text, sizeof text);
  ERR_clear_error();
  return failure(ErrorCode::Internal, what, text);
}

struct Pair {
  Certificate certificate;
  Key key;
};

Certificate readCertificate(const std::filesystem::path& file) {
  const auto pem = readFile(file, 1 << 20);
  if (!pem) return nullptr;
  const Bio bio(BIO_new_mem_buf(pem->data(), static_cast<int>(pem->size())), BIO_free);
  X509* certificate = PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr);
  ERR_clear_error();
  return certificate == nullptr ? nullptr : Certificate(certificate, X509_free);
}

// What is there, if it is whole and stays valid for a while.
std::optional<Pair> readPair(const std::filesystem::path& file, const std::filesystem::path& keyFile,
                             TimePoint now) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec) || !std::filesystem::exists(keyFile, ec)) return std::nullopt;
  const Certificate certificate = readCertificate(file);
  auto pem = readFile(keyFile, 1 << 20);
  if (!certificate || !pem) return std::nullopt;
  const auto key = readPrivatePem(Secret(*std::move(pem)));
  std::time_t at = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(now));
  if (!key || X509_check_private_key(certificate.get(), key->get()) != 1) return std::nullopt;
  if (X509_cmp_time(X509_get0_notBefore(certificate.get()), &at) >= 0) return std::nullopt;
  at += kReserveDays * kDay;
  if (X509_cmp_time(X509_get0_notAfter(certificate.get()), &at) <= 0) return std::nullopt;
  return Pair{certificate, *key};
}

bool isAddress(const std::string& host) {
  return host.find(':') != std::string::npos || host.find_first_not_of("0123456789.") == std::string::npos;
}

std::string alternativeNames(const std::vector<std::string>& hosts) {
  std::string text;
  for (const std::string& host : hosts)
    text += (text.empty() ? "" : ",") + std::string(isAddress(host) ? "IP:" : "DNS:") + host;
  return text;
}

bool certifies(X509* certificate, const std::vector<std::string>& hosts) {
  return std::all_of(hosts.begin(), hosts.end(), [&](std::string host) {
    if (host.starts_with("*")) host.replace(0, 1, "any");
    return isAddress(host) ? X509_check_ip_asc(certificate, host.c_str(), 0) == 1
                           : X509_check_host(certificate, host.data(), host.size(), 0, nullptr) == 1;
  });
}

bool addExtension(X509* certificate, X509* issuer, int kind, const std::string& value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension = X509V3_EXT_conf_nid(nullptr, &context, kind, value.c_str());
  const bool added = extension != nullptr && X509_add_ext(certificate, extension, -1) == 1;
  X509_EXTENSION_free(extension);
  return added;
}

bool name(X509* certificate, const char* text) {
  X509_NAME* subject = X509_get_subject_name(certificate);
  const auto* bytes = reinterpret_cast<const unsigned char*>(text);
  return X509_NAME_add_entry_by_txt(subject, "O", MBSTRING_ASC,
                                    reinterpret_cast<const unsigned char*>("Lockstep rehearsal region"), -1,
                                    -1, 0) == 1 &&
         X509_NAME_add_entry_by_txt(subject, "CN", MBSTRING_ASC, bytes, -1, -1, 0) == 1;
}

// Named, valid for so long, with a key of its own; not signed yet.
std::optional<Pair> draft(const char* commonName, long days, TimePoint now) {
  const Key key(EVP_EC_gen("P-256"), EVP_PKEY_free);
  const Certificate certificate(X509_new(), X509_free);
  unsigned char serial[16];
  if (!key || !certificate || RAND_bytes(serial, sizeof serial) != 1) return std::nullopt;
  serial[0] &= 0x7f;
  BIGNUM* number = BN_bin2bn(serial, sizeof serial, nullptr);
  BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate.get()));
  BN_free(number);
  std::time_t at = std::chrono::system_clock::to_time_t(
      std::chrono::time_point_cast<std::chrono::system_clock::duration>(now));
  const bool done = X509_set_version(certificate.get(), X509_VERSION_3) == 1 &&
                    X509_time_adj(X509_getm_notBefore(certificate.get()), -kDay, &at) != nullptr &&
                    X509_time_adj(X509_getm_notAfter(certificate.get()), days * kDay, &at) != nullptr &&
                    X509_set_pubkey(certificate.get(), key.get()) == 1 && name(certificate.get(), commonName);
  if (!done) return std::nullopt;
  return Pair{certificate, key};
}

bool extendAll(X509* certificate, X509* issuer, const std::vector<std::pair<int, std::string>>& extensions) {
  return std::all_of(extensions.begin(), extensions.end(), [&](const auto& extension) {
    return addExtension(certificate, issuer, extension.first, extension.second);
  });
}

std::optional<Pair> makeAuthority(TimePoint now) {
  auto pair = draft("Lockstep rehearsal authority", kAuthorityDays, now);
  if (!pair) return std::nullopt;
  X509* certificate = pair->certificate.get();
  const bool done = X509_set_issuer_name(certificate, X509_get_subject_name(certificate)) == 1 &&
                    extendAll(certificate, certificate,
                              {{NID_basic_constraints, "critical,CA:TRUE,pathlen:0"},
                               {NID_key_usage, "critical,keyCertSign,cRLSign"},
                               {NID_subject_key_identifier, "hash"},
                               // Whoever gets hold of its key can pretend to be this machine and nobody else.
                               {NID_name_constraints,
                                "critical,permitted;DNS:localhost,permitted;IP:127.0.0.0/255.0.0.0,"
                                "permitted;IP:::1/FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF:FFFF"}}) &&
                    X509_sign(certificate, pair->key.get(), EVP_sha256()) > 0;
  return done ? pair : std::nullopt;
}

std::optional<Pair> makeServer(const Pair& authority, const std::vector<std::string>& hosts, TimePoint now) {
  auto pair = draft("localhost", kServerDays, now);
  if (!pair) return std::nullopt;
  X509* certificate = pair->certificate.get();
  const bool done =
      X509_set_issuer_name(certificate, X509_get_subject_name(authority.certificate.get())) == 1 &&
      extendAll(certificate, authority.certificate.get(),
                {{NID_basic_constraints, "critical,CA:FALSE"},
                 {NID_key_usage, "critical,digitalSignature"},
                 {NID_ext_key_usage, "serverAuth"},
                 {NID_subject_key_identifier, "hash"},
                 {NID_authority_key_identifier, "keyid"},
                 {NID_subject_alt_name, alternativeNames(hosts)}}) &&
      X509_sign(certificate, authority.key.get(), EVP_sha256()) > 0;
  return done ? pair : std::nullopt;
}

Result<std::string> pemOf(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()), BIO_free);
  if (!bio || PEM_write_bio_X509(bio.get(), certificate) != 1)
    return tlsFailure("cannot write a certificate as PEM");
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio.get(), &data);
  return std::string(data, static_cast<std::size_t>(size));
}

Result<void> writePair(const Pair& pair, const std::string& chain, const std::filesystem::path& file,
                       const std::filesystem::path& keyFile) {
  const auto certificate = pemOf(pair.certificate.get());
  const auto key = privatePem(pair.key);
  if (!certificate || !key) return failure(certificate ? key.error() : certificate.error());
  if (auto written = writeFileAtomically(keyFile, key->reveal(), 0600); !written) return written;
  return writeFileAtomically(file, *certificate + chain, 0600);
}

}  // namespace

Result<void> keepCertificates(const CertificateFiles& files, const std::vector<std::string>& hosts,
                              TimePoint now) {
  auto authority = readPair(files.authority, files.authorityKey, now);
  if (!authority) {
    authority = makeAuthority(now);
    if (!authority) return tlsFailure("cannot make the region's certificate authority");
    if (auto written = writePair(*authority, "", files.authority, files.authorityKey); !written)
      return written;
  }
  const auto server = readPair(files.server, files.serverKey, now);
  const bool isGood = server && X509_verify(server->certificate.get(), authority->key.get()) == 1 &&
                      certifies(server->certificate.get(), hosts);
  ERR_clear_error();
  if (isGood) return {};
  const auto made = makeServer(*authority, hosts, now);
  if (!made) return tlsFailure("cannot make the region's certificate");
  const auto chain = pemOf(authority->certificate.get());
  if (!chain) return failure(chain.error());
  return writePair(*made, *chain, files.server, files.serverKey);
}

namespace {

int chooseProtocol(SSL*, const unsigned char** chosen, unsigned char* size, const unsigned char* offered,
                   unsigned int offeredSize, void*) {
  static constexpr unsigned char kOurs[] = "\x08http/1.1";
  unsigned char* found = nullptr;
  if (SSL_select_next_proto(&found, size, kOurs, sizeof kOurs - 1, offered, offeredSize) !=
      OPENSSL_NPN_NEGOTIATED)
    return SSL_TLSEXT_ERR_NOACK;
  *chosen = found;
  return SSL_TLSEXT_ERR_OK;
}

}  // namespace

Result<std::shared_ptr<SSL_CTX>> makeTlsContext(const CertificateFiles& files) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(TLS_server_method()), SSL_CTX_free);
  if (!context || SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION) != 1 ||
      SSL_CTX_use_certificate_chain_file(context.get(), files.server.c_str()) != 1 ||
      SSL_CTX_use_PrivateKey_file(context.get(), files.serverKey.c_str(), SSL_FILETYPE_PEM) != 1)
    return tlsFailure("cannot use the certificate '" + files.server.string() + "'");
  SSL_CTX_set_mode(context.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER |
                                      SSL_MODE_RELEASE_BUFFERS);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_IGNORE_UNEXPECTED_EOF);
  SSL_CTX_set_alpn_select_cb(context.get(), chooseProtocol, nullptr);
  return context;
}

}  // namespace lockstep::rehearsal
