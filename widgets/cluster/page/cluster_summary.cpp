// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/page/cluster_summary.h"

#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <QVBoxLayout>

#include "plan/node_details.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

QString priceText(double perHour, const std::string& currency) {
  return ClusterSummary::tr("%1 %2/h").arg(QLocale().toString(perHour, 'f', 2), toQString(currency));
}

QString costOf(const CostEstimate& estimate) {
  if (estimate.perHour)
    return ClusterSummary::tr("%1 (prices of %2)")
        .arg(priceText(*estimate.perHour, estimate.currency), toQString(estimate.asOf));
  // The line says of what no price is known.
  for (const CostLine& line : estimate.lines)
    if (!line.perHour) return toQString(line.what);
  return ClusterSummary::tr("No price known");
}

QString detailsOf(const CostEstimate& estimate) {
  QStringList lines;
  for (const CostLine& line : estimate.lines)
    lines << (line.perHour ? ClusterSummary::tr("%1 = %2").arg(toQString(line.what),
                                                               priceText(*line.perHour, estimate.currency))
                           : toQString(line.what));
  if (estimate.perHour)
    lines << ClusterSummary::tr("Together: %1").arg(priceText(*estimate.perHour, estimate.currency));
  lines << ClusterSummary::tr("Prices as of %1, from %2")
               .arg(toQString(estimate.asOf), toQString(estimate.source));
  return lines.join(QLatin1Char('\n'));
}

QLabel* makeText(QWidget* parent) {
  auto* label = new PlainLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  return label;
}

}  // namespace

ClusterSummary::ClusterSummary(QWidget* parent)
    : QFrame(parent), prices_(builtInPrices()), worldSize_(makeText(this)), cost_(new QToolButton(this)) {
  makeCard(this);
  setAccessibleName(tr("Summary"));
  worldSize_->setTextInteractionFlags(Qt::TextSelectableByMouse);  // no stop of the Tab key
  worldSize_->setFocusPolicy(Qt::NoFocus);
  worldSize_->setAccessibleName(tr("World size"));
  worldSize_->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
  cost_->setAutoRaise(true);
  cost_->setIcon(themedIcon(QStringLiteral("info"), IconColor::Muted));
  cost_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  cost_->setFocusPolicy(Qt::TabFocus);
  // One below the other: beside each other they would break each other's lines.
  auto* column = new QVBoxLayout(this);
  // The button has a margin of its own; text and icon stand in one line all the same.
  column->setContentsMargins(9, 8, 8, 6);
  worldSize_->setIndent(5);
  column->setSpacing(2);
  column->addWidget(worldSize_);
  column->addWidget(cost_, 0, Qt::AlignLeading);
  connect(cost_, &QToolButton::clicked, this, &ClusterSummary::showDetails);
}

void ClusterSummary::setSpec(const ClusterSpec& spec) {
  spec_ = spec;
  refresh();
}

void ClusterSummary::setPrices(const PriceTable& prices) {
  prices_ = prices;
  refresh();
}

QString ClusterSummary::worldSizeText() const {
  return worldSize_->text();
}

QString ClusterSummary::costText() const {
  return cost_->text();
}

void ClusterSummary::refresh() {
  const CostEstimate estimate = estimateCost(spec_, prices_);
  details_ = detailsOf(estimate);
  const QString world = asSentence(worldSizeOf(spec_).text);
  if (worldSize_->text() != world) worldSize_->setText(world);
  const QString cost = costOf(estimate);
  if (cost_->text() != cost) cost_->setText(cost);
  cost_->setToolTip(plainToolTip(details_));
  cost_->setAccessibleName(tr("Cost: %1").arg(cost));
  cost_->setAccessibleDescription(details_);
}

void ClusterSummary::showDetails() {
  auto* popup = new QFrame(this, Qt::Popup);
  popup->setAttribute(Qt::WA_DeleteOnClose);
  popup->setFrameShape(QFrame::StyledPanel);
  popup->setAccessibleName(tr("What the cost is made up of"));
  auto* text = makeText(popup);
  text->setText(details_);
  text->setWordWrap(false);
  auto* column = new QVBoxLayout(popup);
  column->setContentsMargins(14, 10, 14, 10);
  column->addWidget(text);
  popup->adjustSize();
  const QPoint corner = cost_->mapToGlobal(QPoint(cost_->width() - popup->width(), -popup->height()));
  popup->move(corner);
  popup->show();
  text->setFocus(Qt::PopupFocusReason);
}

}  // namespace lockstep
