// SPDX-License-Identifier: GPL-3.0-or-later
// `kind: job` files (ads-contract 5.1).
#include "widgets/cluster/fields/form_bindings.h"
#include "widgets/cluster/fields/form_texts.h"

namespace lockstep {
namespace {

FieldPath code(const char* key) {
  return {"spec", "runtime", "spec", key};
}
FieldPath part(const char* map, const char* key) {
  return {"spec", "runtime", "spec", map, key};
}

std::string runtimeType(const ClusterDocument& document) {
  const auto type = document.scalar(FieldPath{"spec", "runtime", "type"});
  return type ? type->value : std::string();
}
bool isTorch(const ClusterDocument& document) {
  return isJobFile(document) && runtimeType(document) == "pyTorchDistributed";
}
bool isContainer(const ClusterDocument& document) {
  return isJobFile(document) && runtimeType(document) == "container";
}
bool isPublishedConda(const ClusterDocument& document) {
  const auto type = document.scalar(part("conda", "type"));
  return isTorch(document) && type && type->value == "published";
}
bool isServiceConda(const ClusterDocument& document) {
  return isTorch(document) && !isPublishedConda(document);
}

}  // namespace

void addJobSection(std::vector<FieldBinding>& all) {
  const QString section = FormTexts::tr("&Job");
  all.push_back({.section = section,
                 .label = FormTexts::tr("Name"),
                 .paths = {FieldPath{"spec", "name"}},
                 .isHalf = true,
                 .isOptional = true,
                 .help = FormTexts::tr("The job is created under this name."),
                 .isRelevant = isJobFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Runs as"),
                 .paths = {FieldPath{"spec", "runtime", "type"}},
                 .kind = FieldKind::Choice,
                 .isHalf = true,
                 .choices = {{QStringLiteral("pyTorchDistributed"), FormTexts::tr("PyTorch, distributed")},
                             {QStringLiteral("container"), FormTexts::tr("container")}},
                 .isRelevant = isJobFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Nodes"),
                 .paths = {code("replicas")},
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("1"),
                 .help = FormTexts::tr("More than one: a native multi-node job."),
                 .isRelevant = isJobFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Longest run (minutes)"),
                 .paths = {code("maximumRuntimeInMinutes")},
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = FormTexts::tr("no limit"),
                 .isRelevant = isTorch});
}

void addJobCodeSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::code();
  all.push_back({.section = section,
                 .label = FormTexts::tr("Container image"),
                 .paths = {code("image")},
                 .kind = FieldKind::Resource,
                 .placeholder = QStringLiteral("iad.ocir.io/namespace/repository:tag"),
                 .resource = ResourceKind::Image,
                 .isRelevant = isContainer});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Container command"),
                 .paths = {code("cmd")},
                 .kind = FieldKind::Arguments,
                 .isOptional = true,
                 .isList = true,
                 .help = FormTexts::tr("A list of arguments; a text is split at its commas."),
                 .isRelevant = isContainer});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Conda environment"),
                 .paths = {part("conda", "type")},
                 .kind = FieldKind::Choice,
                 .isHalf = true,
                 .choices = {{QStringLiteral("service"), FormTexts::tr("of the service")},
                             {QStringLiteral("published"), FormTexts::tr("published in a bucket")}},
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Slug"),
                 .paths = {part("conda", "slug")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("pytorch20_p39_gpu_v2"),
                 .isRelevant = isServiceConda});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Conda URI"),
                 .paths = {part("conda", "uri")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("oci://bucket@namespace/object"),
                 .isRelevant = isPublishedConda});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Command"),
                 .paths = {code("command")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("torchrun train.py --epochs 3"),
                 .help = FormTexts::tr("Started on every node."),
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Entry point"),
                 .paths = {code("entrypoint")},
                 .kind = FieldKind::Arguments,
                 .isOptional = true,
                 .isRare = true,
                 .help = FormTexts::tr("The program to start when there is no command."),
                 .isRelevant = isJobFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Arguments"),
                 .paths = {code("args")},
                 .kind = FieldKind::Arguments,
                 .isOptional = true,
                 .isRare = true,
                 .isList = true,
                 .isRelevant = isJobFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Git repository"),
                 .paths = {part("git", "url")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("https://…/repository.git"),
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Branch"),
                 .paths = {part("git", "branch")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("main"),
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Commit"),
                 .paths = {part("git", "commit")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Secret with the Git key"),
                 .paths = {part("git", "gitSecretId")},
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("ocid1.vaultsecret.oc1…"),
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Source folder or file"),
                 .paths = {code("scriptPathURI")},
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("./src"),
                 .help = FormTexts::tr("Instead of a Git repository."),
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Working folder"),
                 .paths = {code("workingDir")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .isRelevant = isTorch});
  all.push_back(
      {.section = section,
       .label = FormTexts::tr("DeepSpeed"),
       .paths = {code("deepspeed")},
       .kind = FieldKind::Choice,
       .isHalf = true,
       .isOptional = true,
       .isRare = true,
       .choices = {{QString(), FormTexts::tr("no")}, {QStringLiteral("true"), FormTexts::tr("yes")}},
       .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Output folder"),
                 .paths = {code("outputDir")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("outputs"),
                 .isRelevant = isTorch});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Output URI"),
                 .paths = {code("outputUri")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("oci://bucket@namespace/prefix"),
                 .isRelevant = isTorch});
}

}  // namespace lockstep
