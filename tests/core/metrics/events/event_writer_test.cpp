// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_writer.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "metrics/events/event_records.h"

namespace lockstep {
namespace {

using namespace std::chrono_literals;

std::vector<EventScalar> readBack(const std::string& bytes) {
  EventRecords records;
  auto scalars = records.add(bytes);
  EXPECT_TRUE(scalars) << (scalars ? "" : describe(scalars.error()));
  EXPECT_EQ(records.skipped(), 0U);
  return scalars.value_or(std::vector<EventScalar>{});
}

TEST(EventWriter, WhatIsWrittenIsReadToTheLastBit) {
  std::mt19937_64 random(7);
  std::string bytes = eventFileHead(TimePoint(480'000h));
  std::vector<EventScalar> written;
  for (int i = 0; i < 2000; ++i) {
    EventScalar one;
    one.step = static_cast<Step>(random() % (1ULL << 54)) - (1LL << 53);
    one.time = TimePoint(480'000h + std::chrono::milliseconds(random() % 1'000'000'000));
    one.name = i % 3 == 0 ? "loss" : i % 3 == 1 ? "größe/µ" : "a b";
    const auto bits = static_cast<double>(random()) / 1e15;
    one.value = i % 2 == 0 ? bits : static_cast<double>(static_cast<float>(bits));
    appendScalarEvent(bytes, one.step, one.time, one.name, one.value);
    written.push_back(one);
  }
  const auto read = readBack(bytes);
  ASSERT_EQ(read.size(), written.size());
  for (std::size_t i = 0; i < read.size(); ++i) {
    EXPECT_EQ(read[i].step, written[i].step);
    EXPECT_EQ(read[i].name, written[i].name);
    EXPECT_EQ(read[i].value, written[i].value);
    EXPECT_LT(std::chrono::abs(read[i].time - written[i].time), 1us);
  }
}

TEST(EventWriter, OddValuesStay) {
  std::string bytes = eventFileHead(TimePoint(480'000h));
  const double infinity = std::numeric_limits<double>::infinity();
  for (const double value : {infinity, -infinity, 0.0, 1e300, -1e-310})
    appendScalarEvent(bytes, 1, TimePoint(480'000h), "x", value);
  appendScalarEvent(bytes, 1, TimePoint(480'000h), "x", std::nan(""));
  const auto read = readBack(bytes);
  ASSERT_EQ(read.size(), 6U);
  EXPECT_EQ(read[0].value, infinity);
  EXPECT_EQ(read[1].value, -infinity);
  EXPECT_EQ(read[3].value, 1e300);
  EXPECT_EQ(read[4].value, -1e-310);
  EXPECT_TRUE(std::isnan(read[5].value));
}

}  // namespace
}  // namespace lockstep
