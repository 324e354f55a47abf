// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/registry/registry.h"

#include <strings.h>

#include "rehearsal/iam/access.h"
#include "rehearsal/registry/manifest.h"
#include "rehearsal/registry/registry_store.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/service/retry_tokens.h"
#include "rehearsal/state/compartments.h"
#include "rehearsal/support/wildcard.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

bool same(const std::string& a, const char* b) {
  return ::strcasecmp(a.c_str(), b) == 0;
}

json chosen(const json& body, const std::vector<const char*>& fields) {
  json summary;
  for (const char* field : fields) summary[field] = body.value(field, json());
  return summary;
}

json repositorySummary(const Resource& r) {
  return chosen(r.body, {"id", "compartmentId", "displayName", "namespace", "isPublic", "imageCount",
                         "layerCount", "layersSizeInBytes", "billableSizeInGBs", "timeCreated",
                         "lifecycleState", "freeformTags", "definedTags"});
}

json imageSummary(const Resource& r) {
  return chosen(r.body, {"id", "compartmentId", "digest", "displayName", "repositoryId", "repositoryName",
                         "version", "timeCreated", "lifecycleState"});
}

// What lists of repositories and of images have in common. Names may have wildcards.
struct CollectionRequest {
  ListQuery query;
  std::string compartment;
  bool withSubtree = false;
};

tl::expected<CollectionRequest, ServiceError> readCollectionRequest(const Call& call, const char* kind) {
  CollectionRequest r;
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  r.compartment = *compartment;
  r.withSubtree = call.parameter("compartmentIdInSubtree") == "true";
  r.query.kind = kind;
  if (!r.withSubtree) r.query.compartment = r.compartment;
  r.query.page = call.parameter("page").value_or("");
  const auto limit = call.limit(1000, 1000);
  if (!limit) return tl::unexpected(limit.error());
  r.query.limit = *limit;
  const std::string sortBy = call.parameter("sortBy").value_or("TIMECREATED");
  r.query.byName = same(sortBy, "DISPLAYNAME");
  if (!r.query.byName && !same(sortBy, "TIMECREATED"))
    return invalidParameter("The parameter 'sortBy' must be TIMECREATED or DISPLAYNAME.");
  const std::string order = call.parameter("sortOrder").value_or(r.query.byName ? "ASC" : "DESC");
  r.query.descending = same(order, "DESC");
  if (!r.query.descending && !same(order, "ASC"))
    return invalidParameter("The parameter 'sortOrder' must be ASC or DESC.");
  return r;
}

bool matches(const Call& call, const char* parameter, const json& value) {
  const auto wanted = call.parameter(parameter);
  if (!wanted) return true;
  if (value.is_boolean()) return *wanted == (value.get<bool>() ? "true" : "false");
  return value.is_string() && matchesWildcard(*wanted, value.get_ref<const std::string&>());
}

template <class Wanted>
tl::expected<ResourcePage, ServiceError> collect(Transaction& transaction, const Call& call,
                                                 const CollectionRequest& r, Wanted isWanted) {
  if (!mayIn(transaction, call, r.compartment)) return notFound();
  auto page = listResources(transaction, r.query);
  if (!page) return page;
  std::erase_if(page->items, [&](const Resource& item) {
    const bool isReachable = !r.withSubtree || (isWithin(transaction, item.compartment, r.compartment) &&
                                                mayIn(transaction, call, item.compartment));
    const auto state = call.parameter("lifecycleState");
    return !isReachable || !isWanted(item) || (state && !same(item.state, state->c_str())) ||
           !call.visibility.sees(item.created, item.id, toMillis(call.now));
  });
  return page;
}

OperationResult collectionResponse(json body, const ResourcePage& page) {
  body["remainingItemsCount"] = 0;
  Response response = jsonResponse(body);
  if (!page.nextPage.empty()) response.headers.emplace_back("opc-next-page", page.nextPage);
  return response;
}

OperationResult listRepositories(Database& database, const Call& call) {
  const auto request = readCollectionRequest(call, kind::kRepository);
  if (!request) return tl::unexpected(request.error());
  Transaction transaction(database);
  const auto page = collect(transaction, call, *request, [&](const Resource& r) {
    return matches(call, "repositoryId", r.id) && matches(call, "displayName", r.name) &&
           matches(call, "isPublic", r.body["isPublic"]);
  });
  if (!page) return tl::unexpected(page.error());
  json items = json::array();
  long long layers = 0, bytes = 0, images = 0;
  for (const Resource& r : page->items) {
    items.push_back(repositorySummary(r));
    layers += r.body.value("layerCount", 0LL);
    bytes += r.body.value("layersSizeInBytes", 0LL);
    images += r.body.value("imageCount", 0LL);
  }
  const std::size_t count = items.size();
  return collectionResponse({{"items", std::move(items)},
                             {"layerCount", layers},
                             {"layersSizeInBytes", bytes},
                             {"imageCount", images},
                             {"repositoryCount", count}},
                            *page);
}

OperationResult listImages(Database& database, const Call& call) {
  auto request = readCollectionRequest(call, kind::kImage);
  if (!request) return tl::unexpected(request.error());
  request->query.parent = call.parameter("repositoryId");
  Transaction transaction(database);
  const auto versioned = call.parameter("isVersioned");
  const auto page = collect(transaction, call, *request, [&](const Resource& image) {
    const json& b = image.body;
    const bool isVersioned = b.value("version", json()).is_string();
    return matches(call, "imageId", image.id) && matches(call, "displayName", image.name) &&
           matches(call, "repositoryName", b["repositoryName"]) &&
           matches(call, "imageDigest", b["digest"]) &&
           matches(call, "version", b.value("version", json())) &&
           (!versioned || isVersioned == (*versioned == "true"));
  });
  if (!page) return tl::unexpected(page.error());
  json items = json::array();
  for (const Resource& image : page->items) items.push_back(imageSummary(image));
  return collectionResponse({{"items", std::move(items)}}, *page);
}

void readRepositoryFields(BodyReader& body, Resource& repository) {
  if (const auto flag = body.optionalFlag("isPublic")) repository.body["isPublic"] = *flag;
  if (const auto flag = body.optionalFlag("isImmutable")) repository.body["isImmutable"] = *flag;
  if (body.has("freeformTags")) repository.body["freeformTags"] = body.textMap("freeformTags");
  if (body.has("definedTags")) repository.body["definedTags"] = body.json()["definedTags"];
  if (!body.has("readme")) return;
  BodyReader readme = body.object("readme");
  const std::string content = readme.text("content", 10'000);
  const std::string format = readme.choice("format", {"TEXT_MARKDOWN", "TEXT_PLAIN"});
  repository.body["readme"] = {{"content", content}, {"format", format}};
}

OperationResult createRepository(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string compartment = body.text("compartmentId");
  const std::string name = body.text("displayName", 255);
  if (!name.empty() && !isRepositoryName(name))
    body.invalid("displayName", "it must be lower-case words joined by '/', '.', '_' or '-'");
  Transaction transaction(database);
  const std::string nameSpace = namespaceOf(transaction, call.principal);
  Resource repository = makeRepository(call, compartment, nameSpace, name);
  readRepositoryFields(body, repository);
  if (body.error()) return tl::unexpected(*body.error());
  if (!mayIn(transaction, call, compartment, {{"target.repo.name", name}})) return notFound();
  if (auto before = replayed(transaction, call, call.operation)) return *before;
  if (findRepository(transaction, nameSpace, name))
    return refuse(409, "NotAuthorizedOrResourceAlreadyExists",
                  "A repository named '" + name + "' already exists in the namespace '" + nameSpace +
                      "', or you are not authorized to create it.");
  insertResource(transaction, repository);
  const Response response = jsonResponse(repository.body, repository.etag);
  remember(transaction, call, call.operation, response);
  transaction.commit();
  return response;
}

// The repository of the path; the policies are asked with its name.
std::optional<Resource> allowedRepository(Transaction& transaction, const Call& call) {
  const auto found = findResource(transaction, kind::kRepository, call.path.at("repositoryId"));
  if (!found || !mayIn(transaction, call, found->compartment, {{"target.repo.name", found->name}}))
    return std::nullopt;
  return found;
}

OperationResult getRepository(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto repository = allowedRepository(transaction, call);
  if (!repository) return notFound();
  return jsonResponse(repository->body, repository->etag);
}

OperationResult updateRepository(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Transaction transaction(database);
  auto repository = allowedRepository(transaction, call);
  if (!repository) return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), repository->etag)) return tl::unexpected(*error);
  BodyReader body(*parsed);
  readRepositoryFields(body, *repository);
  if (body.error()) return tl::unexpected(*body.error());
  const std::string etag = updateResource(transaction, *repository);
  transaction.commit();
  return jsonResponse(repository->body, etag);
}

OperationResult deleteRepository(Database& database, Blobs& blobs, const Call& call) {
  Transaction transaction(database);
  const auto repository = allowedRepository(transaction, call);
  if (!repository) return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), repository->etag)) return tl::unexpected(*error);
  const std::vector<std::string> unused = removeRepository(transaction, *repository);
  transaction.commit();
  for (const std::string& file : unused) blobs.remove(file);
  return emptyResponse(204);
}

std::optional<Resource> allowedImage(Transaction& transaction, const Call& call) {
  const auto image = findResource(transaction, kind::kImage, call.path.at("imageId"));
  if (!image || !mayIn(transaction, call, image->compartment,
                       {{"target.repo.name", image->body.value("repositoryName", "")}}))
    return std::nullopt;
  return image;
}

OperationResult getImage(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto image = allowedImage(transaction, call);
  if (!image) return notFound();
  return jsonResponse(image->body, image->etag);
}

OperationResult deleteImage(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto image = allowedImage(transaction, call);
  if (!image) return notFound();
  if (auto error = checkIfMatch(call.header("if-match"), image->etag)) return tl::unexpected(*error);
  removeResource(transaction, image->id);
  if (auto repository = findResource(transaction, kind::kRepository, image->parent))
    countRepository(transaction, *repository);
  transaction.commit();
  return emptyResponse(204);
}

OperationResult configuration(Database& database, const Call& call) {
  std::string compartment = call.parameter("compartmentId").value_or("");
  if (compartment.empty()) return missingParameter("compartmentId");
  json parsed;
  if (call.request.method == "PUT") {
    auto body = parseBody(call.request.body);
    if (!body) return tl::unexpected(body.error());
    parsed = std::move(*body);
  }
  Transaction transaction(database);
  if (!mayIn(transaction, call, compartment)) return notFound();
  if (call.request.method == "PUT") {
    BodyReader body(parsed);
    const auto flag = body.optionalFlag("isRepositoryCreatedOnFirstPush");
    if (body.error()) return tl::unexpected(*body.error());
    if (flag) setCreatedOnFirstPush(transaction, call.principal.tenancyId, *flag);
  }
  const json shown{
      {"isRepositoryCreatedOnFirstPush", isCreatedOnFirstPush(transaction, call.principal.tenancyId)},
      {"namespace", namespaceOf(transaction, call.principal)}};
  transaction.commit();
  return jsonResponse(shown);
}

}  // namespace

void addRegistry(Router& router, Database& database, Blobs& blobs) {
  const std::string path = "/20160918/container";
  const auto add = [&](const char* method, const std::string& place, const char* name, auto operation) {
    router.add(method, path + place, name,
               [&database, operation](const Call& c) { return operation(database, c); });
  };
  add("GET", "/repositories", "ListContainerRepositories", listRepositories);
  add("POST", "/repositories", "CreateContainerRepository", createRepository);
  add("GET", "/repositories/{repositoryId}", "GetContainerRepository", getRepository);
  add("PUT", "/repositories/{repositoryId}", "UpdateContainerRepository", updateRepository);
  router.add("DELETE", path + "/repositories/{repositoryId}", "DeleteContainerRepository",
             [&](const Call& c) { return deleteRepository(database, blobs, c); });
  add("GET", "/images", "ListContainerImages", listImages);
  add("GET", "/images/{imageId}", "GetContainerImage", getImage);
  add("DELETE", "/images/{imageId}", "DeleteContainerImage", deleteImage);
  add("GET", "/configuration", "GetContainerConfiguration", configuration);
  add("PUT", "/configuration", "UpdateContainerConfiguration", configuration);
}

}  // namespace lockstep::rehearsal
