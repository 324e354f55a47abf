// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/storage/file_slice.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <openssl/evp.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <vector>

#include "base/text/encoding.h"

namespace lockstep::oci {
namespace {

constexpr std::size_t kPiece = 1 << 20;

std::int64_t changeTime(const struct stat& info) {
  return info.st_mtim.tv_sec * std::int64_t{1'000'000'000} + info.st_mtim.tv_nsec;
}

}  // namespace

Result<std::shared_ptr<OpenFile>> OpenFile::open(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(errnoError(fmt::format("cannot read '{}'", path.string()), errno));
  const std::shared_ptr<OpenFile> file(new OpenFile(path, fd));
  struct stat info {};
  if (::fstat(fd, &info) != 0)
    return failure(errnoError(fmt::format("cannot read '{}'", path.string()), errno));
  if (!S_ISREG(info.st_mode))
    return failure(ErrorCode::InvalidArgument, fmt::format("cannot upload '{}'", path.string()),
                   "it is no file", "name a file");
  file->size_ = static_cast<std::uint64_t>(info.st_size);
  file->changed_ = changeTime(info);
  return file;
}

OpenFile::~OpenFile() {
  ::close(fd_);
}

bool OpenFile::hasChanged() const {
  struct stat info {};
  return ::fstat(fd_, &info) != 0 || static_cast<std::uint64_t>(info.st_size) != size_ ||
         changeTime(info) != changed_;
}

Result<std::size_t> OpenFile::read(std::uint64_t offset, char* to, std::size_t max) const {
  const ssize_t got = ::pread(fd_, to, max, static_cast<off_t>(offset));
  if (got < 0) return failure(errnoError(fmt::format("cannot read '{}'", path_.string()), errno));
  return static_cast<std::size_t>(got);
}

Result<std::size_t> FileSlice::read(std::uint64_t offset, char* to, std::size_t max) {
  if (offset >= size_) return 0;
  return file_->read(offset_ + offset, to, std::min<std::uint64_t>(max, size_ - offset));
}

Result<std::string> FileSlice::md5() {
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), &EVP_MD_CTX_free);
  bool fine = EVP_DigestInit_ex(context.get(), EVP_md5(), nullptr) == 1;
  std::vector<char> piece(kPiece);
  for (std::uint64_t at = 0; fine && at < size_;) {
    const auto got = read(at, piece.data(), piece.size());
    if (!got) return failure(got.error());
    if (*got == 0)
      return failure(ErrorCode::FailedPrecondition,
                     fmt::format("'{}' became shorter while it was read", file_->path().string()));
    fine = EVP_DigestUpdate(context.get(), piece.data(), *got) == 1;
    at += *got;
  }
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned size = 0;
  fine = fine && EVP_DigestFinal_ex(context.get(), digest.data(), &size) == 1;
  if (!fine) return failure(ErrorCode::Internal, "cannot compute a checksum", "OpenSSL refuses MD5");
  return toBase64({reinterpret_cast<const char*>(digest.data()), size});
}

}  // namespace lockstep::oci
