// SPDX-License-Identifier: GPL-3.0-or-later
#include "policy/required_policies.h"

#include <algorithm>
#include <array>

namespace lockstep {
namespace {

using Who = RequiredStatement::Who;

constexpr const char* kCompartmentMark = "<compartment>";

std::string nameOr(const std::string& name, const char* mark) {
  return name.empty() ? mark : name;
}

PolicySubject subjectNamed(PolicySubject::Kind kind, const std::string& name, const std::string& domain) {
  const bool isId = name.starts_with("ocid1.");
  return {kind, {{name, isId ? std::string() : domain, isId}}};
}

PolicyLocation locationOf(const CompartmentRef& place) {
  if (place.id.starts_with("ocid1.tenancy.")) return {};
  if (!place.id.empty()) return {PolicyLocation::Kind::CompartmentId, {}, place.id};
  PolicyLocation location{PolicyLocation::Kind::CompartmentPath, {}, {}};
  const std::string path = nameOr(place.name, kCompartmentMark);
  for (std::size_t at = 0; at <= path.size();) {
    const std::size_t end = std::min(path.find(':', at), path.size());
    location.path.push_back(path.substr(at, end - at));
    at = end + 1;
  }
  return location;
}

/// Collects the statements that the requirements ask for.
class Collector {
 public:
  explicit Collector(const PolicyRequirements& requirements)
      : requirements_(requirements),
        here_(locationOf(requirements.compartment)),
        network_(orHere(requirements.network)),
        storage_(orHere(requirements.storage)) {}

  std::vector<RequiredStatement> collect() {
    if (requirements_.mode == PolicyMode::ProofOfConcept) {
      everything();
    } else {
      jobRuns();
      jobRunsExtras();
      launcher();
    }
    if (requirements_.needsNetwork)
      add(Who::Service, "use virtual-network-family", "the service puts the nodes into the subnet");
    return std::move(all_);
  }

 private:
  RequiredStatement& add(Who who, const char* grant, std::string reason, std::string moreAsked = {});
  void everything();
  void jobRuns();
  void jobRunsExtras();
  void launcher();
  void launcherStorage();
  [[nodiscard]] PolicySubject subjectOf(Who who) const;
  [[nodiscard]] PolicyLocation orHere(const CompartmentRef& place) const {
    return place.id.empty() && place.name.empty() ? here_ : locationOf(place);
  }
  [[nodiscard]] const PolicyLocation& placeFor(const std::string& resourceType) const {
    if (resourceType == "virtual-network-family") return network_;
    return resourceType == "objects" || resourceType == "buckets" ? storage_ : here_;
  }
  [[nodiscard]] bool isScoped() const { return requirements_.mode == PolicyMode::Scoped; }
  [[nodiscard]] std::optional<PolicyCondition> onlyBuckets() const {
    if (!isScoped()) return std::nullopt;
    return isOneOf("target.bucket.name", requirements_.buckets.empty() ? std::vector<std::string>{"<bucket>"}
                                                                       : requirements_.buckets);
  }
  [[nodiscard]] std::optional<PolicyCondition> onlyRepository() const {
    if (!isScoped()) return std::nullopt;
    return conditionOf(isEqualTest("target.repo.name", nameOr(requirements_.repository, "<repository>")));
  }

  const PolicyRequirements& requirements_;
  PolicyLocation here_, network_, storage_;
  std::vector<RequiredStatement> all_;
};

PolicySubject Collector::subjectOf(Who who) const {
  switch (who) {
    case Who::Launcher:
      return subjectNamed(requirements_.launcherKind, nameOr(requirements_.launchers, "<group>"),
                          requirements_.launchersDomain);
    case Who::JobRuns:
      return subjectNamed(PolicySubject::Kind::DynamicGroup, nameOr(requirements_.jobRuns, "<dynamic-group>"),
                          requirements_.jobRunsDomain);
    case Who::Service:
      break;
  }
  return subjectNamed(PolicySubject::Kind::Service, "datascience", {});
}

RequiredStatement& Collector::add(Who who, const char* grant, std::string reason, std::string moreAsked) {
  const std::string text = grant;
  const std::size_t blank = text.find(' ');
  RequiredStatement required;
  required.who = who;
  required.statement.subject = subjectOf(who);
  required.statement.verb = policyVerbNamed(text.substr(0, blank)).value_or(PolicyVerb::Inspect);
  required.statement.resourceType = text.substr(blank + 1);
  required.statement.location = placeFor(required.statement.resourceType);
  required.reason = std::move(reason);
  required.moreAsked = std::move(moreAsked);
  all_.push_back(std::move(required));
  return all_.back();
}

void Collector::everything() {
  const std::string more =
      "the proof of concept of the guides grants this in the whole tenancy and without an end";
  for (const Who who : {Who::JobRuns, Who::Launcher}) {
    RequiredStatement& all =
        add(who, "manage all-resources", "everything in the compartment, to try training out: unsafe", more);
    if (!requirements_.until.empty())
      all.statement.where =
          conditionOf({"request.utc-timestamp", PolicyTest::Operator::Before, {{requirements_.until}}});
    if (requirements_.needsNetwork && network_ != here_)
      add(who, "use virtual-network-family", "the subnet is in another compartment");
    if (requirements_.needsBucket && storage_ != here_)
      add(who, "manage object-family", "the bucket is in another compartment").statement.location = storage_;
  }
}

void Collector::jobRuns() {
  if (requirements_.needsRepository)
    add(Who::JobRuns, "read repos", "job runs pull their image").statement.where = onlyRepository();
  add(Who::JobRuns, "use data-science-family", "a node asks for its own job, to learn its subnet",
      "another page asks for 'manage data-science-jobs' and 'manage data-science-job-runs'; no node "
      "creates or deletes either");
  if (requirements_.needsNetwork)
    add(Who::JobRuns, "use virtual-network-family",
        "a node looks its subnet up, to choose the right network interface");
  add(Who::JobRuns, "use log-groups", "job runs find the log that they write");
  add(Who::JobRuns, "use log-content", "job runs write their logs",
      "one page asks for 'use logging-family', another for 'manage log-content'; writing needs neither");
  if (requirements_.needsBucket)
    add(Who::JobRuns, "manage objects", "nodes find each other and keep results in the work dir",
        "one page requires 'manage buckets' as well, another calls it optional; no node creates, changes or "
        "deletes a bucket")
        .statement.where = onlyBuckets();
}

void Collector::jobRunsExtras() {
  for (const std::string& kind : requirements_.certificateKinds)
    add(Who::JobRuns, ("read " + kind).c_str(), "nodes fetch the certificates of the cluster");
  for (const std::string& secret : requirements_.secrets)
    add(Who::JobRuns, "read secret-bundles", "nodes fetch the key of the git repository").statement.where =
        conditionOf(isEqualTest("target.secret.id", secret));
  for (const std::string& space : requirements_.metricNamespaces)
    add(Who::JobRuns, "use metrics", "nodes send their metrics").statement.where =
        conditionOf(isEqualTest("target.metrics.namespace", space));
}

void Collector::launcher() {
  add(Who::Launcher, "manage data-science-jobs", "you create the job of each run",
      "another page asks for 'manage data-science-family'; models and notebooks are not needed");
  add(Who::Launcher, "manage data-science-job-runs", "you start, follow and cancel job runs");
  add(Who::Launcher, "read data-science-projects", "a job belongs to a project");
  if (requirements_.needsNetwork)
    add(Who::Launcher, "use virtual-network-family", "a job names the subnet of its nodes");
  add(Who::Launcher, "manage log-groups", "you create the log of your runs");
  add(Who::Launcher, "use log-content", "you read the logs, and let your job write them",
      "one page asks for 'use logging-family', another for 'manage log-content'; agent configurations are "
      "not needed");
  add(Who::Launcher, "read metrics", "you look at the metrics of job runs",
      "a page of the guides has 'use read metrics', which no service accepts");
  launcherStorage();
}

void Collector::launcherStorage() {
  if (requirements_.needsBucket) {
    add(Who::Launcher, "manage objects", "you put code into the work dir and fetch results").statement.where =
        onlyBuckets();
    add(Who::Launcher, "read buckets", "the bucket of the work dir is looked up before a launch",
        "one page requires 'manage buckets', another calls it optional; it is needed to create a bucket only")
        .statement.where = onlyBuckets();
  }
  if (!requirements_.needsRepository) return;
  add(Who::Launcher, "manage repos", "you create the repository and push the image").statement.where =
      onlyRepository();
  if (isScoped())
    add(Who::Launcher, "inspect repos",
        "the repository is found in the compartment's list, and a list has no name to compare");
}

std::string ruleFor(const std::vector<std::pair<const char*, std::string>>& tests) {
  PolicyCondition all{PolicyCondition::Kind::All, {}, {}};
  for (const auto& [variable, value] : tests) all.parts.push_back(conditionOf(isEqualTest(variable, value)));
  return toText(all);
}

std::string idOrMark(const CompartmentRef& place) {
  return place.id.empty() ? "<OCID of " + nameOr(place.name, "the compartment") + ">" : place.id;
}

void addMarks(std::vector<std::string>& marks, const std::string& text) {
  for (std::size_t at = text.find('<'); at != std::string::npos; at = text.find('<', at + 1)) {
    const std::size_t end = text.find('>', at);
    if (end == std::string::npos) return;
    std::string mark = text.substr(at, end - at + 1);
    if (std::ranges::find(marks, mark) == marks.end()) marks.push_back(std::move(mark));
  }
}

}  // namespace

const char* toString(Who who) {
  constexpr std::array kNames{"launcher", "job-runs", "service"};
  return kNames[static_cast<std::size_t>(who)];
}

std::vector<RequiredStatement> requiredStatements(const PolicyRequirements& requirements) {
  return Collector(requirements).collect();
}

PolicyNeed needOf(const RequiredStatement& required, const PolicyPrincipal& who,
                  const std::string& compartmentId) {
  const PolicyStatement& s = required.statement;
  return {who, s.verb, s.resourceType, compartmentId, s.where};
}

std::string jobRunsRule(const CompartmentRef& compartment) {
  return ruleFor(
      {{"resource.type", "datasciencejobrun"}, {"resource.compartment.id", idOrMark(compartment)}});
}

std::string instancesRule(const CompartmentRef& compartment) {
  return ruleFor({{"instance.compartment.id", idOrMark(compartment)}});
}

std::string notebooksRule(const CompartmentRef& compartment) {
  return ruleFor(
      {{"resource.type", "datasciencenotebooksession"}, {"resource.compartment.id", idOrMark(compartment)}});
}

std::vector<std::string> placeholdersIn(const std::vector<RequiredStatement>& statements) {
  std::vector<std::string> marks;
  for (const RequiredStatement& one : statements) addMarks(marks, toText(one.statement));
  return marks;
}

}  // namespace lockstep
