// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/atomic_file.h"
#include "base/text/trimmed.h"
#include "base/time_text.h"
#include "cli.h"
#include "http/url.h"
#include "interrupt.h"
#include "oci/calls/service_client.h"
#include "oci/signin/open_service_client.h"
#include "oci/signin/sign_in.h"
#include "output.h"
#include "target.h"

namespace lockstep::cli {
namespace {

using nlohmann::json;

struct Options {
  std::string method, url, body, date;
  std::vector<std::string> headers;
  bool dryRun = false;
  bool json = false;
};

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::toupper(c); });
  return text;
}

Result<HttpRequest> requestOf(const Options& options, const oci::Profile& profile) {
  HttpRequest request;
  request.method = upper(options.method);
  // A path alone goes to the profile's endpoint, where one base URL serves every service.
  request.url = options.url.rfind('/', 0) == 0 && !profile.endpoint.empty() ? profile.endpoint + options.url
                                                                            : options.url;
  for (const std::string& header : options.headers) {
    const std::size_t colon = header.find(':');
    if (colon == std::string::npos || colon == 0) {
      return failure(ErrorCode::InvalidArgument, fmt::format("'{}' is no header", header), {},
                     "write 'Name: value'");
    }
    request.headers.emplace_back(header.substr(0, colon),
                                 trimmed(std::string_view(header).substr(colon + 1), kHttpBlanks));
  }
  // As it stands: the published sample's weekday is wrong, and signed so.
  if (!options.date.empty()) setHeader(request.headers, "date", options.date);
  request.body = options.body;
  if (options.body.rfind('@', 0) == 0) {
    auto bytes = readFile(options.body.substr(1));
    if (!bytes) return failure(std::move(bytes.error()));
    request.body = *std::move(bytes);
  }
  return request;
}

// The operations that send their body unsigned (oci-rest-contract 1.1): PutObject and UploadPart, and the
// uploads of Data Science artifacts.
oci::BodySigning bodySigningOf(const HttpRequest& request) {
  const auto url = parseUrl(request.url);
  if (!url) return oci::BodySigning::Signed;  // refused anyway, and with the reason
  std::vector<std::string> parts;
  std::istringstream path(url->target.substr(1, url->target.find('?') - 1));
  for (std::string part; std::getline(path, part, '/');) parts.push_back(part);
  const bool isObject = request.method == "PUT" && parts.size() >= 6 && parts[0] == "n" && parts[2] == "b" &&
                        (parts[4] == "o" || parts[4] == "u");
  const bool isArtifact = (request.method == "POST" || request.method == "PUT") && parts.size() == 4 &&
                          parts[0] == "20190101" && parts[3] == "artifact";
  return isObject || isArtifact ? oci::BodySigning::Excluded : oci::BodySigning::Signed;
}

std::string without(const std::string& secret, std::string text) {
  constexpr std::string_view shown = "***";
  std::size_t at = secret.empty() ? std::string::npos : text.find(secret);
  for (; at != std::string::npos; at = text.find(secret, at + shown.size()))
    text.replace(at, secret.size(), shown);
  return text;
}

// The tokens of sessions, principals and delegations are secret even where a request is only shown: the first
// two stand in the key id.
void hideTokens(HttpRequest& request, const std::string& keyId, std::string& signingString) {
  const std::string token = keyId.starts_with("ST$") ? keyId.substr(3) : "";
  const std::string delegation = headerValue(request.headers, "opc-obo-token");
  for (auto& [name, value] : request.headers) value = without(delegation, without(token, value));
  signingString = without(delegation, signingString);
}

int dryRun(HttpRequest request, const oci::Profile& profile, const Options& options) {
  auto credentials = oci::credentialsFor(profile);
  if (!credentials) return failed(credentials.error());
  const auto identity = (*credentials)->current();
  if (!identity) return failed(identity.error());
  std::string signingString;
  const auto isSigned =
      oci::signRequest(request, *identity, SystemClock().now(), bodySigningOf(request), &signingString);
  if (!isSigned) return failed(isSigned.error());
  hideTokens(request, identity->keyId, signingString);
  if (options.json) {
    json headers = json::object();
    for (const auto& [name, value] : request.headers) headers[name] = value;
    printJson({{"method", request.method},
               {"url", request.url},
               {"signingString", signingString},
               {"headers", std::move(headers)},
               {"authorization", headerValue(request.headers, "authorization")}});
    return kDone;
  }
  printLine(fmt::format("{} {}", request.method, request.url));
  for (const auto& [name, value] : request.headers) printLine(fmt::format("{}: {}", name, value));
  printLine("\n" + signingString);
  return kDone;
}

int report(const HttpResponse& response, const Options& options) {
  if (options.json) {
    json headers = json::object();
    for (const auto& [name, value] : response.headers) headers[name] = value;
    const json body = json::parse(response.body, nullptr, false);
    printJson({{"status", response.status},
               {"headers", std::move(headers)},
               {"body", body.is_discarded() ? json(response.body) : body}});
  } else {
    printDocument(response.body);
    if (!response.body.empty() && response.body.back() != '\n') printText("\n");
  }
  const std::string id = headerValue(response.headers, "opc-request-id");
  note(fmt::format("HTTP {}{}", response.status, id.empty() ? "" : ", opc-request-id " + id));
  return response.status < 400 ? kDone : kRefused;
}

int send(HttpRequest request, const oci::Profile& profile, const Options& options) {
  auto services = oci::openServiceClient(profile);
  if (!services) return failed(services.error());
  const Interrupt interrupt;
  const oci::BodySigning signing = bodySigningOf(request);
  const auto response = (*services)->send(std::move(request), signing, interrupt.token());
  return response ? report(*response, options) : failed(response.error());
}

int request(const Options& options, const GlobalOptions& global) {
  oci::ProfileQuery query = queryOf(global);
  if (global.region == "rehearsal" && query.profile.empty()) query.profile = "REHEARSAL";
  const auto profile = oci::loadProfile(query);
  if (!profile) return failed(profile.error());
  auto prepared = requestOf(options, *profile);
  if (!prepared) {
    printError(prepared.error());
    return kUsage;
  }
  return options.dryRun ? dryRun(*std::move(prepared), *profile, options)
                        : send(*std::move(prepared), *profile, options);
}

std::string isRfc1123(const std::string& text) {
  return parseRfc1123(text) ? "" : "'" + text + "' is not a date like 'Thu, 05 Jan 2014 21:31:40 GMT'";
}

}  // namespace

void addRequestCommand(CLI::App& app, Cli& cli) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("request", "Send one signed request and print the answer");
  command->add_option("METHOD", options->method, "GET, POST, …")->required();
  command->add_option("URL", options->url, "whole URL; a path alone goes to the profile's endpoint")
      ->required();
  command->add_option("-d,--data", options->body, "body, or @FILE");
  command->add_option("-H,--header", options->headers, "'Name: value' (may be given several times)")
      ->expected(1)
      ->take_all();
  command->add_option("--date", options->date, "sign this RFC 1123 date instead of now")->check(isRfc1123);
  command->add_flag("--dry-run", options->dryRun,
                    "send nothing; print what would be sent and the signing string");
  command->add_flag("--json", options->json, "print one JSON document");
  command->callback(
      [options, &cli] { cli.command = [options, &cli] { return request(*options, cli.global); }; });
}

}  // namespace lockstep::cli
