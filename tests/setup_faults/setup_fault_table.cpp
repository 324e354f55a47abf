// SPDX-License-Identifier: GPL-3.0-or-later
// setup_fault_table [WORKERS [STEP-OR-NAME…]]: breaks every prerequisite in every way that the set-up steps
// know, fixes it, and prints the table.
#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "tests/setup_faults/setup_fault.h"

using namespace lockstep::testing;

int main(int argc, char** argv) {
  const int workers = argc > 1 ? std::max(1, std::atoi(argv[1])) : 4;
  std::vector<SetupFault> faults;
  for (const SetupFault& fault : setupFaults()) {
    bool isWanted = argc <= 2;
    for (int i = 2; i < argc; ++i) isWanted = isWanted || fault.step == argv[i] || fault.name == argv[i];
    if (isWanted) faults.push_back(fault);
  }
  const auto outcomes = playAll(faults, workers);
  std::fputs(tableOf(faults, outcomes).c_str(), stdout);
  return std::all_of(outcomes.begin(), outcomes.end(), [](const auto& one) { return one.wrong.empty(); }) ? 0
                                                                                                          : 1;
}
