// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/redaction.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

const std::string kOcid = "ocid1.user.oc1..aaaabbbbccccddddeeeewxyz";

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
           {"--pass-phrase x", "--pass-phrase …"},
           {"--token --epochs 3", "--token --epochs 3"},
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

TEST(Redaction, OptionsOfCommandLinesAreAssignments) {
  EXPECT_EQ(withoutSecrets("train --db-password s3cret --epochs 3"), "train --db-password … --epochs 3");
  EXPECT_EQ(withoutSecrets("--token=abc x"), "--token=… x");
  EXPECT_EQ(withoutSecrets("my token is here"), "my token is here");
}

}  // namespace
}  // namespace lockstep
