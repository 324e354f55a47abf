// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

namespace lockstep {

/// A valid train.yaml of about `lines` lines, as a generator or a patient team would write it: variables of
/// four lines each in three lists, comments, blank lines, quotes, an anchor with aliases, a long block
/// scalar.
inline std::string largeTrainYaml(int lines) {
  const int notes = lines / 20;
  const int perList = (lines - notes - 45) / 4 / 3;
  std::string text = R"(# The cluster of the nightly training.
kind: distributed
apiVersion: v1.0
x-shared: &shared {name: SHARED_SETTING, value: "yes"}
x-notes: |
)";
  for (int i = 0; i < notes; ++i)
    text += "  " + std::to_string(i) + ". what was tried: a rate of 0.1, then \"less\"; # no comment\n";
  text += R"(spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    apiVersion: v1.0
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaaaaaalockstep
      compartmentId: ocid1.compartment.oc1..aaaaaaaalockstep
      displayName: nightly
      subnetId: ocid1.subnet.oc1.iad.aaaaaaaalockstep
      logGroupId: ocid1.loggroup.oc1.iad.aaaaaaaalockstep
      logId: ocid1.log.oc1.iad.aaaaaaaalockstep
      shapeName: VM.GPU.A10.2
      blockStorageSize: 50   # GB
  cluster:
    kind: PYTORCH
    apiVersion: v1.0
    spec:
      image: iad.ocir.io/team/nightly:1
      workDir: oci://bucket@team/runs
      name: nightly   # shown in the console
)";
  const auto variables = [&](const std::string& indent, const std::string& prefix) {
    for (int i = 0; i < perList; ++i) {
      const std::string number = std::to_string(i);
      text += indent + "# why setting " + number + " is as it is\n";
      if (i % 100 == 50) {
        text += indent + "- *shared\n\n\n";
        continue;
      }
      text += indent + "- name: " + prefix + number + "\n";
      text += indent + "  value: " + (i % 3 == 0 ? "\"" + number + "\"" : "text-" + number) + "\n\n";
    }
  };
  text += "      config:\n        env:\n";
  variables("          ", "CLUSTER_SETTING_");
  text += "      main:\n        name: nightly-main\n        config:\n          env:\n";
  variables("            ", "MAIN_SETTING_");
  text +=
      "      worker:\n        name: nightly-worker\n        replicas: 3\n        config:\n          env:\n";
  variables("            ", "WORKER_SETTING_");
  text += R"(  runtime:
    kind: python
    apiVersion: v1.0
    spec:
      entryPoint: /code/train.py
      args: [--epochs, "10"]
)";
  return text;
}

}  // namespace lockstep
