// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QRectF>

namespace lockstep {

/// What of a heat map is in sight: the steps [from, to) and the rows [top, bottom), of `first` … `end` steps and `rows` rows in
/// all. Zooming and moving never leaves them.
struct HeatView {
  static constexpr double kFewestSteps = 4, kFewestRows = 2;

  double first = 0, end = 1;
  double rows = 1;
  double from = 0, to = 1;
  double top = 0, bottom = 1;

  [[nodiscard]] bool showsAllSteps() const { return from <= first && to >= end; }
  [[nodiscard]] bool showsAll() const { return showsAllSteps() && top <= 0 && bottom >= rows; }
  void showAll();
  /// There is more, or less, now. What showed all steps, or the newest one, does so again; `from` and `to` else stay.
  void setBounds(double firstStep, double endStep, double rowCount);
  void setSteps(double fromStep, double toStep);
  /// Moves by so many steps and rows.
  void move(double steps, double rowCount);
  /// By a factor (below 1: nearer); that place stays where it is.
  void zoomSteps(double factor, double around);
  void zoomRows(double factor, double around);
  /// Moves as little as makes these visible.
  void reveal(double step, double row);

  [[nodiscard]] double stepAt(double x, const QRectF& area) const;
  [[nodiscard]] double rowAt(double y, const QRectF& area) const;
  [[nodiscard]] double xOf(double step, const QRectF& area) const;
  [[nodiscard]] double yOf(double row, const QRectF& area) const;
  bool operator==(const HeatView&) const = default;

 private:
  void clamp();
};

}  // namespace lockstep
