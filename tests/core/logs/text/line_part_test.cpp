// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/text/line_part.h"

#include <gtest/gtest.h>

namespace lockstep {
namespace {

TEST(PartOf, KnowsTracebacksBehindPrefixes) {
  for (const char* text :
       {"Traceback (most recent call last):", "[rank3]: Traceback (most recent call last):",
        "[default0]:[rank0]: Traceback (most recent call last):",
        "E1125 12:00:00.123000 17 torch/elastic/api.py:874] Traceback (most recent call last):"})
    EXPECT_EQ(partOf(text), LinePart::Traceback) << text;
  for (const char* text : {"  File \"train.py\", line 3, in main", "    loss.backward()",
                           "[rank3]:   File \"x.py\"", "\tat x", "frame #3: c10::Error"})
    EXPECT_EQ(partOf(text), LinePart::Frame) << text;
  for (const char* text :
       {"Fatal Python error: Segmentation fault", "terminate called after throwing an instance",
        "Exception raised from checkTimeout at x.cpp:1 (most recent call first):"})
    EXPECT_EQ(partOf(text), LinePart::CrashDump) << text;
  EXPECT_EQ(partOf("During handling of the above exception, another exception occurred:"),
            LinePart::Chaining);
}

TEST(PartOf, LeavesOtherLinesAlone) {
  for (const char* text :
       {"epoch 1", "RuntimeError: bad", "[rank3]: ValueError: x", "loss 45%", "see Traceback (x)",
        "h1:17:18 [0] NCCL WARN Connect failed", "[0] x", "[", "[]:", "E1125", "100 %| not it", "it [00:10]"})
    EXPECT_EQ(partOf(text), LinePart::Plain) << text;
  EXPECT_EQ(partOf(""), LinePart::Blank);
  EXPECT_EQ(partOf(" \t "), LinePart::Blank);
}

TEST(PartOf, KnowsNcclAndProgress) {
  EXPECT_EQ(partOf("h1:17:18 [0] NCCL INFO Channel 00/02 : 0 1"), LinePart::NcclNews);
  EXPECT_EQ(partOf("NCCL version 2.18.5+cuda12.2"), LinePart::NcclNews);
  for (const char* text : {"Epoch 3:  45%|####5     | 45/100 [00:10<00:12, 4.5it/s]", "  0%|          | 0/10",
                           "120it [00:10, 11.5it/s]", "10%\r20%\r30%", "\rdownloading 12"})
    EXPECT_EQ(partOf(text), LinePart::Progress) << text;
  EXPECT_EQ(partOf("windows line\r"), LinePart::Plain);
}

TEST(ProgressName, IsWhatStandsBeforeTheNumbers) {
  EXPECT_EQ(progressName("Epoch 3:  45%|####5     | 45/100"), "Epoch 3:");
  EXPECT_EQ(progressName("Epoch 3: 100%|##########| 100/100"), "Epoch 3:");
  EXPECT_EQ(progressName("  9%|#"), "");
  EXPECT_EQ(progressName("val: 120it [00:10, 11.5it/s]"), "val:");
  EXPECT_EQ(progressName("a 1\rdownloading 12 MB"), "downloading");
  EXPECT_EQ(progressName("[rank1]: Epoch 1:   3%|"), "Epoch 1:");
}

}  // namespace
}  // namespace lockstep
