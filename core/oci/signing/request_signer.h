// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/clock.h"
#include "http/http_client.h"
#include "oci/signing/credentials.h"

namespace lockstep::oci {

enum class BodySigning { Signed, Excluded };  // Excluded: PutObject, UploadPart, artifacts
/// XDate where something between here and the wire sets a Date of its own: x-date is signed in its place.
enum class DateHeader { Date, XDate };

/// Adds date, host, body headers and Authorization to a request (oci-rest-contract 1.1). Pure but for the
/// key. Headers of those names are replaced, but a `date` (`x-date`) that is there already is signed as it
/// stands: published vectors have dates whose weekday is wrong. A body that comes from a source is read
/// through once to be hashed when it is signed. InvalidArgument for a signed header that is there more than
/// once. To sign a request once more, start from the unsigned one. `signingString`, when given, receives the
/// string that was signed.
Result<void> signRequest(HttpRequest& request, const SigningIdentity& identity, TimePoint now,
                         BodySigning body, std::string* signingString = nullptr,
                         DateHeader dateHeader = DateHeader::Date);

}  // namespace lockstep::oci
