// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_searcher.h"

namespace lockstep {

SlicedLogSearcher::SlicedLogSearcher(std::chrono::nanoseconds first, std::chrono::nanoseconds other,
                                     QObject* parent)
    : LogSearcher(parent), first_(first), other_(other) {
  slices_.setSingleShot(true);
  slices_.setInterval(0);
  connect(&slices_, &QTimer::timeout, this, [this] { searchOn(other_); });
}

SlicedLogSearcher::~SlicedLogSearcher() = default;

void SlicedLogSearcher::search(Request request) {
  log_ = request.log;
  search_.emplace(std::move(request.log), std::move(request.query), std::move(request.ranges));
  searchOn(first_);
}

void SlicedLogSearcher::cancel() {
  slices_.stop();
  search_.reset();
  log_.reset();
}

void SlicedLogSearcher::searchOn(std::chrono::nanoseconds budget) {
  if (!search_) return;
  RangesFound what;
  what.lines = search_->advance(budget);
  what.tooHard = search_->tooHard();
  what.isLast = search_->isDone();
  const std::shared_ptr<const LogSnapshot> log = log_;
  if (what.isLast)
    cancel();
  else
    slices_.start();
  emit found(log, what);  // whoever hears it may search for something else
}

}  // namespace lockstep
