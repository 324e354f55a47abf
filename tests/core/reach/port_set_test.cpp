// SPDX-License-Identifier: GPL-3.0-or-later
#include "reach/port_set.h"

#include <gtest/gtest.h>

#include <bitset>
#include <random>

namespace lockstep {
namespace {

using Bitmap = std::bitset<65536>;

Bitmap bitmapOf(const PortSet& set) {
  Bitmap bits;
  for (const PortSet::Interval& one : set.intervals())
    for (int port = one.first; port <= one.last; ++port) bits.set(static_cast<std::size_t>(port));
  return bits;
}

/// A set and the bitmap that it should be, drawn together: few runs, often at the ends and next to each
/// other.
struct Drawn {
  PortSet set;
  Bitmap bits;
};

Drawn draw(std::mt19937& random) {
  Drawn drawn;
  const int runs = static_cast<int>(random() % 6);
  const int wide = random() % 2 == 0 ? 65536 : 12;
  for (int i = 0; i < runs; ++i) {
    const int base = random() % 2 == 0 ? 0 : 65536 - wide;
    int first = base + static_cast<int>(random() % static_cast<unsigned>(wide));
    int last = base + static_cast<int>(random() % static_cast<unsigned>(wide));
    if (first > last) std::swap(first, last);
    drawn.set = drawn.set | PortSet::of(first, last);
    for (int port = first; port <= last; ++port) drawn.bits.set(static_cast<std::size_t>(port));
  }
  return drawn;
}

void expectNormal(const PortSet& set) {
  int next = -1;
  for (const PortSet::Interval& one : set.intervals()) {
    EXPECT_GT(one.first, next) << "intervals touch: " << set.toString();
    EXPECT_LE(one.first, one.last);
    next = one.last + 1;
  }
}

TEST(PortSet, IsWhatABitmapIs) {
  std::mt19937 random(5);
  for (int round = 0; round < 1500; ++round) {
    const Drawn a = draw(random), b = draw(random);
    ASSERT_EQ(bitmapOf(a.set), a.bits) << a.set.toString();
    for (const auto& [got, wanted] :
         {std::pair{a.set | b.set, a.bits | b.bits}, std::pair{a.set & b.set, a.bits & b.bits},
          std::pair{a.set - b.set, a.bits & ~b.bits}}) {
      ASSERT_EQ(bitmapOf(got), wanted) << "round " << round << ": " << a.set.toString() << " and "
                                       << b.set.toString() << " gave " << got.toString();
      expectNormal(got);
    }
    EXPECT_EQ(a.set.contains(b.set), (b.bits & ~a.bits).none());
    EXPECT_EQ(a.set == b.set, a.bits == b.bits);
    EXPECT_EQ(a.set.empty(), a.bits.none());
  }
}

TEST(PortSet, EndsOfTheRange) {
  EXPECT_EQ(PortSet::of(-5, 70000), PortSet::all());
  EXPECT_TRUE(PortSet::of(9, 8).empty());
  EXPECT_TRUE((PortSet::all() - PortSet::all()).empty());
  EXPECT_EQ((PortSet::all() - PortSet::of(0, 65534)).toString(), "65535");
  EXPECT_EQ((PortSet::all() - PortSet::of(1, 65535)).toString(), "0");
}

TEST(PortSet, Text) {
  EXPECT_EQ(PortSet().toString(), "none");
  EXPECT_EQ(PortSet::all().toString(), "all");
  EXPECT_EQ(PortSet::of(1, 65535).toString(), "all");
  EXPECT_EQ((PortSet::of(8787, 8787) | PortSet::of(29400, 29400) | PortSet::of(8786, 8786)).toString(),
            "8786-8787, 29400");
}

}  // namespace
}  // namespace lockstep
