// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/storage/partial_download.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "base/atomic_file.h"
#include "base/text/encoding.h"

namespace lockstep::oci {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

constexpr std::uint64_t kNoteEvery = 8 << 20;
constexpr std::uint64_t kMaxNoteBytes = 64 << 20;
constexpr std::uint64_t kMaxObjectBytes = 10ULL << 40;  // the service's own limit
constexpr std::uint64_t kMaxRanges = 1 << 22;

/// What was noted of a file, as far as it makes sense for an object of this etag and size.
struct Notes {
  std::uint64_t rangeSize = 0;
  std::vector<std::uint64_t> got;
};

std::optional<Notes> readNotes(const fs::path& path, const std::string& etag, std::uint64_t size) {
  const auto text = readFile(path, kMaxNoteBytes);
  const Json json = text ? Json::parse(*text, nullptr, false) : Json();
  if (!json.is_object()) return std::nullopt;
  try {
    if (json.at("etag").get<std::string>() != etag || json.at("size") != size ||
        !json.at("rangeSize").is_number_unsigned())
      return std::nullopt;
    Notes notes{json.at("rangeSize").get<std::uint64_t>(), {}};
    for (const Json& one : json.at("got")) {
      if (!one.is_number_unsigned()) return std::nullopt;
      notes.got.push_back(one.get<std::uint64_t>());
    }
    return notes;
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

std::uint64_t fileSize(int fd) {
  struct stat found {};
  return ::fstat(fd, &found) == 0 ? static_cast<std::uint64_t>(found.st_size) : 0;
}

}  // namespace

PartialDownload::PartialDownload(fs::path file, const ObjectHead& head, bool isKept)
    : file_(std::move(file)),
      size_(head.size),
      etag_(head.etag),
      isKept_(isKept),
      partial_(file_.string() + (isKept ? ".lockstep-part" : ".part-" + toHex(randomBytes(4)))),
      notes_(partial_.string() + ".json") {}

Result<std::unique_ptr<PartialDownload>> PartialDownload::open(const fs::path& file, const ObjectHead& head,
                                                               std::uint64_t rangeSize, bool isKept) {
  if (head.size > kMaxObjectBytes)
    return failure(ErrorCode::DataLoss, fmt::format("cannot download to '{}'", file.string()),
                   fmt::format("the object is said to have {} bytes, and none can have more than {}",
                               head.size, kMaxObjectBytes));
  rangeSize = std::max({std::uint64_t{1}, rangeSize, head.size / kMaxRanges});
  std::unique_ptr<PartialDownload> opened(new PartialDownload(file, head, isKept));
  if (auto done = opened->openFile(); !done) {
    opened->isOver_ = true;  // whoever is at it goes on
    return failure(done.error());
  }
  opened->layOut(rangeSize);
  if (isKept) opened->resume();
  return opened;
}

Result<void> PartialDownload::openFile() {
  const int flags = O_RDWR | O_CREAT | O_CLOEXEC | (isKept_ ? 0 : O_EXCL);
  for (bool isGone = true; isGone;) {
    isGone = false;
    fd_ = ::open(partial_.c_str(), flags, 0666);
    if (fd_ < 0) return failure(errnoError(fmt::format("cannot write '{}'", partial_.string()), errno));
    if (!isKept_) return {};
    if (auto locked = lockFile(isGone); !locked) return locked;
  }
  return {};
}

// Another process may have finished it, and so moved it away, between our opening and locking it.
Result<void> PartialDownload::lockFile(bool& isGone) {
  if (::flock(fd_, LOCK_EX | LOCK_NB) != 0)
    return failure(ErrorCode::FailedPrecondition, fmt::format("cannot download to '{}'", file_.string()),
                   "another process is downloading it", "wait until it is done");
  struct stat ours {
  }, there{};
  isGone = ::fstat(fd_, &ours) != 0 || ::stat(partial_.c_str(), &there) != 0 || ours.st_ino != there.st_ino ||
           ours.st_dev != there.st_dev;
  if (isGone) ::close(std::exchange(fd_, -1));
  return {};
}

void PartialDownload::layOut(std::uint64_t rangeSize) {
  rangeSize_ = rangeSize;
  ranges_.clear();
  for (std::uint64_t first = 0; first < size_; first += rangeSize_)
    ranges_.push_back({first, std::min(rangeSize_, size_ - first), 0});
}

void PartialDownload::resume() {
  const std::uint64_t there = fileSize(fd_);
  const auto notes = etag_.empty() ? std::nullopt : readNotes(notes_, etag_, size_);
  bool isOurs = notes && notes->rangeSize > 0 && there <= size_ &&
                notes->got.size() == size_ / notes->rangeSize + (size_ % notes->rangeSize != 0 ? 1 : 0);
  if (isOurs) {
    const std::uint64_t asked = rangeSize_;
    layOut(notes->rangeSize);
    for (std::size_t i = 0; i < ranges_.size(); ++i) {
      ranges_[i].got = notes->got[i];
      isOurs = isOurs && ranges_[i].got <= ranges_[i].size &&
               (ranges_[i].got == 0 || ranges_[i].first + ranges_[i].got <= there);
    }
    if (!isOurs) layOut(asked);
  }
  for (const Range& range : ranges_) already_ += range.got;
  if (isOurs) return;
  // The note goes first: without it, nothing of the file counts.
  ::unlink(notes_.c_str());
  [[maybe_unused]] const int cut = ::ftruncate(fd_, 0);
}

PartialDownload::~PartialDownload() {
  if (fd_ >= 0 && !isOver_) {
    if (isKept_)
      note();
    else
      ::unlink(partial_.c_str());
  }
  if (fd_ >= 0) ::close(fd_);
}

PartialDownload::Range PartialDownload::range(std::size_t index) const {
  const std::lock_guard lock(mutex_);
  return ranges_[index];
}

Result<std::size_t> PartialDownload::write(std::size_t index, std::string_view bytes) {
  const Range at = range(index);
  const std::size_t belongs =
      static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), at.size - at.got));
  for (std::size_t done = 0; done < belongs;) {
    const auto offset = static_cast<off_t>(at.first + at.got + done);
    const ssize_t n = ::pwrite(fd_, bytes.data() + done, belongs - done, offset);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failure(errnoError(fmt::format("cannot write '{}'", partial_.string()), errno));
    done += static_cast<std::size_t>(n);
  }
  bool isDue = false;
  {
    const std::lock_guard lock(mutex_);
    ranges_[index].got += belongs;
    unnoted_ += belongs;
    isDue = isKept_ && unnoted_ >= kNoteEvery;
    if (isDue) unnoted_ = 0;
  }
  if (isDue) note();
  return belongs;
}

// A note that cannot be written costs a later download some bytes, and this one nothing.
void PartialDownload::note() {
  if (etag_.empty()) return;
  const std::lock_guard one(noteMutex_);
  Json got = Json::array();
  {
    const std::lock_guard lock(mutex_);
    for (const Range& range : ranges_) got.push_back(range.got);
  }
  if (::fdatasync(fd_) != 0) return;  // what is noted is on the disk
  const Json notes{{"etag", etag_}, {"size", size_}, {"rangeSize", rangeSize_}, {"got", std::move(got)}};
  [[maybe_unused]] const auto written = writeFileAtomically(notes_, notes.dump());
}

Result<void> PartialDownload::finish() {
  if (::fsync(fd_) != 0)
    return failure(errnoError(fmt::format("cannot write '{}'", partial_.string()), errno));
  if (::rename(partial_.c_str(), file_.c_str()) != 0)
    return failure(errnoError(fmt::format("cannot write '{}'", file_.string()), errno));
  isOver_ = true;
  if (isKept_) ::unlink(notes_.c_str());
  return {};
}

void PartialDownload::discard() {
  isOver_ = true;
  if (isKept_) ::unlink(notes_.c_str());
  ::unlink(partial_.c_str());
}

}  // namespace lockstep::oci
