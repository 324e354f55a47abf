// SPDX-License-Identifier: GPL-3.0-or-later
#include "signing_cases.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>

#include "base/text/encoding.h"
#include "base/time_text.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

SigningCase read(const std::filesystem::path& file) {
  const auto json = nlohmann::json::parse(*readFile(file));
  SigningCase one;
  one.name = json["name"];
  one.keyFile = json["key"];
  one.keyId = json["keyId"];
  one.date = json["date"];
  one.request.method = json["method"];
  one.request.url = json["url"];
  for (const auto& header : json["headers"]) one.request.headers.emplace_back(header[0], header[1]);
  one.body = json.contains("body") ? json["body"].get<std::string>()
                                   : *fromBase64(json["bodyBase64"].get<std::string>());
  if (json["source"]) {
    one.request.source = std::make_shared<TextSource>(one.body);
  } else {
    one.request.body = one.body;
  }
  one.signing = json["signing"] == "signed" ? BodySigning::Signed : BodySigning::Excluded;
  one.dateHeader = json["dateHeader"] == "date" ? DateHeader::Date : DateHeader::XDate;
  one.names = json["expected"]["headers"];
  one.signingString = json["expected"]["signingString"];
  one.signature = json["expected"]["signature"];
  one.sent = json["expected"]["sent"];
  return one;
}

}  // namespace

std::vector<SigningCase> allSigningCases() {
  std::vector<SigningCase> all;
  for (const auto& entry : std::filesystem::directory_iterator(kSigningData + "/cases"))
    all.push_back(read(entry.path()));
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  return all;
}

HttpRequest signedRequest(const SigningCase& one, std::string* signingString) {
  HttpRequest request = one.request;
  const SigningIdentity identity{one.keyId, *readPrivateKey(kSigningData + "/" + one.keyFile, Secret())};
  const auto done =
      signRequest(request, identity, *parseRfc1123(one.date), one.signing, signingString, one.dateHeader);
  EXPECT_TRUE(done) << one.name << ": " << describe(done.error());
  return request;
}

}  // namespace lockstep::oci
