// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <optional>
#include <utility>
#include <vector>

#include "base/field_path.h"
#include "cluster/spec/cluster_spec.h"

namespace lockstep {

/// The nodes of one role as the canvas shows them. Costs nothing that grows with their number.
struct CanvasRole {
  NodeRole role = NodeRole::Main;
  QString title;   // "Workers"
  QString single;  // "worker"
  QString word;    // what the framework calls it when it has no ranks: "scheduler"; may be empty
  long long count = 0;
  std::optional<std::pair<int, int>> firstRanks;  // of the first node of the role; absent: it has none
  int gpus = 0;                                   // of each node; 0: none, or not known
  QString note;                                   // of its node group in a multi-node job; may be empty
  FieldPath field;                                // what the form edits of it
};

/// Something outside the subnet that the nodes use.
struct CanvasChip {
  enum class Kind { WorkDir, LogGroup, Image, Conda };
  Kind kind = Kind::WorkDir;
  QString caption;  // "work dir"
  QString value;    // short
  QString toolTip;  // in full
  FieldPath field;
  bool isMissing = false;
};

/// What the canvas draws of a cluster, in words; no geometry.
struct CanvasModel {
  QString subnetTitle, subnetCaption;
  bool hasSubnet = false;
  FieldPath subnetField;
  QString shapeText;  // "Each node: VM.GPU.A10.2"
  FieldPath shapeField;
  QString portText;  // on the edges: "29400"; empty: not known
  CanvasRole main;
  std::vector<CanvasRole> groups;  // the roles that are there besides main
  std::vector<NodeRole> addable;   // the roles that the framework has and the file has not
  bool isOneRun = false;           // native multi-node job
  QString runCaption;
  std::vector<CanvasChip> chips;
  QString summary;  // said to screen readers; the designer shows it below the form
  QString note;     // drawn below the cluster while its count is being changed

  [[nodiscard]] const CanvasRole* role(NodeRole role) const;
  CanvasRole* role(NodeRole role);
};

[[nodiscard]] CanvasModel canvasModelOf(const ClusterSpec& spec);
/// The same drawing while a grip is dragged and a role would have another number of nodes.
void previewCount(CanvasModel& model, NodeRole role, long long count);

/// "rank 4", "ranks 4–5"; of the nodes `first` to `last` of the role (from 0). Empty: they have no ranks.
[[nodiscard]] QString rankText(const CanvasRole& role, long long first, long long last);
/// "main", "worker 2"
[[nodiscard]] QString nodeTitle(const CanvasRole& role, long long index);
/// "＋ workers" without the sign.
[[nodiscard]] QString rolePlural(NodeRole role);
/// "worker", "2 workers"
[[nodiscard]] QString roleCountText(NodeRole role, long long count);
/// The end of an OCID, which tells one from another; any other text as it is.
[[nodiscard]] QString shortOcid(const QString& text);

}  // namespace lockstep
