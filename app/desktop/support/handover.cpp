// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/support/handover.h"

#include <QCoreApplication>
#include <QEvent>
#include <utility>

namespace lockstep {

void Handover::post(Call call) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back(std::move(call));
  QCoreApplication::postEvent(this, new QEvent(QEvent::User));
}

// Only post() sends events of no type of Qt's here. The call may end this object.
void Handover::customEvent(QEvent* /*event*/) {
  Call call;
  {
    const std::lock_guard lock(mutex_);
    call = std::move(waiting_.front());
    waiting_.pop_front();
  }
  call();
}

}  // namespace lockstep
