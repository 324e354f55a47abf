// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/front/dispatcher.h"

#include <fmt/format.h>
#include <openssl/crypto.h>

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

}  // namespace

namespace {

Answer carryOutWith(const Router& router, const WireRequest& request, const Principal& principal,
                    TimePoint now) {
  const TargetParts target = splitTarget(request.target);
  auto match = router.find(request.method, target.path);
  if (match.route == nullptr && match.pathKnown)
    return refuse(405, "MethodNotAllowed", "The resource does not know the method " + request.method + ".");
  if (match.route == nullptr)
    return refuse(404, "NotFound", "This region has no operation at " + std::string(target.path) + ".");
  const Call call{request, match.route->name,       principal,
                  now,     std::move(match.values), parseQuery(target.query)};
  return match.route->operation(call);
}

tl::unexpected<Refusal> notAuthenticated() {
  return refuse(401, "NotAuthenticated",
                "The required information to complete authentication was not provided or was incorrect.");
}

}  // namespace

Answer Dispatcher::administer(const WireRequest& request, TimePoint now) {
  const std::string given = headerValue(request.headers, "authorization").value_or("");
  const std::string wanted = "Bearer " + parts_.adminToken;
  const bool known = !parts_.adminToken.empty() && given.size() == wanted.size() &&
                     CRYPTO_memcmp(given.data(), wanted.data(), wanted.size()) == 0;
  if (!known) return notAuthenticated();
  return carryOutWith(parts_.admin, request, {}, now);
}

Answer Dispatcher::carryOut(const WireRequest& request, TimePoint now) {
  if (request.target.starts_with("/rehearsal/")) return administer(request, now);
  const auto principal = verifySignature(request, parts_.keys, now);
  if (!principal) {
    logLine(fmt::format("refused {} {}: {}", request.method, splitTarget(request.target).path,
                        principal.error()));
    return notAuthenticated();
  }
  return carryOutWith(parts_.services, request, *principal, now);
}

Reply Dispatcher::answer(const WireRequest& request) {
  const TimePoint now = parts_.clock->now();
  const std::string requestId = requestIdFor(request);
  Reply reply;
  try {
    Answer answer = carryOut(request, now);
    reply = answer ? std::move(*answer) : replyOf(answer.error());
  } catch (const std::exception& e) {
    logLine(fmt::format("{} {} failed: {} ({})", request.method, splitTarget(request.target).path, e.what(),
                        requestId));
    reply = replyOf(
        {500, "InternalServerError", std::string("The region could not carry out the request: ") + e.what()});
  }
  if (reply.status >= 500)
    logLine(fmt::format("{} {}: {} {}", request.method, splitTarget(request.target).path, reply.status,
                        reply.body));
  reply.headers.emplace_back("opc-request-id", requestId);
  if (const auto id = headerValue(request.headers, "opc-client-request-id"))
    reply.headers.emplace_back("opc-client-request-id", *id);
  reply.headers.emplace_back("date", toRfc1123(now));
  return reply;
}

}  // namespace lockstep::rehearsal
