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
