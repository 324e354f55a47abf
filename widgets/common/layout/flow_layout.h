// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLayout>
#include <QList>

namespace lockstep {

/// Widgets in a line that goes on below where there is no room for all of them. What is left of a line goes
/// to its widgets that expand (QSizePolicy::Expanding). As narrow as its widest widget.
class FlowLayout : public QLayout {
 public:
  explicit FlowLayout(QWidget* parent = nullptr) : QLayout(parent) {}
  ~FlowLayout() override;

  void setGaps(int horizontal, int vertical);

  void addItem(QLayoutItem* item) override { items_ << item; }
  [[nodiscard]] int count() const override { return static_cast<int>(items_.size()); }
  [[nodiscard]] QLayoutItem* itemAt(int index) const override { return items_.value(index); }
  QLayoutItem* takeAt(int index) override;
  [[nodiscard]] Qt::Orientations expandingDirections() const override { return Qt::Horizontal; }
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;
  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSize() const override;
  void setGeometry(const QRect& rect) override;

 private:
  using Line = QList<QLayoutItem*>;
  [[nodiscard]] QList<Line> linesIn(int width) const;
  [[nodiscard]] int widthOf(const Line& line) const;
  void place(const Line& line, const QRect& rect);

  QList<QLayoutItem*> items_;
  int gap_ = 6;
  int lineGap_ = 4;
};

}  // namespace lockstep
