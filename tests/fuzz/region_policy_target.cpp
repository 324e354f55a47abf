// SPDX-License-Identifier: GPL-3.0-or-later
// The region's own engine, whose types have the names of the client's.
#include "fuzz_targets.h"
#include "rehearsal/iam/policy_language.h"

namespace lockstep {
namespace {

using namespace rehearsal;

std::string checkRefusal(const std::string& text, const rehearsal::PolicyMistake& mistake) {
  if (mistake.what.empty()) return "the region refuses without a word";
  if (mistake.place > text.size()) return "the region finds a mistake beside the text";
  return describeMistake(text, mistake).empty() ? "a mistake that cannot be told" : "";
}

}  // namespace

std::string tryRegionPolicy(const std::string& text) {
  if (const auto statement = rehearsal::parsePolicyStatement(text); !statement)
    if (std::string wrong = checkRefusal(text, statement.error()); !wrong.empty()) return wrong;
  if (const auto rule = rehearsal::parseMatchingRule(text); !rule)
    if (std::string wrong = checkRefusal(text, rule.error()); !wrong.empty()) return wrong;
  return {};
}

}  // namespace lockstep
