// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_readout.h"

#include <qcustomplot.h>

#include <QLabel>
#include <algorithm>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kFromLine = 14;  // pixels

}  // namespace

PlotReadout::PlotReadout(QCustomPlot& plot)
    : plot_(plot), line_(new QCPItemLine(&plot)), box_(new QLabel(&plot)) {
  line_->setLayer(QStringLiteral("overlay"));  // which is drawn by itself
  line_->setVisible(false);
  for (QCPItemPosition* end : {line_->start, line_->end}) {
    end->setTypeX(QCPItemPosition::ptPlotCoords);
    end->setTypeY(QCPItemPosition::ptAxisRectRatio);
  }
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

void PlotReadout::show(const QPoint& at, double step, const QStringList& lines) {
  line_->start->setCoords(step, 0);
  line_->end->setCoords(step, 1);
  line_->setVisible(true);
  const QString text = lines.join(QStringLiteral("<br>"));
  if (text != text_) box_->setText(text_ = text);
  box_->setWordWrap(false);
  box_->adjustSize();
  if (const int most = plot_.width(); box_->width() > most) {
    box_->setWordWrap(true);
    box_->resize(most, box_->heightForWidth(most));
  }
  const int right = at.x() + kFromLine;
  const int left = at.x() - kFromLine - box_->width();
  const int lowest = std::max(0, plot_.height() - box_->height());
  box_->move(std::max(0, right + box_->width() < plot_.width() ? right : left),
             std::clamp(at.y() - box_->height() / 2, 0, lowest));
  box_->setVisible(!lines.isEmpty());
  redraw();
}

void PlotReadout::hide() {
  if (!line_->visible()) return;
  box_->hide();
  line_->setVisible(false);
  redraw();
}

void PlotReadout::redraw() {
  if (plot_.isVisible()) line_->layer()->replot();
}

}  // namespace lockstep
