// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include "base/atomic_file.h"
#include "tests/support/bundle_folder.h"
#include "tests/support/temp_dir.h"

namespace lockstep {
namespace {

namespace fs = std::filesystem;

/// A train.yaml with parts of it said by the test.
struct File {
  std::string kind = "PYTORCH", shape = "VM.Standard2.1", name = "job", env = "[]", worker = "{replicas: 1}";
  std::string extra, main = "{}", entry = "train.py";
  [[nodiscard]] std::string text() const {
    return "kind: distributed\nspec:\n  infrastructure:\n    spec: {projectId: "
           "ocid1.datascienceproject.oc1.iad.aaaa,"
           " compartmentId: ocid1.compartment.oc1..aaaa, subnetId: ocid1.subnet.oc1.iad.aaaa, shapeName: " +
           shape + "}\n" + extra + "  cluster:\n    kind: " + kind +
           "\n    spec: {image: 'a/b:1', workDir: 'oci://b@n/p', name: " + name + ", config: {env: " + env +
           "}, main: " + main + ", worker: " + worker + "}\n  runtime: {spec: {entryPoint: " + entry + "}}\n";
  }
};

bool notesSay(const ExportBundle& bundle, const std::string& part) {
  for (const std::string& note : bundle.notes) {
    if (note.find(part) != std::string::npos) return true;
  }
  return false;
}

TEST(MpirunExport, RefusesFrameworksThatMpirunCannotStart) {
  for (const char* kind : {"DASK", "RAY", "TENSORFLOW"}) {
    File file;
    file.kind = kind;
    const ClusterDocument document(file.text());
    const auto plan = makePlan(document);
    ASSERT_TRUE(plan) << kind << describe(plan.error());
    const auto bundle = exportMpirun({document, *plan});
    ASSERT_FALSE(bundle) << kind;
    EXPECT_EQ(bundle.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(bundle.error().what.find(kind), std::string::npos) << bundle.error().what;
    EXPECT_EQ(bundle.error().where, "spec.cluster.kind");
    EXPECT_FALSE(bundle.error().remedy.empty());
  }
}

TEST(MpirunExport, HasOneRankForEachGpuAndOneNameForEachNode) {
  File file;
  file.shape = "VM.GPU.A10.2";
  file.worker = "{replicas: 2, name: 'Odd name'}";
  const std::string hosts = contentOf(bundleOf(ExportTarget::Mpirun, file.text()), "hosts");
  EXPECT_NE(hosts.find("\nmain main 2\nworker-0 worker-0 2\nworker-1 worker-1 2\n"), std::string::npos)
      << hosts;
}

TEST(MpirunExport, TakesPortsAndTheInterfaceFromTheFile) {
  File file;
  file.kind = "HOROVOD";
  file.env =
      "[{name: WORKER_PORT, value: '2222'}, {name: MASTER_PORT, value: '30000'}, {name: GLOO_SOCKET_IFNAME, "
      "value: ens5}]";
  const std::string settings = contentOf(bundleOf(ExportTarget::Mpirun, file.text()), "settings.sh");
  EXPECT_NE(settings.find("\nSSH_PORT=2222\n"), std::string::npos);
  EXPECT_NE(settings.find("\nMASTER_PORT=30000\n"), std::string::npos);
  EXPECT_NE(settings.find("\nINTERFACE=ens5\n"), std::string::npos);
}

TEST(MpirunExport, SaysWhichPortsCannotBeUsed) {
  File file;
  file.env = "[{name: MASTER_PORT, value: '$(reboot)'}]";
  const ExportBundle bundle = bundleOf(ExportTarget::Mpirun, file.text());
  EXPECT_NE(contentOf(bundle, "settings.sh").find("\nMASTER_PORT=29400\n"), std::string::npos);
  EXPECT_TRUE(notesSay(bundle, "MASTER_PORT"));
}

TEST(MpirunExport, KeepsTheVariablesOfARoleToItsNodes) {
  File file;
  file.worker = "{replicas: 3, config: {env: [{name: ONLY, value: workers}]}}";
  const std::string text = contentOf(bundleOf(ExportTarget::Mpirun, file.text()), "environment.sh");
  EXPECT_NE(text.find("# main\nif (($1 >= 0 && $1 <= 0)); then\n"), std::string::npos) << text;
  EXPECT_NE(text.find("# worker-0 to worker-2\nif (($1 >= 1 && $1 <= 3)); then\n"), std::string::npos)
      << text;
  EXPECT_LT(text.find("# worker-0"), text.find("ONLY=workers")) << text;
}

TEST(MpirunExport, IsTheSameForBothLayouts) {
  File runs, nodes;
  nodes.extra = "  multiNode: {}\n";
  runs.main = nodes.main = "{config: {env: [{name: A, value: b}]}}";
  const ExportBundle one = bundleOf(ExportTarget::Mpirun, runs.text());
  const ExportBundle other = bundleOf(ExportTarget::Mpirun, nodes.text());
  ASSERT_EQ(one.files.size(), other.files.size());
  for (std::size_t i = 0; i < one.files.size(); ++i) EXPECT_EQ(one.files[i].content, other.files[i].content);
}

class KeysOfTheKit : public testing::Test {
 protected:
  void SetUp() override {
    if (!hasProgram("ssh-keygen")) GTEST_SKIP() << "openssh-client is not installed";
    ASSERT_TRUE(writeBundle(bundleOf(ExportTarget::Mpirun, File{}.text()), kit_, false));
  }
  [[nodiscard]] Said generate() const {
    return run("cd " + quoteShell(kit_.string()) + " && ./generate-keys.sh");
  }

  TempDir folder_;
  fs::path kit_ = folder_.path() / "kit";
};

TEST_F(KeysOfTheKit, AreEd25519AndOnlyTheOwnersToRead) {
  const Said said = generate();
  ASSERT_EQ(said.code, 0) << said.text;
  for (const char* key : {"keys/id_ed25519", "keys/hosts/main", "keys/hosts/worker-0"}) {
    EXPECT_EQ(static_cast<unsigned>(fs::status(kit_ / key).permissions()), 0600U) << key;
    const std::string open = readFile(kit_ / (std::string(key) + ".pub")).value_or("");
    EXPECT_TRUE(open.starts_with("ssh-ed25519 ")) << open;
  }
  EXPECT_EQ(static_cast<unsigned>(fs::status(kit_ / "keys").permissions()), 0700U);
}

TEST_F(KeysOfTheKit, StayWhenMadeAgain) {
  ASSERT_EQ(generate().code, 0);
  const std::string before = readFile(kit_ / "keys/id_ed25519").value_or("");
  fs::remove(kit_ / "keys/hosts/main.pub");
  const Said said = generate();
  EXPECT_EQ(said.code, 0) << said.text;
  EXPECT_EQ(readFile(kit_ / "keys/id_ed25519").value_or(""), before);
  EXPECT_TRUE(fs::exists(kit_ / "keys/hosts/main.pub"));
}

TEST_F(KeysOfTheKit, AreNotMadeForAHostsFileThatIsWrong) {
  struct Wrong {
    const char *hosts, *says;
  };
  for (const Wrong& wrong :
       {Wrong{"Main x 1\n", "hosts:1: 'Main'"}, Wrong{"a x 1\na y 1\n", "hosts:2: 'a' is there twice"},
        Wrong{"a x none\n", "hosts:1: 'none'"}, Wrong{"a x 1 y\n", "'y' is too much"},
        Wrong{"# nothing\n", "names no node"}, Wrong{"a\n", "hosts:1: ''"}}) {
    ASSERT_TRUE(writeFileAtomically(kit_ / "hosts", wrong.hosts));
    const Said said = generate();
    EXPECT_EQ(said.code, 1) << wrong.hosts;
    EXPECT_NE(said.text.find(wrong.says), std::string::npos) << said.text;
    EXPECT_FALSE(fs::exists(kit_ / "keys")) << wrong.hosts;
  }
}

TEST_F(KeysOfTheKit, AreRefusedInAFolderThatSshCannotUse) {
  fs::rename(kit_, folder_.path() / "a kit");
  const Said said = run("cd " + quoteShell((folder_.path() / "a kit").string()) + " && ./generate-keys.sh");
  EXPECT_EQ(said.code, 1);
  EXPECT_NE(said.text.find("is no path that ssh and mpirun can use"), std::string::npos) << said.text;
}

}  // namespace
}  // namespace lockstep
