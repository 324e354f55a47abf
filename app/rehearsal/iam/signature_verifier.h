// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "rehearsal/api/http_types.h"
#include "rehearsal/api/principal.h"

namespace lockstep::rehearsal {

/// Checks the signature of a request by oci-rest-contract 1.1 and 8: any parameter order, header names in any
/// case, date or x-date within five minutes, the method's minimum set of signed headers, content-length and
/// x-content-sha256 against the body, the target exactly as on the request line. The error is the reason, for
/// our own log: the service never tells it to the caller.
tl::expected<Principal, std::string> verifySignature(const IncomingRequest& request, KeyFinder& keys,
                                                     TimePoint now);

/// The same in two steps, so that nobody's body is read before it is known who sends it.
struct VerifiedHead {
  Principal principal;
  bool signsLength = false, signsHash = false;
};
tl::expected<VerifiedHead, std::string> verifyHead(const IncomingRequest& head, KeyFinder& keys,
                                                   TimePoint now);
/// Why the body is not the one that was signed; nullopt: it is, or none was.
std::optional<std::string> checkSignedBody(const IncomingRequest& request, const VerifiedHead& head);

/// The keyId that a signed request names; empty when there is none.
[[nodiscard]] std::string signingKeyId(const IncomingRequest& head);

/// Uploads whose body the signature leaves out (oci-rest-contract 1.1).
[[nodiscard]] bool bodyMayBeUnsigned(std::string_view method, std::string_view target);

}  // namespace lockstep::rehearsal
