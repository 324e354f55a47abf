// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/search/resource_search.h"

#include <algorithm>
#include <charconv>
#include <set>

#include "base/json_fields.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/network/service/network_kinds.h"
#include "rehearsal/search/search_query.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/state/resources.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

struct SearchedType {
  const char* name;
  const char* kind;    // null: buckets, which stand in a table of their own
  const char* family;  // in the words of policies: who may inspect it finds it
};

constexpr SearchedType kTypes[] = {
    {"Bucket", nullptr, "buckets"},
    {"Compartment", kind::kCompartment, "compartments"},
    {"ContainerImage", kind::kImage, "repos"},
    {"ContainerRepo", kind::kRepository, "repos"},
    {"DataScienceJob", kind::kJob, "data-science-jobs"},
    {"DataScienceJobRun", kind::kJobRun, "data-science-job-runs"},
    {"DataScienceProject", kind::kProject, "data-science-projects"},
    {"DHCPOptions", kind::kDhcpOptions, "dhcp-options"},
    {"DynamicResourceGroup", kind::kDynamicGroup, "dynamic-groups"},
    {"Group", kind::kGroup, "groups"},
    {"InternetGateway", kind::kInternetGateway, "internet-gateways"},
    {"Log", kind::kLog, "log-groups"},
    {"LogGroup", kind::kLogGroup, "log-groups"},
    {"NetworkSecurityGroup", kind::kSecurityGroup, "network-security-groups"},
    {"Policy", kind::kPolicy, "policies"},
    {"RouteTable", kind::kRouteTable, "route-tables"},
    {"SecurityList", kind::kSecurityList, "security-lists"},
    {"ServiceGateway", kind::kServiceGateway, "service-gateways"},
    {"Subnet", kind::kSubnet, "subnets"},
    {"User", kind::kUser, "users"},
    {"Vcn", kind::kVcn, "vcns"},
};

struct Found {
  json shown;
  SearchFacts facts;
};

const SearchedType* typeNamed(const std::string& name) {
  for (const SearchedType& type : kTypes)
    if (lowerCase(type.name) == lowerCase(name)) return &type;
  return nullptr;
}

void addTags(SearchFacts& facts, const json& body) {
  const auto valueText = [](const json& value) {
    return value.is_string() ? value.get<std::string>() : value.dump();
  };
  const json freeform = body.value("freeformTags", json::object());
  const json defined = body.value("definedTags", json::object());
  for (const auto& [key, value] : freeform.items()) {
    facts["freeformtags.key"].push_back(key);
    facts["freeformtags.value"].push_back(valueText(value));
  }
  for (const auto& [nameSpace, tags] : defined.items()) {
    facts["definedtags.namespace"].push_back(nameSpace);
    if (!tags.is_object()) continue;
    for (const auto& [key, value] : tags.items()) {
      facts["definedtags.key"].push_back(key);
      facts["definedtags.value"].push_back(valueText(value));
    }
  }
}

Found describeFound(const SearchedType& type, const json& body, const std::string& name,
                    const std::string& compartment, const std::string& state) {
  Found found;
  found.shown = {{"resourceType", type.name},
                 {"identifier", stringField(body, "id")},
                 {"compartmentId", compartment},
                 {"timeCreated", stringField(body, "timeCreated")},
                 {"displayName", name},
                 {"availabilityDomain", nullptr},
                 {"lifecycleState", state},
                 {"freeformTags", body.value("freeformTags", json::object())},
                 {"definedTags", body.value("definedTags", json::object())},
                 {"systemTags", json::object()},
                 {"searchContext", nullptr},
                 {"identityContext", json::object()},
                 {"additionalDetails", json::object()}};
  for (const auto& [field, value] : body.items())
    if (value.is_string()) found.facts[lowerCase(field)] = {value.get<std::string>()};
  for (const char* field : {"resourceType", "identifier", "compartmentId", "displayName", "lifecycleState"})
    found.facts[lowerCase(field)] = {stringField(found.shown, field)};
  addTags(found.facts, body);
  return found;
}

/// Collects what the caller may see, type by type.
class Collection {
 public:
  Collection(Transaction& transaction, const Call& call, const SearchCondition& holds)
      : session_(transaction), call_(call), holds_(holds) {}

  void add(const SearchedType& type) {
    auto& select = type.kind == nullptr
                       ? session_.sql("SELECT body, compartment, name, 'ACTIVE' FROM buckets")
                       : session_.sql("SELECT body, compartment, name, state FROM resources WHERE kind = ?");
    if (type.kind != nullptr) select.bind(1, type.kind);
    std::vector<Found> all;
    while (select.executeStep())
      all.push_back(describeFound(type, json::parse(select.getColumn(0).getString()),
                                  select.getColumn(2).getString(), select.getColumn(1).getString(),
                                  select.getColumn(3).getString()));
    for (Found& one : all)
      if (holds_(one.facts) && maySee(type, stringField(one.shown, "compartmentId")))
        found_.push_back(std::move(one));
  }
  std::vector<Found> take() { return std::move(found_); }

 private:
  bool maySee(const SearchedType& type, const std::string& compartment) {
    const auto key = std::make_pair(std::string(type.family), compartment);
    const auto known = allowed_.find(key);
    if (known != allowed_.end()) return known->second;
    return allowed_[key] = mayIn(session_, call_, compartment, Grant{"inspect", type.family});
  }

  Transaction& session_;
  const Call& call_;
  const SearchCondition& holds_;
  std::map<std::pair<std::string, std::string>, bool> allowed_;
  std::vector<Found> found_;
};

tl::expected<SearchQuery, ServiceError> readSearch(const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string type = body.choice("type", {"Structured", "FreeText"});
  const std::string text = body.text(type == "FreeText" ? "text" : "query", 50'000);
  if (body.error()) return tl::unexpected(*body.error());
  if (type == "FreeText") {
    SearchQuery query;
    query.types = {"all"};
    query.holds = [text](const SearchFacts& facts) { return mentions(facts, text); };
    return query;
  }
  auto query = parseSearchQuery(text);
  if (!query) return invalidParameter("The query is wrong " + query.error() + ".");
  for (const std::string& name : query->types)
    if (name != "all" && typeNamed(name) == nullptr)
      return invalidParameter("This region searches no resource type '" + name + "'.");
  return std::move(*query);
}

void sort(std::vector<Found>& found, const SearchQuery& query) {
  const auto keyOf = [&](const Found& one) {
    const auto values = one.facts.find(query.sortedBy);
    return values == one.facts.end() || values->second.empty() ? std::string() : values->second.front();
  };
  std::stable_sort(found.begin(), found.end(), [&](const Found& a, const Found& b) {
    return query.descending ? keyOf(a) > keyOf(b) : keyOf(a) < keyOf(b);
  });
}

tl::expected<std::size_t, ServiceError> firstOf(const Call& call) {
  const auto page = call.parameter("page");
  if (!page) return 0U;
  const auto parts = decodePage(*page);
  std::size_t first = 0;
  const std::string text = parts && parts->size() == 1 ? parts->front() : "";
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), first);
  if (error == std::errc{} && end == text.data() + text.size()) return first;
  return invalidParameter("The parameter 'page' is not a page token of this list.");
}

OperationResult searchResources(Database& database, const Call& call) {
  const auto query = readSearch(call);
  if (!query) return tl::unexpected(query.error());
  const auto limit = call.limit(500, 1000);
  if (!limit) return tl::unexpected(limit.error());
  const auto first = firstOf(call);
  if (!first) return tl::unexpected(first.error());
  Transaction transaction(database);
  Collection collection(transaction, call, query->holds);
  const std::set<std::string> asked(query->types.begin(), query->types.end());
  for (const SearchedType& type : kTypes)
    if (asked.contains("all") || asked.contains(lowerCase(type.name))) collection.add(type);
  std::vector<Found> found = collection.take();
  sort(found, *query);
  json items = json::array();
  const std::size_t begin = std::min(*first, found.size());
  const std::size_t end =
      begin + std::min<std::size_t>(found.size() - begin, static_cast<std::size_t>(*limit));
  for (std::size_t i = begin; i < end; ++i) items.push_back(std::move(found[i].shown));
  Response response = jsonResponse({{"items", std::move(items)}});
  if (end < found.size()) response.headers.emplace_back("opc-next-page", encodePage({std::to_string(end)}));
  return response;
}

json shownType(const SearchedType& type) {
  json fields = json::array();
  for (const char* name : {"identifier", "displayName", "compartmentId", "lifecycleState", "timeCreated"})
    fields.push_back({{"fieldType", std::string_view(name) == "timeCreated" ? "DATETIME" : "STRING"},
                      {"fieldName", name},
                      {"isArray", false},
                      {"objectProperties", nullptr}});
  return {{"name", type.name}, {"fields", std::move(fields)}};
}

OperationResult listTypes(const Call&) {
  json list = json::array();
  for (const SearchedType& type : kTypes) list.push_back(shownType(type));
  return jsonResponse(list);
}

OperationResult getType(const Call& call) {
  const SearchedType* type = typeNamed(call.path.at("name"));
  return type == nullptr ? OperationResult(notFound()) : OperationResult(jsonResponse(shownType(*type)));
}

}  // namespace

void addResourceSearch(Router& router, Database& database) {
  router.add("POST", "/20180409/resources", "SearchResources",
             [&](const Call& c) { return searchResources(database, c); });
  router.add("GET", "/20180409/resourceTypes", "ListResourceTypes", listTypes);
  router.add("GET", "/20180409/resourceTypes/{name}", "GetResourceType", getType);
}

}  // namespace lockstep::rehearsal
