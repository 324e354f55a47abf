// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/layout/wheel_guard.h"

#include <QEvent>
#include <QWidget>

namespace lockstep {
namespace {

class WheelGuard : public QObject {
 public:
  using QObject::QObject;
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() != QEvent::Wheel) return false;
    event->ignore();  // so that it goes on to the page
    return true;
  }
};

}  // namespace

void letWheelPass(QWidget* field) {
  field->installEventFilter(new WheelGuard(field));
}

}  // namespace lockstep
