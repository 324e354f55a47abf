// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QElapsedTimer>
#include <QObject>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "app/desktop/support/background_task.h"
#include "setup/journal/setup_memory.h"
#include "setup/steps/setup_steps.h"

namespace lockstep {

class SetupPage;

/// What one round of checks cost.
struct CheckCost {
  double seconds = 0;
  int readCalls = 0;      // GET and HEAD
  int changingCalls = 0;  // everything else
};
/// The calls of the log between two moments. Blocks on disk.
[[nodiscard]] CheckCost costSince(TimePoint begin, TimePoint end, const std::filesystem::path& callLog);

/// Checks the steps in the background and remembers what came of it and what the user chose, by profile. UI
/// thread.
class SetupChecks : public QObject {
  Q_OBJECT
 public:
  explicit SetupChecks(SetupPage* page, QObject* parent = nullptr);
  ~SetupChecks() override;

  /// The cluster in the designer; nothing: there is none.
  void setSpecSource(std::function<std::optional<ClusterSpec>()> spec) { spec_ = std::move(spec); }
  /// Nothing is written to disk, e.g. while pictures are made.
  void setReadOnly(bool isReadOnly) { isReadOnly_ = isReadOnly; }

  /// Where steps keep and find what is secret; null: nowhere.
  void setSecrets(std::shared_ptr<SecretKeeper> secrets) { secrets_ = std::move(secrets); }

  /// Another profile is shown: what is remembered of it comes back, and recalled() follows.
  void showProfile(const oci::ProfileQuery& query);
  void checkAll();
  /// All, unless that was done a moment ago.
  void checkAllIfStale();
  void check(const std::vector<std::string>& stepIds);
  void cancel();

  [[nodiscard]] const SetupChoices& choices() const { return choices_; }
  /// Takes the choices and checks the steps that look at them.
  void choose(const SetupChoices& choices, const std::vector<std::string>& stepIds);
  [[nodiscard]] SetupContext::Setup contextSetup() const;
  [[nodiscard]] SetupContextPtr makeContext() const;
  [[nodiscard]] const oci::ProfileQuery& query() const { return query_; }
  [[nodiscard]] std::optional<TimePoint> checkedAt() const { return checkedAt_; }
  [[nodiscard]] bool isSettled() const { return rounds_.empty() && !recallTask_.isRunning(); }

 signals:
  /// The reports of a round are all there.
  void checked();

 private:
  struct Round {
    std::map<std::string, int> numbers;  // the checks of the steps that this round makes
    bool isWhole = false;
    bool isDropped = false;  // of a profile that is not shown any more; it ends by itself
    std::stop_source stop;
    std::unique_ptr<BackgroundTask> task;
  };
  void finishRecall(const RememberedSetup& remembered);
  void startRound(Round* round, const std::vector<std::string>& stepIds);
  void noteReport(const Round* round, const std::string& stepId, const StepReport& report);
  void finish(const Round* round, const CheckCost& cost, TimePoint end);
  void fail(const Round* round, const Error& error);
  void remove(const Round* round);
  void remember();
  void showCost(const CheckCost& cost);

  SetupPage* page_;
  std::function<std::optional<ClusterSpec>()> spec_;
  std::shared_ptr<SecretKeeper> secrets_;
  oci::ProfileQuery query_;
  SetupChoices choices_;
  std::map<std::string, StepReport> reports_;  // of the profile in use, also remembered ones
  std::map<std::string, int> numbers_;         // of the newest check of each step
  std::list<Round> rounds_;
  std::optional<TimePoint> checkedAt_;
  QElapsedTimer sinceWhole_;
  std::shared_ptr<std::mutex> memoryLock_ = std::make_shared<std::mutex>();
  bool isReadOnly_ = false;
  bool isRecalled_ = false;
  std::optional<std::set<std::string>> wanted_;  // to be checked once the memory is back
  BackgroundTask recallTask_, rememberTask_;
};

}  // namespace lockstep
