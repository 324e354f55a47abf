// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/request_signer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/digest.h"
#include "base/encoding.h"
#include "base/time_text.h"
#include "http/url.h"
#include "oci/private_key.h"

namespace lockstep::oci {
namespace {

bool mayHaveBody(const std::string& method) {
  return method == "POST" || method == "PUT" || method == "PATCH";
}

std::string lowerCase(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

void addBodyHeaders(HttpRequest& request, BodySigning body) {
  const bool isSigned = body == BodySigning::Signed;
  if (!hasHeader(request.headers, "content-type")) {
    setHeader(request.headers, "content-type", isSigned ? "application/json" : "application/octet-stream");
  }
  setHeader(request.headers, "content-length", std::to_string(request.body.size()));
  if (isSigned) setHeader(request.headers, "x-content-sha256", toBase64(sha256(request.body)));
}

std::vector<std::string> signedNames(const HttpRequest& request, BodySigning body) {
  std::vector<std::string> names = {"date", "(request-target)", "host"};
  if (mayHaveBody(request.method) && body == BodySigning::Signed) {
    for (const char* name : {"content-length", "content-type", "x-content-sha256"}) names.emplace_back(name);
  }
  for (const char* name : {"opc-obo-token", "x-cross-tenancy-request", "x-subscription"}) {
    if (hasHeader(request.headers, name)) names.emplace_back(name);
  }
  return names;
}

}  // namespace

Result<void> signRequest(HttpRequest& request, const SigningIdentity& identity, TimePoint now,
                         BodySigning body, std::string* signingString) {
  const auto url = parseUrl(request.url);
  if (!url) return failure(url.error());
  std::erase_if(request.headers, [](const auto& h) { return lowerCase(h.first) == "x-date"; });
  if (!hasHeader(request.headers, "date")) setHeader(request.headers, "date", toRfc1123(now));
  setHeader(request.headers, "host", url->hostHeader());
  if (mayHaveBody(request.method)) addBodyHeaders(request, body);

  const std::vector<std::string> names = signedNames(request, body);
  std::vector<std::string> lines;
  for (const std::string& name : names) {
    const std::string value = name == "(request-target)"
                                  ? fmt::format("{} {}", lowerCase(request.method), url->target)
                                  : headerValue(request.headers, name);
    lines.push_back(fmt::format("{}: {}", name, value));
  }
  const std::string text = fmt::format("{}", fmt::join(lines, "\n"));
  const auto signature = signBase64(identity.key.get(), text);
  if (!signature) return failure(signature.error());
  setHeader(
      request.headers, "authorization",
      fmt::format(R"(Signature version="1",headers="{}",keyId="{}",algorithm="rsa-sha256",signature="{}")",
                  fmt::join(names, " "), identity.keyId, *signature));
  if (signingString != nullptr) *signingString = text;
  return {};
}

}  // namespace lockstep::oci
