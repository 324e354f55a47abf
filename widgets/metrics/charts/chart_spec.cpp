// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/chart_spec.h"

#include <QStringList>

namespace lockstep {

QString ChartSpec::name() const {
  if (!title.isEmpty()) return title;
  QStringList names;
  for (const ChartLine& line : lines) names.append(line.quantity.title);
  return names.join(QStringLiteral(", "));
}

}  // namespace lockstep
