// SPDX-License-Identifier: GPL-3.0-or-later
#include <QHideEvent>
#include <QTimer>

#include "widgets/cluster/cluster_canvas.h"

namespace lockstep {

void ClusterCanvas::showCard() {}

void ClusterCanvas::hideCard() {}

void ClusterCanvas::hideEvent(QHideEvent* event) {
  QWidget::hideEvent(event);
  hideCard();
}

}  // namespace lockstep
