// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "metrics/events/event_message.h"

namespace lockstep {

/// Reads the bytes of a TensorBoard event file, in whatever pieces they come: the first record has to say that it is one,
/// and each one after it is an event with scalars or without.
///
/// A record is its length (u64), the masked CRC-32C of these 8 bytes (u32), the event, and the masked CRC-32C of the event
/// (u32), all little-endian (tensorflow/core/lib/io/record_writer.cc; the mask: tensorflow/core/lib/hash/crc32c.h). Any
/// bytes may be given. Takes as much memory as the largest record, of at most 64 MiB, and nothing for those that are larger.
/// One thread at a time.
class EventRecords {
 public:
  /// The scalars of all records that are whole with these bytes; what is left is kept for the next call.
  ///
  /// InvalidArgument: the first record is not that of an event file. DataLoss: a length has not its checksum, so that nobody
  /// knows where the next record begins. Both are for good: later bytes are not looked at. Scalars that stood before such a
  /// place are given first, and the call after that one fails.
  Result<std::vector<EventScalar>> add(std::string_view bytes);

  /// A length without its checksum was met.
  [[nodiscard]] bool isTorn() const { return refused_ && refused_->code == ErrorCode::DataLoss; }
  /// Why nothing more is read; null: it is. Lives as long as this object.
  [[nodiscard]] const Error* refused() const { return refused_ ? &*refused_ : nullptr; }
  /// Records that were passed over whole: of more than 64 MiB, without their checksum, or refused by appendScalars.
  [[nodiscard]] std::uint64_t skipped() const { return skipped_; }

 private:
  enum class Part : std::uint8_t { Head, Event, TooLarge };
  std::optional<std::string_view> take(std::string_view& bytes);
  void keep(std::string_view bytes);
  void release();
  void expect(Part part, std::uint64_t size);
  void readHead(std::string_view head);
  void readEvent(std::string_view event, std::vector<EventScalar>& to);
  void refuse(ErrorCode code, std::string cause);

  Part part_ = Part::Head;     // that comes next
  std::uint64_t wanted_ = 12;  // its bytes, those in `kept_` included
  std::string kept_;           // the beginning of it
  bool isFirst_ = true;
  std::uint64_t skipped_ = 0;
  std::optional<Error> refused_;
};

}  // namespace lockstep
