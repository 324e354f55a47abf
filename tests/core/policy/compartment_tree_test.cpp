// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/compartment_tree.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

CompartmentTree tree() {
  CompartmentTree all("T");
  all.add("A", "alpha", "T");
  all.add("B", "beta", "A");
  all.add("C", "gamma", "B");
  all.add("D", "beta", "T");
  all.add("lost", "lost", "somewhere unseen");
  return all;
}

PolicyLocation at(const std::string& text) {
  return parsePolicyStatement("Allow any-user to read objects in " + text)->location;
}

TEST(CompartmentTree, FindsPathsFromWhereThePolicyIs) {
  const CompartmentTree all = tree();
  EXPECT_EQ(all.placeOf(at("tenancy"), "T"), "T");
  EXPECT_EQ(all.placeOf(at("tenancy"), "A"), "") << "a policy speaks of what is below it only";
  EXPECT_EQ(all.placeOf(at("compartment alpha:Beta:gamma"), "T"), "C");
  EXPECT_EQ(all.placeOf(at("compartment beta"), "T"), "D");
  EXPECT_EQ(all.placeOf(at("compartment beta"), "A"), "B");
  EXPECT_EQ(all.placeOf(at("compartment alpha"), "A"), "A") << "it may name its own";
  EXPECT_EQ(all.placeOf(at("compartment alpha:beta"), "A"), "B");
  EXPECT_EQ(all.placeOf(at("compartment gamma"), "A"), "");
  EXPECT_EQ(all.placeOf(at("compartment id ocid1.x"), "A"), "");
}

TEST(CompartmentTree, KnowsWhatIsWithinWhat) {
  const CompartmentTree all = tree();
  EXPECT_TRUE(all.isWithin("C", "A"));
  EXPECT_TRUE(all.isWithin("C", "T"));
  EXPECT_FALSE(all.isWithin("A", "C"));
  EXPECT_FALSE(all.isWithin("A", ""));
  EXPECT_TRUE(all.isWithin("never heard of", "T"));
  EXPECT_EQ(all.upwards("lost"), (std::vector<std::string>{"lost", "T"}));
  EXPECT_EQ(all.commonAncestor({"C", "B"}), "B");
  EXPECT_EQ(all.commonAncestor({"C", "D"}), "T");
  EXPECT_EQ(all.nameOf("C"), "alpha:beta:gamma");
  EXPECT_FALSE(all.hasChildren("C"));
}

TEST(CompartmentTree, ACircleDoesNotHangIt) {
  CompartmentTree all("T");
  all.add("A", "a", "B");
  all.add("B", "b", "A");
  EXPECT_FALSE(all.isWithin("A", "C"));
}

}  // namespace
}  // namespace lockstep
