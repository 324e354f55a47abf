// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>

namespace lockstep {

/// One line of text that shortens itself to the room there is; the whole text is in its tool tip then, and
/// always what a screen reader says.
class ElidedLabel : public QFrame {
  Q_OBJECT
  Q_PROPERTY(QString text READ text WRITE setText)
 public:
  explicit ElidedLabel(QWidget* parent = nullptr);
  explicit ElidedLabel(const QString& text, QWidget* parent = nullptr);

  void setText(const QString& text);
  [[nodiscard]] QString text() const { return text_; }
  void setElideMode(Qt::TextElideMode mode);
  /// Secondary text colour.
  void setMuted(bool muted);

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void updateToolTip();
  QString text_;
  Qt::TextElideMode mode_ = Qt::ElideRight;
  bool muted_ = false;
};

}  // namespace lockstep
