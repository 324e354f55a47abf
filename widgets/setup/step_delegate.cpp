// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/step_delegate.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>

#include "widgets/setup/steps_model.h"

namespace lockstep {
namespace {

constexpr int kPad = 10;
constexpr int kRowPad = 8;
constexpr int kTurnMs = 80;
constexpr int kTurnStep = 30;

QFont smaller(QFont font) {
  font.setPointSizeF(font.pointSizeF() * 0.9);
  return font;
}

}  // namespace

StepDelegate::StepDelegate(QAbstractItemView* view) : QStyledItemDelegate(view) {
  timer_.setInterval(kTurnMs);
  connect(&timer_, &QTimer::timeout, view, [this, view] {
    degrees_ = (degrees_ + kTurnStep) % 360;
    view->viewport()->update();
  });
}

void StepDelegate::setTurning(bool isTurning) {
  if (isTurning == timer_.isActive()) return;
  isTurning ? timer_.start() : timer_.stop();
}

void StepDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                         const QModelIndex& index) const {
  QStyleOptionViewItem ground(option);
  initStyleOption(&ground, index);
  ground.text.clear();
  ground.icon = {};
  const QWidget* view = option.widget;
  view->style()->drawControl(QStyle::CE_ItemViewItem, &ground, painter, view);

  painter->save();
  const QFontMetrics metrics(option.font);
  const QRect row = option.rect.adjusted(kPad, kRowPad, -kPad, -kRowPad);
  const int side = metrics.height() + 2;
  const QRect icon(row.left(), row.top(), side, side);
  const QRect words = row.adjusted(side + kPad, 0, 0, 0);
  paintIcon(painter, option, index, QStyle::visualRect(option.direction, row, icon));

  const QFont small = smaller(option.font);
  const QRect first =
      QStyle::visualRect(option.direction, row, words.adjusted(0, 0, 0, -(words.height() / 2)));
  const QRect second = QStyle::visualRect(option.direction, row, words.adjusted(0, words.height() / 2, 0, 0));
  const QString title = QStringLiteral("%1  %2").arg(index.row() + 1).arg(index.data().toString());
  painter->setFont(option.font);
  painter->setPen(option.palette.color(QPalette::Text));
  painter->drawText(first, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                    metrics.elidedText(title, Qt::ElideRight, first.width()));
  const QString state = index.data(StepsModel::StateTextRole).toString();
  const auto tone = toneOf(static_cast<StepState>(index.data(StepsModel::StateRole).toInt()));
  painter->setFont(small);
  painter->setPen(colorFor(tone, option.palette));
  painter->drawText(second, Qt::AlignVCenter | Qt::AlignLeading | Qt::TextSingleLine,
                    QFontMetrics(small).elidedText(state, Qt::ElideRight, second.width()));
  painter->restore();
}

void StepDelegate::paintIcon(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index,
                             const QRect& place) const {
  const auto icon = index.data(Qt::DecorationRole).value<QIcon>();
  const bool turns = index.data(StepsModel::StateRole).toInt() == static_cast<int>(StepState::Checking);
  if (!turns) return icon.paint(painter, place);
  painter->save();
  painter->setRenderHint(QPainter::SmoothPixmapTransform);
  painter->translate(QRectF(place).center());
  painter->rotate(degrees_);
  const qreal scale = option.widget->devicePixelRatioF();
  const QRectF at(-place.width() / 2.0, -place.height() / 2.0, place.width(), place.height());
  const QPixmap picture = icon.pixmap(place.size(), scale);
  painter->drawPixmap(at, picture, QRectF(picture.rect()));
  painter->restore();
}

QSize StepDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const {
  const int lines = QFontMetrics(option.font).height() + QFontMetrics(smaller(option.font)).height();
  return {10 * lines, lines + 2 * kRowPad + 4};
}

}  // namespace lockstep
