// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/collectives/nccl_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

namespace lockstep::trainer {

Result<std::shared_ptr<NcclLibrary>> NcclLibrary::open(
    const std::map<std::string, std::string>& environment) {
  const auto named = environment.find("NCCL_LIBRARY");
  const bool isNamed = named != environment.end() && !named->second.empty();
  const std::string path = isNamed ? named->second : "libnccl.so.2";
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* reason = ::dlerror();
    return failure(ErrorCode::NotFound, fmt::format("no NCCL is there: cannot load '{}'", path),
                   reason == nullptr ? "" : reason,
                   "train with --backend gloo, install NVIDIA's NCCL, or name it in NCCL_LIBRARY");
  }
  std::shared_ptr<NcclLibrary> nccl(new NcclLibrary(library));
  if (const std::string missing = nccl->findAll(); !missing.empty()) {
    return failure(ErrorCode::FailedPrecondition, fmt::format("'{}' is no usable NCCL", path),
                   fmt::format("it has no function {}", missing), "install NCCL 2.10 or later");
  }
  return nccl;
}

NcclLibrary::~NcclLibrary() {
  ::dlclose(library_);
}

std::string NcclLibrary::findAll() {
  const auto find = [this](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(::dlsym(library_, name));
    return function != nullptr;
  };
  find(getLastError_, "ncclGetLastError");
  if (!find(getVersion_, "ncclGetVersion")) return "ncclGetVersion";
  if (!find(getErrorString_, "ncclGetErrorString")) return "ncclGetErrorString";
  if (!find(getUniqueId, "ncclGetUniqueId")) return "ncclGetUniqueId";
  if (!find(commInitRank, "ncclCommInitRank")) return "ncclCommInitRank";
  if (!find(allReduce, "ncclAllReduce")) return "ncclAllReduce";
  if (!find(broadcast, "ncclBroadcast")) return "ncclBroadcast";
  if (!find(getAsyncError, "ncclCommGetAsyncError")) return "ncclCommGetAsyncError";
  if (!find(abort, "ncclCommAbort")) return "ncclCommAbort";
  if (!find(destroy, "ncclCommDestroy")) return "ncclCommDestroy";
  return {};
}

std::string NcclLibrary::version() const {
  int number = 0;
  if (getVersion_(&number) != 0) return "unknown";
  // Since 2.9: major * 10000 + minor * 100 + patch; before: major * 1000.
  const int base = number >= 10000 ? 10000 : 1000;
  return fmt::format("{}.{}.{}", number / base, number % base / 100, number % 100);
}

std::string NcclLibrary::errorText(int result) const {
  std::string text = getErrorString_(result);
  const char* last = getLastError_ == nullptr ? nullptr : getLastError_(nullptr);
  if (last != nullptr && *last != '\0') text += fmt::format(" ({})", last);
  return text;
}

}  // namespace lockstep::trainer
