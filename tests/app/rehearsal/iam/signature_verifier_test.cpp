// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/signature_verifier.h"

#include <gtest/gtest.h>
#include <openssl/bio.h>
#include <openssl/pem.h>

#include <fstream>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "tests/app/rehearsal/region/region_under_test.h"

namespace lockstep::rehearsal {
namespace {

// The published sample of Oracle's documentation: key, requests and signatures.
constexpr const char* kSampleKey = R"(-----BEGIN RSA PRIVATE KEY-----
MIICXgIBAAKBgQDCFENGw33yGihy92pDjZQhl0C36rPJj+CvfSC8+q28hxA161QF
NUd13wuCTUcq0Qd2qsBe/2hFyc2DCJJg0h1L78+6Z4UMR7EOcpfdUE9Hf3m/hs+F
UR45uBJeDK1HSFHD8bHKD6kv8FPGfJTotc+2xjJwoYi+1hqp1fIekaxsyQIDAQAB
AoGBAJR8ZkCUvx5kzv+utdl7T5MnordT1TvoXXJGXK7ZZ+UuvMNUCdN2QPc4sBiA
QWvLw1cSKt5DsKZ8UETpYPy8pPYnnDEz2dDYiaew9+xEpubyeW2oH4Zx71wqBtOK
kqwrXa/pzdpiucRRjk6vE6YY7EBBs/g7uanVpGibOVAEsqH1AkEA7DkjVH28WDUg
f1nqvfn2Kj6CT7nIcE3jGJsZZ7zlZmBmHFDONMLUrXR/Zm3pR5m0tCmBqa5RK95u
412jt1dPIwJBANJT3v8pnkth48bQo/fKel6uEYyboRtA5/uHuHkZ6FQF7OUkGogc
mSJluOdc5t6hI1VsLn0QZEjQZMEOWr+wKSMCQQCC4kXJEsHAve77oP6HtG/IiEn7
kpyUXRNvFsDE0czpJJBvL/aRFUJxuRK91jhjC68sA7NsKMGg5OXb5I5Jj36xAkEA
gIT7aFOYBFwGgQAQkWNKLvySgKbAZRTeLBacpHMuQdl1DfdntvAyqpAZ0lY0RKmW
G6aFKaqQfOXKCyWoUiVknQJAXrlgySFci/2ueKlIE1QqIiLSZ8V8OlpFLRnb1pzI
7U1yQXnTAEFYM560yJlzUpOb1V4cScGd365tiSMvxLOvTA==
-----END RSA PRIVATE KEY-----
)";
constexpr const char* kKeyId =
    "ocid1.tenancy.oc1..aaaaaaaaba3pv6wkcr4jqae5f15p2b2m2yt2j6rx32uzr4h25vqstifsfdsq/"
    "ocid1.user.oc1..aaaaaaaat5nvwcna5j6aqzjcaty5eqbb6qt2jvpkanghtgdaqedqw3rynjq/"
    "20:3b:97:13:55:1c:5b:0d:d3:37:d8:50:4e:c5:3a:34";
constexpr const char* kDate = "Thu, 05 Jan 2014 21:31:40 GMT";
constexpr const char* kHost = "iaas.us-phoenix-1.oraclecloud.com";
constexpr const char* kGetTarget =
    "/20160918/instances?availabilityDomain=Pjwf%3A%20PHX-AD-1&"
    "compartmentId=ocid1.compartment.oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa&"
    "displayName=TeamXInstances&volumeId=ocid1.volume.oc1.phx."
    "abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q";
constexpr const char* kGetSignature =
    "GBas7grhyrhSKHP6AVIj/h5/Vp8bd/"
    "peM79H9Wv8kjoaCivujVXlpbKLjMPeDUhxkFIWtTtLBj3sUzaFj34XE6YZAHc9r2DmE4pMwOAy/"
    "kiITcZxa1oHPOeRheC0jP2dqbTll8fmTZVwKZOKHYPtrLJIJQHJjNvxFWeHQjMaR7M=";
constexpr const char* kPostBody = R"({
    "compartmentId": "ocid1.compartment.oc1..aaaaaaaam3we6vgnherjq5q2idnccdflvjsnog7mlr6rtdb25gilchfeyjxa",
    "instanceId": "ocid1.instance.oc1.phx.abuw4ljrlsfiqw6vzzxb43vyypt4pkodawglp3wqxjqofakrwvou52gb6s5a",
    "volumeId": "ocid1.volume.oc1.phx.abyhqljrgvttnlx73nmrwfaux7kcvzfs3s66izvxf2h4lgvyndsdsnoiwr5q"
})";
constexpr const char* kPostSignature =
    "Mje8vIDPlwIHmD/cTDwRxE7HaAvBg16JnVcsuqaNRim23fFPgQfLoOOxae6WqKb1uPjYEl0qIdazWaBy/"
    "Ml8DRhqlocMwoSXv0fbukP8J5N80LCmzT/FFBvIvTB91XuXI3hYfP9Zt1l7S6ieVadHUfqBedWH0itrtPJBgKmrWso=";

class OneKey final : public KeyFinder {
 public:
  std::optional<KnownKey> find(const std::string& keyId, TimePoint) override {
    if (keyId != kKeyId) return std::nullopt;
    return KnownKey{*readPrivatePem(Secret(kSampleKey)), {Principal::Kind::User, "sample", "tenancy", ""}};
  }
};

std::string authorization(const std::string& headers, const std::string& signature) {
  return "Signature version=\"1\",headers=\"" + headers + "\",keyId=\"" + kKeyId +
         "\",algorithm=\"rsa-sha256\",signature=\"" + signature + "\"";
}

IncomingRequest sampleGet() {
  return {"GET",
          kGetTarget,
          {{"Date", kDate},
           {"Host", kHost},
           {"Authorization", authorization("date (request-target) host", kGetSignature)}},
          ""};
}

IncomingRequest samplePost() {
  return {"POST",
          "/20160918/volumeAttachments",
          {{"Date", kDate},
           {"Host", kHost},
           {"Content-Length", "316"},
           {"Content-Type", "application/json"},
           {"X-Content-SHA256", "V9Z20UJTvkvpJ50flBzKE32+6m2zJjweHpDMX/U4Uy0="},
           {"Authorization",
            authorization("date (request-target) host content-length content-type x-content-sha256",
                          kPostSignature)}},
          kPostBody};
}

// Signs what the headers and names say, so that a test can make any combination.
IncomingRequest signedRequest(const std::string& method, const std::string& target, Headers headers,
                              const std::string& names, const std::string& body = {}) {
  IncomingRequest request{method, target, std::move(headers), body};
  std::string text, lowerNames = names;
  for (char& c : lowerNames) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  std::istringstream list(lowerNames);
  for (std::string name; list >> name;) {
    if (!text.empty()) text += "\n";
    std::string verb = method;
    for (char& c : verb) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    text +=
        name + ": " +
        (name == "(request-target)" ? verb + " " + target : headerValue(request.headers, name).value_or(""));
  }
  const Key key = *readPrivatePem(Secret(kSampleKey));
  request.headers.emplace("authorization", authorization(names, testing::signText(key.get(), text)));
  return request;
}

void replace(IncomingRequest& request, const std::string& name, const std::string& value) {
  request.headers.erase(name);
  request.headers.emplace(name, value);
}

TimePoint sampleTime() {
  return *parseRfc1123(kDate);
}

std::string resultOf(const IncomingRequest& request, TimePoint now = sampleTime()) {
  OneKey keys;
  const auto principal = verifySignature(request, keys, now);
  return principal ? "accept" : principal.error();
}

TEST(SignatureVerifier, AcceptsThePublishedVectors) {
  EXPECT_EQ(resultOf(sampleGet()), "accept");
  EXPECT_EQ(resultOf(samplePost()), "accept");
}

TEST(SignatureVerifier, AcceptsParametersInAnyOrderWithBlanks) {
  IncomingRequest request = sampleGet();
  replace(
      request, "Authorization",
      std::string("Signature  algorithm=\"rsa-sha256\", headers=\"date (request-target) host\" ,keyId=\"") +
          kKeyId + "\",  signature=\"" + kGetSignature + "\", version=\"1\"");
  EXPECT_EQ(resultOf(request), "accept");
}

TEST(SignatureVerifier, AcceptsMixedCaseNamesAndXDate) {
  const std::string body = "{}";
  EXPECT_EQ(resultOf(signedRequest(
                "POST", "/20190101/jobs",
                {{"x-date", kDate},
                 {"Date", "not signed, so not looked at"},
                 {"host", "h"},
                 {"content-type", "application/json; charset=utf-8"},
                 {"content-length", "2"},
                 {"x-content-sha256", toBase64(sha256(body))}},
                "x-date (request-target) host Content-Type Content-Length x-content-sha256", body)),
            "accept");
}

TEST(SignatureVerifier, AcceptsAnExtraSignedHeader) {
  EXPECT_EQ(resultOf(signedRequest("GET", "/n/", {{"date", kDate}, {"host", "h"}, {"opc-obo-token", "t"}},
                                   "date (request-target) host opc-obo-token")),
            "accept");
}

TEST(SignatureVerifier, AcceptsAnObjectPutWithAndWithoutItsBodySigned) {
  const Headers plain{{"date", kDate}, {"host", "h"}, {"content-length", "5"}};
  EXPECT_EQ(resultOf(signedRequest("PUT", "/n/ns/b/b/o/x/y", plain, "date (request-target) host", "hello")),
            "accept");
  Headers whole = plain;
  whole.emplace("content-type", "text/plain");
  whole.emplace("x-content-sha256", toBase64(sha256("hello")));
  const char* const names = "date (request-target) host content-length content-type x-content-sha256";
  EXPECT_EQ(resultOf(signedRequest("PUT", "/n/ns/b/b/o/x/y", whole, names, "hello")), "accept");
  EXPECT_EQ(resultOf(signedRequest("PUT", "/n/ns/b/b/o/x/y", whole, names, "HELLO")),
            "x-content-sha256 is not the hash of the body");
}

TEST(SignatureVerifier, RefusesEveryChangeOfASignedPart) {
  const auto changed = [](const std::function<void(IncomingRequest&)>& change) {
    IncomingRequest request = samplePost();
    change(request);
    return resultOf(request);
  };
  EXPECT_NE(changed([](IncomingRequest& r) { r.method = "PUT"; }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { r.target += "?"; }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { r.target = "/20160918/VolumeAttachments"; }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { replace(r, "Host", std::string(kHost) + ":443"); }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { replace(r, "Date", "Thu, 05 Jan 2014 21:31:41 GMT"); }),
            "accept");
  EXPECT_NE(
      changed([](IncomingRequest& r) { replace(r, "Content-Type", "application/json; charset=utf-8"); }),
      "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { replace(r, "Content-Length", "317"); }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { replace(r, "X-Content-SHA256", toBase64(sha256("other"))); }),
            "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { r.body += "\n"; }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { r.body[20] = 'X'; }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { r.headers.erase("Date"); }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { r.headers.erase("Authorization"); }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) { r.headers.emplace("Host", kHost); }), "accept");
  EXPECT_NE(changed([](IncomingRequest& r) {
              replace(r, "Authorization",
                      authorization("date (request-target) host content-length content-type x-content-sha256",
                                    kGetSignature));
            }),
            "accept");
}

TEST(SignatureVerifier, TakesTheTargetAsItIsOnTheWire) {
  for (const auto& [from, to] : {std::pair{"%3A", "%3a"}, std::pair{"%20", "+"}, std::pair{"%3A", ":"}}) {
    IncomingRequest request = sampleGet();
    request.target.replace(request.target.find(from), 3, to);
    EXPECT_EQ(resultOf(request), "the signature does not match") << to;
  }
}

TEST(SignatureVerifier, WantsTheMinimumSetOfEachMethod) {
  const Headers headers{{"date", kDate},
                        {"host", "h"},
                        {"content-length", "0"},
                        {"content-type", "application/json"},
                        {"x-content-sha256", toBase64(sha256(""))}};
  const auto with = [&](const char* method, const char* names) {
    return resultOf(signedRequest(method, "/20190101/jobs", headers, names));
  };
  EXPECT_EQ(with("GET", "date (request-target)"), "host is not signed");
  EXPECT_EQ(with("GET", "date host"), "(request-target) is not signed");
  EXPECT_EQ(with("GET", "(request-target) host"), "neither date nor x-date is signed");
  EXPECT_EQ(with("DELETE", "date (request-target) host"), "accept");
  EXPECT_EQ(with("POST", "date (request-target) host"), "content-length is not signed");
  EXPECT_EQ(with("POST", "date (request-target) host content-length content-type"),
            "x-content-sha256 is not signed");
  EXPECT_EQ(with("PATCH", "date (request-target) host content-length x-content-sha256"),
            "content-type is not signed");
  EXPECT_EQ(with("POST", "date (request-target) host content-length content-type x-content-sha256"),
            "accept");
}

TEST(SignatureVerifier, AllowsFiveMinutesOfSkewAndNoMore) {
  using std::chrono::seconds;
  for (const int sign : {-1, 1}) {
    EXPECT_EQ(resultOf(sampleGet(), sampleTime() + sign * seconds(300)), "accept");
    EXPECT_EQ(resultOf(sampleGet(), sampleTime() + sign * seconds(301)),
              "date differs from the clock of the service by more than 5 minutes");
  }
}

TEST(SignatureVerifier, RefusesUnknownKeysAndMalformedHeaders) {
  const std::string good = authorization("date (request-target) host", kGetSignature);
  const auto with = [](std::string value) {
    IncomingRequest request = sampleGet();
    replace(request, "Authorization", value);
    return resultOf(request);
  };
  std::string other = good;
  other.replace(other.find("20:3b"), 5, "20:3c");
  EXPECT_EQ(with(other), "the keyId is unknown or has expired");
  EXPECT_NE(with("Bearer x"), "accept");
  EXPECT_NE(with("Signature"), "accept");
  EXPECT_NE(with(good.substr(0, good.size() - 1)), "accept");
  EXPECT_NE(with(good + ",version=\"1\""), "accept");
  for (const auto& [from, to] : {std::pair{"version=\"1\"", "version=\"2\""},
                                 std::pair{"rsa-sha256", "hmac-sha256"}, std::pair{"keyId", "key"}}) {
    std::string spoiled = good;
    spoiled.replace(spoiled.find(from), std::string(from).size(), to);
    EXPECT_NE(with(spoiled), "accept") << to;
  }
}

TEST(SignatureVerifier, KnowsTheUploadsWhoseBodyIsNotSigned) {
  EXPECT_TRUE(bodyMayBeUnsigned("PUT", "/n/ns/b/bucket/o/a"));
  EXPECT_TRUE(bodyMayBeUnsigned("PUT", "/n/ns/b/bucket/o/a/b?x=y"));
  EXPECT_TRUE(bodyMayBeUnsigned("PUT", "/n/ns/b/bucket/u/a?uploadId=1&uploadPartNum=1"));
  EXPECT_TRUE(bodyMayBeUnsigned("POST", "/20190101/jobs/ocid1/artifact"));
  EXPECT_FALSE(bodyMayBeUnsigned("POST", "/n/ns/b/bucket/u/a?uploadId=1"));
  EXPECT_FALSE(bodyMayBeUnsigned("POST", "/20190101/jobs"));
  EXPECT_FALSE(bodyMayBeUnsigned("PUT", "/20190101/jobs/ocid1"));
}

TEST(VerifyCommand, ChecksOneRequestALine) {
  TempDir temp;
  const std::string pem = (temp.path() / "public.pem").string();
  std::ofstream(pem) << *publicPem(*readPrivatePem(Secret(kSampleKey)));
  const auto line = [](const IncomingRequest& request) {
    nlohmann::json headers;
    for (const auto& [name, value] : request.headers) headers[name] = value;
    return nlohmann::json{{"method", request.method},
                          {"url", std::string("https://") + kHost + request.target},
                          {"headers", headers},
                          {"bodyBase64", toBase64(request.body)}}
               .dump() +
           "\n";
  };
  IncomingRequest spoiled = samplePost();
  spoiled.body += " ";
  const auto [status, text] =
      testing::runProgram({std::string(LOCKSTEP_BIN_DIR) + "/lockstep-rehearsal", "verify", "--at", kDate,
                           "--key", std::string(kKeyId) + "=" + pem},
                          {}, line(sampleGet()) + line(samplePost()) + line(spoiled) + "nonsense\n");
  EXPECT_EQ(status, 0);
  EXPECT_EQ(text,
            "accept\naccept\nrefuse NotAuthenticated content-length is not the length of the body\n"
            "refuse CannotParseRequest the line is not a JSON object with method and url\n");
}

}  // namespace
}  // namespace lockstep::rehearsal
