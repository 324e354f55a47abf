// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/ssl.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace lockstep::rehearsal {

/// The region's own certificate authority and what it certified, each in PEM form. Keys are of mode 0600.
struct CertificateFiles {
  std::filesystem::path authority, authorityKey;
  std::filesystem::path server, serverKey;  // the server's certificate, then the authority's
};

/// Makes what is missing, ends within a month, does not match, or lacks one of the hosts: the authority only
/// when it must be, since people may have told their tools to trust it. EC P-256. `hosts` are names, of which
/// the first part may be "*", and IP addresses.
Result<void> keepCertificates(const CertificateFiles& files, const std::vector<std::string>& hosts,
                              TimePoint now);

/// TLS 1.2 and newer, HTTP/1.1.
Result<std::shared_ptr<SSL_CTX>> makeTlsContext(const CertificateFiles& files);

}  // namespace lockstep::rehearsal
