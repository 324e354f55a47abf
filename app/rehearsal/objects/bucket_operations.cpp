// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/iam/access.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/objects/versions.h"
#include "rehearsal/service/body_reader.h"
#include "rehearsal/state/compartments.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::size_t kMetadataLimit = 4096;

OperationResult getNamespace(Database& database, const Call& call) {
  Transaction transaction(database);
  if (const auto compartment = call.parameter("compartmentId");
      compartment && !mayIn(transaction, call, *compartment, Grant{"manage", "objectstorage-namespaces"}))
    return notFound();  // only who asks for another's needs a permission
  return jsonResponse(namespaceOf(transaction, call.principal));
}

tl::expected<std::string, ServiceError> checkedNamespace(Transaction& transaction, const Call& call) {
  const std::string own = namespaceOf(transaction, call.principal);
  if (call.path.at("ns") == own) return own;
  return refuse(
      404, "NamespaceNotFound",
      "The namespace '" + call.path.at("ns") + "' does not exist or you are not authorized to access it");
}

OperationResult getNamespaceMetadata(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto ns = checkedNamespace(transaction, call);
  if (!ns) return tl::unexpected(ns.error());
  if (!mayIn(transaction, call, call.principal.tenancyId)) return notFound();
  return jsonResponse({{"namespace", *ns},
                       {"defaultS3CompartmentId", call.principal.tenancyId},
                       {"defaultSwiftCompartmentId", call.principal.tenancyId}});
}

bool goodBucketName(const std::string& name) {
  return name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") ==
         std::string::npos;
}

// The fields of a bucket that CreateBucket may set, with the service's defaults.
nlohmann::json readBucket(BodyReader& body) {
  nlohmann::json bucket;
  bucket["name"] = body.text("name", 256);
  bucket["compartmentId"] = body.text("compartmentId");
  if (!goodBucketName(bucket["name"]))
    body.invalid("name", "it may have letters, digits, '-', '_' and '.' only");
  bucket["metadata"] = body.textMap("metadata");
  if (bucket["metadata"].dump().size() > kMetadataLimit) body.invalid("metadata", "it is larger than 4 KB");
  bucket["publicAccessType"] =
      body.optionalChoice("publicAccessType", {"NoPublicAccess", "ObjectRead", "ObjectReadWithoutList"})
          .value_or("NoPublicAccess");
  bucket["storageTier"] = body.optionalChoice("storageTier", {"Standard", "Archive"}).value_or("Standard");
  bucket["versioning"] = body.optionalChoice("versioning", {"Enabled", "Disabled"}).value_or("Disabled");
  bucket["autoTiering"] =
      body.optionalChoice("autoTiering", {"Disabled", "InfrequentAccess"}).value_or("Disabled");
  bucket["objectEventsEnabled"] = body.optionalFlag("objectEventsEnabled").value_or(false);
  bucket["kmsKeyId"] = nullptr;
  if (const auto key = body.optionalText("kmsKeyId")) bucket["kmsKeyId"] = *key;
  bucket["freeformTags"] = body.textMap("freeformTags");
  bucket["definedTags"] = body.has("definedTags") ? body.json()["definedTags"] : nlohmann::json::object();
  bucket["isReadOnly"] = false;
  bucket["replicationEnabled"] = false;
  return bucket;
}

void insertBucket(Transaction& transaction, const nlohmann::json& body, long long created) {
  auto& insert = transaction.sql(
      "INSERT INTO buckets(namespace, name, compartment, created, etag, body) VALUES(?,?,?,?,?,?)");
  insert.bind(1, body["namespace"].get<std::string>());
  insert.bind(2, body["name"].get<std::string>());
  insert.bind(3, body["compartmentId"].get<std::string>());
  insert.bind(4, static_cast<int64_t>(created));
  insert.bind(5, body["etag"].get<std::string>());
  insert.bind(6, body.dump());
  insert.exec();
}

OperationResult createBucket(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader reader(*parsed);
  nlohmann::json bucket = readBucket(reader);
  if (reader.error()) return tl::unexpected(*reader.error());
  Transaction transaction(database);
  const auto ns = checkedNamespace(transaction, call);
  if (!ns) return tl::unexpected(ns.error());
  const std::string name = bucket["name"];
  if (!mayIn(transaction, call, bucket["compartmentId"], {{"target.bucket.name", name}})) return notFound();
  if (findBucket(transaction, *ns, name))
    return refuse(409, "BucketAlreadyExists",
                  "Either the bucket '" + name + "' in namespace '" + *ns +
                      "' already exists or you are not authorized to create it");
  bucket["namespace"] = *ns;
  bucket["createdBy"] = call.principal.id;
  bucket["timeCreated"] = timeText(toMillis(call.now));
  bucket["etag"] = makeUuid();
  bucket["id"] = makeOcid("bucket");
  insertBucket(transaction, bucket, toMillis(call.now));
  transaction.commit();
  Response response = jsonResponse(bucket, bucket["etag"]);
  response.headers.emplace_back("location", "/n/" + *ns + "/b/" + name);
  return response;
}

OperationResult listBuckets(Database& database, const Call& call) {
  const auto limit = call.limit(1000, 1000);
  if (!limit) return tl::unexpected(limit.error());
  const auto compartment = call.parameter("compartmentId");
  if (!compartment) return missingParameter("compartmentId");
  Transaction transaction(database);
  const auto ns = checkedNamespace(transaction, call);
  if (!ns) return tl::unexpected(ns.error());
  if (!mayIn(transaction, call, *compartment)) return notFound();
  std::string after;
  if (const auto page = call.parameter("page")) {
    const auto parts = decodePage(*page);
    if (!parts || parts->size() != 1)
      return invalidParameter("The parameter 'page' is not a page token of this list.");
    after = parts->front();
  }
  auto& select = transaction.sql(
      "SELECT name, body FROM buckets WHERE namespace = ? AND compartment = ? AND name > ? ORDER BY name "
      "LIMIT ?");
  select.bind(1, *ns);
  select.bind(2, *compartment);
  select.bind(3, after);
  select.bind(4, *limit + 1);
  nlohmann::json list = nlohmann::json::array();
  std::string last;
  bool more = false;
  while (select.executeStep()) {
    if ((more = static_cast<int>(list.size()) == *limit)) break;
    last = select.getColumn(0).getString();
    const nlohmann::json body = nlohmann::json::parse(select.getColumn(1).getString());
    nlohmann::json summary;
    for (const char* field : {"namespace", "name", "compartmentId", "createdBy", "timeCreated", "etag"})
      summary[field] = body[field];
    if (call.parameter("fields") == "tags") {
      summary["freeformTags"] = body["freeformTags"];
      summary["definedTags"] = body["definedTags"];
    }
    list.push_back(std::move(summary));
  }
  Response response = jsonResponse(list);
  if (more) response.headers.emplace_back("opc-next-page", encodePage({last}));
  return response;
}

std::optional<ServiceError> checkBucketMatch(const Call& call, const Bucket& bucket) {
  auto error = checkIfMatch(call.header("if-match"), bucket.etag);
  if (error) error->code = "IfMatchFailed";
  return error;
}

OperationResult getBucket(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  if (auto error = checkBucketMatch(call, *bucket)) return tl::unexpected(*error);
  if (call.header("if-none-match") == bucket->etag) return emptyResponse(304);
  nlohmann::json body = bucket->body;
  if (call.request.method == "GET" && call.parameter("fields")) {
    auto& count = transaction.sql("SELECT count(*), total(size) FROM objects WHERE bucket = ?");
    count.bind(1, static_cast<int64_t>(bucket->seq));
    count.executeStep();
    body["approximateCount"] = count.getColumn(0).getInt64();
    body["approximateSize"] = static_cast<long long>(count.getColumn(1).getDouble());
  }
  return jsonResponse(body, bucket->etag);
}

// What UpdateBucket may change; what is absent stays.
std::optional<ServiceError> changeBucket(const nlohmann::json& request, nlohmann::json& bucket) {
  BodyReader body(request);
  if (body.has("metadata")) bucket["metadata"] = body.textMap("metadata");
  if (bucket["metadata"].dump().size() > kMetadataLimit) body.invalid("metadata", "it is larger than 4 KB");
  const auto choose = [&](const char* field, const std::vector<std::string>& allowed) {
    if (const auto value = body.optionalChoice(field, allowed)) bucket[field] = *value;
  };
  choose("publicAccessType", {"NoPublicAccess", "ObjectRead", "ObjectReadWithoutList"});
  choose("versioning", {"Enabled", "Suspended"});
  choose("autoTiering", {"Disabled", "InfrequentAccess"});
  if (const auto flag = body.optionalFlag("objectEventsEnabled")) bucket["objectEventsEnabled"] = *flag;
  if (const auto key = body.optionalText("kmsKeyId")) bucket["kmsKeyId"] = *key;
  if (const auto compartment = body.optionalText("compartmentId")) bucket["compartmentId"] = *compartment;
  if (body.has("freeformTags")) bucket["freeformTags"] = body.textMap("freeformTags");
  if (body.has("definedTags")) bucket["definedTags"] = request["definedTags"];
  return body.error();
}

void saveBucket(Transaction& transaction, const Bucket& bucket) {
  auto& update = transaction.sql("UPDATE buckets SET compartment = ?, etag = ?, body = ? WHERE seq = ?");
  update.bind(1, bucket.body["compartmentId"].get<std::string>());
  update.bind(2, bucket.etag);
  update.bind(3, bucket.body.dump());
  update.bind(4, static_cast<int64_t>(bucket.seq));
  update.exec();
}

OperationResult updateBucket(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Transaction transaction(database);
  auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  if (auto error = checkBucketMatch(call, *bucket)) return tl::unexpected(*error);
  if (auto error = changeBucket(*parsed, bucket->body)) return tl::unexpected(*error);
  if (!mayIn(transaction, call, bucket->body["compartmentId"], {{"target.bucket.name", bucket->name}}))
    return notFound();
  bucket->etag = makeUuid();
  bucket->body["etag"] = bucket->etag;
  saveBucket(transaction, *bucket);
  transaction.commit();
  return jsonResponse(bucket->body, bucket->etag);
}

OperationResult deleteBucket(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  if (auto error = checkBucketMatch(call, *bucket)) return tl::unexpected(*error);
  auto& any = transaction.sql(
      "SELECT 1 FROM objects WHERE bucket = ? UNION ALL SELECT 1 FROM uploads WHERE bucket = ? LIMIT 1");
  any.bind(1, static_cast<int64_t>(bucket->seq));
  any.bind(2, static_cast<int64_t>(bucket->seq));
  if (any.executeStep() || hasVersions(transaction, *bucket))
    return refuse(409, "BucketNotEmpty",
                  "Bucket named '" + bucket->name + "' is not empty. Delete all object versions first.");
  for (const char* text :
       {"DELETE FROM preauthenticated_requests WHERE bucket = ?", "DELETE FROM buckets WHERE seq = ?"}) {
    auto& remove = transaction.sql(text);
    remove.bind(1, static_cast<int64_t>(bucket->seq));
    remove.exec();
  }
  transaction.commit();
  return emptyResponse(204);
}

}  // namespace

void addBucketOperations(Router& router, Database& database) {
  const auto ns = [&](const Call& call) { return getNamespace(database, call); };
  router.add("GET", "/n", "GetNamespace", ns);
  router.add("GET", "/n/", "GetNamespace", ns);
  router.add("GET", "/n/{ns}", "GetNamespaceMetadata",
             [&](const Call& call) { return getNamespaceMetadata(database, call); });
  router.add("GET", "/n/{ns}/b", "ListBuckets",
             [&](const Call& call) { return listBuckets(database, call); });
  router.add("POST", "/n/{ns}/b", "CreateBucket",
             [&](const Call& call) { return createBucket(database, call); });
  router.add("GET", "/n/{ns}/b/{b}", "GetBucket",
             [&](const Call& call) { return getBucket(database, call); });
  router.add("POST", "/n/{ns}/b/{b}", "UpdateBucket",
             [&](const Call& call) { return updateBucket(database, call); });
  router.add("HEAD", "/n/{ns}/b/{b}", "HeadBucket",
             [&](const Call& call) { return getBucket(database, call); });
  router.add("DELETE", "/n/{ns}/b/{b}", "DeleteBucket",
             [&](const Call& call) { return deleteBucket(database, call); });
}

}  // namespace lockstep::rehearsal
