// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <array>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "metrics/grid/step_times.h"

namespace lockstep {

/// A step of a rank as a bar.
struct StepBar {
  StepTimes times;
  QString label;  // "12", "median: 31"
  QString name;   // "Rank 12 on worker_3"
};

/// How the parts are called, as kStepParts, and how milliseconds are written.
struct StepTexts {
  std::array<QString, kStepParts.size()> parts;
  std::function<QString(double)> text;
};

/// The colour of a part and its name.
class StepPartKey : public QWidget {
  Q_OBJECT
 public:
  StepPartKey(std::size_t part, const QString& title, QWidget* parent = nullptr);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  std::size_t part_;
  QString title_;
};

/// What a step of each rank is made of: a bar a rank, its parts beside each other in the order of the step, all on one scale.
/// What no part tells of a step that was measured is hatched. The parts of a bar are said by tool tips and, by keyboard,
/// arrows: up and down a bar, left and right a part. Enter or a double click asks to see the rank alone, Space or Ctrl and a
/// click to choose it or not.
class StepBars : public QWidget {
  Q_OBJECT
 public:
  explicit StepBars(StepTexts texts, QWidget* parent = nullptr);
  void setBars(std::vector<StepBar> bars);
  /// Their labels have the colour of the rank beside them.
  void setChosen(const std::set<Rank>& ranks);
  [[nodiscard]] std::size_t barCount() const { return bars_.size(); }
  /// "Rank 12, Forward: 12.3 ms, 15 % of the step"; part kStepParts.size(): what no part tells.
  [[nodiscard]] QString partText(std::size_t bar, std::size_t part) const;
  /// "Rank 12: 81 ms": the whole, and what is not measured.
  [[nodiscard]] QString barText(std::size_t bar) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override { return {160, sizeHint().height()}; }

 signals:
  void rankActivated(lockstep::Rank rank);
  void rankToggled(lockstep::Rank rank);

 protected:
  bool event(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Segment {
    std::size_t part;
    QRectF place;
    double ms;
  };
  [[nodiscard]] int rowHeight() const;
  [[nodiscard]] QRectF barArea(std::size_t bar) const;
  [[nodiscard]] std::optional<std::size_t> barAt(const QPointF& place) const;
  void moveTo(std::size_t bar, std::optional<std::size_t> part);
  [[nodiscard]] bool moveByKey(int key);
  [[nodiscard]] std::vector<Segment> segmentsOf(std::size_t bar) const;
  void paintBar(QPainter& painter, std::size_t bar) const;
  void paintSegment(QPainter& painter, const Segment& segment) const;

  StepTexts texts_;
  std::vector<StepBar> bars_;
  std::set<Rank> chosen_;
  double longest_ = 0;  // ms
  int labelWidth_ = 0, totalWidth_ = 0;
  std::size_t bar_ = 0;              // where the keyboard is
  std::optional<std::size_t> part_;  // absent: on the whole bar
};

}  // namespace lockstep
