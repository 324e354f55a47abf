// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "rehearsal/api/http_types.h"

namespace lockstep::rehearsal {

struct ByteRange {
  std::uint64_t first = 0, length = 0;
  bool partial = false;
};

/// What `range: bytes=a-b | a- | -n` means for so many bytes. A header of another form is ignored, as RFC 7233
/// has it; nullopt: it cannot be satisfied.
[[nodiscard]] std::optional<ByteRange> rangeOf(const std::optional<std::string>& header, std::uint64_t size);

/// 416 InvalidRange.
[[nodiscard]] tl::unexpected<ServiceError> invalidRange(std::uint64_t size);

/// "bytes 0-5/100"
[[nodiscard]] std::string contentRange(const ByteRange& range, std::uint64_t size);

}  // namespace lockstep::rehearsal
