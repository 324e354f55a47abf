// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>

#include "base/error.h"

namespace lockstep::trainer {

/// What all ranks of one NCCL job have in common; rank 0 makes it. Passed by value, as NCCL does.
struct NcclJobId {
  std::array<char, 128> bytes{};
};

/// NVIDIA's NCCL, loaded at run time so that the trainer builds and starts without it: the library that
/// NCCL_LIBRARY names, else libnccl.so.2, which a LibTorch with CUDA has loaded already. The declarations are
/// those of nccl.h, stable since 2.0 (2.13 for the last error's text, which is optional). The functions
/// return 0 for success; errorText() explains the others.
class NcclLibrary {
 public:
  using Comm = void*;                    // ncclComm_t
  static constexpr int kFloat32 = 7;     // ncclDataType_t
  static constexpr int kSum = 0;         // ncclRedOp_t
  static constexpr int kInProgress = 7;  // ncclResult_t: not done yet, no error

  /// NotFound, with the loader's words, when there is no such library; FailedPrecondition when it lacks a
  /// function.
  static Result<std::shared_ptr<NcclLibrary>> open(const std::map<std::string, std::string>& environment);
  NcclLibrary(const NcclLibrary&) = delete;
  NcclLibrary& operator=(const NcclLibrary&) = delete;
  ~NcclLibrary();

  [[nodiscard]] std::string version() const;  // "2.28.9"
  [[nodiscard]] std::string errorText(int result) const;

  int (*getUniqueId)(NcclJobId*) = nullptr;
  int (*commInitRank)(Comm*, int worldSize, NcclJobId, int rank) = nullptr;
  int (*allReduce)(const void* from, void* to, std::size_t count, int type, int operation, Comm,
                   void* stream) = nullptr;
  int (*broadcast)(const void* from, void* to, std::size_t count, int type, int root, Comm,
                   void* stream) = nullptr;
  int (*getAsyncError)(Comm, int* result) = nullptr;
  int (*abort)(Comm) = nullptr;
  int (*destroy)(Comm) = nullptr;

 private:
  explicit NcclLibrary(void* library) : library_(library) {}
  [[nodiscard]] std::string findAll();  // the name of a function that is missing

  void* library_;
  int (*getVersion_)(int*) = nullptr;
  const char* (*getErrorString_)(int) = nullptr;
  const char* (*getLastError_)(Comm) = nullptr;
};

}  // namespace lockstep::trainer
