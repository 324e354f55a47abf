// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>

#include "base/error.h"
#include "base/secret.h"

namespace lockstep {

/// Where the secrets of set-up are kept: the keychain of the user's system. Any thread; may block for as long
/// as a keychain takes to be unlocked, and ask() for as long as a person takes.
class SecretKeeper {
 public:
  virtual ~SecretKeeper() = default;
  /// What is kept under a name; nothing when nothing is. Asks nobody.
  virtual Result<std::optional<Secret>> get(const std::string& name) = 0;
  virtual Result<void> set(const std::string& name, const Secret& secret) = 0;
  virtual Result<void> remove(const std::string& name) = 0;
  /// Asks a person: "auth token of 'ns/jane' for iad.ocir.io". Cancelled when the person does not want to.
  virtual Result<Secret> ask(const std::string& question) {
    return failure(ErrorCode::FailedPrecondition, "cannot ask for the " + question,
                   "nobody can be asked here");
  }
};

}  // namespace lockstep
