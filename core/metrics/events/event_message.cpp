// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_message.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <optional>

#include "base/plain_nan.h"
#include "base/text/terminal_text.h"
#include "metrics/events/protobuf_fields.h"
#include "metrics/events/tensor_scalar.h"

namespace lockstep {
namespace {

// Fields of Event, Summary, Summary.Value, SummaryMetadata and its PluginData.
constexpr std::uint64_t kWallTime = 1, kStep = 2, kFileVersion = 3, kSummary = 5;
constexpr std::uint64_t kValue = 1;
constexpr std::uint64_t kTag = 1, kSimpleValue = 2, kOldHistogram = 3, kImage = 4, kHistogram = 5, kAudio = 6,
                        kTensor = 8, kMetadata = 9;
constexpr std::uint64_t kPluginData = 1;
constexpr std::uint64_t kPluginName = 1;

constexpr std::string_view kVersion = "brain.Event:";
constexpr std::string_view kScalarPlugin = "scalars";
constexpr std::size_t kMaxNameBytes = 300;
constexpr std::size_t kMaxScalars =
    65'536;  // of one event: a name and a number take 10 bytes of it and 80 here
constexpr Step kMaxStep = Step{1} << 53;
constexpr double kMaxSeconds = 7'258'118'400;  // 2200-01-01

struct EventHead {
  double seconds = 0;  // since 1970
  Step step = 0;
};

struct SummaryValue {
  std::string_view tag;
  std::optional<double> number;
  std::optional<std::string_view> tensor;
  bool isScalar = true;  // as far as its plugin says
};

bool isInBounds(const EventHead& head) {
  // A NaN is not, either.
  return head.seconds >= 0 && head.seconds < kMaxSeconds && head.step >= -kMaxStep && head.step <= kMaxStep;
}

/// Of seconds within the bounds. The whole ones apart: a double has not the digits for all nanoseconds since 1970.
TimePoint timeOf(double seconds) {
  const double whole = std::floor(seconds);
  return TimePoint(std::chrono::seconds(static_cast<std::int64_t>(whole)) +
                   std::chrono::nanoseconds(std::llround((seconds - whole) * 1e9)));
}

/// At most so many bytes, and none of a character that does not fit.
std::string_view cutTo(std::string_view text, std::size_t size) {
  if (text.size() <= size) return text;
  std::size_t end = size;
  while (end > 0 && size - end < 3 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80) --end;
  return text.substr(0, end);
}

std::string nameOf(std::string_view tag) {
  const std::string_view part = cutTo(tag, kMaxNameBytes);
  const bool isPlain = std::all_of(part.begin(), part.end(), [](char c) { return c >= ' ' && c <= '~'; });
  if (isPlain) return std::string(part);
  std::string name = onOneLine(part);
  std::replace(name.begin(), name.end(), '\t', ' ');  // the one control character that a line keeps
  return std::string(cutTo(name, kMaxNameBytes));
}

/// nullopt: broken. Summaries are read later: their step may stand behind them.
std::optional<EventHead> eventHead(std::string_view message) {
  EventHead head;
  ProtobufFields fields(message);
  while (const auto field = fields.next()) {
    if (field->is(kWallTime, Wire::Fixed64)) head.seconds = std::bit_cast<double>(field->value);
    if (field->is(kStep, Wire::Varint)) head.step = static_cast<std::int64_t>(field->value);
  }
  return fields.isBroken() ? std::nullopt : std::optional(head);
}

/// Whether it is for the plugin of scalars or for none; nullopt: broken.
std::optional<bool> isForScalars(std::string_view metadata) {
  std::string_view plugin;
  ProtobufFields fields(metadata);
  while (const auto field = fields.next()) {
    if (!field->is(kPluginData, Wire::Bytes)) continue;
    ProtobufFields data(field->bytes);
    while (const auto part = data.next())
      if (part->is(kPluginName, Wire::Bytes)) plugin = part->bytes;
    if (data.isBroken()) return std::nullopt;
  }
  if (fields.isBroken()) return std::nullopt;
  return plugin.empty() || plugin == kScalarPlugin;
}

/// The field that says the value; of several the last one counts, as everywhere in protobuf.
void takeContent(const ProtobufField& field, SummaryValue& value) {
  const bool isOther = field.number == kOldHistogram || field.number == kImage ||
                       field.number == kHistogram || field.number == kAudio;
  const bool isNumber = field.is(kSimpleValue, Wire::Fixed32);
  const bool isTensor = field.is(kTensor, Wire::Bytes);
  if (!isOther && !isNumber && !isTensor) return;
  value.number.reset();
  value.tensor.reset();
  if (isNumber)
    value.number = static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(field.value)));
  if (isTensor) value.tensor = field.bytes;
}

/// nullopt: broken.
std::optional<SummaryValue> summaryValue(std::string_view message) {
  SummaryValue value;
  ProtobufFields fields(message);
  while (const auto field = fields.next()) {
    takeContent(*field, value);
    if (field->is(kTag, Wire::Bytes)) value.tag = field->bytes;
    if (!field->is(kMetadata, Wire::Bytes)) continue;
    const auto isScalar = isForScalars(field->bytes);
    if (!isScalar) return std::nullopt;
    value.isScalar = *isScalar;
  }
  return fields.isBroken() ? std::nullopt : std::optional(value);
}

/// False: broken, or out of bounds.
bool appendValue(std::string_view message, const EventHead& head, std::vector<EventScalar>& to) {
  auto value = summaryValue(message);
  if (!value) return false;
  if (!value->isScalar || value->tag.empty()) return true;
  if (value->tensor) {
    const TensorScalar tensor = scalarOfTensor(*value->tensor);
    if (tensor.isBroken) return false;
    value->number = tensor.value;
  }
  if (!value->number) return true;
  if (!isInBounds(head)) return false;
  std::string name = nameOf(value->tag);
  if (name.empty()) return true;  // colours of a terminal, and nothing else
  to.push_back({head.step, timeOf(head.seconds), std::move(name), plainNan(*value->number)});
  return true;
}

bool appendSummary(std::string_view message, const EventHead& head, std::size_t most,
                   std::vector<EventScalar>& to) {
  ProtobufFields fields(message);
  while (const auto field = fields.next()) {
    if (!field->is(kValue, Wire::Bytes)) continue;
    if (!appendValue(field->bytes, head, to) || to.size() > most) return false;
  }
  return !fields.isBroken();
}

}  // namespace

bool isVersionEvent(std::string_view message) {
  bool isVersion = false;
  ProtobufFields fields(message);
  while (const auto field = fields.next())
    if (field->is(kFileVersion, Wire::Bytes)) isVersion = field->bytes.starts_with(kVersion);
  return isVersion && !fields.isBroken();
}

bool appendScalars(std::string_view message, std::vector<EventScalar>& to) {
  const auto head = eventHead(message);
  if (!head) return false;
  const std::size_t before = to.size();
  ProtobufFields fields(message);
  while (const auto field = fields.next()) {
    if (!field->is(kSummary, Wire::Bytes)) continue;
    if (appendSummary(field->bytes, *head, before + kMaxScalars, to)) continue;
    to.resize(before);
    return false;
  }
  return true;
}

}  // namespace lockstep
