// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <QTimer>
#include <deque>

#include "app/desktop/shell/application.h"

namespace lockstep {

/// Draws pages of the current state, or steps of the set-up page, into PNG files, for the manual and for
/// checks, then ends the program: 0 when every picture was written, 1 with a message on stderr otherwise.
class Renderer : public QObject {
  Q_OBJECT
 public:
  explicit Renderer(Application& application);

 private:
  void begin();
  void look();
  [[nodiscard]] bool isSettled(Page page) const;
  void draw(Page page);
  void drawSteps();
  void drawWindow(const QString& name);
  void drawDashboard();
  void save(const QPixmap& picture, const QString& file);
  void end();

  Application& application_;
  std::deque<Page> due_;
  QTimer timer_;
  QElapsedTimer waited_;
  bool runMissing_ = false;
  bool isDrawing_ = false;
  bool failed_ = false;
};

}  // namespace lockstep
