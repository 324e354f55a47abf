// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/curve_button.h"

#include <QComboBox>
#include <QFormLayout>
#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QLocale>
#include <QSignalBlocker>
#include <QSlider>
#include <QStandardItemModel>
#include <algorithm>
#include <cmath>
#include <utility>

#include "metrics/drawing/step_scale.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/metrics/cards/card_texts.h"
#include "widgets/metrics/cards/form_row.h"

namespace lockstep {
namespace {

constexpr int kPerAmount = 1000;  // steps of the slider

template <class Value>
void offer(QComboBox* box, const QString& text, Value value) {
  box->addItem(text, static_cast<int>(value));
}

bool isMeasured(CurveAxis axis, const std::shared_ptr<const MetricStore>& metrics) {
  switch (axis) {
    case CurveAxis::Steps:
      break;
    case CurveAxis::Epochs:
      return StepScale::isMeasuredIn(metrics, StepUnit::Epoch);
    case CurveAxis::RelativeTime:
      return StepScale::isMeasuredIn(metrics, StepUnit::RelativeTime);
    case CurveAxis::WallTime:
      return StepScale::isMeasuredIn(metrics, StepUnit::WallTime);
    case CurveAxis::Samples:
      return StepScale::isMeasuredIn(metrics, StepUnit::Samples);
  }
  return true;
}

QString whyNotMeasured(CurveAxis axis) {
  if (axis == CurveAxis::Epochs) return CurveButton::tr("This run has not measured epochs.");
  if (axis == CurveAxis::Samples)
    return CurveButton::tr("This run lacks samples per second or the time of a step.");
  return CurveButton::tr("This run has not measured times.");
}

template <class Value>
void select(QComboBox* box, Value value) {
  box->setCurrentIndex(std::max(0, box->findData(static_cast<int>(value))));
}

}  // namespace

CurveButton::CurveButton(QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("curves"));
  setText(tr("Curves"));
  setToolTip(tr("How curves are drawn: x axis, smoothing, scale"));
  setAccessibleDescription(toolTip());
  setAutoRaise(true);
  createPanel();
  connect(this, &QToolButton::clicked, this, &CurveButton::openPanel);
}

void CurveButton::createPanel() {
  panel_ = new QFrame(this, Qt::Popup);
  panel_->setObjectName(QStringLiteral("curvePanel"));
  panel_->setFrameShape(QFrame::StyledPanel);
  panel_->setAccessibleName(tr("How curves are drawn"));
  target_ = new QComboBox(panel_);
  axis_ = new QComboBox(panel_);
  smoothing_ = new QComboBox(panel_);
  amount_ = new QSlider(Qt::Horizontal, panel_);
  amountText_ = new PlainLabel(panel_);
  scale_ = new QComboBox(panel_);
  asAll_ = new QToolButton(panel_);
  target_->setObjectName(QStringLiteral("curveTarget"));
  axis_->setObjectName(QStringLiteral("xAxis"));
  smoothing_->setObjectName(QStringLiteral("smoothing"));
  amount_->setObjectName(QStringLiteral("smoothingAmount"));
  scale_->setObjectName(QStringLiteral("scale"));
  asAll_->setObjectName(QStringLiteral("asAllCharts"));
  asAll_->setText(tr("As all charts"));
  asAll_->setAutoRaise(true);
  target_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  offerChoices();
  amount_->setRange(0, static_cast<int>(kMaxSmoothing * kPerAmount));
  amount_->setPageStep(50);
  amountText_->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.000")));
  auto* const amount = new QHBoxLayout;
  amount->addWidget(amount_, 1);
  amount->addWidget(amountText_);
  auto* const form = new QFormLayout(panel_);
  addFormRow(*form, tr("&Of"), target_);
  addFormRow(*form, tr("&X axis"), axis_);
  addFormRow(*form, tr("&Smoothing"), smoothing_);
  addFormRow(*form, tr("&Amount"), amount, amount_);
  addFormRow(*form, tr("S&cale"), scale_);
  form->addRow(asAll_);
  amount_->setAccessibleName(tr("Amount of smoothing"));
  connect(target_, &QComboBox::currentIndexChanged, this, &CurveButton::showOptions);
  for (QComboBox* const box : {axis_, smoothing_, scale_})
    connect(box, &QComboBox::currentIndexChanged, this, &CurveButton::choose);
  connect(amount_, &QSlider::valueChanged, this, &CurveButton::choose);
  connect(asAll_, &QToolButton::clicked, this, [this] { emit chosen(card(), std::nullopt); });
}

void CurveButton::offerChoices() {
  offer(axis_, tr("Step"), CurveAxis::Steps);
  offer(axis_, tr("Epoch"), CurveAxis::Epochs);
  offer(axis_, tr("Time since the start"), CurveAxis::RelativeTime);
  offer(axis_, tr("Time of day"), CurveAxis::WallTime);
  offer(axis_, tr("Samples"), CurveAxis::Samples);
  offer(smoothing_, tr("None"), CurveSmoothing::None);
  offer(smoothing_, tr("Moving average, as TensorBoard"), CurveSmoothing::Debiased);
  offer(smoothing_, tr("Moving average by time"), CurveSmoothing::TimeWeighted);
  offer(smoothing_, tr("Gaussian"), CurveSmoothing::Gaussian);
  offer(smoothing_, tr("Running median"), CurveSmoothing::RunningMedian);
  offer(scale_, tr("As usual for the quantity"), CurveScale::Usual);
  offer(scale_, tr("Linear"), CurveScale::Linear);
  offer(scale_, tr("Logarithmic"), CurveScale::Logarithmic);
}

void CurveButton::setMetrics(std::shared_ptr<const MetricStore> metrics) {
  metrics_ = std::move(metrics);
  if (panel_->isVisible()) offerMeasured();
}

void CurveButton::offerMeasured() {
  auto* const items = qobject_cast<QStandardItemModel*>(axis_->model());
  const bool isKnown = metrics_ && !metrics_->ranks().empty();
  for (int row = 0; row < axis_->count(); ++row) {
    const auto axis = static_cast<CurveAxis>(axis_->itemData(row).toInt());
    const bool isOffered = !isKnown || isMeasured(axis, metrics_);
    QStandardItem* const item = items->item(row);
    item->setEnabled(isOffered);
    const QString reason = isOffered ? QString() : whyNotMeasured(axis);
    item->setToolTip(plainToolTip(reason));
    item->setData(reason, Qt::AccessibleDescriptionRole);
  }
}

void CurveButton::showLayout(const DashboardLayout& layout) {
  const auto shown = card();
  layout_ = layout;
  {
    const QSignalBlocker said(target_);
    target_->clear();
    target_->addItem(tr("All charts"), -1);
    for (std::size_t i = 0; i < layout.cards.size(); ++i)
      if (layout.cards[i].kind == CardKind::Chart)
        target_->addItem(titleOfCard(layout.cards[i]), static_cast<int>(i));
    target_->setCurrentIndex(std::max(0, target_->findData(shown.value_or(-1))));
  }
  showOptions();
}

std::optional<int> CurveButton::card() const {
  const QVariant at = target_->currentData();
  return at.isValid() && at.toInt() >= 0 ? std::optional(at.toInt()) : std::nullopt;
}

void CurveButton::showOptions() {
  const auto at = card();
  const auto own = at ? layout_.cards[static_cast<std::size_t>(*at)].curves : std::nullopt;
  const CurveOptions options = own.value_or(layout_.curves);
  const QSignalBlocker axis(axis_), smoothing(smoothing_), amount(amount_), scale(scale_);
  select(axis_, options.x);
  select(smoothing_, options.smoothing);
  select(scale_, options.scale);
  amount_->setValue(static_cast<int>(std::lround(options.amount * kPerAmount)));
  amountText_->setText(QLocale().toString(options.amount, 'f', 3));
  amount_->setEnabled(options.smoothing != CurveSmoothing::None);
  asAll_->setEnabled(own.has_value());
}

void CurveButton::choose() {
  CurveOptions options;
  options.x = static_cast<CurveAxis>(axis_->currentData().toInt());
  options.smoothing = static_cast<CurveSmoothing>(smoothing_->currentData().toInt());
  options.scale = static_cast<CurveScale>(scale_->currentData().toInt());
  options.amount = static_cast<double>(amount_->value()) / kPerAmount;
  emit chosen(card(), options);
}

void CurveButton::openPanel() {
  offerMeasured();
  panel_->adjustSize();
  panel_->move(mapToGlobal(QPoint(0, height())));
  panel_->show();
  target_->setFocus(Qt::PopupFocusReason);
}

}  // namespace lockstep
