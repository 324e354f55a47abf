// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/kept_files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "base/atomic_file.h"
#include "base/bounds.h"
#include "base/time_text.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kFilesInLimit = 8;
constexpr std::uint64_t kMaxInMemory = 128 << 20;
constexpr std::uint64_t kMaxFiles = 1'000'000;
constexpr const char* kWholeUntil = "whole-until";
constexpr std::chrono::minutes kWriteEvery{1};

std::optional<std::uint64_t> numberOf(const fs::path& path) {
  if (path.extension() != ".log") return std::nullopt;
  return integerIn<std::uint64_t>(path.stem().string(), 1, kMaxFiles);
}

}  // namespace

/// The folder is ours while it lives.
class KeptFiles::Lock {
 public:
  explicit Lock(const fs::path& folder)
      : fd_(::open((folder / "lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    isOurs_ = fd_ >= 0 && ::flock(fd_, LOCK_EX | LOCK_NB) == 0;
    errno_ = errno;
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] bool isOurs() const { return isOurs_; }
  [[nodiscard]] int why() const { return errno_; }

 private:
  int fd_;
  bool isOurs_ = false;
  int errno_ = 0;
};

KeptFiles::KeptFiles(std::uint64_t limit) : limit_(std::min(limit, kMaxInMemory)) {}

KeptFiles::KeptFiles(fs::path folder, std::uint64_t limit) : folder_(std::move(folder)), limit_(limit) {
  if (takeFolder())
    openOldFiles();
  else
    limit_ = std::min(limit_, kMaxInMemory);
}

KeptFiles::KeptFiles(KeptFiles&& other) noexcept = default;
KeptFiles& KeptFiles::operator=(KeptFiles&& other) noexcept = default;
KeptFiles::~KeptFiles() = default;

bool KeptFiles::takeFolder() {
  const std::string what = fmt::format("cannot keep lines in '{}'", folder_.string());
  if (const int error = makePrivateFolder(folder_); error != 0) {
    fallBack(errnoError(what, error));
    return false;
  }
  lock_ = std::make_unique<Lock>(folder_);
  if (lock_->isOurs()) return true;
  if (lock_->why() == EWOULDBLOCK)
    fallBack({ErrorCode::FailedPrecondition,
              what,
              "another window or program keeps the lines of this run there",
              "close the run there to keep them here",
              {},
              {}});
  else
    fallBack(errnoError(what, lock_->why()));
  return false;
}

/// From here on lines are in memory; those that are on the disk stay readable.
void KeptFiles::fallBack(Error why) {
  if (!problem_) problem_ = std::move(why);
  folder_.clear();
}

void KeptFiles::openOldFiles() {
  std::vector<std::pair<std::uint64_t, fs::path>> found;
  std::error_code ec;
  for (const auto& entry : fs::directory_iterator(folder_, ec))
    if (const auto number = numberOf(entry.path())) found.emplace_back(*number, entry.path());
  std::sort(found.begin(), found.end());
  for (const auto& [number, path] : found) {
    nextName_ = number + 1;
    openOld(path);
  }
  readWholeUntil();
}

void KeptFiles::openOld(const fs::path& path) {
  auto bytes = LogBytes::openToAppend(path);
  if (!bytes) return fallBack(std::move(bytes.error()));
  OneFile file{*std::move(bytes), {}, nextId_++};
  const std::uint64_t size = file.bytes->size();
  extendIndex(file.index, *file.bytes, LineSyntax::Kept, size, 1, {});
  if (size > 0 && file.bytes->read(size - 1, 1) != "\n") {
    // Whoever wrote it was ended within a line; its source will bring that line again.
    const std::size_t block = file.index.blocks.size() - 1;
    const std::string tail =
        file.bytes->read(file.index.blocks[block].offset, size - file.index.blocks[block].offset);
    const std::size_t newline = tail.rfind('\n');
    const std::uint64_t whole =
        file.index.blocks[block].offset + (newline == std::string::npos ? 0 : newline + 1);
    if (auto cut = file.bytes->cutTo(whole); !cut) return fallBack(std::move(cut.error()));
    file.index = {};
    extendIndex(file.index, *file.bytes, LineSyntax::Kept, whole, 1, {});
  }
  files_.push_back(std::move(file));
}

void KeptFiles::readBack(const std::function<void(std::uint64_t, std::uint64_t, const LineParts&)>& visit) {
  BlockText text;
  std::uint64_t number = 0;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    const auto file = linesOf(files_[i]);
    LineTimes& times = files_[i].times;
    for (std::size_t block = 0; block < file->index.blocks.size(); ++block) {
      text.load(*file, block, UINT64_MAX);
      number = file->index.blocks[block].firstLine;
      for (std::uint64_t n = 0; n < file->linesIn(block); ++n, ++number) {
        const auto parts = takeApart(LineSyntax::Kept, text.line(n));
        if (!parts) continue;  // not ours, or of a disk that lost power: a source brings it again
        times.add(parts->time);
        visit(file->id, number, *parts);
        if (!parts->id.empty())
          known_.push_back({std::hash<std::string_view>{}(decodeField(parts->id)), file->id, number});
      }
    }
  }
  std::sort(known_.begin(), known_.end(), [](const KnownId& a, const KnownId& b) { return a.hash < b.hash; });
}

bool KeptFiles::wasKept(std::string_view id) const {
  if (known_.empty() || id.empty()) return false;
  const std::uint64_t hash = std::hash<std::string_view>{}(id);
  auto known =
      std::lower_bound(known_.begin(), known_.end(), hash,
                       [](const KnownId& entry, std::uint64_t wanted) { return entry.hash < wanted; });
  for (; known != known_.end() && known->hash == hash; ++known) {
    const auto file =
        std::find_if(files_.begin(), files_.end(), [&](const OneFile& f) { return f.id == known->file; });
    if (file == files_.end()) return true;  // it went because of the limit
    LineFile lines;
    lines.bytes = file->bytes;
    lines.index = file->index;
    const std::size_t block = lines.index.blocks.blockOf(known->line);
    looked_.load(lines, block, UINT64_MAX);
    const auto parts =
        takeApart(LineSyntax::Kept, looked_.line(known->line - lines.index.blocks[block].firstLine));
    if (parts && decodeField(parts->id) == id) return true;
  }
  return false;
}

void KeptFiles::startFile() {
  OneFile file;
  file.id = nextId_++;
  if (!folder_.empty()) {
    auto bytes = LogBytes::openToAppend(folder_ / fmt::format("{:06}.log", nextName_++));
    if (bytes)
      file.bytes = *std::move(bytes);
    else
      fallBack(std::move(bytes.error()));
  }
  if (!file.bytes) {
    auto bytes = LogBytes::inMemory();
    if (!bytes) throw std::bad_alloc();  // as every other want of memory
    file.bytes = *std::move(bytes);
  }
  files_.push_back(std::move(file));
}

bool KeptFiles::needsFile(const LineTimes& times) const {
  if (files_.empty()) return true;
  const OneFile& last = files_.back();
  const bool isInMemory = last.bytes->path().empty();
  return last.index.bytes >= limit_ / kFilesInLimit || (folder_.empty() && !isInMemory) ||
         times.newest < last.times.oldest;
}

LineId KeptFiles::append(std::string_view text, const LineTimes& times) {
  if (needsFile(times)) startFile();
  if (auto written = files_.back().bytes->append(text); !written) {
    if (folder_.empty()) throw std::bad_alloc();
    fallBack(std::move(written.error()));
    startFile();
    if (!files_.back().bytes->append(text)) throw std::bad_alloc();
  }
  OneFile& file = files_.back();
  const LineId first{file.id, file.index.lines};
  extendIndex(file.index, *file.bytes, LineSyntax::Kept, file.index.bytes + text.size(), 1, {});
  file.times.add(times.oldest);
  file.times.add(times.newest);
  return first;
}

std::optional<std::uint64_t> KeptFiles::dropSurplus() {
  std::uint64_t bytes = 0;
  for (const OneFile& file : files_) bytes += file.index.bytes;
  if (bytes <= limit_ || files_.size() < 2) return std::nullopt;
  const auto oldest = std::ranges::min_element(files_, {}, [](const OneFile& f) { return f.times.newest; });
  const OneFile gone = std::move(*oldest);
  files_.erase(oldest);
  std::error_code ec;
  if (!gone.bytes->path().empty()) fs::remove(gone.bytes->path(), ec);
  return gone.id;
}

std::vector<std::shared_ptr<const LineFile>> KeptFiles::files() const {
  std::vector<std::shared_ptr<const LineFile>> all;
  for (const OneFile& file : files_) all.push_back(linesOf(file));
  return all;
}

std::shared_ptr<const LineFile> KeptFiles::linesOf(const OneFile& file) {
  auto lines = std::make_shared<LineFile>();
  lines->bytes = file.bytes;
  lines->index = file.index;
  lines->syntax = LineSyntax::Kept;
  lines->id = file.id;
  lines->ranks = file.ranks;
  return lines;
}

bool KeptFiles::hasLineSince(TimePoint time) const {
  return std::ranges::any_of(files_, [at = time.time_since_epoch().count()](const OneFile& file) {
    return file.times.newest >= at;
  });
}

// A source says a time before its newest line: a later one is not from here.
std::optional<TimePoint> KeptFiles::wholeUntil() const {
  return wholeUntil_ && hasLineSince(*wholeUntil_) ? wholeUntil_ : std::nullopt;
}

void KeptFiles::readWholeUntil() {
  if (folder_.empty()) return;  // not all of the lines could be opened
  const auto text = readFile(folder_ / kWholeUntil, 100);
  if (text) wholeUntil_ = writtenUntil_ = parseRfc3339(text->substr(0, text->find('\n')));
}

// What cannot be written is no loss: the source is asked for these lines once more.
void KeptFiles::noteWholeUntil(TimePoint time) {
  const auto known = wholeUntil();
  if (!hasLineSince(time) || (known && time <= *known)) return;
  wholeUntil_ = time;
  if (folder_.empty() || (known && writtenUntil_ && time - *writtenUntil_ < kWriteEvery)) return;
  writtenUntil_ = time;
  for (const OneFile& file : files_) file.bytes->sync();
  (void)writeFileAtomically(folder_ / kWholeUntil, toRfc3339(time) + "\n", 0600);
}

}  // namespace lockstep
