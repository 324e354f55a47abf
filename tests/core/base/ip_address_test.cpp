// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/ip_address.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(IpAddress, LoopbackIsAnAddressAndNeverAName) {
  using namespace std::string_view_literals;
  for (const auto text : {"127.0.0.1"sv, "127.0.1.1"sv, "127.255.255.255"sv, "::1"sv, "0:0:0:0:0:0:0:1"sv,
                          "::ffff:127.0.0.1"sv, "::ffff:7f00:1"sv})
    EXPECT_TRUE(isLoopbackAddress(text)) << text;
  for (const auto text : {""sv, "127."sv, "127.1"sv, "127.0.0.1.evil.example"sv, "127.evil.example"sv,
                          "localhost"sv, "128.0.0.1"sv, "10.127.0.1"sv, "::"sv, "::2"sv, "::ffff:10.0.0.1"sv,
                          "[::1]"sv, "127.0.0.1 "sv, "127.0.0.1\0.evil"sv})
    EXPECT_FALSE(isLoopbackAddress(text)) << text;
}

}  // namespace
}  // namespace lockstep
