// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/piece_reader.h"

#include <algorithm>
#include <utility>

namespace lockstep {
namespace {

Error isAnother() {
  return {ErrorCode::DataLoss, {}, "what is in it is another segment", {}, {}, {}};
}

}  // namespace

std::vector<SegmentId> partsOf(const SegmentId& id) {
  std::vector<SegmentId> parts;
  if (id.level == SegmentLevel::Raw) return parts;
  for (std::uint64_t i = 0; i < kSegmentFan; ++i)
    parts.push_back({id.rank, finer(id.level), id.sequence * kSegmentFan + i});
  return parts;
}

PieceReader::PieceReader(std::shared_ptr<ObjectStore> store, std::string folder, SegmentFilter& filter)
    : store_(std::move(store)), folder_(std::move(folder)), filter_(filter) {}

bool PieceReader::Object::isLost() const {
  return error && (error->code == ErrorCode::NotFound || error->code == ErrorCode::DataLoss);
}

std::vector<PieceReader::Object> PieceReader::read(const std::vector<SegmentId>& ids,
                                                   const std::stop_token& stop) {
  std::vector<Result<std::string>> bytes(ids.size());
  calls_.make(ids.size(),
              [&](std::size_t i) { bytes[i] = store_->get(folder_ + segmentName(ids[i]), stop); });
  std::vector<Object> objects;
  objects.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) objects.push_back(decoded(ids[i], std::move(bytes[i])));
  return objects;
}

PieceReader::Object PieceReader::decoded(const SegmentId& id, Result<std::string> bytes) {
  Object object{id, bytes ? bytes->size() : 0, {}, {}, {}};
  bytesRead_ += object.bytes;
  if (!bytes) {
    object.error = std::move(bytes.error());
  } else if (id.level <= SegmentLevel::Summary) {
    auto segment = decodeSegment(*bytes);
    if (!segment)
      object.error = std::move(segment.error());
    else if (segment->rank != id.rank || segment->level != id.level || segment->sequence != id.sequence)
      object.error = isAnother();
    else
      filter_.clean(object.segment.emplace(*std::move(segment)));
  } else {
    auto summary = decodeSummary(*bytes);
    if (!summary)
      object.error = std::move(summary.error());
    else if (summary->id != id)
      object.error = isAnother();
    else
      filter_.clean(object.summary.emplace(*std::move(summary)));
  }
  return object;
}

PieceReader::Finer PieceReader::readFiner(const CoarseSpan& replaces, std::vector<SegmentId> ids,
                                          const std::stop_token& stop) {
  Finer result{{replaces.rank, replaces.segments, {}, {}}, 0, 0, {}};
  SampleJoiner samples;
  std::ranges::reverse(ids);  // the next one is the last
  while (!ids.empty() && !result.error) {
    const auto count = static_cast<std::ptrdiff_t>(std::min(ids.size(), calls_.width()));
    const std::vector<SegmentId> now(ids.rbegin(), ids.rbegin() + count);
    ids.resize(ids.size() - now.size());
    if (stop.stop_requested())
      result.error = Error{ErrorCode::Cancelled, "reading the metrics was cancelled", {}, {}, {}, {}};
    else
      for (Object& object : read(now, stop)) take(std::move(object), result, samples, ids);
  }
  if (!result.error) result.part.batches = samples.take();
  return result;
}

void PieceReader::take(Object object, Finer& into, SampleJoiner& samples, std::vector<SegmentId>& ids) {
  if (object.segment) {
    samples.add(*object.segment);
    into.rawBytes += object.bytes;
    ++into.rawObjects;
  } else if (object.summary) {
    into.part.summaries.push_back(*std::move(object.summary));
  } else if (object.isLost() && object.id.level != SegmentLevel::Raw) {
    const std::vector<SegmentId> parts = partsOf(object.id);
    ids.insert(ids.end(), parts.rbegin(), parts.rend());
  } else if (!into.error) {
    into.error = std::move(object.error);
    into.error->where = segmentName(object.id);
  }
}

}  // namespace lockstep
