// SPDX-License-Identifier: GPL-3.0-or-later
#include <iostream>
#include <map>

#include "base/atomic_file.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "rehearsal/iam/signature_verifier.h"
#include "rehearsal/region/commands.h"
#include "rehearsal/region/print.h"

namespace lockstep::rehearsal {
namespace {

class GivenKeys final : public KeyFinder {
 public:
  std::map<std::string, Key> keys;
  std::optional<KnownKey> find(const std::string& keyId, TimePoint) override {
    const auto found = keys.find(keyId);
    if (found == keys.end()) return std::nullopt;
    return KnownKey{found->second, {}};
  }
};

// "https://host[:port]/path?query" -> "/path?query"; a target alone stays.
std::string targetOf(const std::string& url) {
  const std::size_t scheme = url.find("://");
  if (scheme == std::string::npos) return url;
  const std::size_t start = url.find_first_of("/?", scheme + 3);
  if (start == std::string::npos) return "/";
  const std::string rest = url.substr(start, url.find('#', start) - start);
  return rest.front() == '?' ? "/" + rest : rest;
}

tl::expected<IncomingRequest, std::string> readRequest(const std::string& line) {
  const nlohmann::json json = nlohmann::json::parse(line, nullptr, false);
  if (!json.is_object() || !json.value("method", nlohmann::json()).is_string() ||
      !json.value("url", nlohmann::json()).is_string())
    return tl::unexpected<std::string>("the line is not a JSON object with method and url");
  IncomingRequest request;
  request.method = json["method"];
  request.target = targetOf(json["url"]);
  const nlohmann::json headers = json.value("headers", nlohmann::json::object());
  if (!headers.is_object()) return tl::unexpected<std::string>("headers is not an object");
  for (const auto& [name, value] : headers.items()) {
    const nlohmann::json values = value.is_array() ? value : nlohmann::json::array({value});
    for (const auto& one : values)
      request.headers.emplace(name, one.is_string() ? one.get<std::string>() : one.dump());
  }
  if (json.contains("body") && json["body"].is_string()) request.body = json["body"];
  if (json.contains("bodyBase64") && json["bodyBase64"].is_string()) {
    const auto bytes = fromBase64(json["bodyBase64"].get<std::string>());
    if (!bytes) return tl::unexpected<std::string>("bodyBase64 is not base64");
    request.body = *bytes;
  }
  return request;
}

Result<void> addKey(GivenKeys& known, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos)
    return failure(ErrorCode::InvalidArgument, "--key '" + text + "' is not KEYID=PUBLIC.pem");
  const auto pem = readFile(text.substr(equals + 1));
  if (!pem) return failure(pem.error());
  const auto key = readPublicPem(*pem);
  if (!key)
    return failure(ErrorCode::InvalidArgument,
                   "'" + text.substr(equals + 1) + "' is not a public key in PEM form");
  known.keys[text.substr(0, equals)] = *key;
  return {};
}

}  // namespace

int verifyCommand(const std::string& at, const std::vector<std::string>& keys) {
  GivenKeys known;
  for (const std::string& key : keys) {
    if (auto added = addKey(known, key); !added) {
      printErr(describe(added.error()));
      return 2;
    }
  }
  TimePoint now = SystemClock().now();
  if (!at.empty()) {
    const auto given = parseRfc1123(at);
    if (!given) {
      printErr("--at '" + at + "' is not an RFC 1123 date");
      return 2;
    }
    now = *given;
  }
  for (std::string line; std::getline(std::cin, line);) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    const auto request = readRequest(line);
    if (!request) {
      printOut("refuse CannotParseRequest " + request.error() + "\n");
      continue;
    }
    const auto principal = verifySignature(*request, known, now);
    printOut((principal ? "accept" : "refuse NotAuthenticated " + principal.error()) + "\n");
  }
  return 0;
}

}  // namespace lockstep::rehearsal
