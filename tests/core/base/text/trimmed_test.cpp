// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/trimmed.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(Trimmed, BlanksOfCAroundATextAreLeftOut) {
  EXPECT_EQ(trimmed(" \t\r\n\f\v a b \v\f\n\r\t "), "a b");
  EXPECT_EQ(trimmed("a"), "a");
  EXPECT_EQ(trimmed(""), "");
  EXPECT_EQ(trimmed(" \n "), "");
}

TEST(Trimmed, LineEndsStayInAValueOfAHeader) {
  EXPECT_EQ(trimmed(" \ta\r ", kHttpBlanks), "a\r");
}

TEST(Trimmed, BytesBeyondAsciiAndNulAreNoBlanks) {
  const std::string_view text("\0 \xC2\xA0", 4);
  EXPECT_EQ(trimmed(text), text);
}

}  // namespace
}  // namespace lockstep
