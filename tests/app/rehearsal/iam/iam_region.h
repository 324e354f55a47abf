// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <gtest/gtest.h>

#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::testing {

using KeyHandle = std::shared_ptr<EVP_PKEY>;

[[nodiscard]] KeyHandle keyFrom(const std::string& pem);
[[nodiscard]] std::string publicPemOf(EVP_PKEY* key);
/// The text between a PEM's armour, without line ends.
[[nodiscard]] std::string withoutArmour(const std::string& pem);

/// Everything that a test of identities asks of a ready region besides its services.
class IamRegion {
 public:
  explicit IamRegion(std::vector<std::string> options = {}) : region_({}, std::move(options)) {}

  struct User {
    std::string id, keyId;
    TestCaller caller;
  };
  /// A user of the first tenancy with a key of its own. `more` goes into the admin call.
  User makeUser(const std::string& name, const nlohmann::json& groups,
                const nlohmann::json& more = nlohmann::json::object()) const;
  /// Attaches a policy to the tenancy as its administrator; the policy's OCID.
  std::string policy(const std::string& name, const std::vector<std::string>& statements) const;
  void removePolicy(const std::string& id) const;

  /// A call below /rehearsal/.
  TestResponse admin(const std::string& method, const std::string& target,
                     const nlohmann::json& body = {}) const;
  /// A request that nobody signs.
  TestResponse plain(const std::string& method, const std::string& target, const HeaderList& headers,
                     const std::string& body = {}) const;

  [[nodiscard]] const RegionUnderTest& region() const { return region_; }
  RegionUnderTest& region() { return region_; }
  [[nodiscard]] TestCaller root() const { return region_.caller(); }
  [[nodiscard]] int port() const { return region_.port(); }
  [[nodiscard]] std::string place(const std::string& name) const { return region_.place(name); }
  [[nodiscard]] static std::string tenancy() { return "ocid1.tenancy.oc1..aaaaaaaalockstep"; }

 private:
  RegionUnderTest region_;
};

/// One ready region for all tests of a suite.
template <class Suite>
class IamSuite : public ::testing::Test {
 protected:
  static void SetUpTestSuite() { shared_ = new IamRegion(); }
  static void TearDownTestSuite() {
    delete shared_;
    shared_ = nullptr;
  }
  static IamRegion& region() { return *shared_; }

 private:
  inline static IamRegion* shared_ = nullptr;
};

}  // namespace lockstep::testing
