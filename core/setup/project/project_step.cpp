// SPDX-License-Identifier: GPL-3.0-or-later
// The compartment in which everything is made, and the Data Science project that a job belongs to.
#include "setup/project/project_step.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "oci/services/data_science_client.h"
#include "setup/project/compartment_fixes.h"
#include "setup/project/compartment_missing.h"
#include "setup/step/findings.h"
#include "setup/step/setup_facts.h"

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
  return madeIn(compartment, std::move(fix));
}

// Nothing can be in it yet: what is missing there is known without asking.
StepReport nothingThereYet(const SetupContext& context, const ServicesPtr& services,
                           const oci::Compartment& compartment) {
  StepReport report = compartmentNoneReport(context, compartment);
  if (report.fixes.empty()) return report;
  report.findings.push_back(
      {StepState::Blocked,
       fmt::format("compartment {} has no Data Science project yet, which a job belongs to",
                   compartment.name),
       "ListCompartments 200", "create one", "project-missing"});
  report.fixes.push_back(createProjectFix(services, compartment));
  return report;
}

class ProjectCheck {
 public:
  ProjectCheck(const SetupContext& context, ServicesPtr services, oci::Compartment compartment,
               const std::stop_token& stop)
      : context_(context),
        services_(std::move(services)),
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
    names_[compartment_.id] = compartment_.name;
    if (projectId.empty()) {
      pick();
    } else {
      checkNamed(projectId);
    }
    StepReport report = reportOf(std::move(findings_));
    report.fixes = std::move(fixes_);
    report.facts = std::move(facts_);
    report.names = std::move(names_);
    return report;
  }

 private:
  void checkNamed(const std::string& projectId);
  void pick();
  void take(const oci::Project& project, const char* evidence);
  void add(StepState state, std::string code, std::string text, std::string evidence, std::string remedy) {
    findings_.push_back({state, std::move(text), std::move(evidence), std::move(remedy), std::move(code)});
  }

  const SetupContext& context_;
  const ServicesPtr services_;
  const oci::Compartment compartment_;
  oci::DataScienceClient science_;
  const std::stop_token stop_;
  std::vector<Finding> findings_;
  std::vector<ProposedFix> fixes_;
  std::map<std::string, std::string> facts_, names_;
};

void ProjectCheck::take(const oci::Project& project, const char* evidence) {
  add(StepState::Ready, {}, fmt::format("Data Science project '{}' is there", project.displayName), evidence,
      {});
  facts_["infrastructure.projectId"] = project.id;
  names_[project.id] = project.displayName;
}

void ProjectCheck::checkNamed(const std::string& projectId) {
  const auto project = science_.getProject(projectId, stop_);
  if (!project && project.error().code != ErrorCode::NotFound) {
    findings_.push_back(refusedFinding(project.error()));
    return;
  }
  if (project && isActive(*project)) {
    take(*project, "GetProject 200");
    if (project->compartmentId == compartment_.id) return;
    add(StepState::Warning, "project-other-compartment",
        fmt::format("project '{}' is in compartment {}, the cluster in {}", project->displayName,
                    context_.compartmentText(project->compartmentId, stop_), compartment_.name),
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
  names_[usable->id] = usable->displayName;
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
Finding unchosen(const Error& error) {
  if (error.code != ErrorCode::NotFound) return noCompartmentFinding(error);
  Finding finding = refusedFinding(error);
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
  if (!compartment && compartment.error().code == ErrorCode::NotFound && !context_->compartmentId().empty())
    return compartmentMissingReport(*context_, compartment.error(), stop);
  if (!compartment) return reportOf({unchosen(compartment.error())});
  if (isToBeMade(*compartment)) return nothingThereYet(*context_, *services, *compartment);
  return ProjectCheck(*context_, *services, *compartment, stop).check(projectIdOf(*context_));
}

Result<void> ProjectStep::takeBack(const AppliedChange& change, const std::stop_token& stop) {
  if (change.kind == kCompartmentCreated) return deleteCompartment(*context_, change, stop);
  if (change.kind != kCreated) return SetupStep::takeBack(change, stop);
  const auto services = context_->services();
  if (!services) return failure(services.error());
  const auto done = oci::DataScienceClient(*services).deleteProject(change.undo.value("projectId", ""), stop);
  if (done || done.error().code == ErrorCode::NotFound) return {};
  Error error = done.error();
  error.remedy = "jobs belong to the project by now: delete them first if nobody needs them";
  return failure(error);
}

}  // namespace

std::unique_ptr<SetupStep> makeProjectStep(SetupContextPtr context) {
  return std::make_unique<ProjectStep>(std::move(context));
}

}  // namespace lockstep
