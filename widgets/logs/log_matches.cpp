// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_matches.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/logs/follow_button.h"

namespace lockstep {
LogMatches::LogMatches(LogModel* log, QWidget* parent)
    : QWidget(parent),
      log_(log),
      model_(new LogModel(log->lines(), this)),
      table_(new LogTable(model_, this)),
      title_(new PlainLabel(this)),
      follow_(makeFollowButton(table_, this)) {
  model_->setFolding(false);
  follow_->setObjectName(QStringLiteral("followMatches"));
  table_->setObjectName(QStringLiteral("matchTable"));
  table_->setAccessibleName(tr("Matching lines"));
  arrange();
  search({});
  connect(table_, &LogTable::rowActivated, this,
          [this](int row) { emit lineWanted(model_->lineOfRow(row)); });
  connect(model_, &QAbstractItemModel::modelReset, this, &LogMatches::changed);
  connect(model_, &QAbstractItemModel::rowsInserted, this, &LogMatches::changed);
  connect(model_, &LogModel::scanAdvanced, this, &LogMatches::changed);
  connect(this, &LogMatches::changed, this, [this] { title_->setText(resultText({})); });
}

void LogMatches::arrange() {
  makeCaption(title_);
  title_->setObjectName(QStringLiteral("matchCount"));
  auto* head = new QHBoxLayout;
  head->addWidget(title_, 1);
  head->addWidget(follow_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addLayout(head);
  column->addWidget(table_, 1);
  setAccessibleRole(this, QAccessible::Pane);
  setAccessibleName(tr("Matches"));
}

void LogMatches::search(const std::optional<TextQuery>& wanted) {
  isSearching_ = wanted.has_value();
  table_->keepPlace();
  if (wanted && log_->filter()) {
    LogQuery query = *log_->filter();
    query.text = query.text ? TextQuery::both(*query.text, *wanted) : *wanted;
    model_->setFilter(std::move(query));
  } else {
    model_->showNothing();
  }
  table_->restorePlace();
  setVisible(isSearching_);
}

std::optional<std::uint64_t> LogMatches::next(std::optional<std::uint64_t> line, bool forward) const {
  const LineSet& matches = model_->accepted();
  if (!isSearching_ || matches.isEmpty()) return std::nullopt;
  if (forward) {
    const std::uint64_t place = line ? matches.countBefore(*line + 1) : 0;
    return matches.at(place < matches.size() ? place : 0);
  }
  const std::uint64_t place = line ? matches.countBefore(*line) : 0;
  return matches.at(place > 0 ? place - 1 : matches.size() - 1);
}

QString LogMatches::resultText(std::optional<std::uint64_t> line) const {
  if (!isSearching_) return {};
  const LineSet& matches = model_->accepted();
  const QLocale locale;
  const QString count = locale.toString(static_cast<qulonglong>(matches.size()));
  if (model_->isScanning())
    return tr("%1 matches so far (%2 % searched)").arg(count).arg(static_cast<int>(model_->scanned() * 100));
  if (matches.isEmpty()) return tr("No match");
  if (line && matches.contains(*line)) {
    const auto place = matches.countBefore(*line) + 1;
    return tr("%1 of %2 matches").arg(locale.toString(static_cast<qulonglong>(place)), count);
  }
  return matches.size() == 1 ? tr("1 match") : tr("%1 matches").arg(count);
}

}  // namespace lockstep
