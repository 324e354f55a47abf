// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace lockstep::trainer {

Result<MappedFile> MappedFile::open(const std::filesystem::path& path) {
  const std::string what = fmt::format("cannot read '{}'", path.string());
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(errnoError(what, errno));
  struct stat info {};
  const bool known = ::fstat(fd, &info) == 0;
  const auto size = static_cast<std::size_t>(info.st_size);
  void* memory = known && size > 0 ? ::mmap(nullptr, size, PROT_READ, MAP_SHARED, fd, 0) : nullptr;
  const int error = errno;
  ::close(fd);
  if (!known || memory == MAP_FAILED) return failure(errnoError(what, error));
  return MappedFile(static_cast<const std::byte*>(memory), size);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace lockstep::trainer
