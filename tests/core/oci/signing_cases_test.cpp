// SPDX-License-Identifier: GPL-3.0-or-later
// The signer against signatures that another hand made, and against a verifier that was written apart from
// it: what it must accept, and every single change that it must refuse.
#include "signing_cases.h"

#include <gtest/gtest.h>
#include <strings.h>
#include <unistd.h>

#include <functional>
#include <sstream>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "oci_test_support.h"
#include "temp_dir.h"

namespace lockstep::oci {
namespace {

const std::string kVerifier = std::string(LOCKSTEP_BIN_DIR) + "/lockstep-rehearsal";
const std::string kOtherKeyId = "ocid1.tenancy.oc1..other/ocid1.user.oc1..other/00:11";

std::string parameter(const HttpRequest& request, const std::string& name) {
  const std::string authorization = headerValue(request.headers, "authorization");
  const std::size_t at = authorization.find(name + "=\"");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return authorization.substr(begin, authorization.find('"', begin) - begin);
}

void setParameter(HttpRequest& request, const std::string& name, const std::string& value) {
  std::string authorization = headerValue(request.headers, "authorization");
  const std::size_t begin = authorization.find(name + "=\"") + name.size() + 2;
  authorization.replace(begin, authorization.find('"', begin) - begin, value);
  setHeader(request.headers, "authorization", authorization);
}

std::vector<std::string> words(const std::string& text) {
  std::istringstream in(text);
  std::vector<std::string> all;
  for (std::string word; in >> word;) all.push_back(word);
  return all;
}

std::string joined(const std::vector<std::string>& all) {
  std::string text;
  for (const std::string& word : all) text += (text.empty() ? "" : " ") + word;
  return text;
}

TEST(SigningCases, OurSignerMakesEachSignature) {
  const auto cases = allSigningCases();
  ASSERT_GE(cases.size(), 60U);
  for (const SigningCase& one : cases) {
    SCOPED_TRACE(one.name);
    std::string text;
    const HttpRequest request = signedRequest(one, &text);
    EXPECT_EQ(text, one.signingString);
    EXPECT_EQ(headerValue(request.headers, "authorization"),
              "Signature version=\"1\",headers=\"" + one.names + "\",keyId=\"" + one.keyId +
                  "\",algorithm=\"rsa-sha256\",signature=\"" + one.signature + "\"");
    EXPECT_EQ(request.url, one.request.url);
    for (const auto& [name, value] : one.sent.items())
      EXPECT_EQ(headerValue(request.headers, name).find(value.get<std::string>()) == std::string::npos, false)
          << name;
    for (const char* name :
         {"authorization", "host", "date", "x-date", "content-type", "content-length", "x-content-sha256"}) {
      EXPECT_LE(std::count_if(request.headers.begin(), request.headers.end(),
                              [&](const auto& h) { return ::strcasecmp(h.first.c_str(), name) == 0; }),
                1)
          << name;
    }
  }
}

/// One line for the verifier, and what it must say of it.
struct Question {
  std::string about;
  HttpRequest request;
  std::string body;
  std::string answer;  // "accept", or words of the reason
};

std::string lineOf(const Question& question) {
  nlohmann::json headers = nlohmann::json::object();
  for (const auto& [name, value] : question.request.headers) {
    std::string key = name;  // JSON's names are unique, headers' are not
    for (auto it = headers.begin(); it != headers.end(); ++it)
      if (::strcasecmp(it.key().c_str(), name.c_str()) == 0) key = it.key();
    if (!headers.contains(key)) headers[key] = nlohmann::json::array();
    headers[key].push_back(value);
  }
  return nlohmann::json{{"method", question.request.method},
                        {"url", question.request.url},
                        {"headers", std::move(headers)},
                        {"bodyBase64", toBase64(question.body)}}
      .dump();
}

class VerifierTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (::access(kVerifier.c_str(), X_OK) != 0) GTEST_SKIP() << kVerifier << " has not been built";
    for (const char* name : {"test_key", "published_sample"}) {
      const auto key = readPrivateKey(kSigningData + "/" + name + ".pem", Secret());
      ASSERT_TRUE(key);
      ASSERT_TRUE(writeFileAtomically(publicKey(name), pemOf(key->get(), PemForm::Public)));
    }
    for (const SigningCase& one : allSigningCases()) cases_[one.date].push_back(one);
  }
  [[nodiscard]] std::string publicKey(const std::string& name) const {
    return (dir_.path() / (name + ".public.pem")).string();
  }

  // Asks the program, whose clock shows `now`.
  void ask(const std::vector<Question>& questions, const std::string& now) {
    std::string lines;
    std::map<std::string, std::string> keys{{kOtherKeyId, "published_sample"}};
    for (const auto& [date, group] : cases_)
      for (const SigningCase& one : group) keys[one.keyId] = one.keyFile.substr(0, one.keyFile.find('.'));
    for (const Question& question : questions) lines += lineOf(question) + "\n";
    ASSERT_TRUE(writeFileAtomically(dir_.path() / "in", lines));
    std::string command = "'" + kVerifier + "' verify --at '" + now + "'";
    for (const auto& [id, name] : keys) command += " --key '" + id + "=" + publicKey(name) + "'";
    command += " <'" + (dir_.path() / "in").string() + "' >'" + (dir_.path() / "out").string() + "'";
    ASSERT_EQ(std::system(command.c_str()), 0);
    std::istringstream out(*readFile(dir_.path() / "out"));
    for (const Question& question : questions) {
      std::string line;
      ASSERT_TRUE(std::getline(out, line)) << question.about;
      if (question.answer == "accept") {
        EXPECT_EQ(line, "accept") << question.about;
      } else {
        EXPECT_TRUE(line.starts_with("refuse NotAuthenticated ")) << question.about << ": " << line;
        EXPECT_NE(line.find(question.answer), std::string::npos) << question.about << ": " << line;
      }
      ++asked_;
    }
  }

  TempDir dir_;
  std::map<std::string, std::vector<SigningCase>> cases_;  // by date
  int asked_ = 0;
};

TEST_F(VerifierTest, TheRegionAcceptsEach) {
  for (const auto& [date, group] : cases_) {
    std::vector<Question> questions;
    for (const SigningCase& one : group)
      questions.push_back({one.name, signedRequest(one), one.body, "accept"});
    ask(questions, date);
  }
  EXPECT_GE(asked_, 60);
}

TEST_F(VerifierTest, FiveMinutesOfSkewAndNoMore) {
  using namespace std::chrono_literals;
  for (const auto& [date, group] : cases_) {
    for (const auto skew : {-300s, 300s, -301s, 301s, -86400s}) {
      const bool fine = std::chrono::abs(skew) <= 5min;
      std::vector<Question> questions;
      for (const SigningCase& one : group)
        questions.push_back(
            {one.name, signedRequest(one), one.body,
             fine ? "accept" : "differs from the clock of the service by more than 5 minutes"});
      ask(questions, toRfc1123(*parseRfc1123(date) + skew));
    }
  }
}

constexpr const char* kMismatch = "the signature does not match";

/// Everything that can be changed about one signed request.
class Changes {
 public:
  explicit Changes(const SigningCase& one) : one_(one), signed_(signedRequest(one)) {}

  std::vector<Question> all() {
    target();
    headerValues();
    headerList();
    body();
    claims();
    garbage();
    return std::move(questions_);
  }

 private:
  using Change = std::function<void(HttpRequest&)>;
  void change(const std::string& about, const std::string& reason, const Change& how) {
    Question question{one_.name + ": " + about, signed_, one_.body, reason};
    how(question.request);
    questions_.push_back(std::move(question));
  }
  void target() {
    const std::string& method = signed_.method;
    // A method of the same kind, so that the signature is at fault and not the list of headers.
    const std::string other = method == "GET"     ? "HEAD"
                              : method == "POST"  ? "PUT"
                              : method == "PUT"   ? "POST"
                              : method == "HEAD"  ? "GET"
                              : method == "PATCH" ? "PUT"
                                                  : "GET";
    const bool isObject = one_.signing == BodySigning::Excluded && method == "PUT";
    change("method", isObject ? "is not signed" : kMismatch, [&](HttpRequest& r) { r.method = other; });
    // Behind the host and before the query, the fragment cut off.
    const std::string url = signed_.url.substr(0, signed_.url.find('#'));
    const std::size_t query = url.find('?');
    const std::size_t pathEnd = std::min(query, url.size());
    const bool hasPath = url.find('/', url.find("://") + 3) < pathEnd;
    // At another path the artifact's body would have to be signed.
    change("path", one_.name == "job-artifact" ? "content-length is not signed" : kMismatch,
           [&](HttpRequest& r) {
             r.url = url.substr(0, pathEnd) + (hasPath ? "" : "/") + "x" + url.substr(pathEnd);
           });
    change("query", kMismatch,
           [&](HttpRequest& r) { r.url = url + (query == std::string::npos ? "?" : "&") + "z=1"; });
    if (query == std::string::npos) {
      change("empty query", kMismatch, [&](HttpRequest& r) { r.url = url + "?"; });
    } else {
      change("query gone", kMismatch, [&](HttpRequest& r) { r.url = url.substr(0, query); });
    }
    const std::size_t percent = url.find('%');
    if (percent != std::string::npos && percent + 2 < url.size() && std::isalpha(url[percent + 2]) != 0) {
      change("case of an escape", kMismatch, [&](HttpRequest& r) {
        r.url = url;
        r.url[percent + 2] = static_cast<char>(r.url[percent + 2] ^ 0x20);
      });
    }
  }
  void headerValues() {
    for (const std::string& name : words(one_.names)) {
      if (name == "(request-target)") continue;
      const std::string value = headerValue(signed_.headers, name);
      const bool isDate = name == "date" || name == "x-date";
      const std::string other =
          isDate ? toRfc1123(*parseRfc1123(value) + std::chrono::seconds(1)) : value + "1";
      change(name + " changed", kMismatch, [&](HttpRequest& r) { setHeader(r.headers, name, other); });
      change(name + " sent twice", "sent more than once",
             [&](HttpRequest& r) { r.headers.emplace_back(name, value); });
      change(name + " not sent", isDate ? "is not an RFC 1123 date" : "was not sent", [&](HttpRequest& r) {
        std::erase_if(r.headers,
                      [&](const auto& h) { return ::strcasecmp(h.first.c_str(), name.c_str()) == 0; });
      });
    }
  }
  void headerList() {
    const std::vector<std::string> names = words(one_.names);
    for (std::size_t i = 0; i < names.size(); ++i) {
      std::vector<std::string> less = names;
      less.erase(less.begin() + static_cast<std::ptrdiff_t>(i));
      // The one place that takes a signature without a host: where certificates are traded for tokens.
      const bool maySayNoHost = one_.name == "federation" && names[i] == "host";
      const bool isExtra =
          names[i] == "opc-obo-token" || names[i].starts_with("x-cross") || names[i] == "x-subscription";
      const bool needed = !maySayNoHost && (i < 3 || !isExtra);
      // Where the body may be left out, its headers may be, too.
      const bool mayLeave = one_.name.starts_with("put-object") && i >= 3;
      change(names[i] + " not listed", needed && !mayLeave ? "is signed" : kMismatch,
             [&](HttpRequest& r) { setParameter(r, "headers", joined(less)); });
      if (needed && !mayLeave)
        questions_.back().answer = i == 0 ? "neither date nor x-date is signed" : "is not signed";
    }
    std::vector<std::string> swapped = names;
    std::swap(swapped[0], swapped[1]);
    change("order of the list", kMismatch,
           [&](HttpRequest& r) { setParameter(r, "headers", joined(swapped)); });
    change("listed twice", "listed twice",
           [&](HttpRequest& r) { setParameter(r, "headers", one_.names + " host"); });
    change("listed but not sent", "was not sent",
           [&](HttpRequest& r) { setParameter(r, "headers", one_.names + " opc-none"); });
    change("no list", "is signed", [&](HttpRequest& r) { setParameter(r, "headers", ""); });
    questions_.back().answer = "neither date nor x-date is signed";
  }
  void body() {
    const bool isSigned = one_.names.find("x-content-sha256") != std::string::npos;
    if (!one_.body.empty()) {
      for (const std::size_t at : {std::size_t{0}, one_.body.size() - 1}) {
        Question question{one_.name + ": a bit of the body", signed_, one_.body,
                          isSigned ? "x-content-sha256 is not the hash of the body" : "accept"};
        question.body[at] = static_cast<char>(question.body[at] ^ 1);
        questions_.push_back(std::move(question));
      }
    }
    if (!isSigned) return;
    questions_.push_back(
        {one_.name + ": a byte more", signed_, one_.body + "x", "content-length is not the length"});
    // Whoever also fixes the hash and the length does not have the key.
    Question fixed{one_.name + ": another body, headers and all", signed_, "other", kMismatch};
    setHeader(fixed.request.headers, "content-length", "5");
    setHeader(fixed.request.headers, "x-content-sha256", toBase64(sha256("other")));
    questions_.push_back(std::move(fixed));
  }
  void claims() {
    const bool isSample = one_.keyFile == "published_sample.pem";
    change("unknown key", "the keyId is unknown", [](HttpRequest& r) { setParameter(r, "keyId", "t/u/f"); });
    if (!isSample)
      change("another's key", kMismatch, [](HttpRequest& r) { setParameter(r, "keyId", kOtherKeyId); });
    change("algorithm", "the algorithm is not rsa-sha256",
           [](HttpRequest& r) { setParameter(r, "algorithm", "rsa-sha512"); });
    change("hs2019", "the algorithm is not rsa-sha256",
           [](HttpRequest& r) { setParameter(r, "algorithm", "hs2019"); });
    change("version", "the signature version is not 1",
           [](HttpRequest& r) { setParameter(r, "version", "2"); });
    std::string bytes = *fromBase64(parameter(signed_, "signature"));
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x10);
    change("a bit of the signature", kMismatch,
           [&](HttpRequest& r) { setParameter(r, "signature", toBase64(bytes)); });
    change("half a signature", kMismatch, [&](HttpRequest& r) {
      setParameter(r, "signature", toBase64(bytes.substr(0, bytes.size() / 2)));
    });
    change("no signature", "the signature is not base64",
           [](HttpRequest& r) { setParameter(r, "signature", ""); });
    change("no base64", "the signature is not base64",
           [](HttpRequest& r) { setParameter(r, "signature", "%%%"); });
  }
  void garbage() {
    const std::string whole = headerValue(signed_.headers, "authorization");
    change("no Authorization", "there is no Authorization header", [](HttpRequest& r) {
      std::erase_if(r.headers,
                    [](const auto& h) { return ::strcasecmp(h.first.c_str(), "authorization") == 0; });
    });
    change("two of them", "more than one Authorization",
           [&](HttpRequest& r) { r.headers.emplace_back("Authorization", whole); });
    for (std::size_t cut = 0; cut < whole.size(); cut += 37)
      change("cut after " + std::to_string(cut), "",
             [&](HttpRequest& r) { setHeader(r.headers, "authorization", whole.substr(0, cut)); });
    for (const std::string text :
         {"Bearer abc", "Basic dXNlcjpwYXNz", "Signature", "Signature ,,,", "Signature =\"\"",
          "Signature version=1", "\"", "Signature version=\"1\" headers=\"date\""})
      change("garbage " + text, "", [&](HttpRequest& r) { setHeader(r.headers, "authorization", text); });
  }

  const SigningCase& one_;
  const HttpRequest signed_;
  std::vector<Question> questions_;
};

TEST_F(VerifierTest, TheRegionRefusesEveryChange) {
  for (const auto& [date, group] : cases_) {
    std::vector<Question> questions;
    for (const SigningCase& one : group) {
      auto changes = Changes(one).all();
      questions.insert(questions.end(), changes.begin(), changes.end());
    }
    ask(questions, date);
  }
  EXPECT_GE(asked_, 3000);
  RecordProperty("questions", asked_);
}

}  // namespace
}  // namespace lockstep::oci
