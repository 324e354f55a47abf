// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/charts/plot_picture.h"

#include <qcustomplot.h>

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QSvgGenerator>
#include <QTextDocument>
#include <QTextDocumentFragment>
#include <cmath>

#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMargin = 8;  // all in the plot's pixels
constexpr int kLineGap = 2;
constexpr double kScale = 2;

/// The texts above the plot, laid out in its width.
class Head {
 public:
  Head(const PlotPicture& picture, int width) : colors_(picture.colors) {
    for (QTextDocument* text : {&title_, &legend_}) {
      text->setDocumentMargin(0);
      text->setDefaultFont(picture.font);
      text->setTextWidth(width);
    }
    title_.setHtml(picture.title);
    legend_.setHtml(picture.legend);
  }

  [[nodiscard]] int height() const {
    const double lines = title_.size().height() + kLineGap;
    return static_cast<int>(
        std::ceil(legend_.isEmpty() ? lines : lines + legend_.size().height() + kLineGap));
  }

  /// Leaves the painter below what was painted.
  void paint(QPainter& painter) {
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette = colors_;
    context.palette.setColor(QPalette::Text, colors_.color(QPalette::WindowText));
    title_.documentLayout()->draw(&painter, context);
    painter.translate(0, std::ceil(title_.size().height()) + kLineGap);
    if (legend_.isEmpty()) return;
    legend_.documentLayout()->draw(&painter, context);
    painter.translate(0, std::ceil(legend_.size().height()) + kLineGap);
  }

 private:
  QPalette colors_;
  QTextDocument title_, legend_;
};

void paint(QCPPainter& painter, QCustomPlot& plot, const PlotPicture& picture, Head& head,
           const QSize& size) {
  painter.fillRect(QRect(QPoint(), size), cardColor(picture.colors));
  painter.translate(kMargin, kMargin);
  head.paint(painter);
  plot.toPainter(&painter, plot.width(), plot.height());
}

QSize sizeOf(const QCustomPlot& plot, const Head& head) {
  return {plot.width() + 2 * kMargin, plot.height() + head.height() + 2 * kMargin};
}

}  // namespace

QImage plotImage(QCustomPlot& plot, const PlotPicture& picture) {
  Head head(picture, plot.width());
  const QSize size = sizeOf(plot, head);
  QImage image(size * kScale, QImage::Format_ARGB32_Premultiplied);
  image.setDevicePixelRatio(kScale);
  image.fill(cardColor(picture.colors));
  {
    QCPPainter painter(&image);
    paint(painter, plot, picture, head, size);
  }
  image.setDevicePixelRatio(1);  // of no meaning to who gets it
  return image;
}

QByteArray plotSvg(QCustomPlot& plot, const PlotPicture& picture) {
  Head head(picture, plot.width());
  const QSize size = sizeOf(plot, head);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  QSvgGenerator generator;
  generator.setOutputDevice(&buffer);
  generator.setSize(size);
  generator.setViewBox(QRect(QPoint(), size));
  generator.setResolution(plot.logicalDpiX());  // else letters have another size than on the screen
  generator.setTitle(QTextDocumentFragment::fromHtml(picture.title).toPlainText());
  generator.setDescription(picture.description);
  {
    QCPPainter painter(&generator);
    painter.setMode(QCPPainter::pmVectorized);
    paint(painter, plot, picture, head, size);
  }
  return bytes;
}

}  // namespace lockstep
