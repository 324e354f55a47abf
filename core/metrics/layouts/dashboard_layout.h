// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "metrics/metric_store.h"

namespace lockstep {

enum class CardKind {
  Chart,     // one or several quantities over the steps
  HeatMap,   // one quantity of all ranks over the steps
  StepTime,  // what a step of each rank is made of
  Tiles      // nodes and GPUs with their newest values
};

enum class CardAxis { Left, Right };

/// A quantity by its name in the store; it need not be in the catalogue, nor measured in any run.
struct CardQuantity {
  std::string name;
  CardAxis axis = CardAxis::Left;
  bool operator==(const CardQuantity&) const = default;
};

enum class CurveAxis { Steps, Epochs, RelativeTime, WallTime, Samples };
enum class CurveSmoothing { None, Debiased, TimeWeighted, Gaussian, RunningMedian };
enum class CurveScale { Usual, Linear, Logarithmic };  // Usual: as the catalogue says of the first quantity

/// How curves are drawn.
struct CurveOptions {
  CurveAxis x = CurveAxis::Steps;
  CurveSmoothing smoothing = CurveSmoothing::None;
  double amount = 0.6;  // of smoothing, [0, kMaxSmoothing]
  CurveScale scale = CurveScale::Usual;
  bool operator==(const CurveOptions&) const = default;
};
inline constexpr double kMaxSmoothing = 0.999;

/// One card. Its size is in cells of the grid.
struct DashboardCard {
  CardKind kind = CardKind::Chart;
  std::string title;  // empty: that of its quantities
  std::vector<CardQuantity>
      quantities;  // of a chart 1 to kMaxQuantities, of a heat map at most 1, of others none
  int columns = 1, rows = 1;
  bool onlyWhereMeasured = false;      // hidden in a run that has none of it
  std::optional<CurveOptions> curves;  // absent: as all cards of the layout
  bool overTime = false;               // of a step time: of one rank over the steps, instead of by rank
  bool operator==(const DashboardCard&) const = default;
};

/// Which cards a dashboard shows, in the order in which they are read.
struct DashboardLayout {
  static constexpr std::size_t kMaxCards = 64, kMaxQuantities = 6;
  static constexpr int kMaxColumns = 3, kMaxRows = 2;
  static constexpr std::size_t kLongestText = 200;  // bytes of a name or title

  std::string name;
  CurveOptions curves;
  std::vector<DashboardCard> cards;
  bool operator==(const DashboardLayout&) const = default;
};

/// What a card shows, whatever its size, and however it is drawn.
[[nodiscard]] bool showSame(const DashboardCard& one, const DashboardCard& other);

/// What shows one can come to show the other as it stands: both are heat maps, or step times, which have choices of their own.
[[nodiscard]] bool canBecome(const DashboardCard& one, const DashboardCard& other);

/// The run has a sample of something that the card shows.
[[nodiscard]] bool isMeasured(const DashboardCard& card, const MetricStore& metrics);

}  // namespace lockstep
