// SPDX-License-Identifier: GPL-3.0-or-later
// docs/diagnosis.md lists exactly the rows of the catalogue.
#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <string>
#include <vector>

#include "base/atomic_file.h"
#include "diagnosis/findings/finding_catalogue.h"
#include "diagnosis/muted_findings.h"

namespace lockstep {
namespace {

TEST(FindingsPage, ListsTheCatalogueInItsOrder) {
  const std::string page =
      readFile(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs/diagnosis.md").value_or("");
  static const std::regex kRow("\n\\| ([^|]*) \\| `([a-z-]*)` \\| [^|]* \\| ([^|]*) \\|");
  std::vector<std::vector<std::string>> rows;
  for (std::sregex_iterator row(page.begin(), page.end(), kRow), end; row != end; ++row)
    rows.push_back({(*row)[1], (*row)[2], (*row)[3]});
  std::vector<std::vector<std::string>> expected;
  for (const FindingInfo& info : findingCatalogue()) expected.push_back({info.title, info.code, info.needs});
  EXPECT_EQ(rows, expected);
}

// docs/formats/muted-findings.md shows what our reader reads.
TEST(FindingsPage, TheExampleOfMutedFindingsIsRead) {
  const std::string page =
      readFile(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "docs/formats/muted-findings.md").value_or("");
  const std::string mark = "```json muted-findings.json\n";
  const std::size_t begin = page.find(mark) + mark.size();
  const auto muted = MutedFindings::parse(page.substr(begin, page.find("```", begin) - begin));
  ASSERT_TRUE(muted);
  EXPECT_EQ(muted->keysOf(RunId("cifar-ddp-7f3a"), TimePoint()),
            std::set<std::string>{"straggler 5 forward_ms"});
}

}  // namespace
}  // namespace lockstep
