// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "export/terraform_needs.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

ClusterView viewOf(Framework framework, std::vector<EnvVar> main, std::vector<EnvVar> worker = {}) {
  ClusterView view;
  view.framework = framework;
  view.nodes.resize(2);
  view.nodes[0].environment = Environment(main);
  view.nodes[1].role = NodeRole::Worker;
  view.nodes[1].environment = Environment(worker);
  return view;
}

std::string portsOf(const ClusterView& view) {
  const PortNeeds needs = portNeedsOf(view);
  std::string text;
  for (const PortRange& range : needs.ranges)
    text += std::to_string(range.first) + "-" + std::to_string(range.last) + " ";
  return text + (needs.allTcpReason.empty() ? "only" : "all");
}

TEST(PortNeeds, AreThoseOfTheFramework) {
  EXPECT_EQ(portsOf(viewOf(Framework::PyTorch, {})), "29400-29400 all");
  EXPECT_EQ(portsOf(viewOf(Framework::PyTorch, {{"MASTER_PORT", "30000"}})), "30000-30000 all");
  EXPECT_EQ(portsOf(viewOf(Framework::Horovod, {})), "12345-12345 all");
  EXPECT_EQ(portsOf(viewOf(Framework::Ray, {})), "3000-3000 8700-8800 all");
  EXPECT_EQ(portsOf(viewOf(Framework::TensorFlow, {{"WORKER_PORT", "12346"}}, {{"WORKER_PORT", "12350"}})),
            "12346-12346 12350-12350 only");
  EXPECT_EQ(portsOf(viewOf(Framework::TensorFlow, {{"WORKER_PORT", "no port"}})), "12345-12345 only");
}

TEST(PortNeeds, OfDaskFollowItsStartOptions) {
  EXPECT_EQ(portsOf(viewOf(Framework::Dask, {})), "8786-8786 8787-8787 all");
  EXPECT_EQ(portsOf(viewOf(Framework::Dask, {{"SCHEDULER_PORT", "9000"}})), "8787-8787 9000-9000 all");
  EXPECT_EQ(portsOf(viewOf(Framework::Dask, {{"OCI__START_ARGS", "--port 8790 --dashboard-address=:8791"}},
                           {{"OCI__START_ARGS", "--nanny-port=3000:3100 --worker-port  8700:8800"}})),
            "3000-3100 8700-8800 8790-8790 8791-8791 only");
  EXPECT_EQ(portsOf(viewOf(Framework::Dask, {}, {{"OCI__START_ARGS", "--worker-port 8800:8700"}})),
            "8786-8786 8787-8787 all");
}

TEST(TenancyNeeds, TakeTheImageApart) {
  ClusterView view = viewOf(Framework::PyTorch, {});
  const auto repository = [&](const std::string& image) {
    view.image = image;
    const TenancyNeeds needs = tenancyNeedsOf({}, view);
    return needs.repository ? *needs.registry + " " + *needs.repository + " " + needs.imageTag : "none";
  };
  EXPECT_EQ(repository("iad.ocir.io/ns/team/net:7"), "iad.ocir.io team/net 7");
  EXPECT_EQ(repository("iad.ocir.io/ns/net"), "iad.ocir.io net latest");
  EXPECT_EQ(repository("ocir.us-ashburn-1.oci.oraclecloud.com/ns/net:1@sha256:ab"),
            "ocir.us-ashburn-1.oci.oraclecloud.com net 1");
  EXPECT_EQ(repository("docker.io/library/python:3"), "none");
  EXPECT_EQ(repository("python:3"), "none");
}

TEST(TenancyNeeds, NameEveryBucketOnce) {
  ClusterView view = viewOf(Framework::PyTorch, {{"WORKSPACE", "artifacts"}});
  view.workDir = "oci://work@space/a/b";
  ClusterSpec spec;
  spec.infrastructure.storageMounts = {
      {"oci://data@space/x", "/d"}, {"oci://work@space/y", "/e"}, {"10.0.0.1:/z", "/f"}};
  const TenancyNeeds needs = tenancyNeedsOf(spec, view);
  EXPECT_EQ(needs.buckets, (std::vector<std::string>{"work", "artifacts", "data"}));
  EXPECT_EQ(needs.prefix, "a/b");
  EXPECT_EQ(needs.nameSpace.value_or(""), "space");
}

std::string goldenInput(const std::string& name) {
  return readFile(std::filesystem::path(LOCKSTEP_TEST_DATA) / "export/terraform" / name / "in.yaml")
      .value_or("");
}

/// What the expressions of an export come to, with a stand-in for what only the provider knows: cluster.tf,
/// iam.tf's locals and outputs, applied by Terraform without any provider.
class Expressions : public testing::Test {
 protected:
  void SetUp() override {
    if (!hasProgram("terraform")) GTEST_SKIP() << "terraform is not installed";
  }

  /// Everything of a file up to its first resource, data, provider or check block.
  static std::string withoutResources(const std::string& text) {
    std::string out;
    bool keeping = true;
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      const std::string line = text.substr(begin, end - begin);
      for (const char* block : {"resource ", "data ", "provider ", "check ", "terraform "}) {
        if (line.starts_with(block)) keeping = false;
      }
      if (keeping) out += line + "\n";
      if (line == "}") keeping = true;
      begin = end + 1;
    }
    return out;
  }

  static std::string withStandIns(std::string text) {
    const std::pair<const char*, const char*> standIns[] = {
        {"oci_identity_compartment.cluster[0].id", "\"COMPARTMENT\""},
        {"oci_identity_dynamic_group.runs[0].id", "\"GROUP\""},
        {"oci_datascience_project.cluster[0].id", "\"PROJECT\""},
        {"oci_core_vcn.cluster[0].id", "\"VCN\""},
        {"oci_core_route_table.cluster[0].id", "\"ROUTES\""},
        {"oci_core_subnet.cluster[0].id", "\"SUBNET\""},
        {"data.oci_core_subnet.existing[0].compartment_id", "\"NETWORK\""},
        {"data.oci_objectstorage_namespace.tenancy.namespace", "\"space\""},
        {"oci_logging_log_group.cluster[0].id", "\"LOGGROUP\""},
        {"oci_logging_log.cluster.id", "\"LOG\""},
    };
    for (const auto& [from, to] : standIns) {
      for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos;)
        text.replace(at, std::strlen(from), to);
    }
    return text;
  }

  nlohmann::json outputs(const std::string& yaml, const std::string& variables) {
    const ExportBundle bundle = bundleOf(ExportTarget::Terraform, yaml);
    const auto home = folder_.path();
    for (const ExportedFile& file : bundle.files) {
      if (!file.path.ends_with(".tf") || file.path == "versions.tf") continue;
      EXPECT_TRUE(writeFileAtomically(home / file.path, withStandIns(withoutResources(file.content))));
    }
    EXPECT_TRUE(writeFileAtomically(home / "terraform.tfvars", variables));
    const Said said = run("export HOME=" + quoteShell(home.string()) +
                          "; cd \"$HOME\" && terraform apply -auto-approve -no-color >log 2>&1 && "
                          "terraform output -json >out.json; code=$?; cat log; exit $code");
    EXPECT_EQ(said.code, 0) << said.text;
    auto json = nlohmann::json::parse(readFile(home / "out.json").value_or(""), nullptr, false);
    return json.is_object() ? json : nlohmann::json::object();
  }

  TempDir folder_;
};

constexpr const char* kVariables =
    "tenancy_ocid = \"ocid1.tenancy.oc1..aaaa\"\nregion = \"us-ashburn-1\"\nuser_group_ocid = "
    "\"ocid1.group.oc1..gggg\"\n";

TEST_F(Expressions, GrantTheSmallestSetAndNoTwoVerbs) {
  const auto json = outputs(goldenInput("pytorch"), kVariables);
  const auto statements = json["policy_statements"]["value"].get<std::vector<std::string>>();
  const std::string runs = "allow dynamic-group id GROUP to ";
  const std::string here = " in compartment id COMPARTMENT";
  const auto has = [&](const std::string& statement) {
    return std::find(statements.begin(), statements.end(), statement) != statements.end();
  };
  EXPECT_TRUE(has(runs + "read repos" + here));
  EXPECT_TRUE(has(runs + "use data-science-family" + here));
  EXPECT_TRUE(has(runs + "use virtual-network-family" + here));
  EXPECT_TRUE(has(runs + "use log-content" + here));
  EXPECT_TRUE(has(runs + "manage objects" + here + " where target.bucket.name = 'dt-bucket'"));
  EXPECT_TRUE(has(runs + "manage objects" + here + " where target.bucket.name = 'artifacts-bucket'"));
  EXPECT_TRUE(has(runs + "read secret-bundles" + here +
                  " where target.secret.id = 'ocid1.vaultsecret.oc1.iad.bbbb'"));
  EXPECT_TRUE(has("allow service datascience to use virtual-network-family" + here));
  EXPECT_TRUE(has("allow group id ocid1.group.oc1..gggg to read metrics" + here));
  for (const std::string& statement : statements) {
    EXPECT_EQ(statement.find("all-resources"), std::string::npos) << statement;
    EXPECT_EQ(statement.find("manage buckets"), std::string::npos) << statement;
    EXPECT_EQ(statement.find("use read"), std::string::npos) << statement;
  }
}

TEST_F(Expressions, YieldTheValuesForTheFile) {
  const auto json = outputs(goldenInput("pytorch"), kVariables);
  const auto& values = json["train_yaml"]["value"];
  EXPECT_EQ(values["workDir"], "oci://dt-bucket@space/clusters");
  EXPECT_EQ(values["image"], "iad.ocir.io/space/team/resnet:7");
  EXPECT_EQ(values["subnetId"], "SUBNET");
  EXPECT_EQ(values["compartmentId"], "COMPARTMENT");
  EXPECT_EQ(json["ports"]["value"], nlohmann::json::array({"all"}));
}

TEST_F(Expressions, UseWhatExists) {
  const std::string existing =
      std::string(kVariables) +
      "subnet_ocid = \"ocid1.subnet.oc1.iad.s\"\ncompartment_ocid = \"ocid1.compartment.oc1..c\"\n"
      "log_group_ocid = \"ocid1.loggroup.oc1.iad.l\"\nproject_ocid = \"ocid1.p\"\n"
      "allow_all_tcp_in_subnet = false\nallow_manage_buckets = true\ncreate_policies = false\n";
  const auto json = outputs(goldenInput("pytorch"), existing);
  const auto& values = json["train_yaml"]["value"];
  EXPECT_EQ(values["subnetId"], "ocid1.subnet.oc1.iad.s");
  EXPECT_EQ(values["compartmentId"], "ocid1.compartment.oc1..c");
  EXPECT_EQ(values["logGroupId"], "ocid1.loggroup.oc1.iad.l");
  EXPECT_EQ(values["projectId"], "ocid1.p");
  EXPECT_EQ(json["ports"]["value"], nlohmann::json::array({"29400"}));
  const std::string statements = json["policy_statements"]["value"].dump();
  EXPECT_NE(statements.find("virtual-network-family in compartment id NETWORK"), std::string::npos)
      << statements;
  EXPECT_NE(statements.find("manage buckets"), std::string::npos);
  EXPECT_NE(statements.find("allow dynamic-group resnet-ddp-runs to read repos"), std::string::npos)
      << statements;
}

TEST_F(Expressions, OfADaskClusterWithCertificatesOpenOnlyItsPorts) {
  const auto json = outputs(goldenInput("dask_tls"), kVariables);
  EXPECT_EQ(json["ports"]["value"], nlohmann::json::array({"3000-3100", "8700-8800", "8790", "8791"}));
  const std::string statements = json["policy_statements"]["value"].dump();
  EXPECT_NE(statements.find("read leaf-certificate-bundles"), std::string::npos);
  EXPECT_NE(statements.find("read certificate-authority-bundles"), std::string::npos);
}

TEST_F(Expressions, RefuseWhatIsNoTenancyOrRegion) {
  const ExportBundle bundle = bundleOf(ExportTarget::Terraform, goldenInput("pytorch"));
  ASSERT_TRUE(writeFileAtomically(folder_.path() / "variables.tf", contentOf(bundle, "variables.tf")));
  ASSERT_TRUE(writeFileAtomically(folder_.path() / "terraform.tfvars",
                                  contentOf(bundle, "terraform.tfvars.example")));
  const Said said = run("export HOME=" + quoteShell(folder_.path().string()) +
                        "; cd \"$HOME\" && terraform plan -no-color -input=false");
  EXPECT_NE(said.code, 0) << said.text;
  EXPECT_NE(said.text.find("not the OCID of a tenancy"), std::string::npos) << said.text;
  EXPECT_NE(said.text.find("not the identifier of a region"), std::string::npos) << said.text;
}

}  // namespace
}  // namespace lockstep
