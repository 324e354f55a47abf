// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/form_bindings.h"

#include "cluster/reading/key_tables.h"
#include "cluster/reading/train_yaml_keys.h"
#include "widgets/cluster/fields/form_texts.h"
#include "widgets/cluster/fields/framework_texts.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

FieldPath infrastructure(const char* key) {
  return {"spec", "infrastructure", "spec", key};
}
FieldPath cluster(const char* key) {
  return {"spec", "cluster", "spec", key};
}
FieldPath role(const char* name, const char* key) {
  return {"spec", "cluster", "spec", name, key};
}
FieldPath startOptions(const char* name) {
  return {"spec", "cluster", "spec", name, "config", "startOptions"};
}
/// The places that a key of the infrastructure may have, one for each spelling.
std::vector<FieldPath> spelled(const char* key) {
  std::vector<FieldPath> paths;
  for (const std::string& spelling : infrastructureSpellings(key))
    paths.push_back(infrastructure(spelling.c_str()));
  return paths;
}

std::vector<FieldPath> shapeDetails(const char* key) {
  std::vector<FieldPath> paths;
  for (const FieldPath& map : spelled("shapeConfigDetails"))
    for (const KeySpelling& known : spellingsOf(shapeConfigKeys())) {
      if (known.key != key) continue;
      for (const std::string& spelling : known.all()) paths.push_back(map.child(spelling));
    }
  return paths;
}

const FrameworkTraits& traitsOfCluster(const ClusterDocument& document) {
  return traitsOf(isClusterFile(document) ? document.spec().framework : Framework::Unknown);
}

bool hasParameterServers(const ClusterDocument& document) {
  return traitsOfCluster(document).hasParameterServers;
}
bool readsCertificate(const ClusterDocument& document) {
  return traitsOfCluster(document).readsCertificate;
}
bool hasStartOptions(const ClusterDocument& document) {
  return traitsOfCluster(document).startOptions != StartOptions::No;
}
bool isFlexShape(const ClusterDocument& document) {
  const auto& shape = document.spec().infrastructure.shapeName;
  return !shape || shape->empty() ||
         (shape->size() >= 4 && shape->compare(shape->size() - 4, 4, "Flex") == 0);
}

QString hintOfFramework(const ClusterDocument& document) {
  const bool hasServers = document.spec().parameterServer.has_value();
  return frameworkHint(traitsOfCluster(document).framework, hasServers);
}

QString hintOfStartOptions(const ClusterDocument& document) {
  return startOptionsHint(traitsOfCluster(document).framework);
}

/// As train.yaml spells them, and as their makers do.
std::vector<FieldChoice> frameworkChoices() {
  std::vector<FieldChoice> choices;
  for (const FrameworkTraits& traits : frameworkTraits())
    choices.push_back({toQString(std::string(traits.name)), toQString(std::string(traits.title))});
  return choices;
}

}  // namespace

QString FormSections::cluster() {
  return FormTexts::tr("&Cluster");
}
QString FormSections::nodes() {
  return FormTexts::tr("&Nodes");
}
QString FormSections::environment() {
  return FormTexts::tr("Env&ironment");
}
QString FormSections::machine() {
  return FormTexts::tr("&Machine of each node");
}
QString FormSections::layout() {
  return FormTexts::tr("La&yout");
}
QString FormSections::tenancy() {
  return FormTexts::tr("&Where it runs");
}
QString FormSections::certificates() {
  return FormTexts::tr("Cer&tificates");
}
QString FormSections::code() {
  return FormTexts::tr("Training c&ode");
}
QString FormSections::tags() {
  return FormTexts::tr("Ta&gs");
}

bool isJobFile(const ClusterDocument& document) {
  const auto kind = document.scalar(FieldPath{"kind"});
  return kind && kind->value == "job";
}

bool isClusterFile(const ClusterDocument& document) {
  return !isJobFile(document);
}

bool readsKwargs(const ClusterDocument& document) {
  return traitsOfCluster(document).readsKwargs;
}

void addClusterSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::cluster();
  all.push_back({.section = section,
                 .label = FormTexts::tr("Name"),
                 .paths = {cluster("name")},
                 .isHalf = true,
                 .isOptional = true,
                 .help = FormTexts::tr("The job is created under this name."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Framework"),
                 .paths = {FieldPath{"spec", "cluster", "kind"}},
                 .kind = FieldKind::Choice,
                 .isHalf = true,
                 .help = FormTexts::tr("What starts the ranks in the containers."),
                 .choices = frameworkChoices(),
                 .isRelevant = isClusterFile,
                 .hint = hintOfFramework});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Container image"),
                 .paths = {cluster("image")},
                 .kind = FieldKind::Resource,
                 .placeholder = QStringLiteral("iad.ocir.io/namespace/repository:tag"),
                 .help = FormTexts::tr("Every node runs this image."),
                 .resource = ResourceKind::Image,
                 .isRelevant = isClusterFile});
  all.push_back(
      {.section = section,
       .label = FormTexts::tr("Work dir"),
       .paths = {cluster("workDir")},
       .kind = FieldKind::Resource,
       .placeholder = QStringLiteral("oci://bucket@namespace/prefix"),
       .help = FormTexts::tr("Folder in object storage where the nodes meet and leave their records."),
       .resource = ResourceKind::Bucket,
       .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Ephemeral"),
                 .paths = {cluster("ephemeral")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("true"),
                 .help = FormTexts::tr("Passed to the containers as OCI__EPHEMERAL, which take every text "
                                       "for true: a cluster always ends with its program."),
                 .isRelevant = isClusterFile});
}

void addNodesSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::nodes();
  all.push_back({.section = section,
                 .label = FormTexts::tr("Main node name"),
                 .paths = {role("main", "name")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("main"),
                 .help = FormTexts::tr("The main node is where rank 0 runs; its job run gets this name."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Main nodes"),
                 .paths = {role("main", "replicas")},
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("1"),
                 .help = FormTexts::tr("One is started, whatever this says."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Worker name"),
                 .paths = {role("worker", "name")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("worker"),
                 .help = FormTexts::tr("The job runs of the workers get this name and a number."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Workers"),
                 .paths = {role("worker", "replicas")},
                 .kind = FieldKind::Count,
                 .isHalf = true,
                 .help = FormTexts::tr("Worker nodes besides the main node: the cluster has one node more."),
                 .removedAtZero = cluster("worker"),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Parameter server name"),
                 .paths = {role("ps", "name")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("ps"),
                 .help = FormTexts::tr("The job runs of the parameter servers get this name and a number."),
                 .isRelevant = hasParameterServers});
  all.push_back(
      {.section = section,
       .label = FormTexts::tr("Parameter servers"),
       .paths = {role("ps", "replicas")},
       .kind = FieldKind::Count,
       .isHalf = true,
       .help = FormTexts::tr("With parameter servers the program has to use the ParameterServer strategy."),
       .removedAtZero = cluster("ps"),
       .isRelevant = hasParameterServers});
  const auto options = [&](const QString& label, const FieldPath& path, const QString& placeholder) {
    all.push_back({.section = section,
                   .label = label,
                   .paths = {path},
                   .kind = FieldKind::Arguments,
                   .isOptional = true,
                   .isRare = placeholder.isEmpty(),
                   .isList = true,
                   .placeholder = placeholder,
                   .help = FormTexts::tr("Arguments of the command that starts the node, as one line."),
                   .isRelevant = hasStartOptions,
                   .hint = hintOfStartOptions});
  };
  options(FormTexts::tr("Start options of every node"),
          FieldPath{"spec", "cluster", "spec", "config", "startOptions"}, QString());
  options(FormTexts::tr("Start options of the main node"), startOptions("main"),
          QStringLiteral("--port 8786"));
  options(FormTexts::tr("Start options of the workers"), startOptions("worker"),
          QStringLiteral("--worker-port 8700:8800"));
  all.push_back({.section = section,
                 .label = FormTexts::tr("Start options of the parameter servers"),
                 .paths = {startOptions("ps")},
                 .kind = FieldKind::Arguments,
                 .isOptional = true,
                 .isRare = true,
                 .isList = true,
                 .isRelevant = hasParameterServers});
}

void addMachineSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::machine();
  all.push_back({.section = section,
                 .label = FormTexts::tr("Shape"),
                 .paths = spelled("shapeName"),
                 .kind = FieldKind::Shape,
                 .placeholder = QStringLiteral("VM.GPU.A10.1"),
                 .help = FormTexts::tr("The compute shape of every node.")});
  all.push_back({.section = section,
                 .label = FormTexts::tr("OCPUs"),
                 .paths = shapeDetails("ocpus"),
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("1"),
                 .help = FormTexts::tr("Of each node, for flexible shapes."),
                 .isRelevant = isFlexShape});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Memory (GB)"),
                 .paths = shapeDetails("memoryInGBs"),
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("16"),
                 .help = FormTexts::tr("Of each node, for flexible shapes."),
                 .isRelevant = isFlexShape});
  all.push_back({.section = section,
                 .label = FormTexts::tr("CPU baseline"),
                 .paths = shapeDetails("cpuBaseline"),
                 .kind = FieldKind::Choice,
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .help = FormTexts::tr("The share of a core that a burstable shape may always use."),
                 .choices = {{QString(), FormTexts::tr("the whole core")},
                             {QStringLiteral("BASELINE_1_8"), QStringLiteral("1/8")},
                             {QStringLiteral("BASELINE_1_2"), QStringLiteral("1/2")},
                             {QStringLiteral("BASELINE_1_1"), QStringLiteral("1/1")}},
                 .isRelevant = isFlexShape});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Block storage (GB)"),
                 .paths = spelled("blockStorageSize"),
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("50"),
                 .help = FormTexts::tr("Of each node; 50 GB is the least.")});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Infrastructure type"),
                 .paths = spelled("jobInfrastructureType"),
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("STANDALONE"),
                 .help = FormTexts::tr("Follows from the subnet when the file does not say it.")});
}

void addTenancySection(std::vector<FieldBinding>& all) {
  const auto add = [&](const QString& label, const char* key, const char* ocidKind, ResourceKind kind,
                       bool isOptional) {
    all.push_back({.section = FormSections::tenancy(),
                   .label = label,
                   .paths = spelled(key),
                   .kind = FieldKind::Resource,
                   .isOptional = isOptional,
                   .placeholder = QStringLiteral("ocid1.%1.oc1…").arg(QLatin1String(ocidKind)),
                   .resource = kind});
  };
  add(FormTexts::tr("Compartment"), "compartmentId", "compartment", ResourceKind::Compartment, false);
  add(FormTexts::tr("Project"), "projectId", "datascienceproject", ResourceKind::Project, false);
  add(FormTexts::tr("Subnet"), "subnetId", "subnet", ResourceKind::Subnet, true);
  add(FormTexts::tr("Log group"), "logGroupId", "loggroup", ResourceKind::LogGroup, true);
  add(FormTexts::tr("Log"), "logId", "log", ResourceKind::Log, true);
  const QString section = FormSections::tenancy();
  all.push_back({.section = section,
                 .label = FormTexts::tr("Display name"),
                 .paths = spelled("displayName"),
                 .isOptional = true,
                 .isRare = true,
                 .help = FormTexts::tr("The name of the job when the cluster has none.")});
}

void addCertificateSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::certificates();
  const FieldPath authority = cluster("certificate").child("caCert");
  const FieldPath own = cluster("certificate").child("cert");
  all.push_back({.section = section,
                 .label = FormTexts::tr("Certificate authority"),
                 .paths = {authority.child("id")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("ocid1.certificateauthority.oc1…"),
                 .help = FormTexts::tr("With an authority and a certificate the cluster speaks TLS, when "
                                       "the start options name the files, too."),
                 .isRelevant = readsCertificate});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Authority file"),
                 .paths = {authority.child("downloadLocation")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("ca-cert.pem"),
                 .isRelevant = readsCertificate});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Certificate"),
                 .paths = {own.child("id")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("ocid1.certificate.oc1…"),
                 .isRelevant = readsCertificate});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Certificate file"),
                 .paths = {own.child("certDownloadLocation")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("cert.pem"),
                 .isRelevant = readsCertificate});
  all.push_back({.section = section,
                 .label = FormTexts::tr("Key file"),
                 .paths = {own.child("keyDownloadLocation")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("key.pem"),
                 .isRelevant = readsCertificate});
}

}  // namespace lockstep
