// SPDX-License-Identifier: GPL-3.0-or-later
// Replays what the fuzzers started from and what they found, without a fuzzer.
#include <gtest/gtest.h>

#include "fuzz_replay.h"
#include "fuzz_targets.h"

namespace lockstep {
namespace {

TEST(FuzzCorpus, TheReaderKeepsItsPromises) {
  replay("reader", tryReader);
}
TEST(FuzzCorpus, TheEditorKeepsItsPromises) {
  replay("editor", tryEditor);
}

TEST(FuzzCorpus, WhatRanksAndNodesPublishIsReadWithinBounds) {
  replay("health", tryHealth);
}

}  // namespace
}  // namespace lockstep
