// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/state/blobs.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>

#include "base/atomic_file.h"
#include "base/text/encoding.h"

namespace lockstep::rehearsal {
namespace {

std::shared_ptr<int> ownFile(int fd) {
  return {new int(fd), [](const int* owned) {
            ::close(*owned);
            delete owned;
          }};
}

class BlobBody final : public BodyFile {
 public:
  BlobBody(std::filesystem::path path, std::shared_ptr<int> file)
      : path_(std::move(path)), file_(std::move(file)) {}
  ~BlobBody() override {
    if (map_ != nullptr) ::munmap(map_, size_);
    if (!isKept_) ::unlink(path_.c_str());
  }
  BlobBody(const BlobBody&) = delete;
  BlobBody& operator=(const BlobBody&) = delete;

  Result<void> append(std::string_view bytes) override {
    if (!writeAll(*file_, bytes))
      return failure(errnoError("cannot write '" + path_.string() + "'", errno, "free some disk space"));
    size_ += bytes.size();
    return {};
  }
  Result<void> finish() override {
    if (size_ == 0) return {};
    void* map = ::mmap(nullptr, size_, PROT_READ, MAP_SHARED, *file_, 0);
    if (map == MAP_FAILED) return failure(errnoError("cannot read '" + path_.string() + "'", errno));
    map_ = map;
    ::madvise(map_, size_, MADV_SEQUENTIAL);
    file_.reset();
    return {};
  }
  [[nodiscard]] std::string_view bytes() const override {
    return {static_cast<const char*>(map_), map_ == nullptr ? 0 : size_};
  }
  std::string keep() override {
    isKept_ = true;
    return path_.filename().string();
  }

 private:
  std::filesystem::path path_;
  std::shared_ptr<int> file_;
  void* map_ = nullptr;
  std::size_t size_ = 0;
  bool isKept_ = false;
};

}  // namespace

Result<std::shared_ptr<BodyFile>> Blobs::begin() {
  std::string name;
  auto file = create(name);
  if (!file) return failure(file.error());
  return std::make_shared<BlobBody>(pathOf(name), *std::move(file));
}

Result<std::string> Blobs::keepBody(const IncomingRequest& request) {
  return request.file ? Result<std::string>(request.file->keep()) : write(request.body);
}

Result<std::shared_ptr<int>> Blobs::create(std::string& name) {
  name = toHex(randomBytes(16));
  const std::filesystem::path path = pathOf(name);
  std::error_code ignored;
  std::filesystem::create_directories(path.parent_path(), ignored);  // open() below says what is wrong
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd < 0) return failure(errnoError("cannot create '" + path.string() + "'", errno));
  return ownFile(fd);
}

Result<std::string> Blobs::write(std::string_view bytes) {
  std::string name;
  auto file = create(name);
  if (!file) return failure(file.error());
  if (!writeAll(**file, bytes)) {
    const int error = errno;
    remove(name);
    return failure(errnoError("cannot write '" + pathOf(name).string() + "'", error, "free some disk space"));
  }
  return name;
}

Result<void> Blobs::writeAt(const std::string& name, std::uint64_t offset, std::string_view bytes) {
  const std::filesystem::path path = pathOf(name);
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return failure(errnoError("cannot open '" + path.string() + "'", errno));
  const auto file = ownFile(fd);
  if (::lseek(fd, static_cast<off_t>(offset), SEEK_SET) >= 0 && writeAll(fd, bytes)) return {};
  return failure(errnoError("cannot write '" + path.string() + "'", errno, "free some disk space"));
}

Result<std::string> Blobs::join(const std::vector<std::string>& names) {
  std::string name;
  auto file = create(name);
  if (!file) return failure(file.error());
  std::string buffer(1 << 20, '\0');
  for (const std::string& part : names) {
    auto source = open(part);
    if (!source) return failure(source.error());
    for (ssize_t n = 0; (n = ::read(**source, buffer.data(), buffer.size())) > 0;) {
      if (writeAll(**file, {buffer.data(), static_cast<std::size_t>(n)})) continue;
      const int error = errno;
      remove(name);
      return failure(
          errnoError("cannot write '" + pathOf(name).string() + "'", error, "free some disk space"));
    }
  }
  return name;
}

void Blobs::remove(const std::string& name) {
  if (!name.empty()) ::unlink(pathOf(name).c_str());
}

Result<std::shared_ptr<int>> Blobs::open(const std::string& name) const {
  const int fd = ::open(pathOf(name).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return failure(errnoError("cannot open '" + pathOf(name).string() + "'", errno));
  return ownFile(fd);
}

void Blobs::sweep(const std::set<std::string>& inUse) {
  std::error_code ec;
  for (auto it = std::filesystem::recursive_directory_iterator(folder_, ec);
       !ec && it != std::filesystem::recursive_directory_iterator(); it.increment(ec)) {
    if (it->is_regular_file(ec) && !inUse.contains(it->path().filename().string()))
      std::filesystem::remove(it->path(), ec);
  }
}

}  // namespace lockstep::rehearsal
