// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/store/value_column.h"

namespace lockstep {
namespace {

bool isFloat(double value) {
  if (!std::isfinite(value)) return true;  // which NaN it is, is not kept
  return std::fabs(value) <= std::numeric_limits<float>::max() &&
         static_cast<double>(static_cast<float>(value)) == value;
}

ValueLevels<double> widened(const ValueLevels<float>& narrow) {
  ValueLevels<double> wide;
  for (const float value : narrow.values()) wide.append(value);
  return wide;
}

template <class T>
void appendTo(ValueLevels<T>& levels, double value) {
  // Beyond the range of a float only infinities come here, whose conversion is defined.
  levels.append(static_cast<T>(value));
}

template <class T>
void appendTo(ValueBuckets<T>&, double) {}  // buckets have no values

template <class T>
std::uint32_t offsetIn(const ValueLevels<T>&, std::uint32_t (ValueBuckets<T>::*)(std::size_t) const,
                       std::size_t) {
  return 0;
}

template <class T>
std::uint32_t offsetIn(const ValueBuckets<T>& buckets,
                       std::uint32_t (ValueBuckets<T>::*offset)(std::size_t) const, std::size_t index) {
  return (buckets.*offset)(index);
}

}  // namespace

void ValueColumn::addRow(std::uint32_t row) {
  if (!presence_ && row != size()) presence_.emplace(size());
  if (presence_) presence_->append(row);
}

bool ValueColumn::canBeNarrow(const ValueSummary& values) {
  return values.finite == 0 ||
         (isFloat(values.min) && isFloat(values.max) && isFloat(values.first) && isFloat(values.last));
}

void ValueColumn::append(std::uint32_t bucket, const ValueSummary& values, std::uint64_t firstOffset,
                         std::uint64_t lastOffset, bool isNarrow) {
  addRow(bucket);
  if (size() == 0 && isNarrow) levels_ = ValueBuckets<float>();
  if (size() == 0 && !isNarrow) levels_ = ValueBuckets<double>();
  if (auto* narrow = std::get_if<ValueBuckets<float>>(&levels_))
    narrow->append(values, firstOffset, lastOffset);
  else if (auto* wide = std::get_if<ValueBuckets<double>>(&levels_))
    wide->append(values, firstOffset, lastOffset);
  all_.append(values);
}

void ValueColumn::append(std::uint32_t row, double value) {
  addRow(row);
  if (const auto* narrow = std::get_if<ValueLevels<float>>(&levels_); narrow != nullptr && !isFloat(value))
    levels_ = widened(*narrow);
  std::visit([value](auto& levels) { appendTo(levels, value); }, levels_);
  all_.add(value);
}

std::uint32_t ValueColumn::size() const {
  return std::visit([](const auto& levels) { return static_cast<std::uint32_t>(levels.size()); }, levels_);
}

double ValueColumn::value(std::uint32_t index) const {
  return std::visit([index](const auto& levels) { return static_cast<double>(levels.value(index)); },
                    levels_);
}

std::uint32_t ValueColumn::row(std::uint32_t index) const {
  return presence_ ? presence_->row(index) : index;
}

std::uint32_t ValueColumn::firstOffset(std::uint32_t index) const {
  return std::visit(
      [index]<template <class> class Levels, class T>(const Levels<T>& levels) {
        return offsetIn(levels, &ValueBuckets<T>::firstOffset, index);
      },
      levels_);
}

std::uint32_t ValueColumn::lastOffset(std::uint32_t index) const {
  return std::visit(
      [index]<template <class> class Levels, class T>(const Levels<T>& levels) {
        return offsetIn(levels, &ValueBuckets<T>::lastOffset, index);
      },
      levels_);
}

std::uint32_t ValueColumn::indexAt(std::uint32_t row) const {
  return presence_ ? presence_->countBefore(row) : std::min(row, size());
}

ValueSummary ValueColumn::summary(std::uint32_t first, std::uint32_t end) const {
  if (first == 0 && end == size()) return all_;
  return std::visit([=](const auto& levels) { return levels.summary(first, end); }, levels_);
}

std::optional<std::uint32_t> ValueColumn::lastFinite(std::uint32_t first, std::uint32_t end) const {
  const auto found = std::visit([=](const auto& levels) { return levels.lastFinite(first, end); }, levels_);
  return found ? std::optional(static_cast<std::uint32_t>(*found)) : std::nullopt;
}

void ValueColumn::keepFirst(std::uint32_t rows) {
  const std::uint32_t count = indexAt(rows);
  if (count == size()) return;
  std::visit([count](auto& levels) { levels.keepFirst(count); }, levels_);
  if (presence_) presence_->keepFirst(rows);
  all_ = std::visit([count](const auto& levels) { return levels.summary(0, count); }, levels_);
}

void ValueColumn::shrink() {
  std::visit([](auto& levels) { levels.shrink(); }, levels_);
  if (presence_) presence_->shrink();
}

std::size_t ValueColumn::bytes() const {
  return sizeof(*this) + std::visit([](const auto& levels) { return levels.bytes(); }, levels_) +
         (presence_ ? presence_->bytes() : 0);
}

}  // namespace lockstep
