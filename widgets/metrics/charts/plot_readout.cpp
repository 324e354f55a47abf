// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_readout.h"

#include <qcustomplot.h>

#include <QLabel>
#include <algorithm>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kFromPointer = 14;  // pixels

}  // namespace

PlotReadout::PlotReadout(QCustomPlot& plot)
    : plot_(plot), line_(new QCPItemStraightLine(&plot)), box_(new QLabel(&plot)) {
  line_->setVisible(false);
  box_->setAttribute(Qt::WA_TransparentForMouseEvents);
  box_->setTextFormat(Qt::RichText);
  box_->setMargin(6);
  box_->hide();
}

void PlotReadout::setPalette(const QPalette& colors) {
  line_->setPen(QPen(mutedColor(colors), 1, Qt::DashLine));
  box_->setStyleSheet(QStringLiteral("QLabel { background: %1; border: 1px solid %2; border-radius: 4px; }")
                          .arg(cardColor(colors).name(), borderColor(colors).name()));
}

void PlotReadout::show(const QPoint& position, double step, const QStringList& lines, bool isLog) {
  // A logarithmic axis has no zero to go through.
  line_->point1->setCoords(step, isLog ? 0.5 : 0);
  line_->point2->setCoords(step, 1);
  line_->setVisible(true);
  box_->setText(lines.join(QStringLiteral("<br>")));
  box_->adjustSize();
  const int right = position.x() + kFromPointer;
  const int left = position.x() - kFromPointer - box_->width();
  const int lowest = std::max(0, plot_.height() - box_->height());
  box_->move(std::max(0, right + box_->width() < plot_.width() ? right : left),
             std::clamp(position.y() - box_->height() / 2, 0, lowest));
  box_->show();
  plot_.replot(QCustomPlot::rpQueuedReplot);
}

void PlotReadout::hide() {
  if (box_->isHidden()) return;
  box_->hide();
  line_->setVisible(false);
  plot_.replot(QCustomPlot::rpQueuedReplot);
}

}  // namespace lockstep
