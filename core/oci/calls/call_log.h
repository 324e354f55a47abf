// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.h"
#include "oci/signing/call_audit.h"

namespace lockstep::oci {

/// Where this user's programs leave their calls: `calls.jsonl` in the user's data folder.
[[nodiscard]] std::filesystem::path callLogFile();

/// Appends every attempt to a file, one JSON object a line, mode 0600: time, method, service, operation,
/// host, attempt, status, error code, request id and duration, nothing else. Several processes may write into
/// one file; no line is torn or lost, also not while it is rotated: a file that would grow beyond the bound
/// becomes FILE.1, in place of the former one. Nothing is created before the first record. A call never fails
/// because it cannot be written down; problem() tells. Thread-safe; blocks on the disk, but syncs nothing.
class CallLog final : public CallAudit {
 public:
  explicit CallLog(std::filesystem::path file = callLogFile(), std::uint64_t maxBytes = 4U << 20);
  CallLog(const CallLog&) = delete;
  CallLog& operator=(const CallLog&) = delete;
  ~CallLog() override;
  void record(CallRecord record) override;
  /// Why the last record is missing from the file; nothing when it is there.
  [[nodiscard]] std::optional<Error> problem() const;

 private:
  Result<void> append(const std::string& line);
  Result<void> openFile();
  void closeFile();
  Result<bool> lockCurrent(off_t& size);  // false: the file has been rotated away; open it again

  const std::filesystem::path file_;
  const std::uint64_t maxBytes_;
  mutable std::mutex mutex_;
  int descriptor_ = -1;
  std::optional<Error> problem_;
};

/// Both are told. Null ones are left out.
[[nodiscard]] std::shared_ptr<CallAudit> bothAudits(std::shared_ptr<CallAudit> first,
                                                    std::shared_ptr<CallAudit> second);

/// Reads what a CallLog has written, and goes on with what is added later, across rotations. Lines that are
/// no record are passed over. One thread.
class CallLogReader {
 public:
  explicit CallLogReader(std::filesystem::path file = callLogFile()) : file_(std::move(file)) {}
  CallLogReader(const CallLogReader&) = delete;
  CallLogReader& operator=(const CallLogReader&) = delete;
  ~CallLogReader();
  /// The last `max` records there are, oldest first; a log that does not exist has none. To be called first.
  Result<std::vector<CallRecord>> last(std::size_t max);
  /// Those that came since.
  Result<std::vector<CallRecord>> more();

 private:
  using FileIdentity = std::pair<dev_t, ino_t>;  // zeros: there is none

  [[nodiscard]] FileIdentity opened() const;
  void refreshFormer();
  Result<void> readOpen(std::vector<CallRecord>& records);
  Result<void> readWhole(const std::filesystem::path& path, std::vector<CallRecord>& records);
  Result<void> openFile(const std::filesystem::path& path);
  void closeFile();

  const std::filesystem::path file_;
  int descriptor_ = -1;
  std::string rest_;             // of a line that is not whole yet
  FileIdentity former_;          // the file before the current one, as it was when we last looked
  std::int64_t formerTime_ = 0;  // its change time: an inode is used again as soon as its file is gone
};

/// A record as the line of a CallLog, without the line feed, and back; nothing for text that is none.
[[nodiscard]] std::string toLine(const CallRecord& record);
[[nodiscard]] std::optional<CallRecord> callRecordOf(std::string_view line);

}  // namespace lockstep::oci
