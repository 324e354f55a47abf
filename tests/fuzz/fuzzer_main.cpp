// SPDX-License-Identifier: GPL-3.0-or-later
// One fuzzer: LOCKSTEP_TRY names the function of fuzz_targets.h that it drives.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#include "fuzz_targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string wrong = lockstep::LOCKSTEP_TRY({reinterpret_cast<const char*>(data), size});
  if (wrong.empty()) return 0;
  std::fprintf(stderr, "broken promise: %s\n", wrong.c_str());
  std::abort();
}
