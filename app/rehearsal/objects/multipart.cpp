// SPDX-License-Identifier: GPL-3.0-or-later
#include <charconv>
#include <set>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "rehearsal/objects/checksums.h"
#include "rehearsal/objects/object_store.h"
#include "rehearsal/objects/versions.h"
#include "rehearsal/service/body_reader.h"

namespace lockstep::rehearsal {
namespace {

constexpr int kMaxParts = 10'000;

struct Upload {
  std::string id, name;
  long long bucket = 0;
  nlohmann::json headers;
};

struct Part {
  int number = 0;
  std::uint64_t size = 0;
  std::string etag, md5, file;
};

ServiceError noSuchUpload() {
  return {404, "NotFound", "There is no such multipart upload."};
}

tl::expected<Upload, ServiceError> findUpload(Transaction& transaction, const Call& call,
                                              const Bucket& bucket) {
  const auto id = call.parameter("uploadId");
  if (!id) return missingParameter("uploadId");
  auto& select = transaction.sql("SELECT headers FROM uploads WHERE id = ? AND bucket = ? AND name = ?");
  select.bind(1, *id);
  select.bind(2, static_cast<int64_t>(bucket.seq));
  select.bind(3, call.path.at("o"));
  if (!select.executeStep()) return tl::unexpected(noSuchUpload());
  return Upload{*id, call.path.at("o"), bucket.seq, nlohmann::json::parse(select.getColumn(0).getString())};
}

std::vector<Part> partsOf(Transaction& transaction, const std::string& upload) {
  auto& select = transaction.sql(
      "SELECT number, size, etag, md5, file FROM upload_parts WHERE upload = ? ORDER BY number");
  select.bind(1, upload);
  std::vector<Part> parts;
  while (select.executeStep())
    parts.push_back({select.getColumn(0).getInt(), static_cast<std::uint64_t>(select.getColumn(1).getInt64()),
                     select.getColumn(2).getString(), select.getColumn(3).getString(),
                     select.getColumn(4).getString()});
  return parts;
}

void forgetUpload(Transaction& transaction, const std::string& upload) {
  for (const char* text : {"DELETE FROM uploads WHERE id = ?", "DELETE FROM upload_parts WHERE upload = ?"}) {
    auto& remove = transaction.sql(text);
    remove.bind(1, upload);
    remove.exec();
  }
}

// The body of CreateMultipartUpload says what the headers of PutObject say.
nlohmann::json headersOf(BodyReader& body) {
  Headers headers;
  const std::pair<const char*, const char*> kFields[] = {
      {"contentType", "content-type"},         {"contentLanguage", "content-language"},
      {"contentEncoding", "content-encoding"}, {"contentDisposition", "content-disposition"},
      {"cacheControl", "cache-control"},       {"storageTier", "storage-tier"}};
  for (const auto& [field, header] : kFields)
    if (const auto value = body.optionalText(field)) headers.emplace(header, *value);
  const nlohmann::json metadata = body.textMap("metadata");
  for (const auto& [name, value] : metadata.items()) {
    if (!value.is_string()) continue;  // the reader has noted it
    headers.emplace((name.starts_with("opc-meta-") ? "" : "opc-meta-") + name, value.get<std::string>());
  }
  return storedHeaders(headers);
}

OperationResult createUpload(Database& database, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  BodyReader body(*parsed);
  const std::string name = body.text("object", 1024);
  const nlohmann::json headers = headersOf(body);
  if (body.error()) return tl::unexpected(*body.error());
  if (auto serviceError = checkObjectName(name)) return tl::unexpected(*serviceError);
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  if (auto serviceError = checkUploadConditions(call, findObject(transaction, bucket->seq, name)))
    return tl::unexpected(*serviceError);
  const std::string id = makeUuid();
  auto& insert = transaction.sql("INSERT INTO uploads(id, bucket, name, created, headers) VALUES(?,?,?,?,?)");
  insert.bind(1, id);
  insert.bind(2, static_cast<int64_t>(bucket->seq));
  insert.bind(3, name);
  insert.bind(4, static_cast<int64_t>(toMillis(call.now)));
  insert.bind(5, headers.dump());
  insert.exec();
  transaction.commit();
  Response response = jsonResponse({{"namespace", bucket->nameSpace},
                                    {"bucket", bucket->name},
                                    {"object", name},
                                    {"uploadId", id},
                                    {"timeCreated", timeText(toMillis(call.now))},
                                    {"storageTier", headers["storage-tier"]}});
  response.headers.emplace_back("location", "/n/" + bucket->nameSpace + "/b/" + bucket->name + "/u/" +
                                                percentEncode(name) + "?uploadId=" + id);
  return response;
}

std::optional<int> partNumber(const Call& call) {
  const auto text = call.parameter("uploadPartNum");
  int number = 0;
  if (!text) return std::nullopt;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error != std::errc{} || end != text->data() + text->size() || number < 1 || number > kMaxParts)
    return std::nullopt;
  return number;
}

OperationResult uploadPart(Database& database, Blobs& blobs, const Call& call) {
  const auto number = partNumber(call);
  if (!number) return invalidParameter("The parameter 'uploadPartNum' must be a number from 1 to 10000.");
  const auto digest = checkedMd5(call);
  if (!digest) return tl::unexpected(digest.error());
  const auto sums = checkedSums(call);
  if (!sums) return tl::unexpected(sums.error());
  auto file = blobs.keepBody(call.request);
  if (!file) return refuse(500, "InternalServerError", describe(file.error()));
  std::string unused = *file;
  const std::string etag = makeUuid();
  OperationResult result = [&]() -> OperationResult {
    Transaction transaction(database);
    const auto bucket = visibleBucket(transaction, call);
    if (!bucket) return tl::unexpected(bucket.error());
    const auto upload = findUpload(transaction, call, *bucket);
    if (!upload) return tl::unexpected(upload.error());
    std::string replaced;
    for (const Part& part : partsOf(transaction, upload->id))
      if (part.number == *number) replaced = part.file;
    auto& save = transaction.sql(
        "INSERT OR REPLACE INTO upload_parts(upload, number, size, etag, md5, file) VALUES(?,?,?,?,?,?)");
    save.bind(1, upload->id);
    save.bind(2, *number);
    save.bind(3, static_cast<int64_t>(call.request.bytes().size()));
    save.bind(4, etag);
    save.bind(5, *digest);
    save.bind(6, *file);
    save.exec();
    transaction.commit();
    unused = replaced;
    Response response = emptyResponse(200);
    response.headers = {{"etag", etag}, {"opc-content-md5", *digest}};
    for (const auto& [name, value] : sums->items())
      response.headers.emplace_back(name, value.get<std::string>());
    return response;
  }();
  blobs.remove(unused);
  return result;
}

struct Commit {
  std::vector<Part> parts;      // to join, ascending
  std::vector<Part> forgotten;  // uploaded, excluded
};

// Every uploaded part must be committed or excluded, and every committed one uploaded, under the etag given.
tl::expected<Commit, ServiceError> readCommit(const nlohmann::json& body, const std::vector<Part>& uploaded) {
  const auto bad = [](const std::string& why) {
    return invalidParameter("The parameter 'partsToCommit' is invalid: " + why + ".");
  };
  if (!body.contains("partsToCommit") || !body["partsToCommit"].is_array())
    return missingParameter("partsToCommit");
  std::map<int, std::string> wanted;
  for (const auto& part : body["partsToCommit"]) {
    if (!part.is_object() || !part.value("partNum", nlohmann::json()).is_number_integer() ||
        !part.value("etag", nlohmann::json()).is_string())
      return bad("each part has a partNum and an etag");
    const auto number = part["partNum"].get<long long>();
    if (number < 1 || number > kMaxParts) return bad("a partNum is from 1 to 10000");
    if (!wanted.emplace(static_cast<int>(number), part["etag"].get<std::string>()).second)
      return bad("part " + std::to_string(number) + " is listed twice");
  }
  std::set<int> excluded;
  if (const auto found = body.find("partsToExclude"); found != body.end() && !found->is_null()) {
    if (!found->is_array())
      return invalidParameter("The parameter 'partsToExclude' is invalid: it must be an array.");
    for (const auto& number : *found)
      if (number.is_number_integer() && number.get<long long>() <= kMaxParts)
        excluded.insert(number.get<int>());
  }
  for (const int number : excluded)
    if (wanted.contains(number)) return bad("part " + std::to_string(number) + " is committed and excluded");
  Commit commit;
  for (const Part& part : uploaded) {
    const auto found = wanted.find(part.number);
    const std::string name = "part " + std::to_string(part.number);
    if (found == wanted.end() && !excluded.contains(part.number))
      return bad(name + " was uploaded but is neither committed nor excluded");
    if (found != wanted.end() && found->second != part.etag)
      return bad("the etag of " + name + " does not match");
    (found == wanted.end() ? commit.forgotten : commit.parts).push_back(part);
    if (found != wanted.end()) wanted.erase(found);
  }
  if (!wanted.empty()) return bad("part " + std::to_string(wanted.begin()->first) + " was not uploaded");
  if (commit.parts.empty()) return bad("there is no part");
  return commit;
}

StoredObject joined(const Call& call, const Upload& upload, const Commit& commit) {
  StoredObject object;
  object.bucket = upload.bucket;
  object.name = upload.name;
  object.etag = makeUuid();
  object.created = object.modified = toMillis(call.now);
  object.headers = upload.headers;
  std::string digests;
  for (const Part& part : commit.parts) {
    object.size += part.size;
    digests += fromBase64(part.md5).value_or("");
  }
  object.multipartMd5 = toBase64(md5(digests));
  return object;
}

OperationResult commitUpload(Database& database, Blobs& blobs, const Call& call) {
  const auto parsed = parseBody(call.request.body);
  if (!parsed) return tl::unexpected(parsed.error());
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  const auto upload = findUpload(transaction, call, *bucket);
  if (!upload) return tl::unexpected(upload.error());
  const auto commit = readCommit(*parsed, partsOf(transaction, upload->id));
  if (!commit) return tl::unexpected(commit.error());
  if (auto serviceError = checkUploadConditions(call, findObject(transaction, bucket->seq, upload->name)))
    return tl::unexpected(*serviceError);
  StoredObject object = joined(call, *upload, *commit);
  std::vector<std::string> files;
  for (const Part& part : commit->parts) files.push_back(part.file);
  auto file = blobs.join(files);
  if (!file) return refuse(500, "InternalServerError", describe(file.error()));
  object.file = *file;
  const std::string replaced = putVersion(transaction, *bucket, object, {});
  forgetUpload(transaction, upload->id);
  transaction.commit();
  for (const Part& part : commit->forgotten) files.push_back(part.file);
  files.push_back(replaced);
  for (const std::string& unused : files) blobs.remove(unused);
  Response response = emptyResponse(200);
  response.headers = {{"etag", object.etag},
                      {"opc-multipart-md5", object.multipartMd5},
                      {"last-modified", httpDate(object.modified)},
                      {kVersionHeader, versionOf(object)}};
  return response;
}

OperationResult abortUpload(Database& database, Blobs& blobs, const Call& call) {
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  const auto upload = findUpload(transaction, call, *bucket);
  if (!upload) return tl::unexpected(upload.error());
  const std::vector<Part> parts = partsOf(transaction, upload->id);
  forgetUpload(transaction, upload->id);
  transaction.commit();
  for (const Part& part : parts) blobs.remove(part.file);
  return emptyResponse(204);
}

template <class Row>
OperationResult answerRows(SQLite::Statement& select, int limit, Row row) {
  nlohmann::json list = nlohmann::json::array();
  std::string last;
  bool more = false;
  while (select.executeStep()) {
    if ((more = static_cast<int>(list.size()) == limit)) break;
    last = select.getColumn(0).getString();
    list.push_back(row());
  }
  Response response = jsonResponse(list);
  if (more) response.headers.emplace_back("opc-next-page", encodePage({last}));
  return response;
}

tl::expected<std::string, ServiceError> pageStart(const Call& call, const std::string& first) {
  const auto page = call.parameter("page");
  if (!page) return first;
  const auto parts = decodePage(*page);
  if (!parts || parts->size() != 1)
    return invalidParameter("The parameter 'page' is not a page token of this list.");
  return parts->front();
}

OperationResult listUploads(Database& database, const Call& call) {
  const auto limit = call.limit(1000, 1000);
  if (!limit) return tl::unexpected(limit.error());
  const auto after = pageStart(call, "");
  if (!after) return tl::unexpected(after.error());
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  auto& select = transaction.sql(
      "SELECT id, name, created FROM uploads WHERE bucket = ? AND id > ? ORDER BY id LIMIT ?");
  select.bind(1, static_cast<int64_t>(bucket->seq));
  select.bind(2, *after);
  select.bind(3, *limit + 1);
  return answerRows(select, *limit, [&] {
    return nlohmann::json{{"namespace", bucket->nameSpace},
                          {"bucket", bucket->name},
                          {"object", select.getColumn(1).getString()},
                          {"uploadId", select.getColumn(0).getString()},
                          {"timeCreated", timeText(select.getColumn(2).getInt64())}};
  });
}

OperationResult listParts(Database& database, const Call& call) {
  const auto limit = call.limit(1000, 1000);
  if (!limit) return tl::unexpected(limit.error());
  const auto after = pageStart(call, "0");
  if (!after) return tl::unexpected(after.error());
  Transaction transaction(database);
  const auto bucket = visibleBucket(transaction, call);
  if (!bucket) return tl::unexpected(bucket.error());
  const auto upload = findUpload(transaction, call, *bucket);
  if (!upload) return tl::unexpected(upload.error());
  auto& select = transaction.sql(
      "SELECT number, size, etag, md5 FROM upload_parts WHERE upload = ? AND number > ? ORDER BY number "
      "LIMIT ?");
  select.bind(1, upload->id);
  select.bind(2, std::atoi(after->c_str()));
  select.bind(3, *limit + 1);
  return answerRows(select, *limit, [&] {
    return nlohmann::json{{"partNumber", select.getColumn(0).getInt()},
                          {"size", select.getColumn(1).getInt64()},
                          {"etag", select.getColumn(2).getString()},
                          {"md5", select.getColumn(3).getString()}};
  });
}

}  // namespace

void addMultipartOperations(Router& router, Database& database, Blobs& blobs) {
  const std::string uploads = "/n/{ns}/b/{b}/u";
  router.add("POST", uploads, "CreateMultipartUpload",
             [&](const Call& c) { return createUpload(database, c); });
  router.add("GET", uploads, "ListMultipartUploads", [&](const Call& c) { return listUploads(database, c); });
  router.add("PUT", uploads + "/{*o}", "UploadPart",
             [&](const Call& c) { return uploadPart(database, blobs, c); }, {.isUpload = true});
  router.add("POST", uploads + "/{*o}", "CommitMultipartUpload",
             [&](const Call& c) { return commitUpload(database, blobs, c); });
  router.add("DELETE", uploads + "/{*o}", "AbortMultipartUpload",
             [&](const Call& c) { return abortUpload(database, blobs, c); });
  router.add("GET", uploads + "/{*o}", "ListUploadParts",
             [&](const Call& c) { return listParts(database, c); });
}

}  // namespace lockstep::rehearsal
