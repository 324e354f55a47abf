// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QImage>
#include <QPointer>
#include <QString>
#include <QWidget>
#include <memory>
#include <vector>

#include "metrics/layouts/dashboard_layout.h"
#include "metrics/sample_csv.h"

namespace lockstep {

/// What goes out of a card that is no chart: its picture, and the samples that it is made of.
struct CardExport {
  QPointer<QWidget> body;
  QString name;                                // for a file
  std::shared_ptr<const MetricStore> samples;  // never null
  std::vector<SampleSelection> selections;     // of all ranks, the steps in sight
};

/// The quantities that a card of that kind is made of; of a heat map the one it shows.
[[nodiscard]] std::vector<std::string> quantitiesOf(CardKind kind, const std::string& ofHeatMap);

// A widget as it stands: at twice its pixels, and as a drawing.
[[nodiscard]] QImage imageOf(QWidget& widget);
[[nodiscard]] QByteArray svgOf(QWidget& widget);

}  // namespace lockstep
