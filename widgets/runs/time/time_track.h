// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractSlider>
#include <optional>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "timeline/run_marks.h"

namespace lockstep {

/// The time of a run as a line: what of it is here, where it is shown up to, what happened, what is chosen and where the
/// cursor is. To assistive technologies a slider of the seconds since the beginning.
///
/// Mouse: press and drag move the time, with Shift they choose a stretch. Keys: left and right move by a hundredth, Page Up
/// and Down by a tenth, Home and End to the ends, with Ctrl left and right to the next mark, with Shift left and right choose;
/// Escape forgets what is chosen. Whoever owns it moves the time, and tells it with setPosition().
class TimeTrack : public QAbstractSlider {
  Q_OBJECT
 public:
  using Span = std::pair<TimePoint, TimePoint>;

  explicit TimeTrack(QWidget* parent = nullptr);

  /// From the beginning of the run to where it is now, and of it what is loaded; nothing: it is not known.
  void setSpan(const std::optional<Span>& span, const std::optional<Span>& loaded);
  /// Where the time is; and whether that is the end that moves on by itself.
  void setPosition(TimePoint time, bool isLive);
  void setCursorTime(const std::optional<TimePoint>& time);
  void setChosen(const std::optional<Span>& chosen);
  void setMarks(std::vector<RunMark> marks);
  /// The time at that place, and the place of a time, in this widget.
  [[nodiscard]] TimePoint timeAt(double x) const;
  [[nodiscard]] double placeOf(TimePoint time) const;

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void moved(lockstep::TimePoint time);
  void liveRequested();
  void chosen(lockstep::TimePoint from, lockstep::TimePoint to);
  void choiceForgotten();

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool event(QEvent* event) override;

 private:
  [[nodiscard]] QRectF groove() const;
  [[nodiscard]] std::chrono::nanoseconds length() const;
  void updateValue();
  void moveTo(TimePoint time);
  void moveBy(double share);
  void moveToMark(bool isNext);
  void chooseBy(double share);
  void paintStretch(QPainter& painter, const Span& span, const QColor& color, double height) const;
  void paintMark(QPainter& painter, const RunMark& mark) const;
  void paintHandle(QPainter& painter) const;
  [[nodiscard]] QString textAt(double x) const;

  std::optional<Span> span_, loaded_, chosen_;
  TimePoint position_{};
  bool isLive_ = true;
  std::optional<TimePoint> cursor_, anchor_;  // anchor_: where choosing began
  bool isTelling_ = false;                    // the value changes because the time has moved
  std::vector<RunMark> marks_;                // by time
};

}  // namespace lockstep
