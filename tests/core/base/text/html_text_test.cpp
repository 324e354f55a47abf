// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text/html_text.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(HtmlText, NothingInItIsMarkup) {
  EXPECT_EQ(escapedHtml("<script>&'\"</script>"), "&lt;script&gt;&amp;&#39;&quot;&lt;/script&gt;");
  EXPECT_EQ(escapedHtml("a\tb\nc"), "a\tb\nc");
  EXPECT_EQ(escapedHtml("ü — 漢"), "ü — 漢");
}

TEST(HtmlText, WhatIsNotSeenIsShown) {
  EXPECT_EQ(escapedHtml(std::string("\0\x1b[31m\x7f", 7)), "␀␡");
  EXPECT_EQ(escapedHtml("\xff"), "\\xFF");
  EXPECT_EQ(escapedHtml("a\xE2\x80\xAE\xE2\x81\xA6z"), "a\\u202E\\u2066z");
}

}  // namespace
}  // namespace lockstep
