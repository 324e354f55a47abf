// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QByteArray>
#include <QFont>
#include <QImage>
#include <QPalette>
#include <QString>

class QCustomPlot;

namespace lockstep {

/// A chart as a picture of its own: the title, who is drawn in which colour, and the plot as it stands, drawn anew. What only
/// the screen has (the line under the pointer) is to be hidden by the caller.
struct PlotPicture {
  QString title;        // rich text
  QString legend;       // rich text; empty: none
  QString description;  // plain text, for who cannot see it
  QPalette colors;
  QFont font;
};

/// Twice the pixels of the plot on the screen.
[[nodiscard]] QImage plotImage(QCustomPlot& plot, const PlotPicture& picture);
/// As SVG, in the plot's own size; lines and letters, no pixels.
[[nodiscard]] QByteArray plotSvg(QCustomPlot& plot, const PlotPicture& picture);

}  // namespace lockstep
