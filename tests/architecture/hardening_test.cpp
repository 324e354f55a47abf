// SPDX-License-Identifier: GPL-3.0-or-later
// What cmake/ProjectOptions.cmake asks the compiler and the linker for, looked for in the finished programs: a flag that
// some target does not get, or that another one takes back, shows nowhere else.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "elf_program.h"

namespace lockstep {
namespace {

// All that a user runs and this build made.
std::vector<std::string> programs() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(LOCKSTEP_BIN_DIR))
    if (const std::string name = entry.path().filename().string();
        entry.is_regular_file() && name.starts_with("lockstep"))
      names.push_back(name);
  return names;
}

TEST(Hardening, LooksIntoPrograms) {
  const std::vector<std::string> names = programs();
  for (const char* name : {"lockstep", "lockstep-rehearsal"})
    EXPECT_EQ(std::count(names.begin(), names.end(), name), 1) << name;
}

class HardenedProgram : public testing::TestWithParam<std::string> {
 protected:
  ElfProgram program_ = ElfProgram::read(std::filesystem::path(LOCKSTEP_BIN_DIR) / GetParam());
  void SetUp() override { ASSERT_EQ(program_.trouble, ""); }
};

TEST_P(HardenedProgram, ItsAddressesAreDrawn) {
  EXPECT_TRUE(program_.positionIndependent) << "link it with -pie";
}

TEST_P(HardenedProgram, TablesOfTheLinkerAreReadOnlyBeforeItRuns) {
  EXPECT_TRUE(program_.relocationsReadOnly) << "link it with -z relro";
  EXPECT_TRUE(program_.bindsNow) << "link it with -z now";
}

TEST_P(HardenedProgram, NothingOnTheStackIsRun) {
  EXPECT_FALSE(program_.executableStack);
}

TEST_P(HardenedProgram, AnOverwrittenStackEndsIt) {
  EXPECT_TRUE(program_.symbols.contains("__stack_chk_fail")) << "compile it with -fstack-protector-strong";
}

TEST_P(HardenedProgram, CallsOfTheCLibraryAreBounded) {
#ifdef __OPTIMIZE__
  const bool any = std::any_of(program_.symbols.begin(), program_.symbols.end(),
                               [](const std::string& name) { return name.ends_with("_chk"); });
  EXPECT_TRUE(any) << "compile it with -D_FORTIFY_SOURCE=2";
#else
  SUCCEED() << "_FORTIFY_SOURCE needs an optimising build";
#endif
}

TEST_P(HardenedProgram, ContainersAreChecked) {
  EXPECT_TRUE(program_.symbols.contains("_ZSt21__glibcxx_assert_failPKciS0_S0_"))
      << "compile it with -D_GLIBCXX_ASSERTIONS";
}

INSTANTIATE_TEST_SUITE_P(All, HardenedProgram, testing::ValuesIn(programs()), [](const auto& row) {
  std::string name = row.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
});

}  // namespace
}  // namespace lockstep
