// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/reach_panel.h"

#include <QHeaderView>
#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/health/gap_card.h"
#include "widgets/health/health_table.h"
#include "widgets/health/reach_model.h"

namespace lockstep {
namespace {

constexpr std::size_t kMaxCards = 20;  // a cluster that is closed all round says the same many times

QVBoxLayout* makeColumn(QWidget* of, int margin) {
  auto* column = new QVBoxLayout(of);
  column->setContentsMargins(margin, margin, margin, margin);
  column->setSpacing(8);
  return column;
}

}  // namespace

ReachPanel::ReachPanel(QWidget* parent)
    : QScrollArea(parent),
      model_(new ReachModel(this)),
      table_(new HealthTable(model_, tr("Which node reaches which"))),
      empty_(new PlainLabel),
      cards_(new QWidget) {
  setWidgetResizable(true);
  setFrameShape(QFrame::NoFrame);
  auto* content = new QWidget;
  auto* column = makeColumn(content, 0);
  empty_->setWordWrap(true);
  empty_->setAlignment(Qt::AlignCenter);
  makeCaption(empty_);
  column_ = makeColumn(cards_, 0);
  column->addWidget(table_);
  column->addWidget(cards_);
  column->addWidget(empty_, 1);
  column->addStretch();
  setWidget(content);
  table_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  table_->setAlternatingRowColors(false);
  table_->setShowGrid(true);
  connect(table_->horizontalScrollBar(), &QScrollBar::rangeChanged, this, &ReachPanel::fitTable);
  showParts();
}

void ReachPanel::setEmptyText(const QString& text) {
  empty_->setText(text);
}

void ReachPanel::setHealth(const std::shared_ptr<const RunHealth>& health) {
  const RunHealth known = health ? *health : RunHealth();
  std::string troubles;
  for (const Error& trouble : known.unreadable) troubles += describe(trouble) + "\n";
  // Every beat of the ranks comes with it: what did not change keeps its selection and its place.
  if (known.nodes == shown_ && troubles == shownTroubles_) return;
  shown_ = known.nodes;
  shownTroubles_ = troubles;
  model_->setMatrix(ReachMatrix(known.nodes));
  showCards(known.unreadable);
  showParts();
}

void ReachPanel::showParts() {
  const bool isEmpty = model_->rowCount() == 0;
  table_->setVisible(!isEmpty);
  cards_->setVisible(column_->count() > 0);
  empty_->setVisible(isEmpty && column_->count() == 0);
  fitTable();
}

void ReachPanel::showCards(const std::vector<Error>& unreadable) {
  while (QLayoutItem* item = column_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  const auto gaps = model_->matrix().gaps();
  for (std::size_t i = 0; i < std::min(gaps.size(), kMaxCards); ++i)
    column_->addWidget(new GapCard(BadgeTone::Error, noticeOf(model_->matrix(), gaps[i])));
  if (gaps.size() > kMaxCards) {
    auto* more = new PlainLabel(
        tr("and %Ln more; the table shows them all", nullptr, static_cast<int>(gaps.size() - kMaxCards)));
    makeCaption(more);
    column_->addWidget(more);
  }
  for (const Error& trouble : unreadable)
    column_->addWidget(new GapCard(BadgeTone::Warning, {asSentence(trouble.what), asSentence(trouble.cause),
                                                        asSentence(trouble.remedy)}));
}

void ReachPanel::fitTable() {
  const QScrollBar* bar = table_->horizontalScrollBar();
  const int scroll = bar->maximum() > bar->minimum() ? bar->sizeHint().height() : 0;
  table_->setFixedHeight(table_->horizontalHeader()->sizeHint().height() +
                         table_->verticalHeader()->length() + scroll + 2 * table_->frameWidth() + 2);
}

}  // namespace lockstep
