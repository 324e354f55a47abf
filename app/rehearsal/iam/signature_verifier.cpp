// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/signature_verifier.h"

#include <algorithm>
#include <map>
#include <set>
#include <sstream>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/text/trimmed.h"
#include "base/time_text.h"

namespace lockstep::rehearsal {
namespace {

using Reason = tl::unexpected<std::string>;
constexpr std::chrono::minutes kAllowedSkew{5};
constexpr std::string_view kFederationPath = "/v1/x509";

std::string lowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
  return lower;
}

// name="value", comma separated, blanks anywhere between.
std::optional<std::map<std::string, std::string>> parseParameters(std::string_view text) {
  std::map<std::string, std::string> parameters;
  for (text = trimmed(text, kHttpBlanks); !text.empty(); text = trimmed(text, kHttpBlanks)) {
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) return std::nullopt;
    const std::string name(trimmed(text.substr(0, equals), kHttpBlanks));
    text = trimmed(text.substr(equals + 1), kHttpBlanks);
    if (text.empty() || text.front() != '"') return std::nullopt;
    const std::size_t end = text.find('"', 1);
    if (end == std::string_view::npos) return std::nullopt;
    if (!parameters.emplace(name, text.substr(1, end - 1)).second) return std::nullopt;
    text = trimmed(text.substr(end + 1), kHttpBlanks);
    if (text.empty()) break;
    if (text.front() != ',') return std::nullopt;
    text.remove_prefix(1);
  }
  return parameters;
}

struct Claim {
  std::string keyId, signature;
  std::vector<std::string> signedNames;  // lower case, in order
};

tl::expected<Claim, std::string> parseAuthorization(const Headers& headers) {
  const auto value = headerValue(headers, "authorization");
  if (!value) return Reason("there is no Authorization header");
  if (headers.count("authorization") > 1) return Reason("there is more than one Authorization header");
  const std::string_view text = trimmed(*value, kHttpBlanks);
  const std::size_t blank = text.find(' ');
  if (blank == std::string_view::npos || lowerCase(text.substr(0, blank)) != "signature")
    return Reason("the Authorization scheme is not Signature");
  auto parameters = parseParameters(text.substr(blank + 1));
  if (!parameters) return Reason("the Authorization header is malformed");
  for (const char* name : {"headers", "keyId", "algorithm", "signature", "version"})
    if (!parameters->contains(name)) return Reason(std::string("the Authorization header lacks ") + name);
  if ((*parameters)["version"] != "1") return Reason("the signature version is not 1");
  if (lowerCase((*parameters)["algorithm"]) != "rsa-sha256") return Reason("the algorithm is not rsa-sha256");
  Claim claim{(*parameters)["keyId"], {}, {}};
  const auto signature = fromBase64((*parameters)["signature"]);
  if (!signature || signature->empty()) return Reason("the signature is not base64");
  claim.signature = *signature;
  std::istringstream names((*parameters)["headers"]);
  for (std::string name; names >> name;) claim.signedNames.push_back(lowerCase(name));
  return claim;
}

tl::expected<std::string, std::string> signingString(const IncomingRequest& request, const Claim& claim) {
  std::string text;
  std::set<std::string> seen;
  for (const std::string& name : claim.signedNames) {
    if (!seen.insert(name).second) return Reason("the header " + name + " is listed twice");
    if (!text.empty()) text += '\n';
    text += name + ": ";
    if (name == "(request-target)") {
      text += lowerCase(request.method) + " " + request.target;
      continue;
    }
    if (request.headers.count(name) > 1)
      return Reason("the signed header " + name + " was sent more than once");
    const auto value = headerValue(request.headers, name);
    if (!value) return Reason("the signed header " + name + " was not sent");
    text += trimmed(*value, kHttpBlanks);
  }
  return text;
}

bool carriesBody(const std::string& method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

std::optional<std::string> checkRequiredHeaders(const IncomingRequest& request,
                                                const std::set<std::string>& names) {
  if (!names.contains("date") && !names.contains("x-date")) return "neither date nor x-date is signed";
  // The SDKs do not sign the host of the request by which an instance signs in (oci-rest-contract 1.7).
  const bool isFederation = splitTarget(request.target).path == kFederationPath;
  for (const char* name : {"(request-target)", "host"})
    if (!names.contains(name) && !(isFederation && name == std::string_view("host")))
      return std::string(name) + " is not signed";
  if (!carriesBody(request.method) || bodyMayBeUnsigned(request.method, request.target)) return std::nullopt;
  for (const char* name : {"content-length", "content-type", "x-content-sha256"})
    if (!names.contains(name)) return std::string(name) + " is not signed";
  return std::nullopt;
}

std::optional<std::string> checkDates(const IncomingRequest& request, const std::set<std::string>& names,
                                      TimePoint now) {
  for (const char* name : {"date", "x-date"}) {
    if (!names.contains(name)) continue;
    const auto text = headerValue(request.headers, name);
    const auto time = text ? parseRfc1123(*text) : std::nullopt;
    if (!time) return std::string(name) + " is not an RFC 1123 date";
    if (*time - now > kAllowedSkew || now - *time > kAllowedSkew)
      return std::string(name) + " differs from the clock of the service by more than 5 minutes";
  }
  return std::nullopt;
}

}  // namespace

bool bodyMayBeUnsigned(std::string_view method, std::string_view target) {
  const std::string_view path = splitTarget(target).path;
  std::vector<std::string_view> parts;
  for (std::size_t at = 1; at <= path.size();) {
    const std::size_t end = std::min(path.find('/', at), path.size());
    parts.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  // /n/{ns}/b/{bucket}/o|u/{object…}
  if (method == "PUT" && parts.size() >= 6 && parts[0] == "n" && parts[2] == "b")
    return parts[4] == "o" || parts[4] == "u";
  // /20190101/{jobs|models|…}/{id}/artifact
  return (method == "POST" || method == "PUT") && parts.size() == 4 && parts[0] == "20190101" &&
         parts[3] == "artifact";
}

std::string signingKeyId(const IncomingRequest& head) {
  const auto claim = parseAuthorization(head.headers);
  return claim ? claim->keyId : std::string();
}

tl::expected<VerifiedHead, std::string> verifyHead(const IncomingRequest& head, KeyFinder& keys,
                                                   TimePoint now) {
  auto claim = parseAuthorization(head.headers);
  if (!claim) return Reason(claim.error());
  const std::set<std::string> names(claim->signedNames.begin(), claim->signedNames.end());
  if (auto reason = checkRequiredHeaders(head, names)) return Reason(*reason);
  if (auto reason = checkDates(head, names, now)) return Reason(*reason);
  const auto text = signingString(head, *claim);
  if (!text) return Reason(text.error());
  const auto key = keys.find(claim->keyId, now);
  if (!key) return Reason("the keyId is unknown or has expired");
  if (!verifyRsaSha256(key->publicKey, *text, claim->signature))
    return Reason("the signature does not match");
  if (claim->keyId.find("/fed-x509") != std::string::npos && splitTarget(head.target).path != kFederationPath)
    return Reason("a certificate signs nothing but the request for a token");
  return VerifiedHead{key->principal, names.contains("content-length"), names.contains("x-content-sha256")};
}

std::optional<std::string> checkSignedBody(const IncomingRequest& request, const VerifiedHead& head) {
  if (head.signsLength &&
      headerValue(request.headers, "content-length") != std::to_string(request.bytes().size()))
    return "content-length is not the length of the body";
  if (head.signsHash && headerValue(request.headers, "x-content-sha256") != toBase64(sha256(request.bytes())))
    return "x-content-sha256 is not the hash of the body";
  return std::nullopt;
}

tl::expected<Principal, std::string> verifySignature(const IncomingRequest& request, KeyFinder& keys,
                                                     TimePoint now) {
  auto head = verifyHead(request, keys, now);
  if (!head) return Reason(head.error());
  if (auto reason = checkSignedBody(request, *head)) return Reason(*reason);
  return std::move(head->principal);
}

}  // namespace lockstep::rehearsal
