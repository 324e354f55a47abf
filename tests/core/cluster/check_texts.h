// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "cluster/document/cluster_document.h"

namespace lockstep {

/// A train.yaml without flaw, in which a test changes one thing.
inline const std::string& soundText() {
  static const std::string kText = R"(kind: distributed
apiVersion: v1.0
spec:
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaa
      compartmentId: ocid1.compartment.oc1..aaaa
      subnetId: ocid1.subnet.oc1.iad.aaaa   # private
      logGroupId: ocid1.loggroup.oc1.iad.aaaa
      logId: ocid1.log.oc1.iad.aaaa
      shapeName: VM.GPU.A10.2
      blockStorageSize: 100
  cluster:
    kind: PYTORCH
    spec:
      image: iad.ocir.io/team/resnet:1
      workDir: oci://bucket@space/runs
      name: resnet
      config:
        env:
          - name: NCCL_DEBUG
            value: INFO
      main:
        name: resnet-main
        replicas: 1
      worker:
        name: resnet-worker
        replicas: 2
  runtime:
    kind: python
    spec:
      entryPoint: train.py
      args: ["--epochs", "10"]
)";
  return kText;
}

/// A `kind: job` file without flaw.
inline const std::string& soundJobText() {
  static const std::string kText = R"(kind: job
apiVersion: v1.0
spec:
  name: tune
  infrastructure:
    kind: infrastructure
    type: dataScienceJob
    spec:
      projectId: ocid1.datascienceproject.oc1.iad.aaaa
      compartmentId: ocid1.compartment.oc1..aaaa
      logGroupId: ocid1.loggroup.oc1.iad.aaaa
      logId: ocid1.log.oc1.iad.aaaa
      shapeName: VM.GPU.A10.2
      blockStorageSize: 100
  runtime:
    kind: runtime
    type: pyTorchDistributed
    spec:
      replicas: 2
      conda:
        type: service
        slug: pytorch20_p39_gpu_v2
      scriptPathURI: ./src
      command: torchrun train.py
)";
  return kText;
}

/// `text` with the first `from` replaced by `to`; the text "(no …)" when it does not have it.
inline std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  if (at == std::string::npos) return "(no " + std::string(from) + ")";
  return text.replace(at, from.size(), to);
}

/// The codes of a text's warnings and errors with a blank between them.
inline std::string codesIn(const std::string& text) {
  std::string codes;
  const ClusterDocument document(text);
  for (const Issue& issue : document.issues())
    if (issue.severity != Severity::Info) codes += (codes.empty() ? "" : " ") + issue.code;
  return codes;
}

}  // namespace lockstep
