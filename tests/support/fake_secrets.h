// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <string>

#include "setup/step/secret_keeper.h"

namespace lockstep::testing {

/// A secret store in memory.
class FakeSecrets final : public SecretKeeper {
 public:
  std::map<std::string, Secret> kept;
  std::string answer;     // of the person who is asked; empty: nobody answers
  bool isLocked = false;  // nothing can be read
  Result<std::optional<Secret>> get(const std::string& name) override {
    if (isLocked) return failure(ErrorCode::Unavailable, "cannot read the keychain");
    const auto found = kept.find(name);
    return found == kept.end() ? std::optional<Secret>() : std::optional<Secret>(found->second);
  }
  Result<void> set(const std::string& name, const Secret& secret) override {
    kept[name] = secret;
    return {};
  }
  Result<void> remove(const std::string& name) override {
    kept.erase(name);
    return {};
  }
  Result<Secret> ask(const std::string& question) override {
    if (answer.empty()) return failure(ErrorCode::Cancelled, question);
    return Secret(answer);
  }
};

}  // namespace lockstep::testing
