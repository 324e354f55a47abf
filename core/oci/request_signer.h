// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/clock.h"
#include "http/http_client.h"
#include "oci/credentials.h"

namespace lockstep::oci {

enum class BodySigning { Signed, Excluded };  // Excluded: PutObject, UploadPart, artifacts

/// Adds date, host, body headers and Authorization to a request (oci-rest-contract 1.1). Pure but for the key.
/// Headers of those names are replaced, but a `date` that is there already is signed as it stands: published
/// vectors have dates whose weekday is wrong. To sign a request once more, start from the unsigned one.
/// `signingString`, when given, receives the string that was signed.
Result<void> signRequest(HttpRequest& request, const SigningIdentity& identity, TimePoint now,
                         BodySigning body, std::string* signingString = nullptr);

}  // namespace lockstep::oci
