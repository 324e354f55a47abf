// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/limits/limits_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <nlohmann/json.hpp>

#include "oci/calls/side_by_side.h"
#include "oci/services/identity_client.h"
#include "oci/services/limits_client.h"
#include "setup/limits/limits_match.h"
#include "setup/step/findings.h"
#include "setup/step/setup_facts.h"

namespace lockstep {
namespace {

constexpr const char* kService = "data-science";
constexpr int kParallel = 8;
constexpr const char* kWayOut =
    "ask for a higher limit in the console (Governance, Limits, Quotas and Usage), which takes a day or "
    "more, or "
    "plan fewer nodes or another shape";

class LimitsStep final : public SetupStep {
 public:
  explicit LimitsStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "limits"; }
  StepReport check(const std::stop_token& stop) override;

 private:
  SetupContextPtr context_;
};

/// A limit in one place: a region, or one availability domain of it.
struct LimitRow {
  std::string domain;                      // empty: of the region
  std::int64_t value = 0;                  // what the tenancy may have
  std::optional<std::int64_t> used, free;  // absent: the service does not tell
  std::optional<std::int64_t> quota;       // of the compartment, where one is set
  [[nodiscard]] std::int64_t available() const {
    return free.value_or(quota ? std::min(*quota, value) : value);
  }
};

class LimitsCheck {
 public:
  LimitsCheck(const SetupContext& context, std::shared_ptr<oci::ServiceClient> services,
              const std::stop_token& stop)
      : context_(context), limits_(std::move(services)), stop_(stop) {
    table_.title = "Service limits of Data Science";
    table_.columns = {"shape", "nodes", "limit", "where", "needed", "limit is", "in use", "free"};
  }

  StepReport check(const std::vector<ShapeNeed>& needs);

 private:
  Result<void> load();
  Result<void> readUse(LimitRow& row, const std::string& limit, const std::stop_token& stop);
  void checkShape(const ShapeNeed& need);
  void checkLimit(const ShapeNeed& need, const oci::LimitDefinition& limit);
  Result<std::vector<LimitRow>> rowsOf(const oci::LimitDefinition& limit);
  void evaluate(const ShapeNeed& need, const oci::LimitDefinition& limit, const LimitDemand& demand,
                const std::vector<LimitRow>& rows);
  void tabulate(const ShapeNeed& need, const oci::LimitDefinition& limit, const LimitDemand& demand,
                const std::vector<LimitRow>& rows);
  void add(StepState state, std::string code, std::string text, std::string evidence, std::string remedy) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), std::move(code)});
  }

  const SetupContext& context_;
  oci::LimitsClient limits_;
  const std::stop_token stop_;
  std::string tenancy_, compartment_;
  std::vector<oci::LimitDefinition> definitions_;
  std::vector<oci::LimitValue> values_;
  std::vector<Finding> findings_;
  ReportTable table_;
};

template <class T>
Result<void> into(std::vector<T>& place, Result<std::vector<T>> answer) {
  if (!answer) return failure(answer.error());
  place = *std::move(answer);
  return {};
}

// What is free is asked for per limit, afterwards.
Result<void> LimitsCheck::load() {
  const auto profile = context_.profile();
  if (!profile) return failure(profile.error());
  tenancy_ = profile->tenancy;
  const std::array<std::function<Result<void>(const std::stop_token&)>, 3> reads{
      [this](const auto& stop) {
        return into(definitions_, limits_.listLimitDefinitions(tenancy_, kService, stop));
      },
      [this](const auto& stop) { return into(values_, limits_.listLimitValues(tenancy_, kService, stop)); },
      [this](const auto& stop) -> Result<void> {
        const auto own = context_.compartment(stop);  // one that is not there is the step project's affair
        compartment_ = own && !isToBeMade(*own) ? own->id : tenancy_;
        return {};
      }};
  return oci::sideBySide(reads.size(), kParallel, stop_,
                         [&](std::size_t i, const std::stop_token& stop) { return reads[i](stop); });
}

Result<void> LimitsCheck::readUse(LimitRow& row, const std::string& limit, const std::stop_token& stop) {
  const auto use = limits_.getResourceAvailability(compartment_, kService, limit, row.domain, stop);
  if (!use)  // NotFound: not told for this limit
    return use.error().code == ErrorCode::NotFound ? Result<void>{} : failure(use.error());
  row.used = use->used;
  row.free = use->available;
  if (use->effectiveQuotaValue) row.quota = static_cast<std::int64_t>(*use->effectiveQuotaValue);
  return {};
}

Result<std::vector<LimitRow>> LimitsCheck::rowsOf(const oci::LimitDefinition& limit) {
  std::vector<LimitRow> rows;
  for (const oci::LimitValue& value : values_)
    if (value.name == limit.name) rows.push_back({value.availabilityDomain, value.value, {}, {}, {}});
  const auto done = oci::sideBySide(
      rows.size(), kParallel, stop_,
      [&](std::size_t i, const std::stop_token& stop) { return readUse(rows[i], limit.name, stop); });
  if (!done) return failure(done.error());
  return rows;
}

std::string amount(const std::optional<std::int64_t>& number) {
  return number ? std::to_string(*number) : "?";
}

void LimitsCheck::tabulate(const ShapeNeed& need, const oci::LimitDefinition& limit,
                           const LimitDemand& demand, const std::vector<LimitRow>& rows) {
  for (const LimitRow& row : rows) {
    const StepState state = row.available() >= demand.max   ? StepState::Ready
                            : row.available() >= demand.min ? StepState::Warning
                                                            : StepState::Blocked;
    const std::string needed = demand.min == demand.max
                                   ? fmt::format("{} {}", demand.max, demand.unit)
                                   : fmt::format("{} nodes or {} GPUs", demand.min, demand.max);
    table_.rows.push_back({{need.shape},
                           {std::to_string(need.nodes)},
                           {limit.name, StepState::Unknown, limit.description},
                           {row.domain.empty() ? "region" : row.domain},
                           {needed},
                           {std::to_string(row.value)},
                           {amount(row.used)},
                           {amount(row.free), state}});
  }
}

// The best place counts: the nodes of a cluster are in one subnet, and the service chooses the place.
void LimitsCheck::evaluate(const ShapeNeed& need, const oci::LimitDefinition& limit,
                           const LimitDemand& demand, const std::vector<LimitRow>& rows) {
  const LimitRow& best =
      *std::max_element(rows.begin(), rows.end(),
                        [](const LimitRow& a, const LimitRow& b) { return a.available() < b.available(); });
  const std::string where = best.domain.empty() ? "" : " in " + best.domain;
  const std::string evidence = fmt::format("limit {}{}: {}, in use {}, free {}", limit.name, where,
                                           best.value, amount(best.used), amount(best.free));
  const std::string wanted =
      fmt::format("{} nodes of {} need {} {}", need.nodes, need.shape, demand.max, demand.unit);
  if (best.available() >= demand.max) {
    add(StepState::Ready, {}, fmt::format("{}; {} are free{}", wanted, best.available(), where), evidence,
        {});
  } else if (best.value == 0) {
    add(StepState::Blocked, "limit-zero",
        fmt::format("the tenancy may not use {} at all: limit {} is 0", need.shape, limit.name), evidence,
        kWayOut);
  } else if (best.available() >= demand.min) {
    add(StepState::Warning, "limit-unit-unclear",
        fmt::format(
            "{} nodes of {} have {} GPUs, and {} are free{}: whether limit {} counts nodes or GPUs is "
            "not documented",
            need.nodes, need.shape, demand.max, best.available(), where, limit.name),
        evidence, "a launch will show; it changes nothing when it is refused");
  } else if (best.value < demand.min) {
    add(StepState::Blocked, "limit-too-small",
        fmt::format("{}, the limit is {}{}", wanted, best.value, where), evidence, kWayOut);
  } else if (best.quota && *best.quota < demand.min) {
    add(StepState::Blocked, "quota-too-small",
        fmt::format("{}, a quota of the compartment allows {}{}", wanted, *best.quota, where), evidence,
        "ask an administrator to raise the compartment's quota");
  } else {
    add(StepState::Blocked, "limit-in-use",
        fmt::format("{}, only {} are free{}", wanted, best.available(), where), evidence,
        "wait until what uses them has ended (jobs, notebooks and deployments count together), or plan fewer "
        "nodes");
  }
}

void LimitsCheck::checkLimit(const ShapeNeed& need, const oci::LimitDefinition& limit) {
  const auto rows = rowsOf(limit);
  if (!rows) {
    findings_.push_back(refusedFinding(rows.error()));
    return;
  }
  if (rows->empty()) {
    add(StepState::Warning, "limit-value-missing",
        fmt::format("limit {} counts {}, but the service gives no value for it", limit.name, need.shape),
        "ListLimitValues 200", "look it up in the console (Governance, Limits, Quotas and Usage)");
    return;
  }
  const LimitDemand demand = demandOn(limit, need);
  tabulate(need, limit, demand, *rows);
  evaluate(need, limit, demand, *rows);
}

void LimitsCheck::checkShape(const ShapeNeed& need) {
  const auto limits = limitsOfShape(need.shape, definitions_);
  for (const oci::LimitDefinition& limit : limits) checkLimit(need, limit);
  if (!limits.empty()) return;
  add(StepState::Warning, "limit-unknown",
      fmt::format(
          "which service limit counts {} is not known: none of the {} limits of Data Science has '{}' in "
          "its name or names the shape in its description",
          need.shape, definitions_.size(), shapeFamily(need.shape)),
      "ListLimitDefinitions 200",
      "look it up in the console (Governance, Limits, Quotas and Usage); a launch beyond it is refused and "
      "costs "
      "nothing");
}

StepReport LimitsCheck::check(const std::vector<ShapeNeed>& needs) {
  if (const auto done = load(); !done) {
    Finding finding = refusedFinding(done.error());
    if (done.error().code == ErrorCode::NotFound) {
      finding.state = StepState::Warning;  // a launch works without it
      finding.code = "limits-not-readable";
      finding.text = "the service limits may not be read, so that nobody knows whether a launch fits";
      finding.cause.clear();
      finding.remedy = "you need a policy that lets your group inspect resource-availability in the tenancy";
    }
    return reportOf({std::move(finding)});
  }
  for (const ShapeNeed& need : needs) checkShape(need);
  StepReport report = reportOf(std::move(findings_));
  if (!table_.rows.empty()) report.tables.push_back(std::move(table_));
  return report;
}

StepReport LimitsStep::check(const std::stop_token& stop) {
  if (!context_->spec())
    return reportOf({{StepState::NotApplicable,
                      "no train.yaml is named, so that no shape and count is planned",
                      {},
                      "name one"}});
  const auto needs = shapeNeedsOf(*context_->spec());
  if (needs.empty() || isPlaceholder(needs.front().shape))
    return reportOf({{StepState::Blocked, "the train.yaml names no shape", "infrastructure.shapeName",
                      "name one, for example VM.GPU.A10.1", "shape-missing"}});
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  return LimitsCheck(*context_, *services, stop).check(needs);
}

}  // namespace

std::unique_ptr<SetupStep> makeLimitsStep(SetupContextPtr context) {
  return std::make_unique<LimitsStep>(std::move(context));
}

}  // namespace lockstep
