// SPDX-License-Identifier: GPL-3.0-or-later
#include "portable/imports/csv_rows.h"

#include <csv.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <string_view>
#include <vector>

namespace lockstep {
namespace {

constexpr std::size_t kMaxFieldBytes = 1 << 20, kMaxFields = 65'536, kPiece = 256 << 10;

std::string readingOf(const std::filesystem::path& path) {
  return fmt::format("cannot read '{}'", path.string());
}

/// The parser of the library, and the row that it is at.
class Rows {
 public:
  explicit Rows(const TakeCsvRow& take) : take_(take) { csv_init(&parser_, 0); }
  Rows(const Rows&) = delete;
  Rows& operator=(const Rows&) = delete;
  ~Rows() { csv_free(&parser_); }

  void setSeparator(char separator) { csv_set_delim(&parser_, static_cast<unsigned char>(separator)); }
  Result<void> add(std::string_view bytes) {
    const std::size_t read =
        csv_parse(&parser_, bytes.data(), bytes.size(), &Rows::onField, &Rows::onEnd, this);
    if (!problem_ && read < bytes.size()) refuse(csv_strerror(csv_error(&parser_)));
    if (!problem_ && csv_get_buffer_size(&parser_) > kMaxFieldBytes) refuse("a field of it is too long");
    return problem_ ? Result<void>(failure(*problem_)) : Result<void>();
  }
  Result<void> finish() {
    csv_fini(&parser_, &Rows::onField, &Rows::onEnd, this);
    return problem_ ? Result<void>(failure(*problem_)) : Result<void>();
  }

 private:
  static void onField(void* field, std::size_t length, void* rows) {
    auto& self = *static_cast<Rows*>(rows);
    if (self.count_ == kMaxFields) return self.refuse("a row of it has too many fields");
    if (self.problem_) return;
    if (self.count_ == self.fields_.size()) self.fields_.emplace_back();
    self.fields_[self.count_++].assign(static_cast<const char*>(field), length);
  }
  static void onEnd(int, void* rows) {
    auto& self = *static_cast<Rows*>(rows);
    const std::size_t count = std::exchange(self.count_, 0);
    if (self.problem_ || count == 0) return;
    if (auto taken = self.take_({self.fields_.data(), count}); !taken) self.problem_ = taken.error();
  }
  void refuse(std::string cause) {
    if (!problem_) problem_ = Error{ErrorCode::InvalidArgument, {}, std::move(cause), {}, {}, {}};
  }

  const TakeCsvRow& take_;
  csv_parser parser_{};
  std::vector<std::string> fields_;  // reused from row to row
  std::size_t count_ = 0;
  std::optional<Error> problem_;
};

char separatorOf(std::string_view beginning) {
  const std::string_view line = beginning.substr(0, beginning.find('\n'));
  char best = ',';
  for (const char one : {';', '\t'})
    if (std::count(line.begin(), line.end(), one) > std::count(line.begin(), line.end(), best)) best = one;
  return best;
}

Result<void> readInto(Rows& rows, int fd, const std::filesystem::path& path, const std::stop_token& stop) {
  std::vector<char> piece(kPiece);
  for (bool isFirst = true;; isFirst = false) {
    if (stop.stop_requested()) return failure(ErrorCode::Cancelled, readingOf(path), "cancelled");
    const ssize_t n = ::read(fd, piece.data(), piece.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return failure(errnoError(readingOf(path), errno));
    if (n == 0) return rows.finish();
    std::string_view bytes(piece.data(), static_cast<std::size_t>(n));
    if (bytes.find('\0') != std::string_view::npos)
      return failure(ErrorCode::InvalidArgument, readingOf(path), "it is no text");
    if (isFirst) {
      if (bytes.starts_with("\xEF\xBB\xBF")) bytes.remove_prefix(3);
      rows.setSeparator(separatorOf(bytes));
    }
    if (auto done = rows.add(bytes); !done) return done;
  }
}

}  // namespace

Result<void> readCsv(const std::filesystem::path& path, const TakeCsvRow& take, const std::stop_token& stop) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);  // a pipe is not waited for
  if (fd < 0) return failure(errnoError(readingOf(path), errno));
  struct stat info {};
  const bool isFile = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
  Rows rows(take);
  auto done = isFile ? readInto(rows, fd, path, stop)
                     : failure(ErrorCode::InvalidArgument, readingOf(path), "it is no regular file");
  ::close(fd);
  if (!done && done.error().what.empty()) done.error().what = readingOf(path);
  return done;
}

}  // namespace lockstep
