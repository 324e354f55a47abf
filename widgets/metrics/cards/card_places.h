// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>
#include <vector>

namespace lockstep {

/// How many cells of the grid a card takes.
struct CardSpan {
  int columns = 1, rows = 1;
};

/// Where it stands, in cells.
struct CardPlace {
  int column = 0, row = 0;
  int columns = 1, rows = 1;
  bool operator==(const CardPlace&) const = default;
};

/// Cards one after another from left to right and down, in a grid of so many columns (at least 1): each at the first free
/// place behind the one before it, so that they are read in their order. A card that is wider than the grid is as wide as
/// the grid; the last one takes what is left of its line.
[[nodiscard]] std::vector<CardPlace> placeCards(std::span<const CardSpan> cards, int columns);

/// How many lines of cells that takes.
[[nodiscard]] int linesOf(std::span<const CardPlace> places);

}  // namespace lockstep
