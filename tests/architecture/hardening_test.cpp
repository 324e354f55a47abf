// SPDX-License-Identifier: GPL-3.0-or-later
// What cmake/ProjectOptions.cmake asks the compiler and the linker for, looked for in the finished programs: a flag that
// some target does not get, or that another one takes back, shows nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <vector>

#include "elf_program.h"

namespace lockstep {
namespace {

std::vector<std::string> programs() {
  std::istringstream names(LOCKSTEP_PROGRAMS);
  std::vector<std::string> all;
  for (std::string name; names >> name;) all.push_back(name);
  return all;
}

class Hardening : public testing::TestWithParam<std::string> {
 protected:
  ElfProgram program_ = ElfProgram::read(std::filesystem::path(LOCKSTEP_BIN_DIR) / GetParam());
  void SetUp() override { ASSERT_EQ(program_.trouble, ""); }
};

TEST_P(Hardening, ItsAddressesAreDrawn) {
  EXPECT_TRUE(program_.positionIndependent) << "link it with -pie";
}

TEST_P(Hardening, TablesOfTheLinkerAreReadOnlyBeforeItRuns) {
  EXPECT_TRUE(program_.relocationsReadOnly) << "link it with -z relro";
  EXPECT_TRUE(program_.bindsNow) << "link it with -z now";
}

TEST_P(Hardening, NothingOnTheStackIsRun) {
  EXPECT_FALSE(program_.executableStack);
}

TEST_P(Hardening, AnOverwrittenStackEndsIt) {
  EXPECT_TRUE(program_.symbols.contains("__stack_chk_fail")) << "compile it with -fstack-protector-strong";
}

TEST_P(Hardening, CallsOfTheCLibraryAreBounded) {
#ifdef LOCKSTEP_FORTIFIED
  const bool any = std::any_of(program_.symbols.begin(), program_.symbols.end(),
                               [](const std::string& name) { return name.ends_with("_chk"); });
  EXPECT_TRUE(any) << "compile it with -D_FORTIFY_SOURCE=2";
#else
  SUCCEED() << "_FORTIFY_SOURCE needs an optimising build";
#endif
}

TEST_P(Hardening, ContainersAreChecked) {
  EXPECT_TRUE(program_.symbols.contains("_ZSt21__glibcxx_assert_failPKciS0_S0_"))
      << "compile it with -D_GLIBCXX_ASSERTIONS";
}

INSTANTIATE_TEST_SUITE_P(Programs, Hardening, testing::ValuesIn(programs()), [](const auto& row) {
  std::string name = row.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace lockstep
