// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/objects/preauthenticated.h"

#include "base/digest.h"
#include "base/text/encoding.h"
#include "base/time_text.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/service/body_reader.h"

namespace lockstep::rehearsal {
namespace {

using nlohmann::json;

const std::vector<std::string> kAccessTypes{"ObjectRead",     "ObjectWrite",   "ObjectReadWrite",
                                            "AnyObjectWrite", "AnyObjectRead", "AnyObjectReadWrite"};

json toJson(const Principal& principal) {
  return {{"kind", static_cast<int>(principal.kind)},
          {"id", principal.id},
          {"tenancy", principal.tenancyId},
          {"compartment", principal.compartmentId}};
}

Principal principalOf(const json& saved) {
  Principal principal;
  principal.kind = static_cast<Principal::Kind>(saved["kind"].get<int>());
  principal.id = saved["id"];
  principal.tenancyId = saved["tenancy"];
  principal.compartmentId = saved["compartment"];
  return principal;
}

bool isForAny(const std::string& accessType) {
  return accessType.starts_with("Any");
}

// What the service shows of one later on: no link, since that is shown once.
json readRequest(BodyReader& body, long long now, long long& expires) {
  json par{{"name", body.text("name")}, {"accessType", body.choice("accessType", kAccessTypes)}};
  const std::string until = body.text("timeExpires");
  const auto time = parseRfc3339(until);
  if (!time && !until.empty()) body.invalid("timeExpires", "'" + until + "' is not an RFC 3339 time");
  if (time) expires = toMillis(*time);
  if (time && expires <= now) body.invalid("timeExpires", "it has passed");
  const auto object = body.optionalText("objectName", 1024);
  if (!isForAny(par["accessType"]) && (!object || object->empty())) body.missing("objectName");
  if (object && !object->empty()) par["objectName"] = *object;
  par["bucketListingAction"] =
      body.optionalChoice("bucketListingAction", {"Deny", "ListObjects"}).value_or("Deny");
  if (par["bucketListingAction"] == "ListObjects" && !isForAny(par["accessType"]))
    body.invalid("bucketListingAction", "only an accessType for any object may list");
  par["timeCreated"] = timeText(now);
  par["timeExpires"] = timeText(expires);
  return par;
}

void insertRequest(Transaction& transaction, long long bucket, const std::string& secret, long long expires,
                   const Principal& principal, const json& par) {
  auto& insert = transaction.sql(
      "INSERT INTO preauthenticated_requests(id, bucket, secret_hash, expires, principal, body) "
      "VALUES(?,?,?,?,?,?)");
  insert.bind(1, par["id"].get<std::string>());
  insert.bind(2, static_cast<int64_t>(bucket));
  insert.bind(3, toHex(sha256(secret)));
  insert.bind(4, static_cast<int64_t>(expires));
  insert.bind(5, toJson(principal).dump());
  insert.bind(6, par.dump(-1, ' ', false, json::error_handler_t::replace));
  insert.exec();
}

OperationResult createRequest(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  long long expires = 0;
  json par = readRequest(body, toMillis(call.now), expires);
  if (body.error()) return tl::unexpected(*body.error());
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  const std::string secret = toBase64Url(randomBytes(48));
  par["id"] = toBase64Url(randomBytes(24)) + ":" + par.value("objectName", "");
  insertRequest(transaction, bucket->seq, secret, expires, call.principal, par);
  transaction.commit();
  const std::string object =
      isForAny(par["accessType"]) ? "" : percentEncode(par["objectName"].get<std::string>());
  par["accessUri"] =
      "/p/" + secret + "/n/" + bucket->nameSpace + "/b/" + percentEncode(bucket->name) + "/o/" + object;
  return jsonResponse(par);
}

std::optional<json> findRequest(Transaction& transaction, const Bucket& bucket, const std::string& id) {
  auto& select = transaction.sql("SELECT body FROM preauthenticated_requests WHERE bucket = ? AND id = ?");
  select.bind(1, static_cast<int64_t>(bucket.seq));
  select.bind(2, id);
  if (!select.executeStep()) return std::nullopt;
  return json::parse(select.getColumn(0).getString());
}

OperationResult getRequest(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  const auto par = findRequest(transaction, *bucket, call.path.at("parId"));
  if (!par) return refuse(404, "NotFound", "There is no such preauthenticated request.");
  return jsonResponse(*par);
}

OperationResult deleteRequest(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  if (!findRequest(transaction, *bucket, call.path.at("parId")))
    return refuse(404, "NotFound", "There is no such preauthenticated request.");
  auto& remove = transaction.sql("DELETE FROM preauthenticated_requests WHERE id = ?");
  remove.bind(1, call.path.at("parId"));
  remove.exec();
  transaction.commit();
  return emptyResponse(204);
}

OperationResult listRequests(Database& database, const Call& call) {
  const auto limit = call.limit(100, 1000);
  if (!limit) return tl::unexpected(limit.error());
  std::string after;
  if (const auto page = call.parameter("page")) {
    const auto parts = decodePage(*page);
    if (!parts || parts->size() != 1)
      return invalidParameter("The parameter 'page' is not a page token of this list.");
    after = parts->front();
  }
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  auto& select = transaction.sql(
      "SELECT id, body FROM preauthenticated_requests WHERE bucket = ? AND id > ? ORDER BY id LIMIT ?");
  select.bind(1, static_cast<int64_t>(bucket->seq));
  select.bind(2, after);
  select.bind(3, *limit + 1);
  const std::string prefix = call.parameter("objectNamePrefix").value_or("");
  json list = json::array();
  std::string last, nextPage;
  for (int seen = 0; select.executeStep(); ++seen) {
    if (seen == *limit) {
      nextPage = encodePage({last});
      break;
    }
    last = select.getColumn(0).getString();
    json par = json::parse(select.getColumn(1).getString());
    if (par.value("objectName", "").starts_with(prefix)) list.push_back(std::move(par));
  }
  Response response = jsonResponse(list);
  if (!nextPage.empty()) response.headers.emplace_back("opc-next-page", nextPage);
  return response;
}

// --- the links
// -----------------------------------------------------------------------------------------------

struct Link {
  Principal maker;
  std::string accessType, objectName;
  bool lists = false;
};

tl::unexpected<ServiceError> noSuchLink() {
  return refuse(404, "NotAuthenticated", "PAR does not exist");
}

std::optional<Link> followLink(Database& database, const Call& call) {
  Transaction transaction(database);
  const auto bucket = findBucket(transaction, call.path.at("ns"), call.path.at("b"));
  if (!bucket) return std::nullopt;
  auto& select = transaction.sql(
      "SELECT principal, body FROM preauthenticated_requests WHERE secret_hash = ? AND bucket = ? AND "
      "expires > ?");
  select.bind(1, toHex(sha256(call.path.at("secret"))));
  select.bind(2, static_cast<int64_t>(bucket->seq));
  select.bind(3, static_cast<int64_t>(toMillis(call.now)));
  if (!select.executeStep()) return std::nullopt;
  const json par = json::parse(select.getColumn(1).getString());
  return Link{principalOf(json::parse(select.getColumn(0).getString())), par["accessType"],
              par.value("objectName", ""), par["bucketListingAction"] == "ListObjects"};
}

bool leadsTo(const Link& link, const std::string& object, const char* right) {
  if (link.accessType.find(right) == std::string::npos) return false;
  return isForAny(link.accessType) ? object.starts_with(link.objectName) : object == link.objectName;
}

// The call as its maker would have sent it. The policies that let the maker do it are asked at every use.
Call asMaker(const Call& call, const Link& link, const char* operation) {
  return Call{call.request, operation, link.maker, call.now, call.path, call.query, call.visibility};
}

OperationResult readByLink(Database& database, Blobs& blobs, const Call& call) {
  const auto link = followLink(database, call);
  if (!link || !leadsTo(*link, call.path.at("o"), "Read")) return noSuchLink();
  return readObject(database, blobs,
                    asMaker(call, *link, call.request.method == "HEAD" ? "HeadObject" : "GetObject"));
}

OperationResult writeByLink(Database& database, Blobs& blobs, const Call& call) {
  const auto link = followLink(database, call);
  if (!link || !leadsTo(*link, call.path.at("o"), "Write")) return noSuchLink();
  return putObject(database, blobs, asMaker(call, *link, "PutObject"));
}

// Before the body is read: the link must be one, and its maker still have the bucket.
std::optional<OperationResult> refusedByLink(Database& database, const Call& call) {
  const auto link = followLink(database, call);
  if (!link || !leadsTo(*link, call.path.at("o"), "Write")) return noSuchLink();
  const Call asked = asMaker(call, *link, "PutObject");
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, asked);
  if (!bucket) return tl::unexpected(bucket.error());
  return std::nullopt;
}

OperationResult listByLink(Database& database, const Call& call) {
  const auto link = followLink(database, call);
  if (!link || !link->lists) return noSuchLink();
  Call listing = asMaker(call, *link, "ListObjects");
  const std::string prefix = call.parameter("prefix").value_or(link->objectName);
  if (!prefix.starts_with(link->objectName)) return noSuchLink();
  if (!prefix.empty()) listing.query["prefix"] = prefix;
  return listObjects(database, listing);
}

// --- public buckets
// ------------------------------------------------------------------------------------------

std::optional<Principal> publicReader(Database& database, const Call& call, bool isListing) {
  Transaction transaction(database);
  const auto bucket = findBucket(transaction, call.path.at("ns"), call.path.at("b"));
  if (!bucket) return std::nullopt;
  const std::string access = bucket->body.value("publicAccessType", "NoPublicAccess");
  if (access != "ObjectRead" && (isListing || access != "ObjectReadWithoutList")) return std::nullopt;
  Principal owner;
  owner.id = bucket->body.value("createdBy", "");
  owner.tenancyId = tenancyOf(transaction, bucket->compartment).value_or("");
  return owner;
}

tl::unexpected<ServiceError> notAuthenticated() {
  return refuse(401, "NotAuthenticated",
                "The required information to complete authentication was not provided or was incorrect.");
}

OperationResult readPublic(Database& database, Blobs& blobs, const Call& call) {
  const auto reader = publicReader(database, call, false);
  if (!reader) return notAuthenticated();
  auto answer = readObject(
      database, blobs,
      Call{call.request, call.operation, *reader, call.now, call.path, call.query, call.visibility});
  if (answer) answer->isForStranger = true;
  return answer;
}

OperationResult listPublic(Database& database, const Call& call) {
  const auto reader = publicReader(database, call, true);
  if (!reader) return notAuthenticated();
  return listObjects(database, Call{call.request, call.operation, *reader, call.now, call.path, call.query,
                                    call.visibility});
}

}  // namespace

void addPreauthenticatedRequests(Router& router, Database& database) {
  const std::string path = "/n/{ns}/b/{b}/p";
  router.add("POST", path, "CreatePreauthenticatedRequest",
             [&](const Call& c) { return createRequest(database, c); });
  router.add("GET", path, "ListPreauthenticatedRequests",
             [&](const Call& c) { return listRequests(database, c); });
  router.add("GET", path + "/{*parId}", "GetPreauthenticatedRequest",
             [&](const Call& c) { return getRequest(database, c); });
  router.add("DELETE", path + "/{*parId}", "DeletePreauthenticatedRequest",
             [&](const Call& c) { return deleteRequest(database, c); });
}

void addOpenObjects(Router& open, Database& database, Blobs& blobs) {
  const std::string link = "/p/{secret}/n/{ns}/b/{b}/o";
  const auto list = [&](const Call& c) { return listByLink(database, c); };
  open.add("GET", link, "ListObjects", list);
  open.add("GET", link + "/", "ListObjects", list);
  const auto read = [&](const Call& c) { return readByLink(database, blobs, c); };
  open.add("GET", link + "/{*o}", "GetObject", read);
  open.add("HEAD", link + "/{*o}", "HeadObject", read);
  open.add("PUT", link + "/{*o}", "PutObject", [&](const Call& c) { return writeByLink(database, blobs, c); },
           {.isUpload = true, .gate = [&](const Call& c) { return refusedByLink(database, c); }});
  const std::string objects = "/n/{ns}/b/{b}/o";
  const auto readAll = [&](const Call& c) { return readPublic(database, blobs, c); };
  open.add("GET", objects, "ListObjects", [&](const Call& c) { return listPublic(database, c); });
  open.add("GET", objects + "/{*o}", "GetObject", readAll);
  open.add("HEAD", objects + "/{*o}", "HeadObject", readAll);
}

}  // namespace lockstep::rehearsal
