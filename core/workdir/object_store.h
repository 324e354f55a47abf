// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"

namespace lockstep {

struct ObjectInfo {
  std::string name;  // relative to the store's root
  std::uint64_t size = 0;
  std::string version;  // another after every put (an etag; a file's number and time); only for comparing
};

/// A flat name -> bytes store: a folder of an object storage bucket (oci://) or of a disk (file://).
/// Names are relative to the root, use '/', and list in UTF-8 byte order. Puts are atomic: a reader sees an
/// object whole or not at all. Every call blocks on network or disk and is thread-safe.
class ObjectStore {
 public:
  virtual ~ObjectStore() = default;
  virtual Result<void> put(const std::string& name, std::string_view bytes, const std::stop_token& stop) = 0;
  /// AlreadyExists, and nothing is changed, when there is one of that name: of several writers one wins.
  /// After a broken connection it may be the caller's own.
  virtual Result<void> putNew(const std::string& name, std::string_view bytes,
                              const std::stop_token& stop) = 0;
  /// NotFound when there is none.
  virtual Result<std::string> get(const std::string& name, const std::stop_token& stop) = 0;
  /// All objects whose names begin with `prefix` and come after `startAfter` (empty: from the beginning).
  virtual Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& startAfter,
                                               const std::stop_token& stop) = 0;
  virtual Result<void> remove(const std::string& name, const std::stop_token& stop) = 0;
  /// For messages: "oci://bucket@namespace/prefix".
  [[nodiscard]] virtual std::string describe() const = 0;
};

}  // namespace lockstep
