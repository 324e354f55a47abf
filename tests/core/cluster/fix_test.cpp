// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/document/fix.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "check_texts.h"
#include "golden_texts.h"

namespace lockstep {
namespace {

/// One flaw in a sound text, and what its fix has to make of it, to the letter.
struct Flaw {
  const char* name;
  const char* code;
  const char* sound;   // this part of the sound text …
  const char* flawed;  // … is replaced by this
  const char* fixed;   // and has to become this
};

const Flaw kFlaws[] = {
    {"UnknownKey", "unknown-key", "      workDir: oci", "      workdir: oci", "      workDir: oci"},
    {"UnknownKeyInRole", "unknown-key", "        replicas: 2", "        replica: 2", "        replicas: 2"},
    {"SizeWithUnit", "unknown-key", "blockStorageSize: 100", "blockStorageSizeGB: 120GB   # GB",
     "blockStorageSize: 120   # GB"},
    {"TypeTooDeep", "unknown-key", "    kind: python\n    spec:\n",
     "    kind: python\n    spec:\n      uri: https://x.example/r.git\n      type: git\n",
     "    kind: python\n    spec:\n      uri: https://x.example/r.git\n"},
    {"DuplicateKey", "duplicate-key", "      name: resnet\n", "      name: old\n      name: new   # this\n",
     "      name: new   # this\n"},
    {"NumberWithUnit", "wrong-type", "blockStorageSize: 100", "blockStorageSize: 100GB",
     "blockStorageSize: 100"},
    {"NumberWithPoint", "wrong-type", "        replicas: 2", "        replicas: 2.0", "        replicas: 2"},
    {"SmallStorage", "out-of-range", "blockStorageSize: 100", "blockStorageSize: 20 # GB",
     "blockStorageSize: 50 # GB"},
    {"KindCasing", "kind", "kind: distributed", "kind: Distributed", "kind: distributed"},
    {"KindMissing", "missing-field", "kind: distributed\napiVersion", "apiVersion", nullptr},
    {"ClusterKind", "cluster-kind", "kind: PYTORCH", "kind: PYTROCH", "kind: PYTORCH"},
    {"MainMissing", "missing-field", "      main:\n        name: resnet-main\n        replicas: 1\n", "",
     nullptr},
    {"MainReplicas", "main-replicas", "replicas: 1", "replicas: 3", "replicas: 1"},
    {"ZeroReplicas", "zero-replicas", "replicas: 2", "replicas: 0", "replicas: 1"},
    {"RoleImage", "role-image", "        name: resnet-main\n",
     "        name: resnet-main\n        image: iad.ocir.io/team/other:1\n", "        name: resnet-main\n"},
    {"ShapeCasing", "shape-unknown", "VM.GPU.A10.2", "vm.gpu.a10.2", "VM.GPU.A10.2"},
    {"ShapeSeparators", "shape-unknown", "VM.GPU.A10.2", "VM_GPU_A10_2", "VM.GPU.A10.2"},
    {"FixedWithDetails", "shape-details", "      blockStorageSize: 100\n",
     "      shapeConfigDetails:\n        ocpus: 2\n        memoryInGBs: 16\n      blockStorageSize: 100\n",
     "      blockStorageSize: 100\n"},
    {"FlexWithoutMemory", "shape-details", "      shapeName: VM.GPU.A10.2\n",
     "      shapeName: VM.Standard.E4.Flex\n      shapeConfigDetails: {ocpus: 4}\n",
     "      shapeName: VM.Standard.E4.Flex\n      shapeConfigDetails: {ocpus: 4, memoryInGBs: 64}\n"},
    {"FlexWithoutDetails", "shape-details", "VM.GPU.A10.2", "VM.Standard.E4.Flex", nullptr},
    {"SwappedLogs", "ocid-kind",
     "logGroupId: ocid1.loggroup.oc1.iad.aaaa\n      logId: ocid1.log.oc1.iad.aaaa",
     "logGroupId: ocid1.log.oc1.iad.aaaa\n      logId: ocid1.loggroup.oc1.iad.aaaa",
     "logGroupId: ocid1.loggroup.oc1.iad.aaaa\n      logId: ocid1.log.oc1.iad.aaaa"},
    {"BlankInOcid", "ocid", "subnetId: ocid1.subnet.oc1.iad.aaaa", "subnetId: 'ocid1.subnet.oc1.iad.aaaa '",
     "subnetId: 'ocid1.subnet.oc1.iad.aaaa'"},
    {"ImageWithScheme", "image", "iad.ocir.io/team/resnet:1", "https://iad.ocir.io/team/resnet:1",
     "iad.ocir.io/team/resnet:1"},
    {"ImageWithoutTag", "image-tag", "iad.ocir.io/team/resnet:1", "iad.ocir.io/team/resnet",
     "iad.ocir.io/team/resnet:latest"},
    {"WorkDirWithoutScheme", "work-dir", "oci://bucket@space/runs", "bucket@space/runs",
     "oci://bucket@space/runs"},
    {"InfrastructureType", "infrastructure-type", "      blockStorageSize: 100\n",
     "      jobInfrastructureType: ME_STANDALONE\n      blockStorageSize: 100\n",
     "      blockStorageSize: 100\n"},
    {"MisspeltVariable", "env-misspelt", "name: NCCL_DEBUG", "name: NCCL_SOCKET_IFRAME",
     "name: NCCL_SOCKET_IFNAME"},
    {"MisspeltBesideRight", "env-misspelt", "          - name: NCCL_DEBUG\n            value: INFO\n",
     "          - name: NCCL_DEBUG\n            value: INFO\n          - name: NCCL_DEBUGG\n            "
     "value: WARN\n",
     nullptr},
    {"DeprecatedVariable", "env-deprecated", "name: NCCL_DEBUG", "name: NCCL_ASYNC_ERROR_HANDLING",
     "name: TORCH_NCCL_ASYNC_ERROR_HANDLING"},
    {"NameWithBlank", "env-name", "name: NCCL_DEBUG", "name: 'NCCL_DEBUG '", "name: 'NCCL_DEBUG'"},
    {"PortWithBlank", "port", "name: NCCL_DEBUG\n            value: INFO",
     "name: MASTER_PORT\n            value: ' 2940'", "name: MASTER_PORT\n            value: '2940'"},
    {"GeneratedVariable", "env-overridden", "          - name: NCCL_DEBUG\n",
     "          - name: OCI__WORK_DIR\n            value: x\n          - name: NCCL_DEBUG\n",
     "          - name: NCCL_DEBUG\n"},
    {"Rank", "env-overridden", "          - name: NCCL_DEBUG\n",
     "          - name: RANK\n            value: \"0\"\n          - name: NCCL_DEBUG\n",
     "          - name: NCCL_DEBUG\n"},
    {"WorldSize", "env-overridden", "          - name: NCCL_DEBUG\n",
     "          - name: WORLD_SIZE\n            value: \"4\"\n          - name: NCCL_DEBUG\n",
     "          - name: NCCL_DEBUG\n"},
    {"DuplicateVariable", "env-duplicate", "          - name: NCCL_DEBUG\n",
     "          - name: NCCL_DEBUG\n            value: WARN\n          - name: NCCL_DEBUG\n",
     "          - name: NCCL_DEBUG\n"},
    {"SyncArtifacts", "sync-artifacts", "name: NCCL_DEBUG\n            value: INFO",
     "name: SYNC_ARTIFACTS\n            value: \"yes\"", "name: SYNC_ARTIFACTS\n            value: \"1\""},
    {"TimeoutWithUnit", "env-number", "name: NCCL_DEBUG\n            value: INFO",
     "name: OCI__TIMEOUT\n            value: 1800s", "name: OCI__TIMEOUT\n            value: \"1800\""},
    {"Ephemeral", "ephemeral", "      name: resnet\n", "      name: resnet\n      ephemeral: false\n",
     "      name: resnet\n"},
    {"ArgumentWithBlank", "args-split", R"(["--epochs", "10"])", R"(["--name", "two words"])",
     R"(["--name", "'two words'"])"},
    {"ReadDifferently", "yaml-reading", R"("10"])", "010]", "\"010\"]"},
    {"ReadAsTruth", "yaml-reading", "value: INFO", "value: yes", "value: \"yes\""},
    {"UriWithoutType", "uri-unused", "    kind: python\n    spec:\n",
     "    kind: python\n    spec:\n      uri: https://x.example/r.git\n", nullptr},
    {"StartOptionsText", "start-options-text", "kind: PYTORCH", "kind: DASK", nullptr},
};

std::string textOf(const Flaw& flaw) {
  const std::string text = replaced(soundText(), flaw.sound, flaw.flawed);
  if (std::string_view(flaw.name) != "StartOptionsText") return text;
  return replaced(text, "        name: resnet-worker\n",
                  "        name: resnet-worker\n        config:\n          startOptions: --nthreads 2\n");
}

const Issue* issueOf(const ClusterDocument& document, const char* code) {
  const auto& issues = document.issues();
  const auto found = std::find_if(issues.begin(), issues.end(),
                                  [&](const Issue& i) { return i.code == code && i.fix.has_value(); });
  return found == issues.end() ? nullptr : &*found;
}

class EachFix : public testing::TestWithParam<Flaw> {};

TEST_P(EachFix, MakesItsIssueGoAway) {
  const ClusterDocument document(textOf(GetParam()));
  const Issue* issue = issueOf(document, GetParam().code);
  ASSERT_NE(issue, nullptr) << codesIn(document.text()) << "\n" << document.text();
  const auto text = applyFix(document, *issue->fix);
  ASSERT_TRUE(text) << describe(text.error());
  const ClusterDocument after(*text);
  EXPECT_EQ(
      std::count_if(after.issues().begin(), after.issues().end(),
                    [&](const Issue& i) { return i.code == issue->code && i.message == issue->message; }),
      0)
      << *text;
  EXPECT_LE(after.issues().size(), document.issues().size()) << codesIn(*text) << "\n" << *text;
}

TEST_P(EachFix, ChangesNothingElse) {
  if (GetParam().fixed == nullptr) GTEST_SKIP() << "what it adds may stand in more than one place";
  const ClusterDocument document(textOf(GetParam()));
  const Issue* issue = issueOf(document, GetParam().code);
  ASSERT_NE(issue, nullptr);
  std::string expected = replaced(soundText(), GetParam().sound, GetParam().fixed);
  if (std::string_view(GetParam().name) == "TypeTooDeep")
    expected = replaced(expected, "    kind: python\n", "    kind: python\n    type: git\n");
  const auto text = applyFix(document, *issue->fix);
  ASSERT_TRUE(text) << describe(text.error());
  if (std::string_view(GetParam().name) == "TypeTooDeep") {
    EXPECT_EQ(ClusterDocument(*text).spec().runtimeType, "git");
    EXPECT_EQ(text->find("      type: git"), std::string::npos);
    return;
  }
  EXPECT_EQ(*text, expected);
}

TEST_P(EachFix, HasNothingToDoTheSecondTime) {
  const FixReport once = fixAll(textOf(GetParam()));
  EXPECT_FALSE(once.fixed.empty());
  const FixReport twice = fixAll(once.text);
  EXPECT_EQ(twice.text, once.text);
  EXPECT_TRUE(twice.fixed.empty());
}

INSTANTIATE_TEST_SUITE_P(Fixes, EachFix, testing::ValuesIn(kFlaws),
                         [](const auto& test) { return std::string(test.param.name); });

TEST(FixAll, LeavesASoundTextAlone) {
  EXPECT_EQ(codesIn(soundText()), "");
  EXPECT_EQ(fixAll(soundText()).text, soundText());
  EXPECT_EQ(codesIn(soundJobText()), "");
  EXPECT_EQ(fixAll(soundJobText()).text, soundJobText());
}

TEST(FixAll, MendsAllOfOneFile) {
  std::string text = replaced(soundText(), "kind: distributed", "kind: DISTRIBUTED");
  text = replaced(text, "name: NCCL_DEBUG", "name: NCCL_SOCKET_IFRAME");
  text = replaced(text, "        replicas: 2", "        replicas: 0   # many");
  text = replaced(text, "VM.GPU.A10.2", "vm.gpu.a10.2");
  const FixReport report = fixAll(text);
  EXPECT_EQ(report.fixed.size(), 4U);
  EXPECT_EQ(codesIn(report.text), "");
  std::string expected = replaced(soundText(), "name: NCCL_DEBUG", "name: NCCL_SOCKET_IFNAME");
  EXPECT_EQ(report.text, replaced(expected, "        replicas: 2", "        replicas: 1   # many"));
}

/// A text in which the details of a flex shape stand below a name that has one letter too many.
std::string misspeltShape() {
  return replaced(soundText(), "      shapeName: VM.GPU.A10.2\n",
                  "      shapeName: VM.Standard.E4.Flexx\n"
                  "      shapeConfigDetails: {ocpus: 4, memoryInGBs: 64}\n");
}

TEST(FixAll, MendsTheMisspeltShapeAndKeepsItsDetails) {
  const ClusterDocument document(misspeltShape());
  ASSERT_EQ(document.issues().size(), 1U) << codesIn(document.text());
  const Issue& issue = document.issues().front();
  EXPECT_EQ(issue.code, "shape-unknown");
  ASSERT_TRUE(issue.fix);
  EXPECT_EQ(issue.fix->title, "use VM.Standard.E4.Flex");
  EXPECT_EQ(fixAll(document.text()).text,
            replaced(misspeltShape(), "VM.Standard.E4.Flexx", "VM.Standard.E4.Flex"));
}

TEST(FixAll, TakesNoOtherSizeOrSeriesForASlip) {
  for (const char* name : {"VM.GPU.A10.3", "BM.GPU.H200.4", "VM.Standard.E6.Flex", "VM.Quantum.1"}) {
    const std::string text = replaced(soundText(), "VM.GPU.A10.2", name);
    const ClusterDocument document(text);
    EXPECT_EQ(issueOf(document, "shape-unknown"), nullptr) << name;
  }
}

TEST(FixAll, AddsNothingBesideAKeyThatIsMisspelt) {
  const std::string text = replaced(soundText(), "      main:\n", "      mian:\n");
  const ClusterDocument document(text);
  const auto& issues = document.issues();
  const auto cause =
      std::find_if(issues.begin(), issues.end(), [](const Issue& i) { return i.code == "unknown-key"; });
  ASSERT_NE(cause, issues.end()) << codesIn(text);
  ASSERT_NE(cause + 1, issues.end()) << codesIn(text);
  EXPECT_EQ((cause + 1)->code, "missing-field") << "what follows from it stands right below";
  EXPECT_FALSE((cause + 1)->fix);
  EXPECT_NE((cause + 1)->remedy.find("mian"), std::string::npos) << (cause + 1)->remedy;
  EXPECT_EQ(fixAll(text).text, text) << "what is meant by 'mian' is for a person to say";
}

TEST(FixAll, RenamesAMisspeltKeyAndAddsNothingBesideIt) {
  const FixReport report = fixAll(replaced(soundText(), "      main:\n", "      mains:\n"));
  EXPECT_EQ(report.fixed.size(), 1U);
  EXPECT_EQ(report.text, soundText());
}

TEST(FixAll, TakesThreeOfOneVariableApart) {
  const char* kItem = "          - name: NCCL_DEBUG\n            value: INFO\n";
  const std::string text = replaced(soundText(), kItem, std::string(kItem) + kItem + kItem);
  const FixReport report = fixAll(text);
  EXPECT_EQ(report.fixed.size(), 2U);
  EXPECT_EQ(report.text, soundText());
}

TEST(FixAll, KeepsWindowsLineEnds) {
  std::string text;
  for (const char c : replaced(soundText(), "replicas: 1", "replicas: 4")) {
    if (c == '\n') text += '\r';
    text += c;
  }
  const FixReport report = fixAll(text);
  EXPECT_EQ(report.text, replaced(text, "replicas: 4", "replicas: 1"));
}

TEST(FixAll, LeavesWhatIsNoYaml) {
  for (const char* text : {"", "a: [", "- 1\n", "\xff\xfe", "kind: job\nkind: job\nkind: job\n"}) {
    const FixReport report = fixAll(text);
    EXPECT_EQ(fixAll(report.text).text, report.text);
  }
}

class EachGolden : public testing::TestWithParam<std::pair<std::string, std::string>> {};

/// It ends, leaves nothing that it could fix, and makes no valid file an invalid one.
TEST_P(EachGolden, IsMendedAsFarAsItGoes) {
  const auto& [name, text] = GetParam();
  const ClusterDocument before(text);
  const FixReport report = fixAll(text);
  const ClusterDocument after(report.text);
  EXPECT_TRUE(hasErrors(before.issues()) || !hasErrors(after.issues())) << report.text;
  EXPECT_TRUE(before.isParsable() || report.text == text);
  EXPECT_EQ(before.isParsable(), after.isParsable());
  for (const Issue& issue : after.issues())
    EXPECT_FALSE(issue.fix) << name << ": " << issue.message << "\n" << report.text;
}

INSTANTIATE_TEST_SUITE_P(Goldens, EachGolden, testing::ValuesIn(goldenTexts()),
                         [](const auto& test) { return test.param.first; });

TEST(ApplyFix, SaysWhyItCannot) {
  const ClusterDocument document(soundText());
  const Fix fix{"do two things",
                {{FixStep::Kind::Set, FieldPath::parse("spec.cluster.spec.name"), "new"},
                 {FixStep::Kind::Remove, FieldPath::parse("spec.nowhere"), ""}}};
  const auto text = applyFix(document, fix);
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().what.find("do two things"), std::string::npos);
}

TEST(ApplyFix, AppendsAVariable) {
  const ClusterDocument document(soundText());
  const Fix fix{"add it",
                {{FixStep::Kind::AppendEnv, FieldPath::parse("spec.cluster.spec.config.env"), "A=b=c"}}};
  EXPECT_EQ(applyFix(document, fix).value(), replaced(soundText(), "            value: INFO\n",
                                                      "            value: INFO\n          - name: A\n"
                                                      "            value: b=c\n"));
}

}  // namespace
}  // namespace lockstep
