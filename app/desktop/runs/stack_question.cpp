// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/runs/stack_question.h"

#include <functional>
#include <utility>

#include "health/stack_reader.h"

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kPause{1000};

using Tell = std::function<void(const StackAnswer&)>;

Result<void> readAnswers(StackReader& reader, StackAnswer& answer, SteadyPoint limit, const Tell& tell,
                         const std::stop_token& stop) {
  SystemClock clock;
  while (answer.reports.size() < answer.asked.size() && clock.steady() < limit) {
    auto reports = reader.read(stop);
    if (!reports) return failure(std::move(reports.error()));
    for (StackReport& report : *reports) answer.reports.push_back(std::move(report));
    if (answer.reports.size() >= answer.asked.size()) break;
    if (!reports->empty()) tell(answer);
    if (!clock.sleepFor(kPause, stop)) break;
  }
  return {};
}

Result<void> askNodes(const TrainingRun& run, const PassPhrases& passPhrases, StackAnswer& answer,
                      std::chrono::milliseconds wait, const Tell& tell, const std::stop_token& stop) {
  auto services = servicesOf(run, passPhrases);
  if (!services) return failure(services.error());
  auto store = services->workDir(run.workDir);
  if (!store) return failure(store.error());
  StackReader reader(*std::move(store), run.jobId.value);
  if (auto asked = reader.ask(answer.asked, stop); !asked) return asked;
  return readAnswers(reader, answer, SystemClock().steady() + wait, tell, stop);
}

}  // namespace

StackQuestion::StackQuestion(std::chrono::milliseconds wait, QObject* parent) : QObject(parent), wait_(wait) {
  connect(&task_, &BackgroundTask::failed, this, [this](const Error& error) {
    emit answered(run_, finding_, {asked_.asked, {}, false, error});
  });
}

void StackQuestion::ask(const TrainingRun& run, const std::string& finding, std::vector<Rank> ranks,
                        const PassPhrases& passPhrases) {
  run_ = run.id;
  finding_ = finding;
  asked_ = {std::move(ranks), {}, true, {}};
  emit answered(run_, finding_, asked_);
  task_.run([this, run, finding, asked = asked_, passPhrases, wait = wait_](
                const std::stop_token& stop, const BackgroundTask::Post& post) {
    const Tell tell = [&](const StackAnswer& answer) {
      post([this, id = run.id, finding, answer] { emit answered(id, finding, answer); });
    };
    StackAnswer answer = asked;
    if (auto done = askNodes(run, passPhrases, answer, wait, tell, stop); !done)
      answer.problem = std::move(done.error());
    answer.isWaiting = false;
    tell(answer);
  });
}

}  // namespace lockstep
