// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/run_access.h"

namespace lockstep {

Result<RunServices> servicesOf(const TrainingRun& run, const PassPhrases& passPhrases) {
  auto store = openRunStore();
  if (!store) return failure(store.error());
  return servicesOf(run, {{}, {}, passPhrases}, *store, RetryMode::Follow);
}

Result<TrainingRun> findRun(const std::string& reference) {
  auto store = openRunStore();
  if (!store) return failure(store.error());
  return (*store)->find(reference);
}

RunPollFactory followerOf(const TrainingRun& run, const PassPhrases& passPhrases) {
  return [run, passPhrases](const std::stop_token&) -> Result<RunPoll> {
    auto services = servicesOf(run, passPhrases);
    if (!services) return failure(services.error());
    auto follower = services->follow(run);
    if (!follower) return failure(follower.error());
    const std::shared_ptr<RunFollower> shared(std::move(*follower));
    // The services live as long as what they made.
    return RunPoll([shared, services = std::make_shared<RunServices>(std::move(*services))](
                       const std::stop_token& stop) { return shared->poll(stop); });
  };
}

}  // namespace lockstep
