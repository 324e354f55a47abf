// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_targets.h"
#include "policy/policy_statement.h"

namespace lockstep {
namespace {

constexpr int kDeepest = 64;

std::string checkMistake(const std::string& text, const PolicyMistake& mistake) {
  if (mistake.what.empty() || mistake.code.empty()) return "refused without a word";
  if (mistake.place > text.size()) return "a mistake beside the text";
  return describe(text, mistake).empty() ? "a mistake that cannot be told" : "";
}

std::string checkDepth(const PolicyCondition& condition, int depth) {
  if (depth > kDeepest) return "a condition that nests without end";
  for (const PolicyCondition& part : condition.parts)
    if (std::string wrong = checkDepth(part, depth + 1); !wrong.empty()) return wrong;
  return {};
}

std::string checkStatement(const std::string& text) {
  const auto statement = parsePolicyStatement(text);
  if (!statement) return checkMistake(text, statement.error());
  for (const PolicyMistake& doubt : statement->doubts)
    if (std::string wrong = checkMistake(text, doubt); !wrong.empty()) return wrong;
  if (statement->where)
    if (std::string wrong = checkDepth(*statement->where, 0); !wrong.empty()) return wrong;
  using Effect = PolicyStatement::Effect;
  if (statement->effect != Effect::Allow && statement->effect != Effect::Deny) return {};
  auto again = parsePolicyStatement(toText(*statement));
  if (!again) return "written again, it is no statement: " + toText(*statement);
  again->doubts = statement->doubts;  // their places are of another text
  return *again == *statement ? "" : "written again, it is another statement: " + toText(*statement);
}

}  // namespace

std::string tryRegionPolicy(const std::string& text);

std::string tryPolicy(std::string_view input) {
  const std::string text(input);
  if (std::string wrong = checkStatement(text); !wrong.empty()) return wrong;
  if (const auto rule = parseMatchingRule(text); !rule) {
    if (std::string wrong = checkMistake(text, rule.error()); !wrong.empty()) return wrong;
  } else if (std::string wrong = checkDepth(*rule, 0); !wrong.empty()) {
    return wrong;
  }
  return tryRegionPolicy(text);
}

}  // namespace lockstep
