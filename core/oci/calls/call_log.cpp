// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/calls/call_log.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

#include "base/user_dirs.h"

namespace lockstep::oci {
namespace {

constexpr int kMaxRotationsMet = 16;

std::filesystem::path former(const std::filesystem::path& file) {
  return file.string() + ".1";
}

// Zeros for a file that is not there.
std::pair<dev_t, ino_t> identityOf(const std::filesystem::path& file) {
  struct stat info {};
  if (::stat(file.c_str(), &info) != 0) return {};
  return {info.st_dev, info.st_ino};
}

// Unlocks at the end of the scope; the descriptor may be closed meanwhile, which unlocks as well.
class Unlock {
 public:
  explicit Unlock(int descriptor) : descriptor_(descriptor) {}
  Unlock(const Unlock&) = delete;
  Unlock& operator=(const Unlock&) = delete;
  ~Unlock() { ::flock(descriptor_, LOCK_UN); }

 private:
  int descriptor_;
};

class BothAudits final : public CallAudit {
 public:
  BothAudits(std::shared_ptr<CallAudit> first, std::shared_ptr<CallAudit> second)
      : first_(std::move(first)), second_(std::move(second)) {}
  void record(CallRecord record) override {
    first_->record(record);
    second_->record(std::move(record));
  }

 private:
  const std::shared_ptr<CallAudit> first_, second_;
};

}  // namespace

std::shared_ptr<CallAudit> bothAudits(std::shared_ptr<CallAudit> first, std::shared_ptr<CallAudit> second) {
  if (first == nullptr) return second;
  if (second == nullptr) return first;
  return std::make_shared<BothAudits>(std::move(first), std::move(second));
}

std::filesystem::path callLogFile() {
  return userDataDir() / "calls.jsonl";
}

CallLog::CallLog(std::filesystem::path file, std::uint64_t maxBytes)
    : file_(std::move(file)), maxBytes_(maxBytes) {}

CallLog::~CallLog() {
  closeFile();
}

void CallLog::closeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
}

std::optional<Error> CallLog::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

void CallLog::record(CallRecord record) {
  const std::string line = toLine(record) + "\n";
  const std::lock_guard lock(mutex_);
  const auto done = append(line);
  problem_ = done ? std::nullopt : std::optional<Error>(done.error());
}

Result<void> CallLog::openFile() {
  static_cast<void>(makePrivateFolder(file_.parent_path()));  // open() below says what is wrong
  descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (descriptor_ < 0)
    return failure(errnoError(fmt::format("cannot write the call log '{}'", file_.string()), errno));
  ::fchmod(descriptor_, 0600);  // whoever made it
  return {};
}

Result<bool> CallLog::lockCurrent(off_t& size) {
  if (::flock(descriptor_, LOCK_EX) != 0)
    return failure(errnoError(fmt::format("cannot lock the call log '{}'", file_.string()), errno));
  struct stat opened {};
  struct stat named {};
  if (::fstat(descriptor_, &opened) != 0 || ::stat(file_.c_str(), &named) != 0 ||
      opened.st_ino != named.st_ino || opened.st_dev != named.st_dev) {
    closeFile();
    return false;
  }
  size = opened.st_size;
  return true;
}

Result<void> CallLog::append(const std::string& line) {
  for (int i = 0; i < kMaxRotationsMet; ++i) {
    if (descriptor_ < 0) {
      if (auto opened = openFile(); !opened) return opened;
    }
    off_t size = 0;
    const auto current = lockCurrent(size);
    if (!current) return failure(current.error());
    if (!*current) continue;
    const Unlock unlock(descriptor_);
    if (size > 0 && static_cast<std::uint64_t>(size) + line.size() > maxBytes_) {
      // Under the lock, and everybody looks at the name after locking: so nobody writes into the old one.
      const bool rotated = ::rename(file_.c_str(), former(file_).c_str()) == 0;
      const int error = errno;
      closeFile();
      if (!rotated)
        return failure(errnoError(fmt::format("cannot rotate the call log '{}'", file_.string()), error));
      continue;
    }
    const ssize_t written = ::write(descriptor_, line.data(), line.size());
    if (written == static_cast<ssize_t>(line.size())) return {};
    const int error = written < 0 ? errno : ENOSPC;
    if (written > 0) (void)!::ftruncate(descriptor_, size);  // half a line is worse than none
    return failure(errnoError(fmt::format("cannot write the call log '{}'", file_.string()), error));
  }
  return failure(ErrorCode::Io, fmt::format("cannot write the call log '{}'", file_.string()),
                 "it is replaced faster than it can be opened");
}

CallLogReader::~CallLogReader() {
  closeFile();
}

void CallLogReader::closeFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  rest_.clear();
}

Result<void> CallLogReader::openFile(const std::filesystem::path& path) {
  closeFile();
  descriptor_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor_ >= 0 || errno == ENOENT) return {};
  return failure(errnoError(fmt::format("cannot read the call log '{}'", path.string()), errno));
}

Result<void> CallLogReader::readOpen(std::vector<CallRecord>& records) {
  char buffer[1 << 16];
  while (descriptor_ >= 0) {
    const ssize_t n = ::read(descriptor_, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0)
      return failure(errnoError(fmt::format("cannot read the call log '{}'", file_.string()), errno));
    if (n == 0) break;
    rest_.append(buffer, static_cast<std::size_t>(n));
    std::size_t begin = 0;
    for (std::size_t end = rest_.find('\n'); end != std::string::npos; end = rest_.find('\n', begin)) {
      if (auto record = callRecordOf(std::string_view(rest_).substr(begin, end - begin)))
        records.push_back(*std::move(record));
      begin = end + 1;
    }
    rest_.erase(0, begin);
  }
  return {};
}

CallLogReader::FileIdentity CallLogReader::opened() const {
  struct stat info {};
  if (descriptor_ < 0 || ::fstat(descriptor_, &info) != 0) return {};
  return {info.st_dev, info.st_ino};
}

void CallLogReader::refreshFormer() {
  struct stat info {};
  former_ = identityOf(former(file_));
  formerTime_ = ::stat(former(file_).c_str(), &info) == 0
                    ? info.st_ctim.tv_sec * 1'000'000'000LL + info.st_ctim.tv_nsec
                    : 0;
}

Result<void> CallLogReader::readWhole(const std::filesystem::path& path, std::vector<CallRecord>& records) {
  if (auto done = openFile(path); !done) return done;
  return readOpen(records);
}

Result<std::vector<CallRecord>> CallLogReader::last(std::size_t max) {
  std::vector<CallRecord> records;
  if (auto done = readWhole(former(file_), records); !done) return failure(done.error());
  refreshFormer();
  if (auto done = readWhole(file_, records); !done) return failure(done.error());
  if (records.size() > max) records.erase(records.begin(), records.end() - static_cast<std::ptrdiff_t>(max));
  return records;
}

Result<std::vector<CallRecord>> CallLogReader::more() {
  std::vector<CallRecord> records;
  if (auto done = readOpen(records); !done) return failure(done.error());
  const FileIdentity current = identityOf(file_);
  if (current == FileIdentity() || current == opened()) return records;
  // Rotated: what was written between our read and the rename is still in the old one.
  if (auto done = readOpen(records); !done) return failure(done.error());
  const FileIdentity own = opened(), before = former_;
  const std::int64_t timeBefore = formerTime_;
  refreshFormer();
  const bool isAnother = former_ != before || formerTime_ != timeBefore;
  if (isAnother && former_ != own)  // rotated twice since, or before the first record was read
    if (auto done = readWhole(former(file_), records); !done) return failure(done.error());
  if (auto done = readWhole(file_, records); !done) return failure(done.error());
  return records;
}

}  // namespace lockstep::oci
