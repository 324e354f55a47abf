// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/card_export.h"

#include <QBuffer>
#include <QPainter>
#include <QSvgGenerator>

#include "metrics/grid/step_times.h"
#include "widgets/metrics/tiles/node_tiles.h"

namespace lockstep {

std::vector<std::string> quantitiesOf(CardKind kind, const std::string& ofHeatMap) {
  std::vector<std::string> names;
  switch (kind) {
    case CardKind::Chart:
      break;
    case CardKind::HeatMap:
      names.push_back(ofHeatMap);
      break;
    case CardKind::StepTime:
      names.emplace_back(metric::kStepMs);
      names.insert(names.end(), kStepParts.begin(), kStepParts.end());
      break;
    case CardKind::Tiles:
      names.insert(names.end(), kNodeQuantities.begin(), kNodeQuantities.end());
      names.insert(names.end(), kGpuQuantities.begin(), kGpuQuantities.end());
      break;
  }
  return names;
}

QImage imageOf(QWidget& widget) {
  constexpr int kScale = 2;
  QImage image(widget.size() * kScale, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(kScale);
  image.fill(widget.palette().color(QPalette::Base));
  widget.render(&image);
  return image;
}

QByteArray svgOf(QWidget& widget) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QSvgGenerator drawing;
  drawing.setOutputDevice(&buffer);
  drawing.setSize(widget.size());
  drawing.setViewBox(QRect({}, widget.size()));
  QPainter painter(&drawing);
  painter.fillRect(QRect({}, widget.size()), widget.palette().color(QPalette::Base));
  widget.render(&painter);
  painter.end();
  return bytes;
}

}  // namespace lockstep
