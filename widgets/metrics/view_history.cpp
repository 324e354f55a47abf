// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/view_history.h"

#include <utility>

namespace lockstep {

void ViewHistory::note(const PlotView& view, SteadyPoint now) {
  const bool goesOn = isMoving_ && now - noted_ < kTogether && !view.showsAll;
  noted_ = now;
  if (view == views_[at_]) return;
  views_.resize(at_ + 1);
  isMoving_ = !view.showsAll;
  if (goesOn) {
    views_[at_] = view;
    return;
  }
  views_.push_back(view);
  if (views_.size() > kMost) views_.erase(views_.begin());
  at_ = views_.size() - 1;
}

PlotView ViewHistory::back() {
  isMoving_ = false;
  if (hasBack()) --at_;
  return views_[at_];
}

PlotView ViewHistory::forward() {
  isMoving_ = false;
  if (hasForward()) ++at_;
  return views_[at_];
}

void ViewHistory::clear() {
  views_.assign(1, PlotView{});
  at_ = 0;
  isMoving_ = false;
}

}  // namespace lockstep
