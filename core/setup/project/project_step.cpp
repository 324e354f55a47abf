// SPDX-License-Identifier: GPL-3.0-or-later
// The compartment in which everything is made, and the Data Science project that a job belongs to.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oci/data_science_client.h"
#include "setup/compartment_missing.h"
#include "setup/findings.h"
#include "setup/setup_facts.h"
#include "setup/setup_steps.h"

namespace lockstep {
namespace {

using ServicesPtr = std::shared_ptr<oci::ServiceClient>;

constexpr const char* kName = "lockstep";  // of a project that nobody has named
constexpr const char* kCreated = "project-created";

class ProjectStep final : public SetupStep {
 public:
  explicit ProjectStep(SetupContextPtr context) : context_(std::move(context)) {}
  [[nodiscard]] std::string id() const override { return "project"; }
  StepReport check(const std::stop_token& stop) override;
  Result<void> takeBack(const AppliedChange& change, const std::stop_token& stop) override;

 private:
  SetupContextPtr context_;
};

std::string projectIdOf(const SetupContext& context) {
  if (!context.choices().projectId.empty() || !context.spec()) return context.choices().projectId;
  const std::string said = context.spec()->infrastructure.projectId.value_or("");
  return isPlaceholder(said) ? "" : said;
}

bool isActive(const oci::Project& project) {
  return project.lifecycleState.empty() || project.lifecycleState == "ACTIVE";
}

Result<std::vector<AppliedChange>> create(const ServicesPtr& services, const std::string& compartmentId,
                                          const std::stop_token& stop) {
  const auto project = oci::DataScienceClient(services).createProject(
      {compartmentId, kName, "distributed training"}, oci::newRetryToken(), stop);
  if (!project) return failure(project.error());
  AppliedChange change;
  change.kind = kCreated;
  change.title = fmt::format("created Data Science project '{}'", kName);
  change.undo = {{"projectId", project->id}};
  return std::vector{std::move(change)};
}

ProposedFix createProjectFix(const ServicesPtr& services, const oci::Compartment& compartment) {
  ProposedFix fix;
  fix.id = "create-project";
  fix.title = fmt::format("create Data Science project '{}' in compartment {}", kName, compartment.name);
  fix.after = fmt::format("project {}\n  compartment {} ({})\n", kName, compartment.name, compartment.id);
  fix.calls = {"CreateProject POST /20190101/projects"};
  fix.apply = [services, id = compartment.id](const std::stop_token& stop) {
    return create(services, id, stop);
  };
  return fix;
}

class ProjectCheck {
 public:
  ProjectCheck(ServicesPtr services, oci::Compartment compartment, const std::stop_token& stop)
      : services_(std::move(services)),
        compartment_(std::move(compartment)),
        science_(services_),
        stop_(stop) {}

  StepReport check(const std::string& projectId) {
    findings_.push_back({StepState::Ready,
                         fmt::format("compartment {} ({})", compartment_.name, compartment_.id),
                         {},
                         {},
                         {}});
    facts_["infrastructure.compartmentId"] = compartment_.id;
    if (projectId.empty()) {
      pick();
    } else {
      checkNamed(projectId);
    }
    StepReport report = reportOf(std::move(findings_));
    report.fixes = std::move(fixes_);
    report.facts = std::move(facts_);
    return report;
  }

 private:
  void checkNamed(const std::string& projectId);
  void pick();
  void take(const oci::Project& project, const char* evidence);
  void add(StepState state, std::string code, std::string text, std::string evidence, std::string remedy) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), std::move(code)});
  }

  const ServicesPtr services_;
  const oci::Compartment compartment_;
  oci::DataScienceClient science_;
  const std::stop_token stop_;
  std::vector<Finding> findings_;
  std::vector<ProposedFix> fixes_;
  std::map<std::string, std::string> facts_;
};

void ProjectCheck::take(const oci::Project& project, const char* evidence) {
  add(StepState::Ready, {}, fmt::format("Data Science project '{}' is there", project.displayName), evidence,
      {});
  facts_["infrastructure.projectId"] = project.id;
}

void ProjectCheck::checkNamed(const std::string& projectId) {
  const auto project = science_.getProject(projectId, stop_);
  if (!project && project.error().code != StatusCode::NotFound) {
    findings_.push_back(refusedFinding(project.error()));
    return;
  }
  if (project && isActive(*project)) {
    take(*project, "GetProject 200");
    if (project->compartmentId == compartment_.id) return;
    add(StepState::Warning, "project-other-compartment",
        fmt::format("project '{}' is in compartment {}, the cluster in {}", project->displayName,
                    project->compartmentId, compartment_.name),
        "GetProject compartmentId", "the policies have to name that compartment too (step policies)");
    return;
  }
  add(StepState::Blocked, "project-missing",
      fmt::format("project {} is not there, or you may not see it", projectId),
      project ? "lifecycleState " + project->lifecycleState : describe(*project.error().service),
      "create one, name another, or ask for a policy that lets you use data-science-projects (step "
      "policies)");
  const auto all = science_.listProjects(compartment_.id, stop_);
  const auto usable =
      all ? std::find_if(all->begin(), all->end(), isActive) : std::vector<oci::Project>::const_iterator{};
  if (!all) return;
  if (usable == all->end()) {
    fixes_.push_back(createProjectFix(services_, compartment_));
    return;
  }
  findings_.back().remedy = fmt::format("project '{}' would do: {}", usable->displayName, usable->id);
  facts_["infrastructure.projectId"] = usable->id;
}

// Nobody has named one: the compartment's only one is meant, or ours.
void ProjectCheck::pick() {
  const auto all = science_.listProjects(compartment_.id, stop_);
  if (!all) {
    findings_.push_back(refusedFinding(all.error()));
    return;
  }
  std::vector<oci::Project> active;
  std::copy_if(all->begin(), all->end(), std::back_inserter(active), isActive);
  const auto ours = std::find_if(active.begin(), active.end(), [&](const oci::Project& one) {
    return active.size() == 1 || one.displayName == kName;
  });
  if (ours != active.end()) return take(*ours, "ListProjects 200");
  std::string names;
  for (const oci::Project& one : active) names += (names.empty() ? "" : ", ") + one.displayName;
  const bool isNone = active.empty();
  add(StepState::Blocked, isNone ? "project-missing" : "project-not-chosen",
      isNone ? fmt::format("compartment {} has no Data Science project, which a job belongs to",
                           compartment_.name)
             : fmt::format("no project is named, and compartment {} has {}: {}", compartment_.name,
                           active.size(), names),
      "ListProjects 200", isNone ? "create one" : "choose one, or name it as projectId in the train.yaml");
  if (isNone) fixes_.push_back(createProjectFix(services_, compartment_));
}

// Where nobody names one and none may be listed, this is the step that says so.
Finding unchosen(const Status& status) {
  if (status.code != StatusCode::NotFound) return noCompartmentFinding(status);
  Finding finding = refusedFinding(status);
  finding.text = "no compartment is named, and you may not list those of the tenancy";
  finding.remedy =
      "choose one, or name it as compartmentId in the train.yaml; to see which there are, your group needs "
      "to "
      "inspect compartments in tenancy";
  finding.code = "compartments-not-listable";
  return finding;
}

StepReport ProjectStep::check(const std::stop_token& stop) {
  const auto services = context_->services();
  if (!services) return reportOf({needsAuth(services.error())});
  const auto compartment = context_->compartment(stop);
  if (!compartment && compartment.error().code == StatusCode::NotFound && !context_->compartmentId().empty())
    return compartmentMissingReport(*context_, compartment.error(), stop);
  if (!compartment) return reportOf({unchosen(compartment.error())});
  return ProjectCheck(*services, *compartment, stop).check(projectIdOf(*context_));
}

Result<void> ProjectStep::takeBack(const AppliedChange& change, const std::stop_token& stop) {
  if (change.kind == kCompartmentCreated) return deleteCompartment(*context_, change, stop);
  if (change.kind != kCreated) return SetupStep::takeBack(change, stop);
  const auto services = context_->services();
  if (!services) return failure(services.error());
  const auto done = oci::DataScienceClient(*services).deleteProject(change.undo.value("projectId", ""), stop);
  if (done || done.error().code == StatusCode::NotFound) return {};
  Status status = done.error();
  status.remedy = "jobs belong to the project by now: delete them first if nobody needs them";
  return failure(status);
}

}  // namespace

std::unique_ptr<SetupStep> makeProjectStep(SetupContextPtr context) {
  return std::make_unique<ProjectStep>(std::move(context));
}

}  // namespace lockstep
