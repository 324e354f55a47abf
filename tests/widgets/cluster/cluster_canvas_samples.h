// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <utility>
#include <vector>

/// What a cluster of the canvas tests asks for; text() is the train.yaml that does.
struct CanvasSample {
  QString kind = QStringLiteral("PYTORCH");
  int workers = 2;
  int parameterServers = 0;
  QString shape = QStringLiteral("VM.GPU.A10.2");
  QString multiNode = {};  // lines below spec, two blanks in
  bool hasPlaces = true;

  [[nodiscard]] QString text() const {
    QString out = QStringLiteral(
        "kind: distributed\napiVersion: v1.0\nspec:\n%1"
        "  infrastructure:\n    kind: infrastructure\n    type: dataScienceJob\n    spec:\n"
        "      projectId: ocid1.datascienceproject.oc1.iad.aaaaaaaalockstep\n"
        "      compartmentId: ocid1.compartment.oc1..aaaaaaaalockstep\n%2"
        "      shapeName: %3\n"
        "  cluster:\n    kind: %4\n    spec:\n%5      name: cifar   # keep me\n"
        "      main:\n        name: cifar-main\n%6%7"
        "  runtime:\n    kind: python\n    spec:\n      entryPoint: /code/train.py\n");
    const QString places = QStringLiteral(
        "      subnetId: ocid1.subnet.oc1.iad.aaaaaaaa7qlockstep\n"
        "      logGroupId: ocid1.loggroup.oc1.iad.aaaaaaaalockstep\n"
        "      logId: ocid1.log.oc1.iad.aaaaaaaalockstep\n");
    const QString things = QStringLiteral(
        "      image: iad.ocir.io/team/cifar-trainer:12\n      workDir: oci://bucket@team/runs\n");
    return out.arg(multiNode, hasPlaces ? places : QString(), shape, kind, hasPlaces ? things : QString(),
                   role(QStringLiteral("worker"), workers), role(QStringLiteral("ps"), parameterServers));
  }

 private:
  [[nodiscard]] static QString role(const QString& key, int count) {
    if (count == 0) return {};
    return QStringLiteral("      %1:\n        name: cifar-%1   # a name of its own\n        replicas: %2\n")
        .arg(key)
        .arg(count);
  }
};

/// One cluster of every kind that is drawn differently, by a name for pictures.
inline std::vector<std::pair<QString, CanvasSample>> canvasSamples() {
  const QString cpu = QStringLiteral("VM.Standard.E4.Flex");
  const QString own = QStringLiteral("  multiNode: {network: own, startupOrder: IN_ORDER}\n");
  const QString groups = QStringLiteral(
      "  multiNode:\n    startupOrder: IN_ORDER\n    maximumRuntimeInMinutes: 1440\n    groups:\n"
      "      worker: {minimumSuccessReplicas: 2}\n");
  std::vector<std::pair<QString, CanvasSample>> all;
  const auto add = [&all](const char* name, CanvasSample sample) {
    all.emplace_back(QString::fromLatin1(name), std::move(sample));
  };
  add("pytorch-2", {});
  add("pytorch-alone", {QStringLiteral("PYTORCH"), 0});
  add("pytorch-1-cpu", {QStringLiteral("PYTORCH"), 1, 0, cpu});
  add("pytorch-3", {QStringLiteral("PYTORCH"), 3});
  add("pytorch-1000", {QStringLiteral("PYTORCH"), 1000, 0, QStringLiteral("BM.GPU4.8")});
  add("horovod-6", {QStringLiteral("HOROVOD"), 6, 0, QStringLiteral("VM.GPU3.4")});
  add("dask-3", {QStringLiteral("DASK"), 3, 0, cpu});
  add("tensorflow-ps", {QStringLiteral("TENSORFLOW"), 3, 2, QStringLiteral("VM.GPU.A10.1")});
  add("tensorflow-no-ps", {QStringLiteral("TENSORFLOW"), 2, 0, cpu});
  add("ray-4", {QStringLiteral("ray"), 4, 0, cpu});
  add("empty", {QStringLiteral("PYTORCH"), 1, 0, QStringLiteral("VM.GPU.A10.1"), QString(), false});
  add("nodes-one-group", {QStringLiteral("PYTORCH"), 3, 0, QStringLiteral("VM.GPU.A10.2"), own});
  add("nodes-groups", {QStringLiteral("TENSORFLOW"), 3, 2, QStringLiteral("VM.GPU.A10.1"), groups});
  return all;
}
