// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/jobs/job_artifacts.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>

#include "base/atomic_file.h"
#include "base/digest.h"
#include "base/text/encoding.h"
#include "rehearsal/iam/access.h"
#include "rehearsal/jobs/job_runner.h"
#include "rehearsal/service/byte_range.h"
#include "rehearsal/service/retry_tokens.h"

namespace lockstep::rehearsal {
namespace {

constexpr std::uint64_t kLargest = 4ULL << 30;

struct Artifact {
  std::string name, md5, etag, file;
  std::uint64_t size = 0;
  long long modified = 0;
};

std::optional<Artifact> findArtifact(Transaction& transaction, const std::string& jobId) {
  auto& select =
      transaction.sql("SELECT name, size, md5, etag, modified, file FROM job_artifacts WHERE job = ?");
  select.bind(1, jobId);
  if (!select.executeStep()) return std::nullopt;
  Artifact found;
  found.name = select.getColumn(0).getString();
  found.size = static_cast<std::uint64_t>(select.getColumn(1).getInt64());
  found.md5 = select.getColumn(2).getString();
  found.etag = select.getColumn(3).getString();
  found.modified = select.getColumn(4).getInt64();
  found.file = select.getColumn(5).getString();
  return found;
}

std::string bytesOf(Transaction& transaction, const std::string& jobId) {
  auto& select = transaction.sql("SELECT bytes FROM job_artifacts WHERE job = ?");
  select.bind(1, jobId);
  return select.executeStep() ? select.getColumn(0).getString() : std::string();
}

void saveArtifact(Transaction& transaction, const std::string& jobId, const Artifact& artifact,
                  std::string_view bytes) {
  auto& insert = transaction.sql(
      "INSERT INTO job_artifacts(job, name, size, md5, etag, modified, file, bytes) VALUES(?,?,?,?,?,?,?,?)");
  insert.bind(1, jobId);
  insert.bind(2, artifact.name);
  insert.bind(3, static_cast<int64_t>(artifact.size));
  insert.bind(4, artifact.md5);
  insert.bind(5, artifact.etag);
  insert.bind(6, static_cast<int64_t>(artifact.modified));
  insert.bind(7, artifact.file);
  if (artifact.file.empty()) {
    insert.bind(8, bytes.data(), static_cast<int>(bytes.size()));
  } else {
    insert.bind(8);
  }
  insert.exec();
}

// The last part of `attachment; filename="a b.py"`; what could leave the folder it is put into is no name.
tl::expected<std::string, ServiceError> nameFrom(const Call& call) {
  const std::string header = call.header("content-disposition").value_or("");
  const std::size_t at = header.find("filename=");
  if (at == std::string::npos)
    return invalidParameter(
        "The header 'content-disposition' must name the file: attachment; filename=<name>.");
  std::string name = header.substr(at + 9);
  name = name.substr(0, name.find(';'));
  if (name.size() >= 2 && name.front() == '"' && name.back() == '"') name = name.substr(1, name.size() - 2);
  const bool usable = !name.empty() && name.size() <= 255 && name != "." && name != ".." &&
                      name.find_first_of(std::string("/\0\n\r", 4)) == std::string::npos;
  if (!usable)
    return invalidParameter("The header 'content-disposition' names no usable file: '" + name + "'.");
  return name;
}

OperationResult createArtifact(Database& database, Blobs& blobs, const Call& call) {
  auto name = nameFrom(call);
  if (!name) return tl::unexpected(name.error());
  const std::string_view bytes = call.request.bytes();
  if (bytes.size() > kLargest) return refuse(413, "PayloadTooLarge", "A job artifact has at most 4 GB.");
  Artifact artifact{*name, toBase64(md5(bytes)), makeUuid(), {}, bytes.size(), toMillis(call.now)};
  if (const auto given = call.header("content-md5"); given && *given != artifact.md5)
    return refuse(400, "UnmatchedContentMD5", "The content does not match the header 'content-md5'.");
  if (artifact.size > Blobs::kInlineLimit) {
    auto file = blobs.keepBody(call.request);
    if (!file) return refuse(500, "InternalServerError", describe(file.error()));
    artifact.file = *file;
  }
  std::string unused = artifact.file;
  OperationResult result = [&]() -> OperationResult {
    Transaction transaction(database);
    if (auto again = replayed(transaction, call, "CreateJobArtifact")) return *again;
    const auto job = findAllowed(transaction, call, kind::kJob, call.path.at("id"));
    if (!job || job->state == "DELETED") return notFound();
    if (findArtifact(transaction, job->id))
      return refuse(409, "IncorrectState", "The job has its artifact already, which cannot be replaced.");
    saveArtifact(transaction, job->id, artifact, bytes);
    Response response = emptyResponse(204);
    response.headers.emplace_back("etag", artifact.etag);
    remember(transaction, call, "CreateJobArtifact", response);
    transaction.commit();
    unused.clear();
    return response;
  }();
  blobs.remove(unused);
  return result;
}

OperationResult readArtifact(Database& database, const Blobs& blobs, const Call& call) {
  Transaction transaction(database);
  const auto job = findAllowed(transaction, call, kind::kJob, call.path.at("id"));
  if (!job || job->state == "DELETED") return notFound();
  const auto artifact = findArtifact(transaction, job->id);
  if (!artifact) return notFound();
  const auto range = rangeOf(call.header("range"), artifact->size);
  if (!range) return invalidRange(artifact->size);
  Response response;
  response.contentType = "application/octet-stream";
  response.headers = {{"content-disposition", "attachment; filename=" + artifact->name},
                      {"content-md5", artifact->md5},
                      {"etag", artifact->etag},
                      {"last-modified", httpDate(artifact->modified)}};
  if (range->partial) {
    response.status = 206;
    response.headers.emplace_back("content-range", contentRange(*range, artifact->size));
  }
  ByteSource source;
  source.length = range->length;
  if (artifact->file.empty()) {
    source.bytes = bytesOf(transaction, job->id).substr(range->first, range->length);
  } else {
    auto file = blobs.open(artifact->file);
    if (!file) return refuse(500, "InternalServerError", describe(file.error()));
    source.file = *file;
    source.offset = range->first;
  }
  response.source = std::move(source);
  return response;
}

// Whole or not at all, for a restarted region may find what a killed one left.
Result<void> copyFile(int from, const std::filesystem::path& to) {
  const std::filesystem::path part = to.string() + ".part";
  const int out = ::open(part.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0700);
  if (out < 0) return failure(errnoError("cannot write '" + to.string() + "'", errno));
  off_t offset = 0;
  ssize_t n = 0;
  constexpr std::size_t kPiece = 1 << 30;
  while ((n = ::copy_file_range(from, &offset, out, nullptr, kPiece, 0)) > 0) {
  }
  const int error = n < 0 ? errno : 0;
  ::close(out);
  if (error != 0) return failure(errnoError("cannot write '" + to.string() + "'", error));
  std::error_code ec;
  std::filesystem::rename(part, to, ec);
  if (ec) return failure(ErrorCode::Io, "cannot write '" + to.string() + "'", ec.message());
  return {};
}

}  // namespace

void addJobArtifacts(Router& router, Database& database, Blobs& blobs) {
  const std::string path = "/20190101/jobs/{id}/artifact";
  router.add("POST", path, "CreateJobArtifact",
             [&](const Call& call) { return createArtifact(database, blobs, call); }, {.isUpload = true});
  const auto read = [&](const Call& call) { return readArtifact(database, blobs, call); };
  router.add("GET", path + "/content", "GetJobArtifactContent", read);
  router.add("HEAD", path + "/content", "HeadJobArtifact", read);
}

Result<DeliveredArtifact> deliverArtifact(Database& database, const RunnerSetup& setup,
                                          const std::string& jobId, const std::filesystem::path& home) {
  std::error_code ec;
  std::filesystem::create_directories(home, ec);
  if (!ec) std::filesystem::permissions(home.parent_path(), std::filesystem::perms::owner_all, ec);
  if (ec) return failure(ErrorCode::Io, "cannot make the folder '" + home.string() + "'", ec.message());
  std::string bytes;
  std::optional<Artifact> artifact;
  {
    Transaction transaction(database);
    artifact = findArtifact(transaction, jobId);
    if (artifact && artifact->file.empty()) bytes = bytesOf(transaction, jobId);
  }
  if (!artifact) return DeliveredArtifact{};
  const std::filesystem::path file = home / artifact->name;
  if (artifact->file.empty()) {
    if (auto written = writeFileAtomically(file, bytes, 0700); !written) return failure(written.error());
    return DeliveredArtifact{artifact->name};
  }
  const auto source = setup.blobs->open(artifact->file);
  if (!source) return failure(source.error());
  if (auto copied = copyFile(**source, file); !copied) return failure(copied.error());
  return DeliveredArtifact{artifact->name};
}

std::string removeArtifact(Transaction& transaction, const std::string& jobId) {
  const auto artifact = findArtifact(transaction, jobId);
  if (!artifact) return {};
  auto& remove = transaction.sql("DELETE FROM job_artifacts WHERE job = ?");
  remove.bind(1, jobId);
  remove.exec();
  return artifact->file;
}

}  // namespace lockstep::rehearsal
