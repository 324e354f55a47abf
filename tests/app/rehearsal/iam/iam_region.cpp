// SPDX-License-Identifier: GPL-3.0-or-later
#include "iam_region.h"

#include <httplib.h>
#include <openssl/bio.h>
#include <openssl/pem.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace lockstep::testing {

using nlohmann::json;

KeyHandle keyFrom(const std::string& pem) {
  BIO* bio = BIO_new_mem_buf(pem.data(), static_cast<int>(pem.size()));
  KeyHandle key(PEM_read_bio_PrivateKey(bio, nullptr, nullptr, nullptr), EVP_PKEY_free);
  BIO_free(bio);
  return key;
}

std::string publicPemOf(EVP_PKEY* key) {
  BIO* bio = BIO_new(BIO_s_mem());
  PEM_write_bio_PUBKEY(bio, key);
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  std::string pem(data, static_cast<std::size_t>(size));
  BIO_free(bio);
  return pem;
}

std::string withoutArmour(const std::string& pem) {
  std::istringstream lines(pem);
  std::string text;
  for (std::string line; std::getline(lines, line);)
    if (!line.starts_with("-----")) text += line;
  return text;
}

TestReply IamRegion::admin(const std::string& method, const std::string& target, const json& body) const {
  std::ifstream file(region_.stateFolder() / "admin.token");
  const std::string token((std::istreambuf_iterator<char>(file)), {});
  return plain(method, target, {{"Authorization", "Bearer " + token}}, body.is_null() ? "" : body.dump());
}

TestReply IamRegion::plain(const std::string& method, const std::string& target, const HeaderList& headers,
                           const std::string& body) const {
  httplib::Client client("127.0.0.1", port());
  client.set_url_encode(false);
  client.set_read_timeout(60);
  httplib::Request request;
  request.method = method;
  request.path = target;
  request.body = body;
  for (const auto& [name, value] : headers) request.headers.emplace(name, value);
  const auto result = client.send(request);
  TestReply reply;
  if (!result) return reply;
  reply.status = result->status;
  reply.body = result->body;
  for (const auto& [name, value] : result->headers) {
    std::string lower = name;
    std::transform(lower.begin(), lower.end(), lower.begin(), [](unsigned char c) { return std::tolower(c); });
    reply.headers.emplace(lower, value);
  }
  return reply;
}

IamRegion::User IamRegion::makeUser(const std::string& name, const json& groups, const json& more) const {
  json body{{"name", name}, {"groups", groups}};
  body.update(more);
  const TestReply reply = admin("POST", "/rehearsal/users", body);
  EXPECT_EQ(reply.status, 200) << reply.body;
  const json user = reply.json();
  return {user["userId"], user["keyId"],
          TestCaller(port(), user["keyId"], keyFrom(user["privateKey"].get<std::string>()))};
}

std::string IamRegion::policy(const std::string& name, const std::vector<std::string>& statements) const {
  const TestReply reply = root().post(
      "/20160918/policies",
      {{"compartmentId", tenancy()}, {"name", name}, {"description", "test"}, {"statements", statements}});
  EXPECT_EQ(reply.status, 200) << reply.body;
  return reply.json().value("id", "");
}

void IamRegion::removePolicy(const std::string& id) const {
  EXPECT_EQ(root().send("DELETE", "/20160918/policies/" + id).status, 204);
}

}  // namespace lockstep::testing
