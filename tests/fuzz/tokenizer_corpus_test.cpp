// SPDX-License-Identifier: GPL-3.0-or-later
// Replays what the tokenizer's fuzzer started from and what it found, without a fuzzer.
#include <gtest/gtest.h>

#include "fuzz_replay.h"
#include "fuzz_targets.h"

namespace lockstep {
namespace {

TEST(FuzzCorpus, TheTokenizerKeepsItsPromises) {
  replay("tokenizer", tryTokenizer);
}

}  // namespace
}  // namespace lockstep
