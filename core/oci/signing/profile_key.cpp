// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "base/atomic_file.h"
#include "oci/signing/private_key.h"
#include "oci/signing/profile.h"

namespace lockstep::oci {
namespace {

constexpr std::uint64_t kMaxKeyBytes = 1 << 20;
constexpr int kQuestions = 3;

Result<std::shared_ptr<EVP_PKEY>> askAndOpen(const Profile& profile, std::string_view pem,
                                             const std::string& origin) {
  for (PassPhraseQuestion question{profile.keyFile.string(), profile.name, 1};; ++question.attempt) {
    const auto phrase = profile.passPhrases->ask(question);
    if (!phrase) {
      Error error = phrase.error();
      error.what = fmt::format("cannot use the private key {}: it is encrypted", origin);
      return failure(std::move(error));
    }
    auto key = parsePrivateKey(pem, *phrase, origin);
    profile.passPhrases->answered(question, *phrase, key.has_value());
    if (key || question.attempt == kQuestions) return key;
  }
}

}  // namespace

Result<std::shared_ptr<EVP_PKEY>> openPrivateKey(const Profile& profile) {
  const bool isGiven = !profile.keyContent.empty();
  const bool mayAsk = profile.passPhrase.empty() && profile.passPhrases != nullptr;
  const std::string origin =
      isGiven ? std::string("in OCI_CLI_KEY_CONTENT") : fmt::format("'{}'", profile.keyFile.string());
  if (mayAsk) {
    auto text = isGiven ? Result<std::string>(std::string(profile.keyContent.reveal()))
                        : readFile(profile.keyFile, kMaxKeyBytes);
    const Secret pem(text ? *std::move(text) : std::string());
    if (isEncryptedKey(pem.reveal())) return askAndOpen(profile, pem.reveal(), origin);
  }
  return isGiven ? parsePrivateKey(profile.keyContent.reveal(), profile.passPhrase, origin)
                 : readPrivateKey(profile.keyFile.string(), profile.passPhrase);
}

}  // namespace lockstep::oci
