// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <tl/expected.hpp>

#include "policy/policy_reader.h"
#include "policy/policy_statement.h"

namespace lockstep {

/// Reads a where-clause or a matching rule from where the reader stands; what follows it is the caller's.
class ConditionParser {
 public:
  enum class For { Statement, MatchingRule };
  ConditionParser(PolicyReader& read, For what) : read_(read), isRule_(what == For::MatchingRule) {}
  tl::expected<PolicyCondition, PolicyMistake> parse() { return condition(0); }

 private:
  using Parsed = tl::expected<PolicyCondition, PolicyMistake>;
  using Wrong = std::optional<PolicyMistake>;
  Parsed condition(int depth);
  Parsed group(PolicyCondition::Kind kind, int depth);
  Wrong variable(PolicyTest& test);
  Wrong comparison(PolicyTest& test);
  Wrong wordComparison(PolicyTest& test);
  Wrong values(PolicyTest& test);
  Wrong value(PolicyTest& test);
  [[nodiscard]] PolicyMistake here(std::string what, std::string remedy = {}) const {
    return {"condition", read_.place(), std::move(what), std::move(remedy)};
  }

  PolicyReader& read_;
  bool isRule_;
};

}  // namespace lockstep
