// SPDX-License-Identifier: GPL-3.0-or-later
// resources/iam/permissions.def, read here as text, against what either policy engine made of it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "policy/policy_words.h"
#include "rehearsal/iam/policy_language.h"
#include "rehearsal/iam/policy_words.h"

namespace lockstep::testing {
namespace {

namespace region = lockstep::rehearsal;

using Words = std::vector<std::string>;
using Permission = std::tuple<std::string, std::string, std::string>;  // name, type, verb: "inspect"

struct WordTable {
  Words verbs;  // from low to high
  std::vector<Permission> permissions;
  std::map<std::string, Words> families;
  Words otherTypes;
};

Words quotedIn(const std::string& text) {
  static const std::regex kQuoted("\"([^\"]*)\"");
  Words words;
  for (std::sregex_iterator one(text.begin(), text.end(), kQuoted), end; one != end; ++one)
    words.push_back((*one)[1]);
  return words;
}

void addRow(const std::string& kind, const std::string& arguments, WordTable& table) {
  const Words words = quotedIn(arguments);
  if (kind == "VERB") table.verbs.push_back(words.at(0));
  if (kind == "RESOURCE_TYPE") table.otherTypes.push_back(words.at(0));
  if (kind == "PERMISSION") {
    std::string verb = arguments.substr(arguments.rfind(' ') + 1);
    verb.front() = static_cast<char>(verb.front() - 'A' + 'a');
    table.permissions.emplace_back(words.at(0), words.at(1), verb);
  }
  if (kind != "FAMILY") return;
  std::string members;
  for (std::size_t i = 1; i < words.size(); ++i) members += words[i];
  std::istringstream stream(members);
  table.families[words.at(0)] = {std::istream_iterator<std::string>(stream), {}};
}

WordTable readTable() {
  std::ifstream file(LOCKSTEP_SOURCE_DIR "/resources/iam/permissions.def");
  std::string text;
  for (std::string line; std::getline(file, line);)
    if (!line.starts_with("//") && !line.starts_with("#")) text += line + '\n';
  static const std::regex kRow("LOCKSTEP_([A-Z_]+)\\(([^)]*)\\)");
  WordTable table;
  for (std::sregex_iterator one(text.begin(), text.end(), kRow), end; one != end; ++one)
    addRow((*one)[1], (*one)[2], table);
  return table;
}

const WordTable& table() {
  static const WordTable kTable = readTable();
  return kTable;
}

/// What one list has and the other has not, in both directions.
template <class Row>
std::vector<Row> differences(std::vector<Row> a, std::vector<Row> b) {
  std::ranges::sort(a);
  std::ranges::sort(b);
  std::vector<Row> rows;
  std::ranges::set_symmetric_difference(a, b, std::back_inserter(rows));
  return rows;
}

std::vector<Permission> permissionsOfTheRegion() {
  std::vector<Permission> all;
  for (const region::PermissionWord& word : region::permissionWords())
    all.emplace_back(word.name, word.resourceType, region::nameOf(word.verb));
  return all;
}

std::vector<Permission> permissionsOfTheClient(PolicyVerb verb, const std::string& type) {
  std::vector<Permission> all;
  for (const PolicyPermission& one : permissionsOf(verb, type))
    if (!one.name.empty()) all.emplace_back(one.name, one.resourceType, toString(one.verb));
  return all;
}

std::size_t rankOf(const std::string& verb) {
  const auto found = std::ranges::find(table().verbs, verb);
  return static_cast<std::size_t>(found - table().verbs.begin());
}

/// All words that may stand behind a verb.
std::set<std::string> everyType() {
  std::set<std::string> all(table().otherTypes.begin(), table().otherTypes.end());
  for (const auto& [name, type, verb] : table().permissions) all.insert(type);
  for (const auto& [family, members] : table().families) {
    all.insert(family);
    all.insert(members.begin(), members.end());
  }
  return all;
}

TEST(PermissionTable, IsInOrder) {
  ASSERT_EQ(table().verbs, (Words{"inspect", "read", "use", "manage"}));
  ASSERT_GT(table().permissions.size(), 200U);
  ASSERT_GT(table().families.size(), 15U);
  std::set<std::string> names, types;
  std::string last, lastVerb;
  for (const auto& [name, type, verb] : table().permissions) {
    EXPECT_TRUE(names.insert(name).second) << name << " stands there twice";
    EXPECT_LT(rankOf(verb), table().verbs.size()) << name << ": " << verb;
    if (type != last)
      EXPECT_TRUE(types.insert(type).second) << "the permissions of " << type << " do not stand together";
    else
      EXPECT_GE(rankOf(verb), rankOf(lastVerb)) << name << " stands behind a higher verb";
    last = type;
    lastVerb = verb;
  }
  for (const std::string& type : table().otherTypes) {
    EXPECT_FALSE(types.contains(type) || table().families.contains(type)) << type << " is named already";
    for (const auto& [family, members] : table().families)
      EXPECT_EQ(std::ranges::count(members, type), 0) << type << " is named already by " << family;
  }
}

TEST(PermissionTable, BothEnginesHaveItsVerbs) {
  for (const std::string& word : table().verbs) {
    const auto ours = policyVerbNamed(word);
    const auto theirs = region::verbNamed(word);
    ASSERT_TRUE(ours && theirs) << word;
    EXPECT_EQ(static_cast<std::size_t>(*ours), rankOf(word));
    EXPECT_EQ(static_cast<std::size_t>(*theirs), rankOf(word));
    EXPECT_EQ(toString(*ours), word);
    EXPECT_EQ(region::nameOf(*theirs), word);
  }
}

TEST(PermissionTable, BothEnginesHaveItsPermissions) {
  const std::vector<Permission> none;
  EXPECT_EQ(differences(table().permissions, permissionsOfTheRegion()), none);
  EXPECT_EQ(differences(table().permissions, permissionsOfTheClient(PolicyVerb::Manage, "all-resources")),
            none);
  for (const auto& [name, type, verb] : table().permissions) {
    const auto ours = permissionNamed(name);
    ASSERT_TRUE(ours) << name;
    EXPECT_EQ(Permission(ours->name, ours->resourceType, toString(ours->verb)), Permission(name, type, verb));
    EXPECT_NE(region::findPermission(name), nullptr) << name;
  }
}

TEST(PermissionTable, AVerbBringsWhatItAndThoseBelowItBring) {
  for (const std::string& type : everyType()) {
    if (type == "all-resources" || table().families.contains(type)) continue;
    for (const std::string& word : table().verbs) {
      std::vector<Permission> wanted;
      for (const Permission& row : table().permissions)
        if (std::get<1>(row) == type && rankOf(std::get<2>(row)) <= rankOf(word)) wanted.push_back(row);
      EXPECT_EQ(permissionsOfTheClient(*policyVerbNamed(word), type), wanted) << word << ' ' << type;
    }
  }
}

TEST(PermissionTable, BothEnginesHaveItsTypesAndFamilies) {
  const std::set<std::string> types = everyType();
  for (const std::string& granted : types) {
    EXPECT_TRUE(isKnownResourceType(granted)) << granted;
    EXPECT_TRUE(region::isResourceType(granted)) << granted;
    const auto family = table().families.find(granted);
    for (const std::string& wanted : types) {
      const bool covers =
          granted == wanted || granted == "all-resources" ||
          (family != table().families.end() && std::ranges::count(family->second, wanted) > 0);
      EXPECT_EQ(coversResourceType(granted, wanted), covers) << granted << ' ' << wanted;
      EXPECT_EQ(region::coversResourceType(granted, wanted), covers) << granted << ' ' << wanted;
    }
  }
  EXPECT_FALSE(isKnownResourceType("objets"));
  EXPECT_FALSE(region::isResourceType("objets"));
}

// The comparison itself: a row that an engine lacks, or has to itself, is named.
TEST(PermissionTable, ARowThatIsMissingIsNamed) {
  std::vector<Permission> lacking = permissionsOfTheRegion();
  const Permission gone = lacking.back();
  lacking.pop_back();
  EXPECT_EQ(differences(table().permissions, lacking), std::vector<Permission>{gone});
  EXPECT_EQ(differences(lacking, table().permissions), std::vector<Permission>{gone});
}

}  // namespace
}  // namespace lockstep::testing
