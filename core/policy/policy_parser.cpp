// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <map>

#include "policy/condition_parser.h"
#include "policy/policy_reader.h"
#include "policy/policy_statement.h"

namespace lockstep {
namespace {

using Effect = PolicyStatement::Effect;
using Wrong = std::optional<PolicyMistake>;

/// Where a placeholder of an example was copied along: nothing of the grammar has a '<'.
Wrong placeholderIn(const std::string& text) {
  const std::size_t begin = text.find('<');
  if (begin == std::string::npos) return std::nullopt;
  const std::size_t end = std::min(text.find('>', begin), text.size() - 1);
  return PolicyMistake{"placeholder", begin,
                       "the placeholder " + text.substr(begin, end - begin + 1) + " was never replaced",
                       "put the name of yours in its place"};
}

/// Some examples forget the angle brackets: your_compartment_name.
bool isLikelyPlaceholder(const std::string& name) {
  const std::string lower = lowerCased(name);
  return lower.starts_with("your_") || lower.starts_with("your-") || lower.starts_with("my_compartment") ||
         lower.starts_with("my-compartment-name");
}

class StatementParser {
 public:
  explicit StatementParser(const std::string& text) : text_(text), read_(text) {}

  tl::expected<PolicyStatement, PolicyMistake> parse() {
    if (auto wrong = placeholderIn(text_)) return tl::unexpected(*wrong);
    if (auto wrong = effect()) return tl::unexpected(*wrong);
    if (result_.effect != Effect::Allow && result_.effect != Effect::Deny) return result_;
    for (const auto part : {&StatementParser::subject, &StatementParser::grant, &StatementParser::location,
                            &StatementParser::where})
      if (auto wrong = (this->*part)()) return tl::unexpected(*wrong);
    return result_;
  }

 private:
  [[nodiscard]] PolicyMistake here(const char* code, std::string what, std::string remedy = {}) const {
    return {code, read_.place(), std::move(what), std::move(remedy)};
  }
  Wrong effect();
  Wrong subject();
  Wrong names(const char* keyword);
  Wrong oneName(const char* keyword);
  Wrong grant();
  Wrong permissionList();
  Wrong resourceType(const std::string& verb);
  Wrong location();
  Wrong compartment();
  Wrong where();
  void doubtPlaceholder(const std::string& name, std::size_t place, const char* thing);

  const std::string& text_;
  PolicyReader read_;
  PolicyStatement result_;
};

Wrong StatementParser::effect() {
  static const std::map<std::string, Effect> kEffects{{"allow", Effect::Allow},
                                                      {"deny", Effect::Deny},
                                                      {"endorse", Effect::Endorse},
                                                      {"admit", Effect::Admit},
                                                      {"define", Effect::Define}};
  const auto found = kEffects.find(lowerCased(read_.nextWord()));
  if (found == kEffects.end())
    return here("statement", "a statement begins with Allow",
                "write: Allow group NAME to VERB TYPE in LOCATION");
  read_.word();
  result_.effect = found->second;
  return std::nullopt;
}

Wrong StatementParser::subject() {
  using Kind = PolicySubject::Kind;
  static const std::map<std::string, std::pair<Kind, const char*>> kSubjects{
      {"any-user", {Kind::AnyUser, ""}},
      {"any-group", {Kind::AnyGroup, ""}},
      {"group", {Kind::Group, "group"}},
      {"dynamic-group", {Kind::DynamicGroup, "dynamic-group"}},
      {"service", {Kind::Service, "service"}}};
  const auto found = kSubjects.find(lowerCased(read_.nextWord()));
  if (found == kSubjects.end())
    return here("subject", "who is allowed is missing",
                "name a group, dynamic-group, service, any-group or any-user");
  read_.word();
  result_.subject.kind = found->second.first;
  const char* keyword = found->second.second;
  return *keyword == '\0' ? std::nullopt : names(keyword);
}

Wrong StatementParser::names(const char* keyword) {
  do {
    if (!result_.subject.names.empty()) read_.keyword(keyword);  // group a, group b
    if (auto wrong = oneName(keyword)) return wrong;
  } while (read_.sign(','));
  return std::nullopt;
}

Wrong StatementParser::oneName(const char* keyword) {
  PolicySubject::Name name;
  name.isId = read_.isIdAhead();
  if (name.isId) read_.word();
  const std::size_t place = read_.place();
  const bool isMissing = !name.isId && isSameWord(read_.nextWord(), "to");
  const auto first = isMissing ? std::nullopt : read_.name();
  if (!first)
    return PolicyMistake{"subject", place, std::string("the name of the ") + keyword + " is missing",
                         std::string("write: ") + keyword + " NAME"};
  name.text = *first;
  if (read_.sign('/')) {
    const auto second = read_.name();
    if (!second)
      return here("subject", "the name behind the identity domain is missing", "write: 'Domain'/'Name'");
    name.domain = std::exchange(name.text, *second);
  }
  doubtPlaceholder(name.text, place, keyword);
  result_.subject.names.push_back(std::move(name));
  return std::nullopt;
}

void StatementParser::doubtPlaceholder(const std::string& name, std::size_t place, const char* thing) {
  if (!isLikelyPlaceholder(name)) return;
  result_.doubts.push_back({"placeholder", place, "'" + name + "' looks like a placeholder of an example",
                            std::string("put the name of your ") + thing + " in its place"});
}

Wrong StatementParser::grant() {
  if (!read_.keyword("to")) return here("statement", "'to' and a verb are missing", "write: to VERB TYPE");
  if (read_.isSign('{')) return permissionList();
  const std::size_t place = read_.place();
  const std::string word = read_.word();
  const auto verb = policyVerbNamed(word);
  if (!verb)
    return PolicyMistake{"verb", place, "'" + word + "' is no verb", "use inspect, read, use or manage"};
  result_.verb = *verb;
  return resourceType(toString(*verb));
}

Wrong StatementParser::resourceType(const std::string& verb) {
  const std::size_t place = read_.place();
  const std::string type = lowerCased(read_.word());
  if (policyVerbNamed(type) && !read_.nextWord().empty()) {
    const std::string next(read_.nextWord());
    return PolicyMistake{"two-verbs", place,
                         "'" + verb + " " + type + "' are two verbs, and a statement has one",
                         "write '" + type + " " + next + "', or '" + verb + " " + next + "' for more"};
  }
  if (type.empty() || type == "in")
    return PolicyMistake{"resource-type", place, "the resource type behind '" + verb + "' is missing",
                         "name one, such as objects"};
  result_.resourceType = type;
  if (isKnownResourceType(type)) return std::nullopt;
  const auto likely = likelyResourceType(type);
  result_.doubts.push_back(
      {"resource-type", place, "'" + type + "' is no resource type that Lockstep knows",
       likely ? "'" + *likely + "' may be meant" : "look it up in the policy reference"});
  return std::nullopt;
}

Wrong StatementParser::permissionList() {
  read_.sign('{');
  do {
    const std::string word = read_.word();
    if (word.empty()) return here("statement", "the name of a permission is missing", "{OBJECT_READ, …}");
    std::string permission = word;
    std::ranges::transform(permission, permission.begin(),
                           [](char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c; });
    result_.permissions.push_back(std::move(permission));
  } while (read_.sign(','));
  return read_.sign('}') ? std::nullopt : Wrong(here("statement", "'}' is missing behind the permissions"));
}

Wrong StatementParser::location() {
  if (!read_.keyword("in")) return here("location", "'in' and a location are missing", "write: in tenancy");
  read_.keyword("the");  // examples of Oracle's have "in the tenancy"
  if (read_.keyword("tenancy")) return std::nullopt;
  if (!read_.keyword("compartment"))
    return here("location", "a location is missing",
                "write: tenancy, compartment NAME or compartment id OCID");
  return compartment();
}

Wrong StatementParser::compartment() {
  PolicyLocation& location = result_.location;
  if (read_.isIdAhead()) {
    read_.word();
    location = {PolicyLocation::Kind::CompartmentId, {}, read_.word()};
    return std::nullopt;
  }
  location.kind = PolicyLocation::Kind::CompartmentPath;
  do {
    const std::size_t place = read_.place();
    const auto name = read_.name();
    if (!name) return here("location", "the name of a compartment is missing", "write: compartment NAME");
    if (name->starts_with("ocid1."))
      return PolicyMistake{"location", place, "an OCID stands where a name is expected",
                           "write: compartment id " + *name};
    doubtPlaceholder(*name, place, "compartment");
    location.path.push_back(*name);
  } while (read_.sign(':'));
  return std::nullopt;
}

Wrong StatementParser::where() {
  if (read_.keyword("where")) {
    auto condition = ConditionParser(read_, ConditionParser::For::Statement).parse();
    if (!condition) return condition.error();
    result_.where = *std::move(condition);
  }
  if (read_.isAtEnd()) return std::nullopt;
  return here(
      "statement", "the statement should end here",
      result_.where ? "put several conditions into all {…} or any {…}" : "begin the conditions with 'where'");
}

std::string nameText(const std::string& name) {
  const bool isPlain = !name.empty() && (name.front() == '<' || PolicyReader(name).nextWord() == name);
  return isPlain ? name : (name.find('\'') == std::string::npos ? "'" + name + "'" : "\"" + name + "\"");
}

std::string nameText(const PolicySubject::Name& name) {
  if (name.isId) return "id " + name.text;
  if (name.domain.empty()) return nameText(name.text);
  return "'" + name.domain + "'/'" + name.text + "'";
}

}  // namespace

tl::expected<PolicyStatement, PolicyMistake> parsePolicyStatement(const std::string& text) {
  return StatementParser(text).parse();
}

tl::expected<PolicyCondition, PolicyMistake> parseMatchingRule(const std::string& text) {
  if (auto wrong = placeholderIn(text)) return tl::unexpected(*wrong);
  PolicyReader read(text);
  auto rule = ConditionParser(read, ConditionParser::For::MatchingRule).parse();
  if (rule && !read.isAtEnd())
    return tl::unexpected(PolicyMistake{"condition", read.place(), "the rule should end here",
                                        "put several conditions into all {…} or any {…}"});
  return rule;
}

std::string toText(const PolicySubject& subject) {
  constexpr std::array kKinds{"any-user", "any-group", "group ", "dynamic-group ", "service "};
  std::string names;
  for (const PolicySubject::Name& name : subject.names) names += (names.empty() ? "" : ", ") + nameText(name);
  return kKinds[static_cast<std::size_t>(subject.kind)] + names;
}

std::string toText(const PolicyLocation& location) {
  if (location.kind == PolicyLocation::Kind::Tenancy) return "tenancy";
  if (location.kind == PolicyLocation::Kind::CompartmentId) return "compartment id " + location.id;
  std::string path;
  for (const std::string& name : location.path) path += (path.empty() ? "" : ":") + nameText(name);
  return "compartment " + path;
}

std::string grantText(const PolicyStatement& statement) {
  if (!statement.resourceType.empty())
    return toString(statement.verb) + std::string(" ") + statement.resourceType;
  std::string list;
  for (const std::string& permission : statement.permissions) list += (list.empty() ? "" : ", ") + permission;
  return "{" + list + "}";
}

std::string toText(const PolicyStatement& statement) {
  const char* effect = statement.effect == Effect::Deny ? "Deny " : "Allow ";
  std::string text = effect + toText(statement.subject) + " to " + grantText(statement) + " in " +
                     toText(statement.location);
  if (statement.where) text += " where " + toText(*statement.where);
  return text;
}

std::string describe(const std::string& text, const PolicyMistake& mistake) {
  const std::size_t end = std::min(text.find_first_of(" \t\n,{}()=", mistake.place + 1), text.size());
  const std::string found =
      mistake.place < text.size() ? "'" + text.substr(mistake.place, end - mistake.place) + "'" : "its end";
  return "at character " + std::to_string(mistake.place + 1) + " (" + found + "): " + mistake.what +
         (mistake.remedy.empty() ? "" : "; " + mistake.remedy);
}

}  // namespace lockstep
