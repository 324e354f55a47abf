// SPDX-License-Identifier: GPL-3.0-or-later
// trainer_fault_table [NAME…]: breaks a training in every way that is listed, and prints what became of it:
// fault, exit codes of the survivors, seconds until the last of them has said so, the message.
#include <cstdio>
#include <string>

#include "tests/trainer_faults/trainer_fault.h"

using namespace lockstep::testing;

int main(int argc, char** argv) {
  bool allRight = true;
  std::fputs(headerOfFaultTable().c_str(), stdout);
  for (const TrainerFault& fault : trainerFaults()) {
    bool wanted = argc <= 1;
    for (int i = 1; i < argc; ++i) wanted = wanted || fault.name == argv[i];
    if (!wanted) continue;
    const TrainerFaultOutcome outcome = play(fault);
    std::fputs(rowOf(fault, outcome).c_str(), stdout);
    std::fflush(stdout);
    allRight = allRight && outcome.wrong.empty();
  }
  return allRight ? 0 : 1;
}
