// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/folding_splitter.h"

#include <QEvent>
#include <algorithm>
#include <numeric>

namespace lockstep {

QList<int> FoldingSplitter::minWidths() const {
  QList<int> widths;
  for (int i = 0; i < count(); ++i) {
    const QWidget* pane = widget(i);
    if (!pane->isHidden()) widths << std::max(pane->minimumWidth(), pane->minimumSizeHint().width());
  }
  return widths;
}

QSize FoldingSplitter::minimumSizeHint() const {
  const QList<int> widths = minWidths();
  const int widest = widths.isEmpty() ? 0 : *std::max_element(widths.begin(), widths.end());
  return {widest, QSplitter::minimumSizeHint().height()};
}

void FoldingSplitter::fold() {
  const QList<int> widths = minWidths();
  const int handles = std::max(0, static_cast<int>(widths.size()) - 1) * handleWidth();
  const bool folds = std::accumulate(widths.begin(), widths.end(), handles) > width();
  if (folds == isFolded()) return;
  if (folds) {
    sideBySide_ = QSplitter::saveState();
    setOrientation(Qt::Vertical);
    setSizes(QList<int>(count(), 1));  // the same height to each
  } else {
    setOrientation(Qt::Horizontal);
    QSplitter::restoreState(sideBySide_);
  }
}

QByteArray FoldingSplitter::saveState() const {
  return isFolded() ? sideBySide_ : QSplitter::saveState();
}

bool FoldingSplitter::restoreState(const QByteArray& state) {
  const bool isRestored = QSplitter::restoreState(state);
  setOrientation(Qt::Horizontal);  // what a file says of it does not count
  fold();
  return isRestored;
}

bool FoldingSplitter::event(QEvent* event) {
  const bool handled = QSplitter::event(event);
  if (event->type() == QEvent::LayoutRequest) fold();
  return handled;
}

void FoldingSplitter::resizeEvent(QResizeEvent* event) {
  fold();
  QSplitter::resizeEvent(event);
}

}  // namespace lockstep
