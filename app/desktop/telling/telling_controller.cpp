// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/telling/telling_controller.h"

#include "http/curl_http_client.h"

namespace lockstep {

TellingController::TellingController(std::unique_ptr<DesktopNotifier> notifier,
                                     std::function<bool()> isWatched, QObject* parent)
    : QObject(parent), notifier_(std::move(notifier)), isWatched_(std::move(isWatched)) {
  connect(notifier_.get(), &DesktopNotifier::activated, this, &TellingController::activated);
}

void TellingController::setChoice(const TellingChoice& choice) {
  if (choice.least != choice_.least) news_.reset();
  choice_ = choice;
}

void TellingController::look(const TrainingRun& run, const std::shared_ptr<const DiagnosisReport>& report) {
  if (!news_ || run.id != run_) news_.emplace(TellingRule{choice_.least, false});
  run_ = run.id;
  for (RunNews& one : news_->take(run, report.get(), muted_, SystemClock().now())) {
    if (choice_.notifies && !isWatched_()) notifier_->show(one);
    if (choice_.targets.empty()) continue;
    if (!teller_)
      teller_ = std::make_unique<Teller>(
          makeCurlHttpClient(),
          [this](const Error& error) {  // in the teller's thread, which ends before this
            QMetaObject::invokeMethod(
                this, [this, error] { emit failed(error); }, Qt::QueuedConnection);
          });
    teller_->tell(choice_.targets, std::move(one));
  }
}

}  // namespace lockstep
