// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>

#include "base/error.h"
#include "rehearsal/api/body_file.h"
#include "rehearsal/api/http_types.h"

namespace lockstep::rehearsal {

/// Bytes too large to stand in the database, one file each under a random name. The file is complete before
/// the row that names it is committed and is removed after the row is gone, so a row never names a missing
/// file; files that a killed region left without a row are swept at start. Thread-safe.
class Blobs : public BodyFiles {
 public:
  explicit Blobs(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Up to this size the bytes stand in their row, which is faster than a file.
  static constexpr std::size_t kInlineLimit = 64 * 1024;

  /// The name under which the bytes now stand.
  Result<std::string> write(std::string_view bytes);
  /// The same for the body of a request, which may stand in a file already.
  Result<std::string> keepBody(const IncomingRequest& request);
  /// For a body that is still to come.
  Result<std::shared_ptr<BodyFile>> begin() override;
  /// Writes over and beyond what the file has, from `offset` on.
  Result<void> writeAt(const std::string& name, std::uint64_t offset, std::string_view bytes);
  /// Joins files in order under a new name.
  Result<std::string> join(const std::vector<std::string>& names);
  void remove(const std::string& name);  // an empty name is fine
  Result<std::shared_ptr<int>> open(const std::string& name) const;
  void sweep(const std::set<std::string>& inUse);

 private:
  [[nodiscard]] std::filesystem::path pathOf(const std::string& name) const {
    return folder_ / name.substr(0, 2) / name;
  }
  Result<std::shared_ptr<int>> create(std::string& name);

  std::filesystem::path folder_;
};

}  // namespace lockstep::rehearsal
