// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "setup/journal/report_document.h"

using namespace lockstep;

namespace {

const std::string kOcid = "ocid1.user.oc1..aaaabbbbccccddddeeeewxyz";

ReportDocument documentWith(Finding finding) {
  ReportDocument document;
  document.profile = "P<script>";
  document.region = "us-ashburn-1";
  document.checkedAt = TimePoint(std::chrono::seconds(1'700'000'000));
  StepReport report = reportOf({std::move(finding)});
  report.tables = {{"ports & more", {"port"}, {{{"29400", StepState::Blocked, "rule \"2\""}}}}};
  ProposedFix fix;
  fix.title = "open TCP 29400";
  fix.isUnsafe = true;
  report.fixes.push_back(fix);
  document.steps.emplace_back("network", std::move(report));
  return document;
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST(Redaction, ShortensOcidsToTheirEnds) {
  EXPECT_EQ(redacted("user " + kOcid + "."), "user ocid1.user.oc1..aaaa…wxyz.");
  EXPECT_EQ(redacted("ocid1.log.oc1.iad.short"), "ocid1.log.oc1.iad.…");
  EXPECT_EQ(redacted("(" + kOcid + ", " + kOcid + ")"),
            "(ocid1.user.oc1..aaaa…wxyz, ocid1.user.oc1..aaaa…wxyz)");
  EXPECT_EQ(redacted("no ocid here"), "no ocid here");
}

TEST(Redaction, LeavesOutWhatIsSecret) {
  const std::string fingerprint = "11:22:33:44:55:66:77:88:99:aa:bb:cc:dd:ee:ff:00";
  EXPECT_EQ(redacted("fingerprint " + fingerprint + " is"), "fingerprint (fingerprint left out) is");
  EXPECT_EQ(redacted("SHA256:abcdefghijklmnopqrstuvwxyz0123456789ABCDEFG"), "(fingerprint left out)");
  EXPECT_EQ(redacted("a -----BEGIN PRIVATE KEY-----\nMII\n-----END PRIVATE KEY-----\nb"),
            "a (key left out)\nb");
  EXPECT_EQ(redacted("a -----BEGIN PRIVATE KEY-----\nMII"), "a (key left out)");
  EXPECT_EQ(redacted("token eyJhbGciOi.eyJzdWIi.sig-nature_ end"), "token (token left out) end");
  EXPECT_EQ(redacted("keyId ST$eyJhbGciOi.e30.x"), "keyId (token left out)");
  EXPECT_EQ(redacted("password=Tr0ub4dor&3"), "password=…");
  EXPECT_EQ(redacted("Authorization: Bearer abcdef123456"), "Authorization: …");
  EXPECT_EQ(redacted("proxy http://jane:s3cret@proxy:3128"), "proxy http://…@proxy:3128");
}

// However short or plain: whoever says "password" has one behind it.
TEST(Redaction, LeavesOutEveryValueOfANameThatIsSecret) {
  for (const auto& [text, expected] : std::initializer_list<std::pair<const char*, const char*>>{
           {"authorization: Basic dXNlcjpwYXNz, x", "authorization: …"},
           {"> Authorization: Signature version=\"1\",keyId=\"a/b\"\n> host: x",
            "> Authorization: …\n> host: x"},
           {"proxy-authorization: Basic dTpw", "proxy-authorization: …"},
           {"password: correcthorse", "password: …"},
           {"password=hunter2 user=jane", "password=… user=jane"},
           {"token=abcdefghijk", "token=…"},
           {"the token: missing", "the token: …"},
           {"api_key=AKIAIOSFODNN7", "api_key=…"},
           {"ApiKey: x", "ApiKey: …"},
           {"key=1", "key=…"},
           {"MYSQL_PWD=abc", "MYSQL_PWD=…"},
           {"--pass-phrase x", "--pass-phrase x"},
           {"{\"secret\": \"a b \\\" c\", \"region\": \"iad\"}", "{\"secret\": …, \"region\": \"iad\"}"},
           {"secret = 'a b' end", "secret = … end"},
           {"bearer abc123", "bearer …"}})
    EXPECT_EQ(redacted(text), expected);
  const std::string dashes(1 << 20, '-');
  EXPECT_EQ(redacted(dashes), dashes) << "and soon";
}

// Support needs these, and a reader would miss them.
TEST(Redaction, LeavesTheRestAlone) {
  for (const char* text :
       {"opc-request-id 0123456789ABCDEF0123456789ABCDEF/0123/4567", "oci://bucket@namespace/p",
        "sha256:0123456789abcdef0123456789abcdef", "MAC 02:00:17:00:12:34", "at 10:20:30:40",
        "cannot read the key: permission denied", "monkey: banana", "token and key", "the bearer of news",
        "key_file: ~/.oci/key.pem", "iad.ocir.io/ns/repo:1", "10.0.0.0/24", "port 29400"})
    EXPECT_EQ(redacted(text), text);
}

TEST(Redaction, OfLongAndOddTextsEnds) {
  const std::string longText(1 << 20, 'a');
  EXPECT_EQ(redacted(longText), longText);
  EXPECT_EQ(redacted(std::string(1 << 20, ':')).size(), std::size_t{1} << 20);
  EXPECT_EQ(redacted("an OCID begins with ocid1."), "an OCID begins with ocid1.");
  EXPECT_EQ(redacted("\xff\xfe token="), "\xff\xfe token=");
}

TEST(SetupReportDocument, TextSaysStateTextEvidenceAndWayOut) {
  const std::string text = reportText(documentWith(
      {StepState::Blocked, "port closed for " + kOcid, "rule 3", "open it", "closed", "no rule"}));
  for (const char* part :
       {"network: blocked", "port closed for ocid1.user.oc1..aaaa…wxyz", "because: no rule", "saw: rule 3",
        "open it", "ports & more", "29400", "open TCP 29400", "(unsafe)", "us-ashburn-1", "2023-11-14"})
    EXPECT_TRUE(has(text, part)) << part << "\n" << text;
  EXPECT_FALSE(has(text, kOcid));
}

TEST(SetupReportDocument, HtmlEscapesEveryValueAndLoadsNothing) {
  const std::string html =
      reportHtml(documentWith({StepState::Warning, "<img src=x onerror=alert(1)>" + kOcid, "a & b", "'\"",
                               "odd", "<b>no</b> " + kOcid}));
  EXPECT_FALSE(has(html, "<img")) << html;
  EXPECT_FALSE(has(html, "<script")) << html;
  EXPECT_FALSE(has(html, "http://")) << html;
  EXPECT_FALSE(has(html, "https://")) << html;
  EXPECT_FALSE(has(html, kOcid)) << html;
  for (const char* part : {"&lt;img", "Because: &lt;b&gt;no", "a &amp; b", "&#39;&quot;", "P&lt;script&gt;",
                           "rule &quot;2&quot;", "<span class=\"warning\">", "</html>"})
    EXPECT_TRUE(has(html, part)) << part;
}
