// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>

#include "trainer/node/frameworks/framework_cluster.h"

namespace lockstep::node {

/// Brings the certificates of `spec.cluster.spec.certificate` to where the variables say (relative to
/// where we run, as the script reads them), the key readable by us alone, when both OCI__CERTIFICATE_OCID and
/// OCI__CERTIFICATE_AUTHORITY_OCID are set (ads-contract 4.3). A service that refuses is only told of, as
/// `ads` does it: the image may hold the files. Blocks on it.
Result<void> fetchDaskCertificates(const ClusterNode& node, const std::stop_token& stop);

}  // namespace lockstep::node
