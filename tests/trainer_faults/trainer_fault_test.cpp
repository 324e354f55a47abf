// SPDX-License-Identifier: GPL-3.0-or-later
// LOCKSTEP_FAULTS_ALL=1 plays every fault over every transport; else one transport of each.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/trainer_faults/trainer_fault.h"

using namespace lockstep::testing;

namespace {

class TrainerFaultTest : public ::testing::TestWithParam<std::size_t> {};

TEST_P(TrainerFaultTest, EndsInTimeAndSaysWhy) {
  const TrainerFault& fault = trainerFaults()[GetParam()];
  const char* all = std::getenv("LOCKSTEP_FAULTS_ALL");
  if (!fault.isQuick && (all == nullptr || std::string(all) != "1"))
    GTEST_SKIP() << "played with LOCKSTEP_FAULTS_ALL=1, and by trainer_fault_table";
  const TrainerFaultOutcome outcome = play(fault);
  if (!outcome.cannot.empty()) GTEST_SKIP() << outcome.cannot;
  EXPECT_EQ(outcome.wrong, "") << fault.name << " over " << fault.transport << "\n" << outcome.message;
}

std::string nameOf(const ::testing::TestParamInfo<std::size_t>& row) {
  const TrainerFault& fault = trainerFaults()[row.param];
  std::string name;
  for (const char c : fault.name + "_" + fault.transport)
    name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, TrainerFaultTest, ::testing::Range<std::size_t>(0, trainerFaults().size()),
                         nameOf);

}  // namespace
