// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "cluster/spec/cluster_spec.h"
#include "export/export.h"

namespace lockstep {

/// Whether a variable of this name usually holds a secret: PASSWORD, PWD, TOKEN, PAT, SECRET, KEY, AUTH, DSN, CREDENTIAL
/// in its name, unless the name says that the value only points at one (…_ID, …_PATH, …_LOCATION).
[[nodiscard]] bool looksLikeSecret(std::string_view variableName);
/// By its name, or because its value is an address with a password in it: "postgres://user:password@host/db".
[[nodiscard]] bool isSecret(const EnvVar& variable);

/// Values that must not stand in files that people share. They go into one file of their own, `secrets.env`,
/// readable by its owner only and ignored by git, as shell variables that the other files refer to.
class SecretStore {
 public:
  /// The shell variable that holds the value: the same one for the same name and value.
  std::string variableFor(const EnvVar& secret);
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// secrets.env and .gitignore, to be appended to a bundle, and the note about them; nothing when empty.
  void addTo(ExportBundle& bundle) const;

 private:
  struct Entry {
    EnvVar secret;
    std::string variable;
  };
  std::vector<Entry> entries_;
};

}  // namespace lockstep
