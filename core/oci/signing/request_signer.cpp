// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/request_signer.h"

#include <fmt/format.h>
#include <openssl/evp.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <memory>
#include <vector>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/text/trimmed.h"
#include "base/time_text.h"
#include "http/url.h"
#include "oci/signing/private_key.h"

namespace lockstep::oci {
namespace {

constexpr std::size_t kPiece = 1U << 16;

// Signed when they are there.
constexpr std::array<const char*, 3> kExtraNames{"opc-obo-token", "x-cross-tenancy-request",
                                                 "x-subscription"};

bool mayHaveBody(const std::string& method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

// What a server sees of a header: blanks around the value are not part of it.
void removeHeader(HttpHeaders& headers, const char* name) {
  std::erase_if(headers, [&](const auto& h) { return ::strcasecmp(h.first.c_str(), name) == 0; });
}

Result<std::string> hashOf(BodySource& source) {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  std::string piece(kPiece, '\0');
  bool fine = context != nullptr && EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr) == 1;
  for (std::uint64_t at = 0; fine && at < source.size();) {
    const auto got = source.read(at, piece.data(), std::min<std::uint64_t>(kPiece, source.size() - at));
    if (!got) return failure(got.error());
    if (*got == 0)
      return failure(ErrorCode::DataLoss, "what is being uploaded has changed meanwhile",
                     fmt::format("it ended after {} of {} bytes", at, source.size()));
    fine = EVP_DigestUpdate(context.get(), piece.data(), *got) == 1;
    at += *got;
  }
  std::array<unsigned char, 32> hash{};
  if (!fine || EVP_DigestFinal_ex(context.get(), hash.data(), nullptr) != 1)
    return failure(ErrorCode::Internal, "cannot hash the body of a request", "OpenSSL has no SHA-256");
  return std::string(reinterpret_cast<const char*>(hash.data()), hash.size());
}

Result<void> addBodyHeaders(HttpRequest& request, BodySigning body) {
  const bool isSigned = body == BodySigning::Signed;
  if (!hasHeader(request.headers, "content-type")) {
    request.headers.emplace_back("content-type", isSigned ? "application/json" : "application/octet-stream");
  }
  const std::uint64_t size = request.source != nullptr ? request.source->size() : request.body.size();
  setHeader(request.headers, "content-length", std::to_string(size));
  if (!isSigned) return {};
  auto hash = request.source != nullptr ? hashOf(*request.source) : Result<std::string>(sha256(request.body));
  if (!hash) return failure(hash.error());
  setHeader(request.headers, "x-content-sha256", toBase64(*hash));
  return {};
}

std::vector<const char*> signedNames(const HttpRequest& request, BodySigning body, const char* date) {
  std::vector<const char*> names = {date, "(request-target)", "host"};
  if (mayHaveBody(request.method) && body == BodySigning::Signed)
    names.insert(names.end(), {"content-length", "content-type", "x-content-sha256"});
  for (const char* name : kExtraNames) {
    if (hasHeader(request.headers, name)) names.push_back(name);
  }
  return names;
}

Result<std::string> signedValue(const HttpRequest& request, const char* name) {
  const std::string* value = nullptr;
  for (const auto& [key, text] : request.headers) {
    if (::strcasecmp(key.c_str(), name) != 0) continue;
    if (value != nullptr)
      return failure(ErrorCode::InvalidArgument, fmt::format("cannot sign the header '{}'", name),
                     "it is there more than once, and a service sees only one of them");
    value = &text;
  }
  return value == nullptr ? std::string() : std::string(trimmed(*value, kHttpBlanks));
}

}  // namespace

Result<void> signRequest(HttpRequest& request, const SigningIdentity& identity, TimePoint now,
                         BodySigning body, std::string* signingString, DateHeader dateHeader) {
  const auto url = parseUrl(request.url);
  if (!url) return failure(url.error());
  const char* date = dateHeader == DateHeader::Date ? "date" : "x-date";
  for (const auto& [name, value] : identity.headers) setHeader(request.headers, name, value);
  // The other of the two would say something that nobody vouches for.
  removeHeader(request.headers, dateHeader == DateHeader::Date ? "x-date" : "date");
  if (!hasHeader(request.headers, date)) request.headers.emplace_back(date, toRfc1123(now));
  setHeader(request.headers, "host", url->hostHeader());
  if (mayHaveBody(request.method)) {
    if (auto done = addBodyHeaders(request, body); !done) return done;
  }
  std::string names;
  std::string text;
  for (const char* name : signedNames(request, body, date)) {
    const bool first = names.empty();
    names.append(first ? "" : " ").append(name);
    text.append(first ? "" : "\n").append(name).append(": ");
    if (name[0] == '(') {
      text.append(lowerCase(request.method)).append(" ").append(url->target);
      continue;
    }
    const auto value = signedValue(request, name);
    if (!value) return failure(value.error());
    text += *value;
  }
  const auto signature = signBase64(identity.key.get(), text);
  if (!signature) return failure(signature.error());
  setHeader(
      request.headers, "authorization",
      fmt::format(R"(Signature version="1",headers="{}",keyId="{}",algorithm="rsa-sha256",signature="{}")",
                  names, identity.keyId, *signature));
  if (signingString != nullptr) *signingString = std::move(text);
  return {};
}

}  // namespace lockstep::oci
