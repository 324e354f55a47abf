// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card_places.h"

#include <algorithm>

namespace lockstep {
namespace {

/// Which cells are taken, line by line.
class TakenCells {
 public:
  explicit TakenCells(int columns) : columns_(columns) {}

  [[nodiscard]] bool isFree(const CardPlace& place) const {
    if (place.column + place.columns > columns_) return false;
    for (int row = place.row; row < place.row + place.rows; ++row)
      for (int column = place.column; column < place.column + place.columns; ++column)
        if (isTaken(column, row)) return false;
    return true;
  }

  void take(const CardPlace& place) {
    const auto end = static_cast<std::size_t>((place.row + place.rows) * columns_);
    if (taken_.size() < end) taken_.resize(end, false);
    for (int row = place.row; row < place.row + place.rows; ++row)
      for (int column = place.column; column < place.column + place.columns; ++column)
        taken_[static_cast<std::size_t>(row * columns_ + column)] = true;
  }

 private:
  [[nodiscard]] bool isTaken(int column, int row) const {
    const auto at = static_cast<std::size_t>(row * columns_ + column);
    return at < taken_.size() && taken_[at];
  }

  int columns_;
  std::vector<bool> taken_;
};

}  // namespace

std::vector<CardPlace> placeCards(std::span<const CardSpan> cards, int columns) {
  TakenCells taken(columns);
  std::vector<CardPlace> places;
  int next = 0;  // the cell behind the left top of the card before
  for (const CardSpan& card : cards) {
    CardPlace place{0, 0, std::clamp(card.columns, 1, columns), std::max(card.rows, 1)};
    for (;; ++next) {
      place.column = next % columns;
      place.row = next / columns;
      if (taken.isFree(place)) break;
    }
    taken.take(place);
    places.push_back(place);
  }
  if (places.empty()) return places;
  CardPlace& last = places.back();
  for (CardPlace more{last.column + last.columns, last.row, 1, last.rows}; taken.isFree(more); ++more.column)
    ++last.columns;
  return places;
}

int linesOf(std::span<const CardPlace> places) {
  int lines = 0;
  for (const CardPlace& place : places) lines = std::max(lines, place.row + place.rows);
  return lines;
}

}  // namespace lockstep
