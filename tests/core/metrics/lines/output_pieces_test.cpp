// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/lines/output_pieces.h"

#include <gtest/gtest.h>

#include <vector>

namespace lockstep {
namespace {

std::vector<std::string> piecesOf(std::string_view text, std::size_t atOnce) {
  OutputPieces pieces;
  std::vector<std::string> all;
  for (std::size_t i = 0; i < text.size(); i += atOnce)
    pieces.add(text.substr(i, atOnce), [&](std::string_view piece) { all.emplace_back(piece); });
  return all;
}

TEST(OutputPieces, AreWhatATerminalShows) {
  const std::string_view text =
      "first\r\n 10%|#| 1/10\r 20%|##| 2/10\r\n\n1/9 - loss: 1\b\b\b\b\r2/9\nnot whole";
  const std::vector<std::string> expected{"first", " 10%|#| 1/10", " 20%|##| 2/10", "1/9 - loss: 1", "2/9"};
  for (const std::size_t atOnce : {1U, 2U, 3U, 7U, 100U})
    EXPECT_EQ(piecesOf(text, atOnce), expected) << atOnce;
}

TEST(OutputPieces, KeepTheBeginningOfAPieceWithoutEnd) {
  const std::string text = "begin" + std::string(1 << 20, 'x') + "\nnext\n";
  const auto pieces = piecesOf(text, 1000);
  ASSERT_EQ(pieces.size(), 2U);
  EXPECT_EQ(pieces[0], text.substr(0, 8192));
  EXPECT_EQ(pieces[1], "next");
}

}  // namespace
}  // namespace lockstep
