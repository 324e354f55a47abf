// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/dispatcher.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <strings.h>

#include <algorithm>

#include "base/text/encoding.h"
#include "base/time_text.h"
#include "rehearsal/support/region_log.h"

namespace lockstep::rehearsal {
namespace {

std::string upperHex(std::size_t bytes) {
  std::string hex = toHex(randomBytes(bytes));
  std::transform(hex.begin(), hex.end(), hex.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return hex;
}

// The caller's id extended to three segments (oci-rest-contract 3.1).
std::string requestIdFor(const IncomingRequest& request) {
  std::string id = headerValue(request.headers, "opc-request-id").value_or(upperHex(16));
  if (id.empty() || id.size() > 512) id = upperHex(16);
  for (auto slashes = std::count(id.begin(), id.end(), '/'); slashes < 2; ++slashes) id += "/" + upperHex(16);
  return id;
}

Response responseOf(const ServiceError& error) {
  Response response = jsonResponse({{"code", error.code}, {"message", error.message}});
  response.status = error.status;
  return response;
}

// The path as it may be written down: the second part of a preauthenticated link, and of the way to an
// instance's metadata, is its secret.
std::string withoutSecret(std::string_view path) {
  for (const std::string_view door : {"/p/", "/metadata/"}) {
    if (!path.starts_with(door)) continue;
    const std::size_t end = path.find('/', door.size());
    return std::string(door) + "***" + std::string(end == std::string_view::npos ? "" : path.substr(end));
  }
  return std::string(path);
}

tl::unexpected<ServiceError> notAuthenticated() {
  return refuse(401, "NotAuthenticated",
                "The required information to complete authentication was not provided or was incorrect.");
}

OperationResult failed(const AuditEntry& entry, const std::exception& e) {
  logLine(fmt::format("{} {} failed: {} ({})", entry.method, entry.path, e.what(), entry.requestId));
  return refuse(500, "InternalServerError",
                std::string("The region could not carry out the request: ") + e.what());
}

// An address or a name below localhost. A page from elsewhere whose name was made to mean this machine comes
// with that name, and only requests without a signature (which has the host in it) could come from a page.
bool isHereNamed(std::string_view host) {
  if (host.starts_with('[')) return true;
  const std::string_view name = host.substr(0, host.find(':'));
  const std::string_view last = name.substr(name.rfind('.') + 1);  // the whole name when it has no dot
  const bool isNumber =
      !last.empty() && std::all_of(last.begin(), last.end(), [](unsigned char c) { return std::isdigit(c); });
  return isNumber || (last.size() == 9 && ::strncasecmp(last.data(), "localhost", 9) == 0);
}

}  // namespace

bool Dispatcher::isAdministrator(const IncomingRequest& head) const {
  const std::string given = headerValue(head.headers, "authorization").value_or("");
  const std::string wanted = "Bearer " + parts_.adminToken;
  return !parts_.adminToken.empty() && given.size() == wanted.size() &&
         CRYPTO_memcmp(given.data(), wanted.data(), wanted.size()) == 0;
}

bool Dispatcher::isOpen(const IncomingRequest& head, Admission& admission) const {
  if (parts_.open == nullptr) return false;
  const std::string scheme = headerValue(head.headers, "authorization").value_or("").substr(0, 10);
  if (::strcasecmp(scheme.c_str(), "signature ") == 0) return false;
  auto match = parts_.open->find(head.method, splitTarget(head.target).path);
  if (match.route == nullptr) return false;
  admission.match = std::move(match);
  return true;
}

// By whom the request is sent decides in which router its operation stands.
std::optional<OperationResult> Dispatcher::evaluateCaller(const IncomingRequest& head, Admission& admission) {
  if (head.target.starts_with("/rehearsal/")) {
    if (!isAdministrator(head)) return notAuthenticated();
    admission.router = &parts_.admin;
    admission.isKnown = true;
  } else if (isOpen(head, admission)) {
    if (!isHereNamed(headerValue(head.headers, "host").value_or("")))
      return refuse(421, "MisdirectedRequest", "This region does not answer under the name of another host.");
    admission.router = parts_.open;
    return std::nullopt;
  } else {
    auto signer = verifyHead(head, parts_.keys, parts_.clock->now());
    if (!signer) {
      logLine(fmt::format("refused {} {}: {}", head.method, admission.entry.path, signer.error()));
      admission.entry.why = signer.error();
      return notAuthenticated();
    }
    admission.entry.principal = signer->principal;
    admission.signer = std::move(*signer);
    admission.isKnown = true;
    admission.router = &parts_.services;
  }
  admission.match = admission.router->find(head.method, splitTarget(head.target).path);
  return std::nullopt;
}

std::optional<OperationResult> Dispatcher::checkHead(const IncomingRequest& head, bool hasBody,
                                                     Admission& admission) {
  if (auto refused = evaluateCaller(head, admission)) return refused;
  const Router::Match& match = admission.match;
  if (match.route == nullptr && match.pathKnown)
    return refuse(405, "MethodNotAllowed", "The resource does not know the method " + head.method + ".");
  if (match.route == nullptr)
    return refuse(404, "NotFound", "This region has no operation at " + admission.entry.path + ".");
  admission.entry.operation = match.route->name;
  if (!hasBody || admission.router != parts_.open) return std::nullopt;
  if (!match.route->body.gate) return refuse(413, "PayloadTooLarge", "This operation takes no body.");
  return match.route->body.gate(callOf(head, admission, match.values));
}

Admission Dispatcher::admit(const IncomingRequest& head, bool hasBody) {
  Admission admission;
  AuditEntry& entry = admission.entry;
  entry.time = parts_.clock->now();
  entry.requestId = requestIdFor(head);
  entry.method = head.method;
  entry.path = withoutSecret(splitTarget(head.target).path);
  try {
    admission.instead = checkHead(head, hasBody, admission);
  } catch (const std::exception& e) {
    admission.instead = failed(entry, e);
  }
  return admission;
}

Call Dispatcher::callOf(const IncomingRequest& request, const Admission& admission,
                        std::map<std::string, std::string> path) {
  return Call{request,
              admission.match.route->name,
              admission.signer ? admission.signer->principal : Principal{},
              admission.entry.time,
              std::move(path),
              parseQuery(splitTarget(request.target).query)};
}

OperationResult Dispatcher::serve(const IncomingRequest& request, Admission& admission) {
  if (admission.instead) return *std::move(admission.instead);
  AuditEntry& entry = admission.entry;
  if (admission.signer) {
    if (auto why = checkSignedBody(request, *admission.signer)) {
      logLine(fmt::format("refused {} {}: {}", request.method, entry.path, *why));
      entry.why = *why;
      entry.operation.clear();
      entry.principal.reset();
      return notAuthenticated();
    }
  }
  Call call = callOf(request, admission, std::move(admission.match.values));
  const bool disturbed = parts_.interference != nullptr && admission.router == &parts_.services;
  if (disturbed)
    if (auto instead = parts_.interference->instead(call)) return std::move(*instead);
  if (disturbed) call.visibility = parts_.interference->visibility(entry.operation);
  return admission.match.route->operation(call);
}

Response Dispatcher::carryOut(const IncomingRequest& request, Admission& admission) {
  OperationResult result = [&]() -> OperationResult {
    try {
      return serve(request, admission);
    } catch (const std::exception& e) {
      return failed(admission.entry, e);
    }
  }();
  if (result) return std::move(*result);
  admission.entry.code = result.error().code;
  return responseOf(result.error());
}

Response Dispatcher::answer(const IncomingRequest& request, Admission admission) {
  const auto begin = std::chrono::steady_clock::now();
  AuditEntry& entry = admission.entry;
  entry.time = parts_.clock->now();
  Response response = carryOut(request, admission);
  if (response.status == 401) response.isForStranger = true;
  if (response.status >= 500)
    logLine(fmt::format("{} {}: {} {}", request.method, entry.path, response.status, response.body));
  response.headers.emplace_back("opc-request-id", entry.requestId);
  if (const auto id = headerValue(request.headers, "opc-client-request-id"))
    response.headers.emplace_back("opc-client-request-id", *id);
  response.headers.emplace_back("date", toRfc1123(entry.time));
  const bool isService = entry.principal.has_value() && !entry.operation.empty();
  if (parts_.interference != nullptr && isService) parts_.interference->deliver(entry.operation, response);
  entry.status = response.status;
  entry.duration =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  if (parts_.audit) parts_.audit(entry);
  return response;
}

}  // namespace lockstep::rehearsal
