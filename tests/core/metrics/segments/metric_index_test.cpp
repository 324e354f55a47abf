// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/segments/metric_index.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(MetricIndex, ComesBackAsItWasWritten) {
  const auto index = parseMetricIndex(toText({42, {7, 0, 4'000'000}}));
  ASSERT_TRUE(index) << describe(index.error());
  EXPECT_EQ(index->written, 42U);
  EXPECT_EQ(index->segments, (std::vector<std::uint64_t>{7, 0, 4'000'000}));
}

TEST(MetricIndex, WhatNoRunHasIsRefused) {
  std::string many = R"({"version":1,"written":1,"segments":[0)";
  for (int i = 0; i < 65'536; ++i) many += ",1";
  std::string much = R"({"version":1,"written":1,"segments":[4000000)";
  for (int i = 0; i < 40; ++i) much += ",4000000";
  for (const std::string& text :
       {std::string(), std::string("[]"), std::string(R"({"version":2,"written":1,"segments":[1]})"),
        std::string(R"({"version":1,"segments":[1]})"), std::string(R"({"version":1,"written":1})"),
        std::string(R"({"version":1,"written":-1,"segments":[1]})"),
        std::string(R"({"version":1,"written":1,"segments":{"0":1}})"),
        std::string(R"({"version":1,"written":1,"segments":[-1]})"),
        std::string(R"({"version":1,"written":1,"segments":[1.5]})"),
        std::string(R"({"version":1,"written":1,"segments":["1"]})"),
        std::string(R"({"version":1,"written":1,"segments":[18446744073709551615]})"), many + "]}",
        much + "]}", std::string(kMaxIndexBytes + 1, ' ')})
    EXPECT_FALSE(parseMetricIndex(text)) << text.substr(0, 80);
}

}  // namespace
}  // namespace lockstep
