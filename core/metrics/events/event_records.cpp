// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_records.h"

#include <algorithm>

#include "base/digest.h"
#include "metrics/events/protobuf_fields.h"

namespace lockstep {
namespace {

constexpr std::size_t kHeadBytes = 12, kLengthBytes = 8, kChecksumBytes = 4;
constexpr std::uint64_t kMaxEventBytes = 64 << 20;
constexpr std::size_t kSmall = 1 << 16;  // what is kept for the next records

/// Whether `sum` is the checksum of `bytes`, masked: a checksum of bytes that hold checksums would be a weak one.
bool isChecksumOf(std::string_view sum, std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return littleEndian(sum) == (((crc >> 15) | (crc << 17)) + 0xA282EAD8U);
}

}  // namespace

Result<std::vector<EventScalar>> EventRecords::add(std::string_view bytes) {
  std::vector<EventScalar> scalars;
  while (!refused_) {
    if (part_ == Part::TooLarge) {
      const auto gone = static_cast<std::size_t>(std::min<std::uint64_t>(wanted_, bytes.size()));
      bytes.remove_prefix(gone);
      wanted_ -= gone;
      if (wanted_ > 0) break;
      expect(Part::Head, kHeadBytes);
    }
    const auto whole = take(bytes);
    if (!whole) break;
    if (part_ == Part::Head)
      readHead(*whole);
    else
      readEvent(*whole, scalars);
    release();
  }
  if (refused_ && scalars.empty()) return failure(*refused_);
  return scalars;
}

/// The part that is expected, where it is whole; else the bytes are kept. It lives until release(), and lies in `bytes`
/// where it can: only what is cut between two calls is copied.
std::optional<std::string_view> EventRecords::take(std::string_view& bytes) {
  const auto missing = static_cast<std::size_t>(wanted_ - kept_.size());
  const std::string_view part = bytes.substr(0, missing);
  bytes.remove_prefix(part.size());
  if (kept_.empty() && part.size() == missing) return part;
  keep(part);
  return part.size() == missing ? std::optional<std::string_view>(kept_) : std::nullopt;
}

// Room for all of it is made once much of it has come: a length alone takes none.
void EventRecords::keep(std::string_view bytes) {
  if (kept_.size() + bytes.size() > kSmall) kept_.reserve(static_cast<std::size_t>(wanted_));
  kept_.append(bytes);
}

void EventRecords::release() {
  if (kept_.capacity() > kSmall)
    kept_ = {};
  else
    kept_.clear();
}

void EventRecords::expect(Part part, std::uint64_t size) {
  part_ = part;
  wanted_ = size;
}

void EventRecords::readHead(std::string_view head) {
  const std::string_view length = head.substr(0, kLengthBytes);
  const bool isRight = isChecksumOf(head.substr(kLengthBytes), length);
  const std::uint64_t size = littleEndian(length);
  if (isFirst_ && (!isRight || size > kMaxEventBytes))
    return refuse(ErrorCode::InvalidArgument, "it does not begin with a record of TensorBoard");
  if (!isRight) return refuse(ErrorCode::DataLoss, "the length of a record does not have its checksum");
  if (size <= kMaxEventBytes) return expect(Part::Event, size + kChecksumBytes);
  ++skipped_;
  // What is so long that its end cannot be counted ends nowhere.
  expect(Part::TooLarge, size > UINT64_MAX - kChecksumBytes ? UINT64_MAX : size + kChecksumBytes);
}

void EventRecords::readEvent(std::string_view event, std::vector<EventScalar>& to) {
  const std::string_view message = event.substr(0, event.size() - kChecksumBytes);
  const bool isRight = isChecksumOf(event.substr(message.size()), message);
  expect(Part::Head, kHeadBytes);
  if (isFirst_ && !(isRight && isVersionEvent(message)))
    return refuse(ErrorCode::InvalidArgument, "its first record does not say that it is an event file");
  isFirst_ = false;
  if (!isRight || !appendScalars(message, to)) ++skipped_;
}

void EventRecords::refuse(ErrorCode code, std::string cause) {
  refused_ = failure(code, "cannot read events of TensorBoard", std::move(cause)).value();
}

}  // namespace lockstep
