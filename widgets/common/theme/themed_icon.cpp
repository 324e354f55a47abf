// SPDX-License-Identifier: GPL-3.0-or-later
#include <QGuiApplication>
#include <QIconEngine>
#include <QPainter>
#include <QResource>
#include <QSvgRenderer>
#include <memory>

#include "widgets/common/theme/theme.h"

// Outside of any namespace, as the macro wants it: the icons stand in a static library, so nothing else pulls
// them in.
static void initResources() {
  Q_INIT_RESOURCE(resources);
}

namespace lockstep {
namespace {

QColor colorFor(IconColor color, const QPalette& palette) {
  switch (color) {
    case IconColor::Muted:
    case IconColor::OnTint:
      return mutedColor(palette);
    case IconColor::Accent:
      return accentColor(palette);
    case IconColor::Ok:
      return okColor(palette);
    case IconColor::Warning:
      return warningColor(palette);
    case IconColor::Error:
      return errorColor(palette);
    case IconColor::OnAccent:
      return palette.color(QPalette::HighlightedText);
    case IconColor::Text:
      break;
  }
  return palette.color(QPalette::WindowText);
}

class ThemedIconEngine final : public QIconEngine {
 public:
  ThemedIconEngine(std::shared_ptr<QSvgRenderer> svg, IconColor color)
      : svg_(std::move(svg)), color_(color) {}

  void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State state) override {
    const qreal scale = painter->device()->devicePixelRatioF();
    painter->drawPixmap(rect, scaledPixmap(rect.size() * scale, mode, state, scale));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    return scaledPixmap(size, mode, state, 1);
  }
  QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
    QPixmap picture(size);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    const int side = qMin(size.width(), size.height());
    svg_->render(&painter, QRectF((size.width() - side) / 2.0, (size.height() - side) / 2.0, side, side));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    const QPalette palette = QGuiApplication::palette();
    painter.fillRect(picture.rect(), colorIn(mode, palette));
    painter.end();
    picture.setDevicePixelRatio(scale);
    return picture;
  }
  [[nodiscard]] QColor colorIn(QIcon::Mode mode, const QPalette& palette) const {
    if (mode == QIcon::Disabled) return palette.color(QPalette::Disabled, QPalette::WindowText);
    if (mode != QIcon::Selected) return colorFor(color_, palette);
    // On the ground of a selected row no colour of a state can be read: its shape and the text beside it tell it.
    return palette.color(color_ == IconColor::OnTint ? QPalette::WindowText : QPalette::HighlightedText);
  }
  QIconEngine* clone() const override { return new ThemedIconEngine(svg_, color_); }

 private:
  std::shared_ptr<QSvgRenderer> svg_;
  IconColor color_;
};

}  // namespace

QIcon themedIcon(const QString& name, IconColor color) {
  initResources();
  const QString path = QStringLiteral(":/lockstep/icons/%1.svg").arg(name);
  if (!QResource(path).isValid()) return {};
  auto svg = std::make_shared<QSvgRenderer>(path);
  return QIcon(new ThemedIconEngine(std::move(svg), color));
}

}  // namespace lockstep
