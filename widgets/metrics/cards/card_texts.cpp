// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/card_texts.h"

#include <QCoreApplication>
#include <QStringList>

#include "metrics/layouts/built_in_layouts.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/metrics/charts/metric_texts.h"

namespace lockstep {
namespace {

struct CardTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::CardTexts)
};

/// The context under which the names of the layouts are filed.
struct LayoutTexts {
  Q_DECLARE_TR_FUNCTIONS(lockstep::LayoutTexts)
};

}  // namespace

QString titleOfKind(CardKind kind) {
  switch (kind) {
    case CardKind::Chart:
      return CardTexts::tr("Chart");
    case CardKind::HeatMap:
      return CardTexts::tr("Heat map");
    case CardKind::StepTime:
      return CardTexts::tr("Step time");
    case CardKind::Tiles:
      return CardTexts::tr("Nodes and GPUs");
  }
  return {};
}

QString titleOfQuantity(std::string_view name) {
  const MetricInfo* const metric = findMetric(name);
  return metric != nullptr ? titleOfMetric(*metric) : toShownLine(name);
}

QString titleOfCard(const DashboardCard& card) {
  if (!card.title.empty()) return toShownLine(card.title);
  if (card.kind == CardKind::StepTime || card.kind == CardKind::Tiles || card.quantities.empty())
    return titleOfKind(card.kind);
  QStringList titles;
  for (const CardQuantity& one : card.quantities) titles << titleOfQuantity(one.name);
  const QString all = titles.join(QStringLiteral(", "));
  return card.kind == CardKind::HeatMap ? CardTexts::tr("Heat map: %1").arg(all) : all;
}

QString titleOfLayout(std::string_view name) {
  const DashboardLayout* const known = findBuiltIn(name);
  return known != nullptr ? LayoutTexts::tr(known->name.c_str()) : toShownLine(name);
}

}  // namespace lockstep
