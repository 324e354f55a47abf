// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/policy_language.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "rehearsal/iam/policy_scanner.h"
#include "rehearsal/iam/policy_words.h"

namespace lockstep::rehearsal {
namespace {

using Mistake = tl::unexpected<PolicyMistake>;
using Where = tl::expected<PolicyCondition, PolicyMistake>;
using Done = std::optional<PolicyMistake>;

constexpr int kDeepest = 16;  // nesting of all {…} and any {…}

/// Reads one text from left to right.
class Parser {
 public:
  explicit Parser(const std::string& text, bool isRule) : scan_(text), isRule_(isRule) {}

  tl::expected<PolicyStatement, PolicyMistake> statement();
  Where wholeRule();

 private:
  Done readBeginning();
  Done readSubject(PolicySubject& subject);
  Done readNames(PolicySubject& subject);
  Done readName(PolicySubject& subject, std::string_view keyword);
  Done readGrant(PolicyStatement& statement);
  Done readPermissions(PolicyStatement& statement);
  Done readLocation(PolicyLocation& location);
  Where condition(int depth);
  Where group(PolicyCondition::Kind kind, int depth);
  Where test();
  Done readVariable(PolicyCondition& test);
  Done readOperator(PolicyCondition& test);
  Done readValues(PolicyCondition& test);
  Done readValue(PolicyCondition& test);
  Done expect(char sign, const char* meant);

  [[nodiscard]] PolicyMistake here(std::string what) const { return {scan_.place(), std::move(what)}; }

  PolicyScanner scan_;
  bool isRule_;
};

Done Parser::expect(char sign, const char* meant) {
  if (scan_.acceptSign(sign)) return std::nullopt;
  return here(fmt::format("'{}' is meant here, {}", sign, meant));
}

Done Parser::readBeginning() {
  const std::string word = scan_.peekWord();
  if (scan_.acceptKeyword("allow")) return std::nullopt;
  for (const char* cross : {"endorse", "admit", "define", "deny"})
    if (sameWord(word, cross))
      return here(fmt::format("this region evaluates Allow statements only, not {}", word));
  return here("a statement begins with Allow");
}

Done Parser::readSubject(PolicySubject& subject) {
  using Kind = PolicySubject::Kind;
  const std::size_t place = scan_.place();
  const std::string word = scan_.peekWord();
  static const std::map<std::string, Kind> kinds{{"any-user", Kind::AnyUser},
                                                 {"any-group", Kind::AnyGroup},
                                                 {"group", Kind::Group},
                                                 {"dynamic-group", Kind::DynamicGroup},
                                                 {"service", Kind::Service}};
  const auto found = kinds.find(lowerWord(word));
  if (found == kinds.end())
    return PolicyMistake{place, "a subject is meant: group, dynamic-group, service, any-user or any-group"};
  scan_.parseWord();
  subject.kind = found->second;
  if (subject.kind == Kind::AnyUser || subject.kind == Kind::AnyGroup) return std::nullopt;
  return readNames(subject);
}

Done Parser::readNames(PolicySubject& subject) {
  const char* keyword = subject.kind == PolicySubject::Kind::Group          ? "group"
                        : subject.kind == PolicySubject::Kind::DynamicGroup ? "dynamic-group"
                                                                            : "service";
  do {
    if (!subject.names.empty()) scan_.acceptKeyword(keyword);  // group id A, group id B
    if (auto mistake = readName(subject, keyword)) return mistake;
  } while (scan_.acceptSign(','));
  return std::nullopt;
}

Done Parser::readName(PolicySubject& subject, std::string_view keyword) {
  PolicySubject::Name name;
  name.isId = sameWord(scan_.peekWord(), "id") && scan_.secondWordIsOcid();
  if (name.isId) scan_.parseWord();
  const std::size_t place = scan_.place();
  if (!name.isId && sameWord(scan_.peekWord(), "to"))
    return PolicyMistake{place, fmt::format("the name of a {} is missing", keyword)};
  const auto text = scan_.parseName();
  if (!text) return PolicyMistake{place, fmt::format("the name of a {} is meant", keyword)};
  name.text = *text;
  if (scan_.acceptSign('/')) {  // 'Domain'/'Name'
    const auto second = scan_.parseName();
    if (!second) return here(fmt::format("the name of a {} is meant after the domain", keyword));
    name.domain = name.text;
    name.text = *second;
  }
  subject.names.push_back(name);
  return std::nullopt;
}

Done Parser::readGrant(PolicyStatement& statement) {
  if (!scan_.acceptKeyword("to")) return here("'to' and a verb are meant here");
  if (scan_.peekSign('{')) return readPermissions(statement);
  const std::size_t place = scan_.place();
  const std::string word = scan_.parseWord();
  const auto verb = verbNamed(word);
  if (!verb) return PolicyMistake{place, "a verb is meant: inspect, read, use or manage"};
  statement.verb = *verb;
  const std::size_t typePlace = scan_.place();
  const std::string type = lowerWord(scan_.parseWord());
  if (verbNamed(type)) {
    const std::string next = scan_.peekWord();
    return PolicyMistake{
        typePlace, fmt::format("a statement has one verb, and '{} {}' are two: '{} {}' or '{} {}' is meant",
                               word, type, type, next, word, next)};
  }
  if (type.empty()) return PolicyMistake{typePlace, "a resource type is missing after the verb"};
  if (!isResourceType(type)) {
    const auto near = nearestResourceType(type);
    return PolicyMistake{typePlace, "No permissions found: this is no resource type" +
                                        (near ? fmt::format("; '{}' may be meant", *near) : std::string())};
  }
  statement.resourceType = type;
  return std::nullopt;
}

Done Parser::readPermissions(PolicyStatement& statement) {
  scan_.acceptSign('{');
  do {
    const std::size_t place = scan_.place();
    const std::string word = scan_.parseWord();
    const PermissionWord* permission = findPermission(word);
    if (permission == nullptr) return PolicyMistake{place, "No permissions found: this is no permission"};
    statement.permissions.emplace_back(permission->name);
  } while (scan_.acceptSign(','));
  return expect('}', "after the permissions");
}

Done Parser::readLocation(PolicyLocation& location) {
  if (!scan_.acceptKeyword("in")) return here("'in' and a location are meant here");
  scan_.acceptKeyword("the");  // Oracle's own examples have "in the tenancy"
  if (scan_.acceptKeyword("tenancy")) return std::nullopt;
  if (!scan_.acceptKeyword("compartment"))
    return here("a location is meant: tenancy, compartment NAME or compartment id OCID");
  if (sameWord(scan_.peekWord(), "id") && scan_.secondWordIsOcid()) {
    scan_.parseWord();
    location.kind = PolicyLocation::Kind::CompartmentId;
    location.id = scan_.parseWord();
    return std::nullopt;
  }
  location.kind = PolicyLocation::Kind::CompartmentPath;
  do {
    const std::size_t place = scan_.place();
    const auto name = scan_.parseName();
    if (!name) return PolicyMistake{place, "the name of a compartment is missing"};
    if (name->starts_with("ocid1."))
      return PolicyMistake{place, "an OCID is written as: compartment id " + *name};
    location.path.push_back(*name);
  } while (scan_.acceptSign(':'));
  return std::nullopt;
}

Where Parser::condition(int depth) {
  if (depth > kDeepest) return Mistake(here("the conditions are nested too deeply"));
  for (const auto& [word, kind] :
       {std::pair{"all", PolicyCondition::Kind::All}, std::pair{"any", PolicyCondition::Kind::Any}}) {
    if (!sameWord(scan_.peekWord(), word)) continue;
    scan_.parseWord();
    return group(kind, depth);
  }
  return test();
}

Where Parser::group(PolicyCondition::Kind kind, int depth) {
  PolicyCondition group;
  group.kind = kind;
  if (auto mistake = expect('{', "before the conditions")) return Mistake(*mistake);
  do {
    auto part = condition(depth + 1);
    if (!part) return part;
    group.parts.push_back(std::move(*part));
  } while (scan_.acceptSign(','));
  if (auto mistake = expect('}', "after the conditions, or ',' between two")) return Mistake(*mistake);
  return group;
}

Where Parser::test() {
  PolicyCondition test;
  for (auto step : {&Parser::readVariable, &Parser::readOperator, &Parser::readValues})
    if (auto mistake = (this->*step)(test)) return Mistake(*mistake);
  return test;
}

Done Parser::readVariable(PolicyCondition& test) {
  const std::size_t place = scan_.place();
  test.variable = scan_.parseWord();
  const std::string lower = lowerWord(test.variable);
  if (lower.find(".tag.") == std::string::npos && !lower.starts_with("tag.")) test.variable = lower;
  if (test.variable.empty()) return PolicyMistake{place, "a condition is missing"};
  if (isRule_) {
    static const std::array known{"resource.type", "resource.id", "resource.compartment.id",
                                  "instance.compartment.id", "instance.id"};
    if (std::ranges::find(known, lower) != known.end() || lower.starts_with("tag.")) return std::nullopt;
    return PolicyMistake{place,
                         "a variable of matching rules is meant: resource.type, resource.id, "
                         "resource.compartment.id, instance.id, instance.compartment.id or "
                         "tag.<namespace>.<key>.value"};
  }
  if (lower.starts_with("target.") || lower.starts_with("request.")) return std::nullopt;
  return PolicyMistake{place, "a variable is meant, which begins with target. or request."};
}

Done Parser::readOperator(PolicyCondition& test) {
  using Operator = PolicyCondition::Operator;
  if (scan_.acceptSign('!')) {
    test.op = Operator::NotEqual;
    return expect('=', "after '!'");
  }
  if (scan_.acceptSign('=')) return std::nullopt;
  if (isRule_) {
    test.op = Operator::Exists;
    if (test.variable.starts_with("tag.")) return std::nullopt;
    return here("'=' or '!=' is meant here");
  }
  const bool isNot = scan_.acceptKeyword("not");
  if (scan_.acceptKeyword("in")) {
    test.op = isNot ? Operator::NotIn : Operator::In;
    return std::nullopt;
  }
  for (const auto& [word, op] : {std::pair{"before", Operator::Before}, std::pair{"after", Operator::After},
                                 std::pair{"between", Operator::Between}}) {
    if (isNot || !scan_.acceptKeyword(word)) continue;
    test.op = op;
    return std::nullopt;
  }
  return here("an operator is meant: =, !=, in, before, after or between");
}

Done Parser::readValues(PolicyCondition& test) {
  using Operator = PolicyCondition::Operator;
  if (test.op == Operator::Exists) return std::nullopt;
  if (test.op == Operator::Between) {
    if (auto mistake = readValue(test)) return mistake;
    if (!scan_.acceptKeyword("and")) return here("'and' is meant between the two values");
    return readValue(test);
  }
  if (test.op != Operator::In && test.op != Operator::NotIn) return readValue(test);
  if (auto mistake = expect('(', "before the values")) return mistake;
  do {
    if (auto mistake = readValue(test)) return mistake;
  } while (scan_.acceptSign(','));
  return expect(')', "after the values");
}

Done Parser::readValue(PolicyCondition& test) {
  const std::size_t place = scan_.place();
  const auto isVariable = [this](const std::string& text) {
    return !isRule_ && (text.starts_with("target.") || text.starts_with("request."));
  };
  if (auto text = scan_.parseQuoted()) {  // Oracle's own examples have variables in quotes too
    const std::string word = lowerWord(*text);
    test.values.push_back(isVariable(word) ? PolicyCondition::Value{word, true}
                                           : PolicyCondition::Value{*text, false});
    return std::nullopt;
  }
  if (auto pattern = scan_.parsePattern()) {
    test.values.push_back({*pattern, false});
    return std::nullopt;
  }
  const std::string word = lowerWord(scan_.parseWord());
  if (isVariable(word)) {
    test.values.push_back({word, true});
    return std::nullopt;
  }
  return PolicyMistake{place, "a value in single quotes is meant, or a pattern between slashes"};
}

tl::expected<PolicyStatement, PolicyMistake> Parser::statement() {
  PolicyStatement statement;
  if (const auto placeholder = scan_.findPlaceholder())
    return Mistake(PolicyMistake{*placeholder, "a placeholder was left unfilled"});
  if (auto mistake = readBeginning()) return Mistake(*mistake);
  if (auto mistake = readSubject(statement.subject)) return Mistake(*mistake);
  if (auto mistake = readGrant(statement)) return Mistake(*mistake);
  if (auto mistake = readLocation(statement.location)) return Mistake(*mistake);
  if (scan_.acceptKeyword("where")) {
    auto where = condition(0);
    if (!where) return Mistake(where.error());
    statement.where = std::move(*where);
  }
  if (!scan_.atEnd())
    return Mistake(here(statement.where
                            ? "the statement should end here; several conditions stand in all {…} "
                              "or any {…}"
                            : "the statement should end here, or go on with 'where'"));
  return statement;
}

Where Parser::wholeRule() {
  if (const auto placeholder = scan_.findPlaceholder())
    return Mistake(PolicyMistake{*placeholder, "a placeholder was left unfilled"});
  auto rule = condition(0);
  if (rule && !scan_.atEnd())
    return Mistake(here("the rule should end here; several conditions stand in all {…} or any {…}"));
  return rule;
}

}  // namespace

const char* nameOf(PolicyVerb verb) {
  constexpr const char* names[] = {
#define LOCKSTEP_VERB(enumerator, word) word,
#include "iam/permissions.def"
  };
  return names[static_cast<std::size_t>(verb)];
}

std::optional<PolicyVerb> verbNamed(std::string_view word) {
  for (const PolicyVerb verb : {PolicyVerb::Inspect, PolicyVerb::Read, PolicyVerb::Use, PolicyVerb::Manage})
    if (sameWord(word, nameOf(verb))) return verb;
  return std::nullopt;
}

std::string describeMistake(const std::string& statement, const PolicyMistake& mistake) {
  const std::size_t end =
      std::min(statement.find_first_of(" \t\n,{}()=", mistake.place + 1), statement.size());
  const std::string found = mistake.place < statement.size()
                                ? "'" + statement.substr(mistake.place, end - mistake.place) + "'"
                                : "its end";
  return fmt::format("at character {} ({}): {}", mistake.place + 1, found, mistake.what);
}

tl::expected<PolicyStatement, PolicyMistake> parsePolicyStatement(const std::string& text) {
  return Parser(text, false).statement();
}

tl::expected<PolicyCondition, PolicyMistake> parseMatchingRule(const std::string& text) {
  return Parser(text, true).wholeRule();
}

}  // namespace lockstep::rehearsal
