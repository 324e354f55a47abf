// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/error.h"
#include "base/secret.h"

namespace lockstep::oci {

/// Which key a pass phrase is wanted for.
struct PassPhraseQuestion {
  std::string keyFile;  // "/home/me/.oci/key.pem"
  std::string profile;
  int attempt = 1;  // above 1: what came before did not open the key
};

/// Where the pass phrase of an encrypted key comes from when neither the profile nor OCI_CLI_PASSPHRASE has
/// it: a prompt, a dialog, a keychain. Asked only when a key is encrypted. Any thread; may block for as long
/// as a person takes.
class PassPhraseSource {
 public:
  virtual ~PassPhraseSource() = default;
  /// Cancelled when the person does not want to; FailedPrecondition where nobody can be asked.
  virtual Result<Secret> ask(const PassPhraseQuestion& question) = 0;
  /// Whether the last answer opened the key: what a keychain keeps, or forgets.
  virtual void answered(const PassPhraseQuestion& question, const Secret& passPhrase, bool opened) {
    (void)question;
    (void)passPhrase;
    (void)opened;
  }
};

}  // namespace lockstep::oci
