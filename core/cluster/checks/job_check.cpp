// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "cluster/checks/check_parts.h"
#include "cluster/reading/train_yaml.h"
#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

using Kind = FixStep::Kind;

constexpr long long kMaxReplicas = 10'000;
constexpr std::size_t kMaxArguments = 4'000;         // characters
constexpr std::size_t kMaxContainerCommand = 2'048;  // bytes of CMD and ENTRYPOINT: fewer than that

FieldPath at(const char* key) {
  return field::runtime().child(key);
}

void require(const CheckContext& c, bool present, const char* key, const char* remedy) {
  if (!present) c.issues.error("missing-field", at(key), at(key).toString() + " is missing", remedy);
}

void checkType(const CheckContext& c, const JobSpec& job) {
  if (job.type == "pyTorchDistributed" || job.isContainer()) return;
  const FieldPath path = field::runtime().parent().child("type");
  if (job.type.empty()) {
    c.issues.error("missing-field", path, path.toString() + " is missing",
                   "write type: pyTorchDistributed or type: container");
    return;
  }
  c.issues.error("job-type", path,
                 fmt::format("{} is {}, which is not supported here", path.toString(), shown(job.type)),
                 "use pyTorchDistributed or container");
  for (const char* meant : {"pyTorchDistributed", "container"})
    if (isSlip(job.type, meant)) c.issues.fix(fmt::format("write {}", meant), {{Kind::Set, path, meant}});
}

void checkNumbers(const CheckContext& c, const JobSpec& job) {
  const FieldPath replicas = at("replicas");
  if (job.replicas && (*job.replicas < 1 || *job.replicas > kMaxReplicas)) {
    c.issues.error(
        "out-of-range", replicas,
        fmt::format("{} is {}; it must be from 1 to {}", replicas.toString(), *job.replicas, kMaxReplicas),
        "give the number of nodes");
    if (*job.replicas == 0) c.issues.fix("write 1", {{Kind::SetBare, replicas, "1"}});
  }
  const FieldPath minutes = at("maximumRuntimeInMinutes");
  if (job.maximumRuntimeInMinutes.value_or(1) < 1)
    c.issues.error(
        "out-of-range", minutes,
        fmt::format("{} is {}; it must be 1 or more", minutes.toString(), *job.maximumRuntimeInMinutes),
        "write the minutes after which the service ends the run");
}

void checkConda(const CheckContext& c, const CondaSpec& conda) {
  const FieldPath path = at("conda");
  const std::string type = conda.type.value_or("");
  if (type == "service" && !conda.slug)
    c.issues.error("missing-field", path.child("slug"), path.child("slug").toString() + " is missing",
                   "give the slug of a conda environment, such as pytorch20_p39_gpu_v2");
  else if (type == "published" && !conda.uri)
    c.issues.error("missing-field", path.child("uri"), path.child("uri").toString() + " is missing",
                   "give the place of the packed environment: oci://bucket@namespace/object");
  else if (type != "service" && type != "published")
    c.issues.error(
        "job-conda", path.child("type"),
        fmt::format("{} is {}; it is service or published", path.child("type").toString(), shown(type)),
        "write service (with a slug) or published (with a uri)");
  if (type == "published" && !conda.region)
    c.issues.warning(
        "job-conda-region", path,
        path.child("region").toString() + " is missing: the region of the profile that launches it is taken",
        "add the region of the bucket, such as region: us-ashburn-1");
}

void checkPyTorch(const CheckContext& c, const JobSpec& job) {
  if (job.conda)
    checkConda(c, *job.conda);
  else
    require(c, false, "conda", "name the environment: conda: {type: service, slug: pytorch20_p39_gpu_v2}");
  const bool code = job.git || job.scriptPathUri;
  require(c, code, "scriptPathURI", "give the folder or file of the code, or a git repository");
  if (job.git && !job.git->url)
    c.issues.error("missing-field", at("git").child("url"), at("git").child("url").toString() + " is missing",
                   "give the address of the repository");
  if (job.git && job.scriptPathUri)
    c.issues.warning("job-source", at("scriptPathURI"), "the code is given twice: git counts",
                     "remove one of git and scriptPathURI");
  // Of scriptPathURI alone, the file's own name is the entry point (ads-contract 5.1).
  require(c, job.command || job.entryPoint || job.scriptPathUri, "command",
          "give the command, such as torchrun train.py");
  if (job.outputDir.has_value() != job.outputUri.has_value())
    c.issues.warning("job-output", at(job.outputDir ? "outputDir" : "outputUri"),
                     "results are kept only when outputDir and outputUri are both given",
                     job.outputDir ? "add outputUri" : "add outputDir");
  c.issues.info("job-artifact", field::runtime().parent().child("type"),
                "a pyTorchDistributed job runs driver files that `ads` uploads with it: Lockstep shows what "
                "would be created, `ads opctl run` launches it");
}

void checkDeepspeed(const CheckContext& c, const JobSpec& job) {
  const std::string command = job.command.value_or("");
  if (!command.starts_with("deepspeed ") || job.deepspeed || nodeCount(c.spec, NodeRole::Worker) == 0) return;
  if (command.find("--deepspeed") != std::string::npos || c.env.seenBy(NodeRole::Main, "OCI__DEEPSPEED"))
    return;
  c.issues.warning("job-deepspeed", at("command"),
                   "a deepspeed command on several nodes ends at its start unless deepspeed: true is set",
                   "add deepspeed: true");
  c.issues.fix("add deepspeed: true", {{Kind::SetBare, at("deepspeed"), "true"}});
}

/// The driver adds its own options unless it finds these spellings (ads-contract 5.3).
void checkTorchrun(const CheckContext& c, const JobSpec& job) {
  const std::string command = " " + job.command.value_or("") + " ";
  for (const auto& [dashed, right] :
       {std::pair{" --nproc-per-node", "--nproc_per_node"}, std::pair{" --rdzv-backend", "--rdzv_backend"}}) {
    if (command.find(dashed) == std::string::npos || command.find(right) != std::string::npos) continue;
    c.issues.warning(
        "job-torchrun", at("command"),
        fmt::format("the driver does not know the spelling{} and adds {} once more", dashed, right),
        fmt::format("write {}", right));
    std::string fixed = *job.command;
    const std::string_view wrong = std::string_view(dashed).substr(1);
    for (std::size_t place = fixed.find(wrong); place != std::string::npos;
         place = fixed.find(wrong, place + 1))
      fixed.replace(place, wrong.size(), right);
    c.issues.fix(fmt::format("write {}", right), {{Kind::Set, at("command"), fixed}});
  }
}

std::size_t totalOf(const std::vector<std::string>& words) {
  std::size_t total = 0;
  for (const std::string& word : words) total += word.size() + 1;
  return total;
}

void checkLengths(const CheckContext& c, const JobSpec& job) {
  const std::size_t container =
      totalOf(job.entryPointWords.value_or(std::vector<std::string>())) + totalOf(job.cmd);
  if (container > kMaxContainerCommand)
    c.issues.error("command-too-long", at(job.cmd.empty() ? "entrypoint" : "cmd"),
                   fmt::format("entrypoint and cmd have {} bytes; the service takes fewer than {}", container,
                               kMaxContainerCommand),
                   "put the command into a script in the image");
  if (const std::size_t arguments = totalOf(job.args); arguments > kMaxArguments + 1)
    c.issues.error(
        "command-too-long", at("args"),
        fmt::format("the arguments have {} characters; the service takes {}", arguments - 1, kMaxArguments),
        "put long arguments into a file");
}

}  // namespace

void checkJob(const CheckContext& c) {
  const JobSpec& job = *c.spec.job;
  checkType(c, job);
  checkNumbers(c, job);
  checkNameLength(c, {"spec", "name"}, c.spec.clusterName.value_or(""));
  checkNameLength(c, infrastructureField(c.tree, "displayName"),
                  c.spec.infrastructure.displayName.value_or(""));
  if (job.isContainer())
    require(c, c.spec.image.has_value(), "image", "give an image, such as iad.ocir.io/tenancy/repository:1");
  else if (job.type == "pyTorchDistributed")
    checkPyTorch(c, job);
  checkDeepspeed(c, job);
  checkTorchrun(c, job);
  checkLengths(c, job);
}

}  // namespace lockstep
