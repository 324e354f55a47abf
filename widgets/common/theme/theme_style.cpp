// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/theme/theme_style.h"

#include <QComboBox>
#include <QPainter>
#include <QPainterPath>
#include <QStyleFactory>
#include <QStyleOption>
#include <algorithm>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr qreal kRadius = 5;
constexpr int kTextPad = 4;

void drawField(QPainter* painter, const QStyleOption& option, const QColor& ground, bool focused) {
  const bool enabled = option.state & QStyle::State_Enabled;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  const QColor line = focused ? accentColor(option.palette) : borderColor(option.palette);
  painter->setPen(QPen(line, focused ? 1.6 : 1));
  painter->setBrush(enabled ? ground : option.palette.color(QPalette::Window));
  painter->drawRoundedRect(QRectF(option.rect).adjusted(1, 1, -1, -1), kRadius, kRadius);
  painter->restore();
}

QColor buttonGround(const QStyleOption& option) {
  QColor ground = option.palette.color(QPalette::Button);
  const QColor ink = option.palette.color(QPalette::ButtonText);
  if (option.state & (QStyle::State_Sunken | QStyle::State_On)) return tinted(ground, ink, 0.16);
  if (option.state & QStyle::State_MouseOver && option.state & QStyle::State_Enabled)
    return tinted(ground, ink, 0.07);
  return ground;
}

/// Fusion's own is too faint to be found. `outset`: how far inside the widget's edge it was asked for.
void drawFocusRing(QPainter* painter, const QStyleOption& option, int outset) {
  if (!(option.state & QStyle::State_KeyboardFocusChange)) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(accentColor(option.palette), 2));
  painter->setBrush(Qt::NoBrush);
  const qreal inset = 1.0 - outset;
  painter->drawRoundedRect(QRectF(option.rect).adjusted(inset, inset, -inset, -inset), kRadius - 1,
                           kRadius - 1);
  painter->restore();
}

void drawChevron(QPainter* painter, const QRectF& rect, bool up, const QColor& color) {
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(color, 1.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  const QPointF center = rect.center();
  const qreal dy = up ? -1.8 : 1.8;
  painter->drawPolyline(QPolygonF{{center.x() - 3.4, center.y() - dy},
                                  {center.x(), center.y() + dy},
                                  {center.x() + 3.4, center.y() - dy}});
  painter->restore();
}

/// A ring that shows on every ground, and a dot when chosen.
void drawRadio(QPainter* painter, const QStyleOption& option) {
  const bool enabled = option.state & QStyle::State_Enabled;
  const bool isOn = option.state & QStyle::State_On;
  const QColor mark = enabled ? accentColor(option.palette) : mutedColor(option.palette);
  const qreal side = std::min(option.rect.width(), option.rect.height()) - 2;
  QRectF ring(0, 0, side, side);
  ring.moveCenter(QRectF(option.rect).center());
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(QPen(isOn ? mark : mutedColor(option.palette), 1.4));
  painter->setBrush(option.palette.color(enabled ? QPalette::Base : QPalette::Window));
  painter->drawEllipse(ring);
  if (isOn) {
    painter->setPen(Qt::NoPen);
    painter->setBrush(mark);
    painter->drawEllipse(ring.center(), side * 0.27, side * 0.27);
  }
  painter->restore();
}

QColor inkOf(const QStyleOption& option, bool active = true) {
  const bool enabled = active && option.state & QStyle::State_Enabled;
  return enabled ? option.palette.color(QPalette::Text)
                 : option.palette.color(QPalette::Disabled, QPalette::Text);
}

}  // namespace

ThemeStyle::ThemeStyle() : QProxyStyle(QStyleFactory::create(QStringLiteral("Fusion"))) {}

int ThemeStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_ToolBarItemSpacing:
      return 4;
    case PM_ToolBarItemMargin:
      return 4;
    case PM_ToolBarFrameWidth:
      return 0;
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
      return 18;
    case PM_ToolBarIconSize:
      return 20;
    case PM_SplitterWidth:
      return 7;
    case PM_ScrollBarExtent:
      return 13;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int ThemeStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
  if (hint == SH_EtchDisabledText || hint == SH_DitherDisabledText) return 0;
  return QProxyStyle::styleHint(hint, option, widget, data);
}

QSize ThemeStyle::sizeFromContents(ContentsType type, const QStyleOption* option, const QSize& size,
                                   const QWidget* widget) const {
  const QSize wanted = QProxyStyle::sizeFromContents(type, option, size, widget);
  switch (type) {
    case CT_LineEdit:
    case CT_ComboBox:
    case CT_SpinBox:
      return {wanted.width() + 4, std::max(wanted.height(), option->fontMetrics.height() + 13)};
    case CT_PushButton:
      return wanted + QSize(12, 6);
    case CT_ItemViewItem:
      return wanted + QSize(0, 6);
    case CT_MenuItem:
      return wanted + QSize(0, 4);
    default:
      return wanted;
  }
}

QRect ThemeStyle::subElementRect(SubElement element, const QStyleOption* option,
                                 const QWidget* widget) const {
  const QRect rect = QProxyStyle::subElementRect(element, option, widget);
  const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
  if (element == SE_LineEditContents && frame && frame->lineWidth > 0)
    return rect.adjusted(kTextPad, 0, -kTextPad, 0);
  return rect;
}

QRect ThemeStyle::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                                 const QWidget* widget) const {
  const QRect rect = QProxyStyle::subControlRect(control, option, part, widget);
  const bool isText = (control == CC_ComboBox && part == SC_ComboBoxEditField) ||
                      (control == CC_SpinBox && part == SC_SpinBoxEditField);
  if (!isText) return rect;
  return option->direction == Qt::RightToLeft ? rect.adjusted(0, 0, -kTextPad, 0)
                                              : rect.adjusted(kTextPad, 0, 0, 0);
}

void ThemeStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
  switch (element) {
    case PE_PanelLineEdit:
      // The line edit inside a spin or combo box has no frame of its own.
      if (const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
          frame && frame->lineWidth > 0)
        drawField(painter, *option, option->palette.color(QPalette::Base), option->state & State_HasFocus);
      return;
    case PE_FrameLineEdit:
      return;
    case PE_PanelButtonCommand: {
      const bool focused = option->state & State_HasFocus && option->state & State_KeyboardFocusChange;
      const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
      if (button && button->features & QStyleOptionButton::Flat &&
          !(option->state & (State_MouseOver | State_Sunken)) && !focused)
        return;
      drawField(painter, *option, buttonGround(*option), focused);
      return;
    }
    case PE_IndicatorItemViewItemCheck: {
      QProxyStyle::drawPrimitive(element, option, painter, widget);
      // Fusion's own edge is as dark as the ground of a dark list.
      QColor edge = mutedColor(option->palette);
      if (!(option->state & State_Enabled)) edge.setAlphaF(0.4F);
      painter->setPen(edge);
      painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
      return;
    }
    case PE_IndicatorRadioButton:
      return drawRadio(painter, *option);
    case PE_IndicatorArrowDown:
      if (!widget || !widget->inherits("QPushButton")) break;
      return drawChevron(painter, option->rect, false, inkOf(*option));
    case PE_FrameFocusRect:
      if (widget && widget->inherits("QPushButton")) return;
      if (!widget || widget->inherits("QAbstractItemView")) break;
      return drawFocusRing(painter, *option, widget->inherits("QToolButton") ? 2 : 0);
    default:
      break;
  }
  QProxyStyle::drawPrimitive(element, option, painter, widget);
}

void ThemeStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
                                    QPainter* painter, const QWidget* widget) const {
  if (control == CC_ComboBox) {
    const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
    if (combo && combo->frame) {
      const QColor ground = combo->editable ? option->palette.color(QPalette::Base) : buttonGround(*option);
      drawField(painter, *option, ground, option->state & State_HasFocus);
      drawChevron(painter, subControlRect(control, option, SC_ComboBoxArrow, widget), false, inkOf(*option));
      return;
    }
  }
  if (control == CC_SpinBox) {
    const auto* spin = qstyleoption_cast<const QStyleOptionSpinBox*>(option);
    if (spin && spin->frame) {
      drawField(painter, *option, option->palette.color(QPalette::Base), option->state & State_HasFocus);
      if (spin->buttonSymbols == QAbstractSpinBox::NoButtons) return;
      drawChevron(painter, subControlRect(control, option, SC_SpinBoxUp, widget), true,
                  inkOf(*option, spin->stepEnabled & QAbstractSpinBox::StepUpEnabled));
      drawChevron(painter, subControlRect(control, option, SC_SpinBoxDown, widget), false,
                  inkOf(*option, spin->stepEnabled & QAbstractSpinBox::StepDownEnabled));
      return;
    }
  }
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

}  // namespace lockstep
