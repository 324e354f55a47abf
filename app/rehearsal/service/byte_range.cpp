// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/service/byte_range.h"

#include <algorithm>
#include <charconv>

namespace lockstep::rehearsal {
namespace {

std::optional<std::uint64_t> toSize(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::optional<ByteRange> rangeOf(const std::optional<std::string>& header, std::uint64_t size) {
  const ByteRange whole{0, size, false};
  if (!header || !header->starts_with("bytes=") || header->find(',') != std::string::npos) return whole;
  const std::string_view text = std::string_view(*header).substr(6);
  const std::size_t dash = text.find('-');
  if (dash == std::string_view::npos) return whole;
  const auto first = toSize(text.substr(0, dash));
  const auto last = toSize(text.substr(dash + 1));
  if (!first && !last) return whole;
  if (!first) {
    if (*last == 0 || size == 0) return std::nullopt;
    const std::uint64_t n = std::min(*last, size);
    return ByteRange{size - n, n, true};
  }
  if (last && *last < *first) return whole;
  if (*first >= size) return std::nullopt;
  return ByteRange{*first, std::min(last.value_or(size - 1), size - 1) - *first + 1, true};
}

tl::unexpected<ServiceError> invalidRange(std::uint64_t size) {
  return refuse(416, "InvalidRange",
                "The requested range cannot be satisfied: there are " + std::to_string(size) + " bytes.");
}

std::string contentRange(const ByteRange& range, std::uint64_t size) {
  return "bytes " + std::to_string(range.first) + "-" + std::to_string(range.first + range.length - 1) + "/" +
         std::to_string(size);
}

}  // namespace lockstep::rehearsal
