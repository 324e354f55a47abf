// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/rehearsal/iam/iam_region.h"

#include <openssl/bio.h>
#include <openssl/pem.h>

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

TestResponse IamRegion::admin(const std::string& method, const std::string& target, const json& body) const {
  std::ifstream file(region_.stateFolder() / "admin.token");
  const std::string token((std::istreambuf_iterator<char>(file)), {});
  return plain(method, target, {{"Authorization", "Bearer " + token}}, body.is_null() ? "" : body.dump());
}

TestResponse IamRegion::plain(const std::string& method, const std::string& target, const HeaderList& headers,
                              const std::string& body) const {
  return sendAsIs(port(), method, target, headers, body);
}

IamRegion::User IamRegion::makeUser(const std::string& name, const json& groups, const json& more) const {
  json body{{"name", name}, {"groups", groups}};
  body.update(more);
  const TestResponse response = admin("POST", "/rehearsal/users", body);
  EXPECT_EQ(response.status, 200) << response.body;
  const json user = response.json();
  return {user["userId"], user["keyId"],
          TestCaller(port(), user["keyId"], keyFrom(user["privateKey"].get<std::string>()))};
}

std::string IamRegion::policy(const std::string& name, const std::vector<std::string>& statements) const {
  const TestResponse response = root().post(
      "/20160918/policies",
      {{"compartmentId", tenancy()}, {"name", name}, {"description", "test"}, {"statements", statements}});
  EXPECT_EQ(response.status, 200) << response.body;
  return response.json().value("id", "");
}

void IamRegion::removePolicy(const std::string& id) const {
  EXPECT_EQ(root().send("DELETE", "/20160918/policies/" + id).status, 204);
}

}  // namespace lockstep::testing
