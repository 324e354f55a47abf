// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractScrollArea>
#include <optional>
#include <set>

#include "base/ids.h"

class QTimer;

namespace lockstep {

/// Tiles of one size in as many columns as the width has room for, scrolled from top to bottom. Only tiles in sight are
/// computed, one at a time between the events of the window, and drawn. Arrows go from tile to tile, Enter or a double click
/// activates one; a screen reader reads the one that they are on.
class TileView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  explicit TileView(QWidget* parent = nullptr);

  /// What is said where there is no tile.
  void setEmptyText(const QString& text);
  /// A line at that step, to which something else on the page points.
  void setPointed(std::optional<Step> step);
  /// Computes and draws all in sight now, e.g. before a picture is taken.
  void refreshNow();

  [[nodiscard]] virtual int tileCount() const = 0;
  /// All that the tile says, in words.
  [[nodiscard]] virtual QString tileText(int tile) const = 0;
  [[nodiscard]] int currentTile() const { return current_; }
  /// Tiles that are in sight now, from the first to behind the last.
  [[nodiscard]] std::pair<int, int> tilesInSight() const;
  [[nodiscard]] QSize sizeHint() const override { return {420, 300}; }
  [[nodiscard]] QSize minimumSizeHint() const override;

 signals:
  void tileActivated(int tile);

 protected:
  /// The least width and the height.
  [[nodiscard]] virtual QSize tileSize() const = 0;
  /// What painting it needs, for that width. What was computed before may be drawn until then.
  virtual void computeTile(int tile, int width) = 0;
  virtual void paintTile(QPainter& painter, const QRect& area, int tile) = 0;

  [[nodiscard]] const std::optional<Step>& pointed() const { return pointed_; }
  /// There are other tiles, or what they show is old.
  void setOld();
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void changeEvent(QEvent* event) override;
  bool viewportEvent(QEvent* event) override;

 private:
  [[nodiscard]] int columns() const;
  [[nodiscard]] int lineHeight() const;
  [[nodiscard]] QRect rectOf(int tile) const;
  [[nodiscard]] int tileAt(const QPoint& position) const;
  void fitScrollBar();
  bool computeNext();
  void setCurrent(int tile);

  QString emptyText_;
  QTimer* timer_;
  std::set<int> computed_;
  int current_ = 0;
  std::optional<Step> pointed_;
};

}  // namespace lockstep
