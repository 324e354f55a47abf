// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <mutex>

#include "base/atomic_file.h"
#include "base/text/trimmed.h"
#include "oci/signin/sign_in.h"
#include "oci/signing/credentials.h"
#include "oci/signing/private_key.h"
#include "oci/signing/session_token.h"

namespace lockstep::oci {
namespace {

constexpr std::uint64_t kMaxFileBytes = 1 << 20;
constexpr auto kRefreshBefore = std::chrono::minutes(5);
constexpr const char* kRemedy =
    "this is set by the Data Science service inside a job run; elsewhere use a profile";

// An absolute path names a file, anything else is the value itself.
bool isFile(std::string_view value) {
  return value.starts_with('/');
}

Result<Secret> read(std::string_view value, const char* name) {
  if (!isFile(value)) return Secret(value);
  auto text = readFile(std::filesystem::path(value), kMaxFileBytes);
  if (text) return Secret(std::move(*text));
  Error error = text.error();
  error.what = fmt::format("cannot read the resource principal's file '{}' ({})", value, name);
  return failure(std::move(error));
}

class ResourcePrincipal final : public Credentials {
 public:
  struct Source {
    std::string token, key, passPhrase;  // each a path or a literal
    std::string region;
  };
  ResourcePrincipal(Source source, std::shared_ptr<Clock> clock)
      : token_(std::move(source.token)),
        key_(std::move(source.key)),
        passPhrase_(std::move(source.passPhrase)),
        region_(std::move(source.region)),
        clock_(std::move(clock)) {}

  Result<SigningIdentity> current() override {
    const std::lock_guard lock(mutex_);
    if (isFresh()) return identity_;
    auto loaded = load();
    const bool isGoodYet = identity_.key != nullptr && expiry_ && clock_->now() < *expiry_;
    if (!loaded && !isGoodYet) return failure(loaded.error());
    return identity_;
  }

  bool refresh(const std::string& refusedKeyId) override {
    const std::lock_guard lock(mutex_);
    return load() && identity_.keyId != refusedKeyId;
  }

  [[nodiscard]] std::string doubts() const override {
    return "the resource principal's token may have ended, or no dynamic group matches this job run";
  }
  [[nodiscard]] std::string wayOut() const override {
    if (!isFile(token_.reveal()))
      return "start the job run anew: its token is a value, which nobody can renew";
    return fmt::format("look whether '{}' is still being renewed; if it is not, start the job run anew",
                       token_.reveal());
  }
  [[nodiscard]] std::string region() const override { return region_; }

 private:
  [[nodiscard]] bool isFresh() const {
    if (identity_.key == nullptr) return false;
    if (!isFile(token_.reveal())) return true;  // a literal cannot change
    return expiry_ && clock_->now() + kRefreshBefore < *expiry_;
  }

  Result<void> load() {
    const auto token = read(token_.reveal(), "OCI_RESOURCE_PRINCIPAL_RPST");
    if (!token) return failure(token.error());
    const auto pem = read(key_.reveal(), "OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM");
    if (!pem) return failure(pem.error());
    const auto phrase = read(passPhrase_.reveal(), "OCI_RESOURCE_PRINCIPAL_PRIVATE_PEM_PASSPHRASE");
    if (!phrase) return failure(phrase.error());
    auto key = parsePrivateKey(pem->reveal(), Secret(std::string(trimmed(phrase->reveal()))),
                               "of the resource principal");
    if (!key) return failure(key.error());
    const std::string text(trimmed(token->reveal()));
    if (text.empty()) {
      return failure(ErrorCode::Unauthenticated, "the resource principal has no token",
                     "OCI_RESOURCE_PRINCIPAL_RPST is empty");
    }
    identity_ = {"ST$" + text, *key};
    expiry_ = expiryOfToken(text);
    return {};
  }

  const Secret token_, key_, passPhrase_;
  const std::string region_;
  const std::shared_ptr<Clock> clock_;
  std::mutex mutex_;
  SigningIdentity identity_;
  std::optional<TimePoint> expiry_;
};

}  // namespace

Result<std::shared_ptr<Credentials>> resourcePrincipal(const std::map<std::string, std::string>& environment,
                                                       std::shared_ptr<Clock> clock) {
  const auto value = [&](const std::string& name) {
    const auto it = environment.find("OCI_RESOURCE_PRINCIPAL_" + name);
    return it == environment.end() ? std::string() : it->second;
  };
  const std::string what = "cannot sign in as a resource principal";
  const std::string version = value("VERSION");
  if (version != "2.2") {
    return failure(ErrorCode::FailedPrecondition, what,
                   version.empty() ? "OCI_RESOURCE_PRINCIPAL_VERSION is not set"
                                   : fmt::format("version '{}' is not supported, only 2.2", version),
                   kRemedy);
  }
  ResourcePrincipal::Source source{value("RPST"), value("PRIVATE_PEM"), value("PRIVATE_PEM_PASSPHRASE"),
                                   value("REGION")};
  if (source.token.empty() || source.key.empty()) {
    return failure(
        ErrorCode::FailedPrecondition, what,
        fmt::format("OCI_RESOURCE_PRINCIPAL_{} is not set", source.token.empty() ? "RPST" : "PRIVATE_PEM"),
        kRemedy);
  }
  if (!source.passPhrase.empty() && isFile(source.passPhrase) != isFile(source.key)) {
    return failure(ErrorCode::InvalidArgument, what,
                   "the key and its pass phrase must both be files or both be values");
  }
  auto principal = std::make_shared<ResourcePrincipal>(std::move(source), std::move(clock));
  if (auto identity = principal->current(); !identity) return failure(identity.error());
  return principal;
}

}  // namespace lockstep::oci
