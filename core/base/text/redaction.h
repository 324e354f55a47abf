// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace lockstep {

/// A text that somebody else is to read, without what is secret in it: keys, tokens, passwords in headers, assignments,
/// options ("--db-password x") and addresses. What identifies (OCIDs, fingerprints) stays. What is hidden stands as "…" or
/// says what it was. Linear in the length of the text; pure.
[[nodiscard]] std::string withoutSecrets(const std::string& text);
/// The same, and fingerprints and the middle of OCIDs are left out: "ocid1.user.oc1..aaaa…wxyz".
[[nodiscard]] std::string redacted(const std::string& text);

}  // namespace lockstep
