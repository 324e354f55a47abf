// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/dispatcher.h"

#include <fmt/format.h>
#include <openssl/crypto.h>
#include <strings.h>

#include <algorithm>

#include "base/encoding.h"
#include "base/time_text.h"
#include "rehearsal/region_log.h"

namespace lockstep::rehearsal {
namespace {

std::string upperHex(std::size_t bytes) {
  std::string hex = toHex(randomBytes(bytes));
  std::transform(hex.begin(), hex.end(), hex.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return hex;
}

// The caller's id extended to three segments (oci-rest-contract 3.1).
std::string requestIdFor(const WireRequest& request) {
  std::string id = headerValue(request.headers, "opc-request-id").value_or(upperHex(16));
  if (id.empty() || id.size() > 512) id = upperHex(16);
  for (auto slashes = std::count(id.begin(), id.end(), '/'); slashes < 2; ++slashes) id += "/" + upperHex(16);
  return id;
}

Reply replyOf(const Refusal& refusal) {
  Reply reply = jsonReply({{"code", refusal.code}, {"message", refusal.message}});
  reply.status = refusal.status;
  return reply;
}

// The path as it may be written down: the second part of a preauthenticated link is its secret.
std::string withoutSecret(std::string_view path) {
  if (!path.starts_with("/p/")) return std::string(path);
  const std::size_t end = path.find('/', 3);
  return "/p/***" + std::string(end == std::string_view::npos ? "" : path.substr(end));
}

tl::unexpected<Refusal> notAuthenticated() {
  return refuse(401, "NotAuthenticated",
                "The required information to complete authentication was not provided or was incorrect.");
}

}  // namespace

Answer Dispatcher::carryOutWith(const Router& router, const WireRequest& request, const Principal& principal,
                                AuditEntry& entry) {
  const TargetParts target = splitTarget(request.target);
  auto match = router.find(request.method, target.path);
  if (match.route == nullptr && match.pathKnown)
    return refuse(405, "MethodNotAllowed", "The resource does not know the method " + request.method + ".");
  if (match.route == nullptr)
    return refuse(404, "NotFound", "This region has no operation at " + entry.path + ".");
  entry.operation = match.route->name;
  Call call{request,    match.route->name,       principal,
            entry.time, std::move(match.values), parseQuery(target.query)};
  const bool disturbed = parts_.interference != nullptr && &router == &parts_.services;
  if (disturbed)
    if (auto instead = parts_.interference->instead(call)) return std::move(*instead);
  if (disturbed) call.visibility = parts_.interference->visibility(entry.operation);
  return match.route->operation(call);
}

bool Dispatcher::isOpen(const WireRequest& request) const {
  if (parts_.open == nullptr) return false;
  const std::string scheme = headerValue(request.headers, "authorization").value_or("").substr(0, 10);
  if (::strcasecmp(scheme.c_str(), "signature ") == 0) return false;
  return parts_.open->find(request.method, splitTarget(request.target).path).route != nullptr;
}

Answer Dispatcher::administer(const WireRequest& request, AuditEntry& entry) {
  const std::string given = headerValue(request.headers, "authorization").value_or("");
  const std::string wanted = "Bearer " + parts_.adminToken;
  const bool known = !parts_.adminToken.empty() && given.size() == wanted.size() &&
                     CRYPTO_memcmp(given.data(), wanted.data(), wanted.size()) == 0;
  if (!known) return notAuthenticated();
  return carryOutWith(parts_.admin, request, {}, entry);
}

Answer Dispatcher::serve(const WireRequest& request, AuditEntry& entry) {
  if (request.target.starts_with("/rehearsal/")) return administer(request, entry);
  if (isOpen(request)) return carryOutWith(*parts_.open, request, {}, entry);
  auto principal = verifySignature(request, parts_.keys, entry.time);
  if (!principal) {
    logLine(fmt::format("refused {} {}: {}", request.method, entry.path, principal.error()));
    entry.why = principal.error();
    return notAuthenticated();
  }
  entry.principal = std::move(*principal);
  return carryOutWith(parts_.services, request, *entry.principal, entry);
}

Reply Dispatcher::carryOut(const WireRequest& request, AuditEntry& entry) {
  Refusal refusal;
  try {
    Answer answer = serve(request, entry);
    if (answer) return std::move(*answer);
    refusal = std::move(answer.error());
  } catch (const std::exception& e) {
    logLine(fmt::format("{} {} failed: {} ({})", request.method, entry.path, e.what(), entry.requestId));
    refusal = {500, "InternalServerError",
               std::string("The region could not carry out the request: ") + e.what()};
  }
  entry.code = refusal.code;
  return replyOf(refusal);
}

Reply Dispatcher::answer(const WireRequest& request) {
  const auto begin = std::chrono::steady_clock::now();
  AuditEntry entry;
  entry.time = parts_.clock->now();
  entry.requestId = requestIdFor(request);
  entry.method = request.method;
  entry.path = withoutSecret(splitTarget(request.target).path);
  Reply reply = carryOut(request, entry);
  if (reply.status >= 500)
    logLine(fmt::format("{} {}: {} {}", request.method, entry.path, reply.status, reply.body));
  reply.headers.emplace_back("opc-request-id", entry.requestId);
  if (const auto id = headerValue(request.headers, "opc-client-request-id"))
    reply.headers.emplace_back("opc-client-request-id", *id);
  reply.headers.emplace_back("date", toRfc1123(entry.time));
  const bool isService = entry.principal.has_value() && !entry.operation.empty();
  if (parts_.interference != nullptr && isService) parts_.interference->deliver(entry.operation, reply);
  entry.status = reply.status;
  entry.duration =
      std::chrono::duration_cast<std::chrono::microseconds>(std::chrono::steady_clock::now() - begin);
  if (parts_.audit) parts_.audit(entry);
  return reply;
}

}  // namespace lockstep::rehearsal
