// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/form_bindings.h"

#include <algorithm>

#include "widgets/cluster/cluster_form.h"

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
std::vector<FieldPath> shapeDetails(const char* key, const char* snakeKey) {
  std::vector<FieldPath> paths;
  for (const char* map : {"shapeConfigDetails", "shape_config_details", "job_shape_config_details"})
    for (const char* spelling : {key, snakeKey}) {
      const FieldPath path = infrastructure(map).child(spelling);
      if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
    }
  return paths;
}

Framework frameworkOf(const ClusterDocument& document) {
  return document.spec().framework;
}

bool isTensorFlow(const ClusterDocument& document) {
  return isClusterFile(document) && frameworkOf(document) == Framework::TensorFlow;
}
bool isDask(const ClusterDocument& document) {
  return isClusterFile(document) && frameworkOf(document) == Framework::Dask;
}
bool readsStartOptions(const ClusterDocument& document) {
  return readsKwargs(document) || (isClusterFile(document) && frameworkOf(document) == Framework::Horovod);
}
bool isFlexShape(const ClusterDocument& document) {
  const auto& shape = document.spec().infrastructure.shapeName;
  return !shape || shape->empty() ||
         (shape->size() >= 4 && shape->compare(shape->size() - 4, 4, "Flex") == 0);
}

QString frameworkHint(const ClusterDocument& document) {
  switch (frameworkOf(document)) {
    case Framework::PyTorch:
      return ClusterForm::tr("Each node starts one rank per GPU; they meet at the main node, port 29400.");
    case Framework::Dask:
      return ClusterForm::tr(
          "The main node runs the scheduler (port 8786, dashboard 8787), the workers run dask-worker.");
    case Framework::Horovod:
      return ClusterForm::tr(
          "horovodrun on the main node starts the ranks over SSH (WORKER_PORT); MIN_NP, MAX_NP and SLOTS say "
          "how "
          "many.");
    case Framework::TensorFlow:
      return document.spec().parameterServer
                 ? ClusterForm::tr("ParameterServer strategy: the main node is the chief.")
                 : ClusterForm::tr(
                       "MultiWorkerMirrored strategy; parameter servers turn it into "
                       "ParameterServer.");
    case Framework::Ray:
      return ClusterForm::tr("The main node runs the head (port 3000); the entry point runs there.");
    case Framework::Unknown:
      break;
  }
  return {};
}

QString startOptionsHint(const ClusterDocument& document) {
  if (frameworkOf(document) == Framework::Ray)
    return ClusterForm::tr("The containers of ads hand these on, but Ray's start scripts ignore them.");
  if (frameworkOf(document) == Framework::Horovod)
    return ClusterForm::tr("Horovod reads HOROVOD_ARGS from the environment instead.");
  return {};
}

}  // namespace

QString FormSections::cluster() {
  return ClusterForm::tr("&Cluster");
}
QString FormSections::nodes() {
  return ClusterForm::tr("&Nodes");
}
QString FormSections::environment() {
  return ClusterForm::tr("Env&ironment");
}
QString FormSections::machine() {
  return ClusterForm::tr("&Machine of each node");
}
QString FormSections::layout() {
  return ClusterForm::tr("La&yout");
}
QString FormSections::tenancy() {
  return ClusterForm::tr("&Where it runs");
}
QString FormSections::certificates() {
  return ClusterForm::tr("Cer&tificates");
}
QString FormSections::code() {
  return ClusterForm::tr("Training c&ode");
}
QString FormSections::tags() {
  return ClusterForm::tr("Ta&gs");
}

bool isJobFile(const ClusterDocument& document) {
  const auto kind = document.scalar(FieldPath{"kind"});
  return kind && kind->value == "job";
}

bool isClusterFile(const ClusterDocument& document) {
  return !isJobFile(document);
}

bool readsKwargs(const ClusterDocument& document) {
  return isDask(document) || (isClusterFile(document) && frameworkOf(document) == Framework::Ray);
}

void addClusterSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::cluster();
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Name"),
                 .paths = {cluster("name")},
                 .isHalf = true,
                 .isOptional = true,
                 .help = ClusterForm::tr("The job is created under this name."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Framework"),
                 .paths = {FieldPath{"spec", "cluster", "kind"}},
                 .kind = FieldKind::Choice,
                 .isHalf = true,
                 .help = ClusterForm::tr("What starts the ranks in the containers."),
                 .choices = {{QStringLiteral("PYTORCH"), QStringLiteral("PyTorch")},
                             {QStringLiteral("DASK"), QStringLiteral("Dask")},
                             {QStringLiteral("HOROVOD"), QStringLiteral("Horovod")},
                             {QStringLiteral("TENSORFLOW"), QStringLiteral("TensorFlow")},
                             {QStringLiteral("RAY"), QStringLiteral("Ray")}},
                 .isRelevant = isClusterFile,
                 .hint = frameworkHint});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Container image"),
                 .paths = {cluster("image")},
                 .kind = FieldKind::Resource,
                 .placeholder = QStringLiteral("iad.ocir.io/namespace/repository:tag"),
                 .help = ClusterForm::tr("Every node runs this image."),
                 .resource = ResourceKind::Image,
                 .isRelevant = isClusterFile});
  all.push_back(
      {.section = section,
       .label = ClusterForm::tr("Work directory"),
       .paths = {cluster("workDir")},
       .kind = FieldKind::Resource,
       .placeholder = QStringLiteral("oci://bucket@namespace/prefix"),
       .help = ClusterForm::tr("Folder in object storage where the nodes meet and leave their records."),
       .resource = ResourceKind::Bucket,
       .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Ephemeral"),
                 .paths = {cluster("ephemeral")},
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("true"),
                 .help = ClusterForm::tr("Passed to the containers as OCI__EPHEMERAL, which take every text "
                                         "for true: a cluster always ends with its program."),
                 .isRelevant = isClusterFile});
}

void addNodesSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::nodes();
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Main node name"),
                 .paths = {role("main", "name")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("main"),
                 .help = ClusterForm::tr("The main node is where rank 0 runs; its job run gets this name."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Main nodes"),
                 .paths = {role("main", "replicas")},
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .placeholder = QStringLiteral("1"),
                 .help = ClusterForm::tr("One is started, whatever this says."),
                 .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Worker name"),
                 .paths = {role("worker", "name")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("worker"),
                 .help = ClusterForm::tr("The job runs of the workers get this name and a number."),
                 .isRelevant = isClusterFile});
  all.push_back(
      {.section = section,
       .label = ClusterForm::tr("Workers"),
       .paths = {role("worker", "replicas")},
       .kind = FieldKind::Count,
       .isHalf = true,
       .help = ClusterForm::tr("Worker nodes besides the main node: the cluster has one node more."),
       .removedAtZero = cluster("worker"),
       .isRelevant = isClusterFile});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Parameter server name"),
                 .paths = {role("ps", "name")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("ps"),
                 .help = ClusterForm::tr("The job runs of the parameter servers get this name and a number."),
                 .isRelevant = isTensorFlow});
  all.push_back(
      {.section = section,
       .label = ClusterForm::tr("Parameter servers"),
       .paths = {role("ps", "replicas")},
       .kind = FieldKind::Count,
       .isHalf = true,
       .help = ClusterForm::tr("With parameter servers the program has to use the ParameterServer strategy."),
       .removedAtZero = cluster("ps"),
       .isRelevant = isTensorFlow});
  const auto options = [&](const QString& label, const FieldPath& path, const QString& placeholder) {
    all.push_back({.section = section,
                   .label = label,
                   .paths = {path},
                   .kind = FieldKind::Arguments,
                   .isOptional = true,
                   .isRare = placeholder.isEmpty(),
                   .isList = true,
                   .placeholder = placeholder,
                   .help = ClusterForm::tr("Arguments of the command that starts the node, as one line."),
                   .isRelevant = readsStartOptions,
                   .hint = startOptionsHint});
  };
  options(ClusterForm::tr("Start options of every node"),
          FieldPath{"spec", "cluster", "spec", "config", "startOptions"}, QString());
  options(ClusterForm::tr("Start options of the main node"), startOptions("main"),
          QStringLiteral("--port 8786"));
  options(ClusterForm::tr("Start options of the workers"), startOptions("worker"),
          QStringLiteral("--worker-port 8700:8800"));
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Start options of the parameter servers"),
                 .paths = {startOptions("ps")},
                 .kind = FieldKind::Arguments,
                 .isOptional = true,
                 .isRare = true,
                 .isList = true,
                 .isRelevant = isTensorFlow});
}

void addMachineSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::machine();
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Shape"),
                 .paths = {infrastructure("shapeName"), infrastructure("shape_name")},
                 .kind = FieldKind::Shape,
                 .placeholder = QStringLiteral("VM.GPU.A10.1"),
                 .help = ClusterForm::tr("The compute shape of every node.")});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("OCPUs"),
                 .paths = shapeDetails("ocpus", "ocpus"),
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("1"),
                 .help = ClusterForm::tr("Of each node, for flexible shapes."),
                 .isRelevant = isFlexShape});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Memory (GB)"),
                 .paths = shapeDetails("memoryInGBs", "memory_in_gbs"),
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("16"),
                 .help = ClusterForm::tr("Of each node, for flexible shapes."),
                 .isRelevant = isFlexShape});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("CPU baseline"),
                 .paths = shapeDetails("cpuBaseline", "cpu_baseline"),
                 .kind = FieldKind::Choice,
                 .isHalf = true,
                 .isOptional = true,
                 .isRare = true,
                 .help = ClusterForm::tr("The share of a core that a burstable shape may always use."),
                 .choices = {{QString(), ClusterForm::tr("the whole core")},
                             {QStringLiteral("BASELINE_1_8"), QStringLiteral("1/8")},
                             {QStringLiteral("BASELINE_1_2"), QStringLiteral("1/2")},
                             {QStringLiteral("BASELINE_1_1"), QStringLiteral("1/1")}},
                 .isRelevant = isFlexShape});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Block storage (GB)"),
                 .paths = {infrastructure("blockStorageSize"), infrastructure("block_storage_size"),
                           infrastructure("block_storage_size_in_GBs")},
                 .kind = FieldKind::Number,
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("50"),
                 .help = ClusterForm::tr("Of each node; 50 GB is the least.")});
  all.push_back(
      {.section = section,
       .label = ClusterForm::tr("Infrastructure type"),
       .paths = {infrastructure("jobInfrastructureType"), infrastructure("job_infrastructure_type")},
       .isHalf = true,
       .isOptional = true,
       .isRare = true,
       .placeholder = QStringLiteral("STANDALONE"),
       .help = ClusterForm::tr("Follows from the subnet when the file does not say it.")});
}

void addTenancySection(std::vector<FieldBinding>& all) {
  const auto add = [&](const QString& label, const char* key, const char* snakeKey, const char* ocidKind,
                       ResourceKind kind, bool isOptional) {
    all.push_back({.section = FormSections::tenancy(),
                   .label = label,
                   .paths = {infrastructure(key), infrastructure(snakeKey)},
                   .kind = FieldKind::Resource,
                   .isOptional = isOptional,
                   .placeholder = QStringLiteral("ocid1.%1.oc1…").arg(QLatin1String(ocidKind)),
                   .resource = kind});
  };
  add(ClusterForm::tr("Compartment"), "compartmentId", "compartment_id", "compartment",
      ResourceKind::Compartment, false);
  add(ClusterForm::tr("Project"), "projectId", "project_id", "datascienceproject", ResourceKind::Project,
      false);
  add(ClusterForm::tr("Subnet"), "subnetId", "subnet_id", "subnet", ResourceKind::Subnet, true);
  add(ClusterForm::tr("Log group"), "logGroupId", "log_group_id", "loggroup", ResourceKind::LogGroup, true);
  add(ClusterForm::tr("Log"), "logId", "log_id", "log", ResourceKind::Log, true);
  const QString section = FormSections::tenancy();
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Display name"),
                 .paths = {infrastructure("displayName"), infrastructure("display_name")},
                 .isOptional = true,
                 .isRare = true,
                 .help = ClusterForm::tr("The name of the job when the cluster has none.")});
}

void addCertificateSection(std::vector<FieldBinding>& all) {
  const QString section = FormSections::certificates();
  const FieldPath authority = cluster("certificate").child("caCert");
  const FieldPath own = cluster("certificate").child("cert");
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Certificate authority"),
                 .paths = {authority.child("id")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("ocid1.certificateauthority.oc1…"),
                 .help = ClusterForm::tr("With an authority and a certificate the cluster speaks TLS, when "
                                         "the start options name the files, too."),
                 .isRelevant = isDask});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Authority file"),
                 .paths = {authority.child("downloadLocation")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("ca-cert.pem"),
                 .isRelevant = isDask});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Certificate"),
                 .paths = {own.child("id")},
                 .isOptional = true,
                 .placeholder = QStringLiteral("ocid1.certificate.oc1…"),
                 .isRelevant = isDask});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Certificate file"),
                 .paths = {own.child("certDownloadLocation")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("cert.pem"),
                 .isRelevant = isDask});
  all.push_back({.section = section,
                 .label = ClusterForm::tr("Key file"),
                 .paths = {own.child("keyDownloadLocation")},
                 .isHalf = true,
                 .isOptional = true,
                 .placeholder = QStringLiteral("key.pem"),
                 .isRelevant = isDask});
}

}  // namespace lockstep
