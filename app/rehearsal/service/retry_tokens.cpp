// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/service/retry_tokens.h"

#include "base/digest.h"
#include "base/text/encoding.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {
namespace {

constexpr long long kLifetimeMs = 24LL * 3600 * 1000;
constexpr std::size_t kMaximumLength = 64;

std::string scopeOf(const Call& call, const std::string& operation) {
  return call.principal.id + " " + operation;
}
std::string bodyHash(const Call& call) {
  const std::string target = call.request.target + "\n";
  if (call.request.file) return toHex(sha256(target + sha256(call.request.bytes())));  // without a copy
  return toHex(sha256(target + call.request.body));
}

}  // namespace

std::optional<OperationResult> replayed(Transaction& transaction, const Call& call,
                                        const std::string& operation) {
  const auto token = call.header("opc-retry-token");
  if (!token || token->empty()) return std::nullopt;
  if (token->size() > kMaximumLength)
    return OperationResult(invalidParameter("The header 'opc-retry-token' is longer than 64 characters."));
  auto& old = transaction.sql("DELETE FROM retry_tokens WHERE created < ?");
  old.bind(1, static_cast<int64_t>(toMillis(call.now) - kLifetimeMs));
  old.exec();
  auto& select = transaction.sql("SELECT body_hash, reply FROM retry_tokens WHERE scope = ? AND token = ?");
  select.bind(1, scopeOf(call, operation));
  select.bind(2, *token);
  if (!select.executeStep()) return std::nullopt;
  if (select.getColumn(0).getString() != bodyHash(call))
    return OperationResult(
        refuse(409, "InvalidatedRetryToken", "The retry token was used before with a different request."));
  const nlohmann::json saved = nlohmann::json::parse(select.getColumn(1).getString());
  Response response;
  response.status = saved["status"];
  response.body = saved["body"];
  for (const auto& header : saved["headers"]) response.headers.emplace_back(header[0], header[1]);
  return OperationResult(response);
}

void remember(Transaction& transaction, const Call& call, const std::string& operation,
              const Response& response) {
  const auto token = call.header("opc-retry-token");
  if (!token || token->empty()) return;
  nlohmann::json headers = nlohmann::json::array();
  for (const auto& [name, value] : response.headers) headers.push_back({name, value});
  const nlohmann::json saved{{"status", response.status}, {"body", response.body}, {"headers", headers}};
  auto& insert =
      transaction.sql("INSERT INTO retry_tokens(token, scope, body_hash, created, reply) VALUES(?,?,?,?,?)");
  insert.bind(1, *token);
  insert.bind(2, scopeOf(call, operation));
  insert.bind(3, bodyHash(call));
  insert.bind(4, static_cast<int64_t>(toMillis(call.now)));
  insert.bind(5, saved.dump());
  insert.exec();
}

}  // namespace lockstep::rehearsal
