// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "oci/calls/regions.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/credentials.h"

namespace lockstep::oci {

/// "https://auth.us-ashburn-1.oraclecloud.com", or the profile's one endpoint; for all but sessions what
/// OCI_CLI_FEDERATION_ENDPOINT says.
[[nodiscard]] std::string authUrl(const Profile& profile, const Region& region);

/// One exchange with what hands out tokens: sent once, told to the audit. Every HTTP status is an answer.
Result<HttpResponse> askForToken(const SigningIn& in, const HttpRequest& request,
                                 const std::string& operation);

/// `token` of an answer; DataLoss when it has none.
Result<std::string> tokenOf(const HttpResponse& response, const std::string& operation);

}  // namespace lockstep::oci
