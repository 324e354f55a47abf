// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/curve_picture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <iterator>

#include "base/text/html_text.h"
#include "metrics/drawing/tick_steps.h"

namespace lockstep {
namespace {

constexpr double kWidth = 640, kHeight = 200, kLeft = 72, kRight = 8, kTop = 8, kBottom = 24;
constexpr int kTicksAcross = 6, kTicksUp = 4;

std::string scaled(double value, double factor, std::initializer_list<const char*> units) {
  const char* last = "";
  for (const char* unit : units) {
    last = unit;
    if (std::fabs(value) < factor) break;
    if (unit != *std::prev(units.end())) value /= factor;
  }
  return *last == '\0' ? fmt::format("{:.4g}", value) : fmt::format("{:.4g} {}", value, last);
}

/// From where to where an axis goes.
struct Extent {
  double from = 0, to = 1;
  [[nodiscard]] double share(double value) const { return (value - from) / (to - from); }
};

// One value alone stands in the middle.
Extent around(double low, double high) {
  if (high > low) return {low, high};
  const double room = std::max(std::fabs(low) * 0.1, 0.5);
  return {low - room, high + room};
}

struct Frame {
  Extent steps, values;
  [[nodiscard]] double x(double step) const { return kLeft + steps.share(step) * (kWidth - kLeft - kRight); }
  [[nodiscard]] double y(double value) const {
    return kHeight - kBottom - values.share(value) * (kHeight - kTop - kBottom);
  }
};

Frame frameOf(const RunCurve& curve) {
  double low = curve.parts.front().min, high = curve.parts.front().max;
  for (const RunCurve::Part& part : curve.parts) {
    low = std::min({low, part.min, part.value});
    high = std::max({high, part.max, part.value});
  }
  Extent values = around(low, high);
  const double room = 0.04 * (values.to - values.from);
  values = {values.from - room, values.to + room};
  return {around(static_cast<double>(curve.parts.front().last), static_cast<double>(curve.parts.back().last)),
          values};
}

void forEachTick(const Extent& extent, int count, const std::function<void(double)>& visit) {
  const double step = decimalTickStep(extent.to - extent.from, count);
  const double first = std::ceil(extent.from / step);
  for (int i = 0; i <= 4 * count; ++i) {
    const double tick = (first + i) * step;
    if (tick > extent.to) return;
    visit(std::fabs(tick) < step / 1e6 ? 0 : tick);
  }
}

std::string axesOf(const Frame& frame, MetricUnit unit) {
  std::string svg;
  forEachTick(frame.values, kTicksUp, [&](double value) {
    const double y = frame.y(value);
    fmt::format_to(std::back_inserter(svg),
                   "<line class=\"grid\" x1=\"{0}\" x2=\"{1}\" y1=\"{2:.1f}\" y2=\"{2:.1f}\"/>"
                   "<text class=\"tick\" x=\"{3}\" y=\"{4:.1f}\" text-anchor=\"end\">{5}</text>\n",
                   kLeft, kWidth - kRight, y, kLeft - 6, y + 4, escapedHtml(valueWithUnit(value, unit)));
  });
  forEachTick(frame.steps, kTicksAcross, [&](double step) {
    if (step != std::floor(step)) return;
    const double x = frame.x(step);
    const char* anchor = x > kWidth - 40 ? "end" : "middle";
    fmt::format_to(std::back_inserter(svg),
                   "<text class=\"tick\" x=\"{:.1f}\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x,
                   kHeight - 6, anchor, scaled(step, 1000, {"", "k", "M", "G"}));
  });
  return svg;
}

std::string pointsOf(const RunCurve& curve, const Frame& frame, double RunCurve::Part::*value) {
  std::string points;
  for (const RunCurve::Part& part : curve.parts)
    fmt::format_to(std::back_inserter(points), "{:.1f},{:.1f} ", frame.x(static_cast<double>(part.last)),
                   frame.y(part.*value));
  return points;
}

std::string bandOf(const RunCurve& curve, const Frame& frame) {
  const bool hasBand = std::any_of(curve.parts.begin(), curve.parts.end(),
                                   [](const auto& part) { return part.max > part.min; });
  if (!hasBand || curve.parts.size() < 2) return {};
  RunCurve back;
  back.parts.assign(curve.parts.rbegin(), curve.parts.rend());
  return fmt::format("<polygon class=\"band\" points=\"{}{}\"/>\n",
                     pointsOf(curve, frame, &RunCurve::Part::max),
                     pointsOf(back, frame, &RunCurve::Part::min));
}

std::string lineOf(const RunCurve& curve, const Frame& frame) {
  if (curve.parts.size() > 1)
    return fmt::format("<polyline class=\"line\" points=\"{}\"/>\n",
                       pointsOf(curve, frame, &RunCurve::Part::value));
  const RunCurve::Part& only = curve.parts.front();
  return fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n",
                     frame.x(static_cast<double>(only.last)), frame.y(only.value));
}

}  // namespace

std::string valueWithUnit(double value, MetricUnit unit) {
  if (!std::isfinite(value)) return fmt::format("{}", value);
  switch (unit) {
    case MetricUnit::Bytes:
      return scaled(value, 1000, {"B", "kB", "MB", "GB", "TB", "PB"});
    case MetricUnit::BytesPerSecond:
      return scaled(value, 1000, {"B/s", "kB/s", "MB/s", "GB/s", "TB/s"});
    case MetricUnit::Milliseconds:
      return std::fabs(value) < 1000 ? fmt::format("{:.4g} ms", value)
                                     : fmt::format("{:.4g} s", value / 1000);
    case MetricUnit::PercentOfOneCore:
      return fmt::format("{:.4g} %", value);
    default: {
      const std::string symbol = symbolOf(unit);
      const std::string number = std::fabs(value) < 1e6 ? fmt::format("{:.4g}", value)
                                                        : scaled(value, 1000, {"", "k", "M", "G", "T"});
      return symbol.empty() ? number : number + " " + symbol;
    }
  }
}

std::string curvePicture(const RunCurve& curve, MetricUnit unit, const std::string& title) {
  if (curve.parts.empty()) return {};
  const Frame frame = frameOf(curve);
  return fmt::format("<svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n{}{}{}</svg>\n", kWidth,
                     kHeight, escapedHtml(title), axesOf(frame, unit), bandOf(curve, frame),
                     lineOf(curve, frame));
}

}  // namespace lockstep
