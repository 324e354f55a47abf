// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/request_signer.h"

#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <nlohmann/json.hpp>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "oci_test_support.h"

namespace lockstep::oci {
namespace {

// By OpenSSL alone, without the code under test.
bool verifies(const std::string& text, const std::string& base64) {
  const auto signature = fromBase64(base64);
  const auto key = sampleKey();
  EVP_MD_CTX* context = EVP_MD_CTX_new();
  const bool fine =
      signature && EVP_DigestVerifyInit(context, nullptr, EVP_sha256(), nullptr, key.get()) == 1 &&
      EVP_DigestVerify(context, reinterpret_cast<const unsigned char*>(signature->data()), signature->size(),
                       reinterpret_cast<const unsigned char*>(text.data()), text.size()) == 1;
  EVP_MD_CTX_free(context);
  return fine;
}

std::string parameter(const std::string& authorization, const std::string& name) {
  const std::size_t at = authorization.find(name + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return authorization.substr(begin, authorization.find('"', begin) - begin);
}

struct Signed {
  HttpRequest request;
  std::string text;
  std::string authorization;
};

Signed sign(HttpRequest request, BodySigning body = BodySigning::Signed) {
  Signed done{std::move(request), {}, {}};
  const auto now = *parseRfc1123("Sun, 05 Jan 2014 21:31:40 GMT");
  const auto result = signRequest(done.request, {"t/u/f", sampleKey()}, now, body, &done.text);
  EXPECT_TRUE(result) << describe(result.error());
  done.authorization = headerValue(done.request.headers, "authorization");
  EXPECT_TRUE(verifies(done.text, parameter(done.authorization, "signature")));
  return done;
}

TEST(RequestSigner, ReproducesThePublishedVectors) {
  const auto data = nlohmann::json::parse(*readFile(kSigningData + "/vectors.json"));
  ASSERT_EQ(data["vectors"].size(), 2U);
  for (const auto& vector : data["vectors"]) {
    HttpRequest request;
    request.method = vector["method"];
    request.url = vector["url"];
    request.body = vector["body"];
    // The published date's weekday is wrong, so it is given rather than made.
    request.headers = {{"date", data["date"].get<std::string>()}};
    std::string text;
    ASSERT_TRUE(signRequest(request, {data["keyId"], sampleKey()}, TimePoint(), BodySigning::Signed, &text));
    EXPECT_EQ(text, vector["signingString"].get<std::string>());
    const std::string names = vector["method"] == "POST"
                                  ? "date (request-target) host content-length content-type x-content-sha256"
                                  : "date (request-target) host";
    EXPECT_EQ(headerValue(request.headers, "authorization"),
              "Signature version=\"1\",headers=\"" + names + "\",keyId=\"" +
                  data["keyId"].get<std::string>() + "\",algorithm=\"rsa-sha256\",signature=\"" +
                  vector["signature"].get<std::string>() + "\"");
    EXPECT_EQ(headerValue(request.headers, "date"), data["date"].get<std::string>());
  }
}

TEST(RequestSigner, SignsTheTargetExactlyAsItGoesOut) {
  for (const char* target : {"/p?x=%2f&y=a+b", "/p?", "/a/../b", "/n/ns/b/b/o/dir/a%20b%27c%2B%C3%A9%25.txt",
                             "/p?q=a/b&q=a/b", "//x"}) {
    const Signed done = sign({"GET", std::string("https://h.example") + target, {}, {}});
    EXPECT_NE(done.text.find(std::string("(request-target): get ") + target + "\n"), std::string::npos)
        << done.text;
  }
}

TEST(RequestSigner, HostCarriesThePortOnlyWhenItIsNotTheDefault) {
  const std::pair<const char*, const char*> cases[] = {{"http://[::1]:8080/x", "[::1]:8080"},
                                                       {"http://127.0.0.1:18080/x", "127.0.0.1:18080"},
                                                       {"https://h.example:443/x", "h.example"},
                                                       {"http://h.example:80/x", "h.example"},
                                                       {"https://h.example:80/x", "h.example:80"}};
  for (const auto& [url, host] : cases) {
    const Signed done = sign({"GET", url, {}, {}});
    EXPECT_TRUE(done.text.ends_with(std::string("\nhost: ") + host)) << done.text;
    EXPECT_EQ(headerValue(done.request.headers, "host"), host);
  }
}

TEST(RequestSigner, AnEmptyPostSignsTheEmptyBody) {
  const Signed done = sign({"POST", "https://h/x/actions/cancelJobRun", {}, {}});
  EXPECT_NE(done.text.find("\ncontent-length: 0\n"), std::string::npos);
  EXPECT_NE(done.text.find("\ncontent-type: application/json\n"), std::string::npos);
  EXPECT_TRUE(done.text.ends_with("x-content-sha256: 47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="));
}

TEST(RequestSigner, PutAndPatchSignTheirBodiesAndKeepTheContentType) {
  for (const char* method : {"PUT", "PATCH"}) {
    const Signed done =
        sign({method, "https://h/x", {{"Content-Type", "application/json; charset=utf-8"}}, "\xc3\xa9"});
    EXPECT_NE(done.text.find("\ncontent-length: 2\n"), std::string::npos) << "bytes, not characters";
    EXPECT_NE(done.text.find("\ncontent-type: application/json; charset=utf-8\n"), std::string::npos);
    EXPECT_TRUE(done.text.ends_with("x-content-sha256: " + toBase64(sha256("\xc3\xa9"))));
  }
}

TEST(RequestSigner, AnExcludedBodyIsSentUnsigned) {
  const Signed done = sign({"PUT", "https://h/n/ns/b/b/o/x", {}, "bytes"}, BodySigning::Excluded);
  EXPECT_EQ(parameter(done.authorization, "headers"), "date (request-target) host");
  EXPECT_FALSE(hasHeader(done.request.headers, "x-content-sha256"));
  EXPECT_EQ(headerValue(done.request.headers, "content-type"), "application/octet-stream");
  EXPECT_EQ(headerValue(done.request.headers, "content-length"), "5");
}

TEST(RequestSigner, SignsTheHeadersThatServicesWantSigned) {
  const Signed done =
      sign({"GET", "https://h/x", {{"Opc-Obo-Token", "tok"}, {"x-subscription", "s"}, {"other", "o"}}, {}});
  EXPECT_EQ(parameter(done.authorization, "headers"),
            "date (request-target) host opc-obo-token x-subscription");
  EXPECT_TRUE(done.text.ends_with("opc-obo-token: tok\nx-subscription: s"));
}

TEST(RequestSigner, ReplacesStaleHeaders) {
  const Signed done = sign({"POST",
                            "https://h/x",
                            {{"Host", "old"},
                             {"X-Date", "old"},
                             {"Authorization", "old"},
                             {"X-Content-SHA256", "old"},
                             {"Content-Length", "9"}},
                            "b"});
  EXPECT_EQ(done.text.find("old"), std::string::npos);
  EXPECT_FALSE(hasHeader(done.request.headers, "x-date"));
  EXPECT_EQ(headerValue(done.request.headers, "content-length"), "1");
  EXPECT_EQ(
      std::count_if(done.request.headers.begin(), done.request.headers.end(),
                    [](const auto& h) { return h.first == "authorization" || h.first == "Authorization"; }),
      1);
  EXPECT_NE(done.text.find("date: Sun, 05 Jan 2014 21:31:40 GMT\n"), std::string::npos);
}

TEST(RequestSigner, RefusesAUrlThatWouldChangeOnTheWire) {
  for (const char* url : {"https://h/a b", "https://h/\xc3\xa9", "h/x"}) {
    HttpRequest request{"GET", url, {}, {}};
    const auto result = signRequest(request, {"k", sampleKey()}, TimePoint(), BodySigning::Signed);
    ASSERT_FALSE(result);
    EXPECT_EQ(result.error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(hasHeader(request.headers, "authorization"));
  }
}

}  // namespace
}  // namespace lockstep::oci
