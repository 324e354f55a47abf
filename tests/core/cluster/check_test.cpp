// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>

#include "cluster/checks/check_parts.h"
#include "cluster/document/cluster_document.h"
#include "cluster/reading/train_yaml_keys.h"

namespace lockstep {
namespace {

TEST(Ocid, HasAForm) {
  for (const char* good :
       {"ocid1.compartment.oc1..aaaa", "ocid1.subnet.oc1.iad.aaaa", "ocid1.log.oc1.eu-frankfurt-1.a-b_c",
        "ocid1.tenancy.oc1..aaaaaaaalockstep", "ocid1.datascienceproject.oc1.rehearsal.aaaaaaaalockstep",
        "ocid1.instance.oc1.phx.future.aaaa"})
    EXPECT_EQ(ocidProblem(good), "") << good;
  for (const char* bad :
       {"", "x", "ocid1", "ocid1.subnet", "ocid1.subnet.oc1.iad.", "ocid1..oc1.iad.a",
        "ocid2.subnet.oc1.iad.a", "ocid1.subnet.oc1.iad.a b", "ocid1.subnet.oc1.iad.x.a.b", "oci.xxxx.aaa"})
    EXPECT_NE(ocidProblem(bad), "") << bad;
  EXPECT_EQ(ocidKind("ocid1.subnet.oc1.iad.aaaa"), "subnet");
}

TEST(Image, HasAGrammar) {
  for (const char* good :
       {"iad.ocir.io/ns/repo:1", "localhost:5000/x", "ubuntu", "a/b_c/d-e:v1.2-x_3",
        "localhost/lockstep/trainer:1",
        "fra.ocir.io/ns/r@sha256:0123456789012345678901234567890123456789012345678901234567890123"})
    EXPECT_EQ(imageProblem(good), "") << good;
  for (const char* bad : {"", "a b", "Repo:1", "iad.ocir.io/ns/repo:", "iad.ocir.io/ns/repo:-1",
                          "iad.ocir.io//repo:1", "https://x/y:1", "a@sha256:12", "host:port/x", "x:1:2"})
    EXPECT_NE(imageProblem(bad), "") << bad;
  EXPECT_TRUE(imageHasTag("localhost:5000/x:1"));
  EXPECT_FALSE(imageHasTag("localhost:5000/x"));
}

TEST(WorkDir, HasAGrammar) {
  for (const char* good : {"oci://b@n", "oci://b@n/", "oci://my_bucket-1.x@ns/a/b/"})
    EXPECT_EQ(workDirProblem(good), "") << good;
  for (const char* bad :
       {"", "b@n/x", "oci://b", "oci://@n/x", "oci://b@/x", "oci://b c@n/x", "s3://b@n", "oci://b/x@n"})
    EXPECT_NE(workDirProblem(bad), "") << bad;
}

TEST(Placeholder, StandsInAngleBrackets) {
  for (const char* yes : {"<ocid>", "oci://<bucket>@x", "a <your name> b"})
    EXPECT_TRUE(hasPlaceholder(yes)) << yes;
  for (const char* no : {"", "a < b", "a > b", "1 < 2 > 1", "<>", "->x", "<"})
    EXPECT_FALSE(hasPlaceholder(no)) << no;
}

TEST(Spelling, FindsTheNearestWord) {
  EXPECT_EQ(nearest("entrypoint", {"entryPoint", "args"}), "entryPoint");
  EXPECT_EQ(nearest("replica", {"name", "replicas"}), "replicas");
  EXPECT_EQ(nearest("somethingElse", {"name", "replicas"}), "");
  EXPECT_TRUE(isSlip("NCCL_SOCKET_IFRAME", "NCCL_SOCKET_IFNAME"));
  EXPECT_FALSE(isSlip("NCCL_NEW_THING", "NCCL_NET_PLUGIN"));
}

TEST(Spelling, CountsLetters) {
  EXPECT_EQ(wordDistance("", ""), 0U);
  EXPECT_EQ(wordDistance("", "abc"), 3U);
  EXPECT_EQ(wordDistance("kitten", "SITTING"), 3U);
  EXPECT_EQ(wordDistance("workdir", "workDir"), 0U);
  EXPECT_EQ(wordDistance("abcdef", "uvwxyz"), 6U);
  EXPECT_EQ(wordDistance(std::string(100, 'a'), std::string(100, 'a')), 65U);
  const std::vector<std::string> words{
      "",           "a",          "ab",    "ba",      "replicas",   "replica",     "relpicas",
      "entryPoint", "entrypiont", "point", "NCCL_IB", "NCCL_IB_TC", "NCCL_DEBUG_", std::string(64, 'x')};
  for (const std::string& a : words) {
    for (const std::string& b : words) {
      const std::size_t whole = wordDistance(a, b);
      EXPECT_EQ(wordDistance(b, a), whole) << a << " " << b;
      for (std::size_t limit = 0; limit < 8; ++limit)
        EXPECT_EQ(wordDistance(a, b, limit), std::min(whole, limit + 1)) << a << " " << b << " " << limit;
    }
  }
}

/// A file that is all right, with `env` as the items of the cluster's environment.
std::string fileWith(const std::string& env, const std::string& name = "n") {
  return "kind: distributed\nspec:\n  infrastructure:\n    spec: {projectId: "
         "ocid1.datascienceproject.oc1.iad.a, "
         "compartmentId: ocid1.compartment.oc1..a,\n      subnetId: ocid1.subnet.oc1.iad.a, logGroupId: "
         "ocid1.loggroup.oc1.iad.a, logId: ocid1.log.oc1.iad.a, shapeName: VM.Standard2.1}\n  cluster:\n    "
         "kind: PYTORCH\n    spec:\n"
         "      {image: x/y:1, workDir: oci://b@n, main: {}, name: " +
         name + ", config: {env: [" + env +
         "]}}\n"
         "  runtime: {spec: {entryPoint: t.py}}\n";
}

std::string codesOf(const std::string& text) {
  std::string codes;
  const ClusterDocument document(text);
  for (const Issue& issue : document.issues()) codes += (codes.empty() ? "" : " ") + issue.code;
  return codes;
}

TEST(Checks, FindNothingInAGoodFile) {
  EXPECT_EQ(codesOf(fileWith("{name: A, value: b}")), "");
}

TEST(Checks, LookAtTheEnvironment) {
  EXPECT_EQ(codesOf(fileWith("{name: 'A B', value: b}")), "env-name");
  EXPECT_EQ(codesOf(fileWith("{name: MASTER_PORT, value: '70000'}")), "port");
  EXPECT_EQ(codesOf(fileWith("{name: MASTER_PORT, value: '29400'}")), "");
  EXPECT_EQ(codesOf(fileWith("{name: MASTER_PORT, value: '${PORT}'}")), "");
  EXPECT_EQ(codesOf(fileWith("{name: NCCL_ASYNC_ERROR_HANDLING, value: '1'}")), "env-deprecated");
  EXPECT_EQ(codesOf(fileWith("{name: A}")), "env-incomplete");
  EXPECT_EQ(codesOf(fileWith("{value: b}")), "env-incomplete");
  EXPECT_EQ(codesOf(fileWith("x")), "wrong-type env-incomplete");
  EXPECT_EQ(codesOf(fileWith("{name: A, value: '${b'}")), "env-reference");
  EXPECT_EQ(codesOf(fileWith("{name: A, value: '${}'}")), "env-reference");
  EXPECT_EQ(codesOf(fileWith("{name: A, value: '$${b $'}")), "");
  EXPECT_EQ(codesOf(fileWith("{name: A, value: " + std::string(19'000, 'x') + "}")), "");
  EXPECT_EQ(codesOf(fileWith("{name: A, value: " + std::string(20'001, 'x') + "}")), "env-too-large");
}

TEST(Checks, LookAtLengths) {
  EXPECT_EQ(codesOf(fileWith("", std::string(255, 'n'))), "");
  EXPECT_EQ(codesOf(fileWith("", std::string(256, 'n'))), "too-long");
}

TEST(Checks, LookAtTheNumbers) {
  const std::string good = fileWith("");
  const auto with = [&](const char* path, const char* value) {
    const auto edit = ClusterDocument(good).setScalar(FieldPath::parse(path), value, true);
    return edit ? codesOf(applyEdit(good, *edit)) : "refused";
  };
  EXPECT_EQ(with("spec.cluster.spec.worker.replicas", "-1"), "out-of-range");
  EXPECT_EQ(with("spec.cluster.spec.worker.replicas", "20000"), "out-of-range");
  EXPECT_EQ(with("spec.cluster.spec.worker.replicas", "99999999999999999999"), "wrong-type");
  EXPECT_EQ(with("spec.cluster.spec.worker.replicas", "1.5"), "wrong-type");
  EXPECT_EQ(with("spec.cluster.spec.worker.replicas", "yes"), "wrong-type");
  EXPECT_EQ(with("spec.cluster.spec.worker.replicas", "4"), "");
  EXPECT_EQ(with("spec.infrastructure.spec.blockStorageSize", "49"), "out-of-range");
  EXPECT_EQ(with("spec.infrastructure.spec.blockStorageSize", "50"), "");
  EXPECT_EQ(with("spec.runtime.spec.args", "--backend nccl"), "nccl-without-gpu");
  EXPECT_EQ(with("spec.runtime.type", "git"), "missing-field");
  EXPECT_EQ(with("spec.runtime.type", "svn"), "runtime-type");
  EXPECT_EQ(with("spec.runtime.spec.uri", "x"), "uri-unused");
  EXPECT_EQ(with("spec.cluster.spec.workDir", "/tmp/x"), "work-dir-local");
  EXPECT_EQ(with("spec.cluster.spec.image", "iad.ocir.io/n/r"), "image-tag");
}

}  // namespace
}  // namespace lockstep
