// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "metrics/events/event_records.h"
#include "metrics/events/event_search.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxRecords = 64;
constexpr Step kLastStep = Step{1} << 53;
constexpr std::size_t kLongestName = 300;
constexpr std::int64_t kLastSecond = 7'258'118'400;

// The first byte of an input.
constexpr std::size_t kEvents = 1;  // it is events, each behind two bytes of length; else the bytes of a file
constexpr std::size_t kVersion = 2;  // a right first event comes before them

void appendNumber(std::string& to, std::uint64_t number, unsigned bytes) {
  for (unsigned i = 0; i < bytes; ++i) to += static_cast<char>(number >> (8 * i) & 0xFFU);
}

void appendChecksum(std::string& to, std::string_view of) {
  const std::uint32_t crc = crc32c(of);
  appendNumber(to, ((crc >> 15) | (crc << 17)) + 0xA282EAD8U, 4);
}

// No fuzzer finds a checksum by trying.
void appendRecord(std::string& to, std::string_view event) {
  std::string length;
  appendNumber(length, event.size(), 8);
  to += length;
  appendChecksum(to, length);
  to += event;
  appendChecksum(to, event);
}

std::string fileOf(Parts& parts, std::size_t how) {
  std::string file;
  if ((how & kVersion) != 0)
    appendRecord(file,
                 "\x1A\x0D"
                 "brain.Event:2");
  if ((how & kEvents) == 0) return file += parts.rest();
  for (std::size_t i = 0; i < kMaxRecords && parts.more(); ++i) appendRecord(file, parts.counted());
  return file;
}

struct Outcome {
  std::vector<EventScalar> scalars;
  std::uint64_t skipped = 0;
  std::optional<Error> refused;
};

Outcome readInPieces(std::string_view file, std::size_t atOnce) {
  EventRecords records;
  Outcome outcome;
  while (!file.empty()) {
    const auto some = records.add(file.substr(0, atOnce));
    if (!some) break;
    outcome.scalars.insert(outcome.scalars.end(), some->begin(), some->end());
    file.remove_prefix(std::min(atOnce, file.size()));
  }
  outcome.skipped = records.skipped();
  if (records.refused() != nullptr) outcome.refused = *records.refused();
  return outcome;
}

bool isSame(const EventScalar& a, const EventScalar& b) {
  const bool isSameValue = a.value == b.value || (std::isnan(a.value) && std::isnan(b.value));
  return a.step == b.step && a.time == b.time && a.name == b.name && isSameValue;
}

std::string checkScalar(const EventScalar& one) {
  if (one.step > kLastStep || one.step < -kLastStep) return "a step out of bounds";
  const auto time = one.time.time_since_epoch();
  if (time.count() < 0 || time > std::chrono::seconds(kLastSecond)) return "a time out of bounds";
  if (one.name.empty() || one.name.size() > kLongestName) return "a name that is empty or too long";
  return hasControls(one.name) || !isUtf8(one.name) ? "a name that is no text" : "";
}

}  // namespace

std::string tryEventFile(std::string_view input) {
  if (const auto process = writerOf(input); process && *process <= 0) return "a process below one";
  Parts parts(input);
  const std::size_t how = parts.byte(), atOnce = 1 + parts.byte();
  const std::string file = fileOf(parts, how);
  const Outcome whole = readInPieces(file, file.size()), cut = readInPieces(file, atOnce);
  if (whole.skipped != cut.skipped || whole.refused.has_value() != cut.refused.has_value())
    return "another end in other pieces";
  if (!std::equal(whole.scalars.begin(), whole.scalars.end(), cut.scalars.begin(), cut.scalars.end(), isSame))
    return "other scalars in other pieces";
  for (const EventScalar& one : whole.scalars)
    if (std::string wrong = checkScalar(one); !wrong.empty()) return wrong;
  if (!whole.refused) return {};
  if (whole.refused->code != cut.refused->code) return "refused for another reason in other pieces";
  return wordless(*whole.refused, whole.scalars.empty() && whole.refused->code == ErrorCode::InvalidArgument
                                      ? ErrorCode::InvalidArgument
                                      : ErrorCode::DataLoss);
}

}  // namespace lockstep
