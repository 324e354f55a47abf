// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_picker.h"

#include "metrics/rank_list.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

RankPicker::RankPicker(QWidget* parent) : QLineEdit(parent) {
  setObjectName(QStringLiteral("rankPicker"));
  setPlaceholderText(tr("Draw ranks, e.g. 0-3, 17"));
  setAccessibleName(tr("Ranks with a curve of their own"));
  setClearButtonEnabled(true);
  setMaxLength(1000);
  showMistake({});
  connect(this, &QLineEdit::textChanged, this, &RankPicker::read);
}

void RankPicker::setEnd(int end) {
  if (end == end_) return;
  end_ = end;
  read();
}

QSize RankPicker::sizeHint() const {
  const QSize least = QLineEdit::sizeHint();
  return {std::max(least.width(), fontMetrics().horizontalAdvance(placeholderText()) + 48), least.height()};
}

void RankPicker::read() {
  const auto ranks = parseRankList(toStdString(text()), end_);
  showMistake(ranks ? QString() : toQString(describe(ranks.error())));
  if (!ranks) return;
  std::set<Rank> chosen(ranks->begin(), ranks->end());
  if (chosen == chosen_) return;
  chosen_ = std::move(chosen);
  emit chosenChanged();
}

void RankPicker::showMistake(const QString& mistake) {
  QPalette colors = parentWidget() != nullptr ? parentWidget()->palette() : QPalette();
  if (!mistake.isEmpty()) colors.setColor(QPalette::Text, errorColor(colors));
  setPalette(colors);
  const QString help =
      tr("These ranks are drawn over the band of all; others that lie apart are drawn, too.");
  setToolTip(plainToolTip(mistake.isEmpty() ? help : mistake));
  setAccessibleDescription(mistake.isEmpty() ? help : mistake);
}

}  // namespace lockstep
