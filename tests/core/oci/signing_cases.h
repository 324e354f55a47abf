// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "oci/signing/request_signer.h"

namespace lockstep::oci {

/// One of tests/data/signing/cases: a request, and the signature that an independent hand gave it
/// (make_cases.py there).
struct SigningCase {
  std::string name, keyFile, keyId, date;
  HttpRequest request;  // unsigned
  BodySigning signing = BodySigning::Signed;
  DateHeader dateHeader = DateHeader::Date;
  std::string body;
  std::string names, signingString, signature;  // expected
  nlohmann::json sent;                          // headers that must go out
};

/// A body that is handed out in odd pieces.
class TextSource final : public BodySource {
 public:
  explicit TextSource(std::string text, std::size_t piece = 1000) : text_(std::move(text)), piece_(piece) {}
  [[nodiscard]] std::uint64_t size() const override { return text_.size(); }
  Result<std::size_t> read(std::uint64_t offset, char* to, std::size_t max) override {
    const std::size_t count = std::min({max, piece_, text_.size() - static_cast<std::size_t>(offset)});
    std::memcpy(to, text_.data() + offset, count);
    return count;
  }

 private:
  const std::string text_;
  const std::size_t piece_;
};

/// All of them, by name.
std::vector<SigningCase> allSigningCases();
/// The signed request of a case; its signing string too.
HttpRequest signedRequest(const SigningCase& one, std::string* signingString = nullptr);

}  // namespace lockstep::oci
