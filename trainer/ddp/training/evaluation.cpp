// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/training/evaluation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/plain_nan.h"

namespace lockstep::trainer {
namespace {

// Shares the samples out and names the batches of this rank.
std::vector<std::vector<std::size_t>> batchesOf(std::size_t samples, const RankContext& place,
                                                int batchSize) {
  std::vector<std::vector<std::size_t>> batches;
  for (auto i = static_cast<std::size_t>(place.rank); i < samples;
       i += static_cast<std::size_t>(place.worldSize)) {
    if (batches.empty() || batches.back().size() == static_cast<std::size_t>(batchSize))
      batches.emplace_back();
    batches.back().push_back(i);
  }
  return batches;
}

float sumOf(const std::vector<float>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0F);
}

}  // namespace

Result<EvaluationCounts> Evaluation::count() {
  EvaluationCounts counts;
  const auto classes = static_cast<std::size_t>(context_.data.test->shape().classes);
  counts.seen.resize(classes);
  counts.right.resize(classes);
  auto batches = batchesOf(context_.data.test->size(), context_.place, context_.options.batchSize);
  const std::size_t batchCount = batches.size();
  BatchLoader loader(*context_.data.test, context_.options.workers, context_.readAhead());
  loader.begin(std::move(batches), 0);
  for (std::size_t i = 0; i < batchCount; ++i) {
    const auto batch = loader.next();
    if (!batch) return failure(batch.error());
    if (auto done = context_.replica.evaluate(**batch, counts); !done) return failure(done.error());
  }
  return counts;
}

Result<Evaluation::Outcome> Evaluation::run(const Epoch& epoch) {
  context_.ending.progress().enter(RankPhase::Evaluating);
  if (auto shared = context_.replica.shareBuffers(); !shared) return failure(shared.error());
  const auto counts = count();
  if (!counts) return failure(counts.error());
  const std::size_t classes = counts->seen.size();
  std::vector<float> sums(counts->seen.begin(), counts->seen.end());
  sums.insert(sums.end(), counts->right.begin(), counts->right.end());
  sums.push_back(static_cast<float>(counts->lossSum));
  sums.push_back(static_cast<float>(epoch.loss));
  if (auto summed = context_.communicator.sum(sums); !summed) return failure(summed.error());
  const auto middle = sums.begin() + static_cast<std::ptrdiff_t>(classes);
  seen_.assign(sums.begin(), middle);
  right_.assign(middle, middle + static_cast<std::ptrdiff_t>(classes));
  const float all = std::max(sumOf(seen_), 1.0F);
  const Outcome outcome{plainNan(sums[2 * classes] / all), 100.0 * sumOf(right_) / all};
  if (context_.place.rank == 0)
    print(epoch, plainNan(sums.back() / static_cast<float>(context_.place.worldSize)), outcome);
  return outcome;
}

void Evaluation::print(const Epoch& epoch, double trainLoss, const Outcome& outcome) const {
  say("Epoch {}/{}: loss {:.3f}, test loss {:.3f}, accuracy {:.1f} %, {:.1f} s", epoch.number + 1,
      context_.options.epochs, trainLoss, outcome.testLoss, outcome.accuracyPercent, epoch.seconds);
  context_.metrics.recordEvaluation(epoch.stepsDone - 1, trainLoss, outcome.accuracyPercent);
}

void Evaluation::printClasses() const {
  if (context_.place.rank != 0 || seen_.empty()) return;
  const auto& names = context_.data.classNames;
  say("Accuracy of the network on the {:.0f} test {}: {:.1f} %", sumOf(seen_),
      names.empty() ? "tokens" : "images", 100 * sumOf(right_) / std::max(sumOf(seen_), 1.0F));
  for (std::size_t i = 0; i < names.size() && i < seen_.size(); ++i) {
    if (seen_[i] > 0) say("Accuracy for class: {:10} is {:.1f} %", names[i], 100 * right_[i] / seen_[i]);
  }
}

}  // namespace lockstep::trainer
