// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <openssl/evp.h>

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "temp_dir.h"

namespace lockstep::testing {

using HeaderList = std::vector<std::pair<std::string, std::string>>;

struct TestResponse {
  int status = 0;                                   // 0: no answer
  std::multimap<std::string, std::string> headers;  // names in lower case
  std::string body;
  [[nodiscard]] nlohmann::json json() const { return nlohmann::json::parse(body, nullptr, false); }
  [[nodiscard]] std::string header(const std::string& name) const;
  [[nodiscard]] std::string code() const { return json().is_object() ? json().value("code", "") : ""; }
};

/// Sends a request to 127.0.0.1 as it is and waits for the answer.
TestResponse sendAsIs(int port, const std::string& method, const std::string& target,
                      const HeaderList& headers, const std::string& body);

/// Signs and sends requests, written apart from the product's signer and from the region's verifier.
class TestCaller {
 public:
  TestCaller(int port, std::string keyId, std::shared_ptr<EVP_PKEY> key)
      : port_(port), keyId_(std::move(keyId)), key_(std::move(key)) {}
  /// A PUT of an object leaves its body unsigned, every other body is signed.
  TestResponse send(const std::string& method, const std::string& target, const std::string& body = {},
                    const HeaderList& headers = {}) const;
  [[nodiscard]] TestResponse get(const std::string& target, const HeaderList& headers = {}) const {
    return send("GET", target, {}, headers);
  }
  [[nodiscard]] TestResponse post(const std::string& target, const nlohmann::json& body,
                                  const HeaderList& headers = {}) const {
    return send("POST", target, body.dump(), headers);
  }
  /// Lets a test spoil the finished request.
  std::function<void(std::string& target, std::map<std::string, std::string>& headers, std::string& body)>
      spoil;
  std::chrono::seconds clockError{0};

 private:
  int port_;
  std::string keyId_;
  std::shared_ptr<EVP_PKEY> key_;
};

[[nodiscard]] std::shared_ptr<EVP_PKEY> readKeyFile(const std::string& file);
[[nodiscard]] std::string signText(EVP_PKEY* key, const std::string& text);  // base64

/// Runs a program to its end with exactly this environment; {exit status, stdout}.
std::pair<int, std::string> runProgram(const std::vector<std::string>& command,
                                       const std::map<std::string, std::string>& environment,
                                       const std::string& input = {});

/// A region of its own in a temporary folder, ended with the object.
class RegionUnderTest {
 public:
  explicit RegionUnderTest(const std::string& entrypointScript = {}, std::vector<std::string> options = {});
  ~RegionUnderTest();

  void start();
  void killHard();  // SIGKILL
  std::pair<int, std::string> command(std::vector<std::string> arguments) const;

  [[nodiscard]] TestCaller caller() const;
  [[nodiscard]] const nlohmann::json& info() const { return info_; }
  [[nodiscard]] int port() const;
  [[nodiscard]] std::filesystem::path folder() const { return temp_.path(); }
  [[nodiscard]] std::filesystem::path stateFolder() const { return temp_.path() / "state"; }
  [[nodiscard]] std::string configFile() const { return (temp_.path() / "oci" / "config").string(); }
  [[nodiscard]] std::string place(const std::string& name) const {
    return info_["places"][name].get<std::string>();
  }

  /// Bodies that the ready tenancy accepts.
  [[nodiscard]] nlohmann::json jobBody(const nlohmann::json& environment = nlohmann::json::object()) const;
  [[nodiscard]] nlohmann::json runBody(const std::string& jobId,
                                       const nlohmann::json& environment = nlohmann::json::object()) const;
  /// Creates a job and one run of it; the run's OCID.
  std::string launch(const nlohmann::json& environment = nlohmann::json::object(),
                     const nlohmann::json& jobChanges = nlohmann::json::object());
  /// Polls until the run is in one of the states; the run as it is then.
  nlohmann::json waitForState(const std::string& runId, const std::vector<std::string>& states) const;
  [[nodiscard]] std::vector<nlohmann::json> logOf(const std::string& runId) const;
  [[nodiscard]] std::vector<std::string> messagesOf(const std::string& runId) const;

 private:
  TempDir temp_;
  std::vector<std::string> options_;
  nlohmann::json info_;
};

/// Polls for at most a minute.
[[nodiscard]] bool eventually(const std::function<bool()>& condition);

}  // namespace lockstep::testing
