// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include <algorithm>

#include "export/cluster_view.h"
#include "export/export.h"
#include "export/hcl.h"
#include "export/templates.h"
#include "export/terraform_needs.h"

namespace lockstep {
namespace {

/// An assignment with a comment and blank lines around it, so that nothing has to be aligned with it.
std::string local(std::string_view comment, std::string_view name, std::string_view value) {
  return fmt::format("\n  # {}\n  {} = {}\n", comment, name, value);
}

std::string quotedOrNull(const std::optional<std::string>& text) {
  return text ? quoteHcl(*text) : "null";
}

/// A name inside VCN addresses: at most 15 letters and digits.
std::string addressLabel(const std::string& label) {
  std::string out;
  for (const char c : label) {
    if (c != '-') out += c;
  }
  return out.substr(0, 15);
}

std::string portList(const PortNeeds& ports) {
  if (ports.ranges.empty()) return "[]";
  std::string out = "[\n";
  for (const PortRange& range : ports.ranges)
    out += fmt::format("    {{ min = {}, max = {}, description = {} }},\n", range.first, range.last,
                       quoteHcl(range.purpose));
  return out + "  ]";
}

std::string clusterFile(const ClusterView& view, const TenancyNeeds& needs) {
  std::string out =
      "# What follows from the train.yaml. The other files are the same for every cluster.\n"
      "locals {\n  # Names begin with this.\n";
  out += fmt::format("  name = {}\n", quoteHcl(view.label));
  out += local("In the addresses of a new VCN.", "dns_label", quoteHcl(addressLabel(view.label)));
  out += local("TCP ports on which the nodes reach each other.", "tcp_ports", portList(needs.ports));
  out += local("Whether these ports are not enough, and why.", "needs_all_tcp",
               needs.ports.allTcpReason.empty() ? "false" : "true");
  const bool given = !needs.ports.allTcpReason.empty();
  out += fmt::format("\n  all_tcp_reason = {}\n",
                     quoteHcl(given ? needs.ports.allTcpReason : "All TCP inside the subnet"));
  out += local("The work dir: oci://bucket@namespace/prefix.", "bucket_name", quotedOrNull(needs.bucket));
  out += fmt::format("\n  file_namespace = {}\n", quotedOrNull(needs.nameSpace));
  out += fmt::format("\n  work_dir_prefix = {}\n", quoteHcl(needs.prefix));
  out += local("Buckets that the job runs read and write.", "buckets", quoteHcl(needs.buckets));
  out += local("The image, when it is in Oracle's registry.", "registry", quotedOrNull(needs.registry));
  out += fmt::format("\n  repository_name = {}\n", quotedOrNull(needs.repository));
  out += fmt::format("\n  image_tag = {}\n", quoteHcl(needs.imageTag));
  out += local("Certificates, vault secrets and metric namespaces that the job runs use.",
               "certificate_kinds", quoteHcl(needs.certificateKinds));
  out += fmt::format("\n  secret_ocids = {}\n", quoteHcl(needs.secrets));
  out += fmt::format("\n  metric_namespaces = {}\n}}\n", quoteHcl(needs.metricNamespaces));
  return out;
}

/// A value of the file as a line to uncomment; nothing when it is no OCID of that kind.
std::string existing(const char* variable, const std::optional<std::string>& ocid, const char* kind) {
  if (!ocid || !ocid->starts_with(std::string("ocid1.") + kind + ".")) return "";
  return fmt::format("# {} = {}\n", variable, quoteHcl(*ocid));
}

std::string valuesFile(const Infrastructure& file) {
  std::string out =
      "# Copy this to terraform.tfvars and fill it in.\n"
      "tenancy_ocid = \"ocid1.tenancy.oc1..<yours>\"\n\n"
      "region = \"<such as us-ashburn-1>\"\n\n"
      "# The tenancy's home region, when it is another one.\n"
      "# home_region = \"\"\n\n"
      "# The group of the people who launch and watch runs.\n"
      "# user_group_ocid = \"\"\n";
  const std::string there = existing("compartment_ocid", file.compartmentId, "compartment") +
                            existing("project_ocid", file.projectId, "datascienceproject") +
                            existing("subnet_ocid", file.subnetId, "subnet") +
                            existing("log_group_ocid", file.logGroupId, "loggroup");
  if (there.empty()) return out;
  return out +
         "\n# What the train.yaml names. Uncomment what exists and shall be used; the rest is made anew.\n" +
         there;
}

std::string portText(const PortNeeds& ports) {
  std::string out;
  for (const PortRange& range : ports.ranges) {
    const std::string span = range.first == range.last ? std::to_string(range.first)
                                                       : fmt::format("{}-{}", range.first, range.last);
    out += fmt::format("- TCP {} inside the subnet: {}\n", span, range.purpose);
  }
  if (ports.allTcpReason.empty())
    return out +
           "\nNo others are needed (`allow_all_tcp_in_subnet = true` opens all inside the subnet). The check "
           "of `ads opctl` asks for all ports for some frameworks.";
  return out + fmt::format(
                   "- all other TCP inside the subnet. {}. With `allow_all_tcp_in_subnet = false` only the "
                   "ports above are open, and the ranks wait for each other for ever.",
                   ports.allTcpReason);
}

std::vector<std::string> notesFor(const ClusterSpec& spec, const ClusterView& view,
                                  const TenancyNeeds& needs) {
  std::vector<std::string> notes{
      "copy terraform.tfvars.example to terraform.tfvars, fill it in, then: terraform init, plan, apply"};
  if (!needs.bucket) notes.push_back("the work dir is no oci:// address: no bucket is made");
  if (!needs.repository)
    notes.push_back(view.imageIsKnown ? "the image is not in Oracle's registry: no repository is made"
                                      : "the image is not known yet: no repository is made");
  if (spec.multiNode && spec.multiNode->network == "managed")
    notes.push_back("the job asks for the managed network: the subnet is for other jobs only");
  return notes;
}

}  // namespace

Result<ExportBundle> exportTerraform(const ExportInput& input) {
  const auto view = clusterView(input);
  if (!view) return failure(view.error());
  const ClusterSpec& spec = input.document.spec();
  const TenancyNeeds needs = tenancyNeedsOf(spec, *view);
  ExportBundle bundle;
  bundle.files.push_back(
      {"README.md",
       exportTemplate("terraform/README.md", {{"NAME", view->label}, {"PORTS", portText(needs.ports)}})});
  bundle.files.push_back({"cluster.tf", clusterFile(*view, needs)});
  for (const char* name : {"versions.tf", "variables.tf", "compartment.tf", "network.tf", "storage.tf",
                           "logging.tf", "iam.tf", "outputs.tf"})
    bundle.files.push_back({name, exportTemplate(std::string("terraform/") + name)});
  bundle.files.push_back({"terraform.tfvars.example", valuesFile(spec.infrastructure)});
  bundle.files.push_back({".gitignore", exportTemplate("terraform/gitignore")});
  bundle.notes = notesFor(spec, *view, needs);
  return bundle;
}

}  // namespace lockstep
