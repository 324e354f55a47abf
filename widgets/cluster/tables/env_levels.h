// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "cluster/document/cluster_document.h"

namespace lockstep {

/// Where a file can set environment variables, from the weakest to the strongest (ads-contract 2.3).
enum class EnvLevel { AllNodes, Runtime, Main, Worker, ParameterServer };

[[nodiscard]] QString nameOf(EnvLevel level);  // "the workers"
[[nodiscard]] QString nameOf(NodeRole role);   // "the workers"
/// The list of a level in this document; of a `kind: job` file all are the runtime's.
[[nodiscard]] FieldPath pathOf(EnvLevel level, const ClusterDocument& document);

/// One view of the environment: a list that one edits, or what the nodes of a role get in the end.
struct EnvView {
  bool isResult = false;
  EnvLevel level = EnvLevel::AllNodes;  // of a list
  NodeRole role = NodeRole::Main;       // of a result
  bool operator==(const EnvView&) const = default;
};
/// The views that this document has a use for.
[[nodiscard]] std::vector<EnvView> envViews(const ClusterDocument& document);

/// One variable as a view shows it.
struct EnvRow {
  QString name, value;
  QString effect;      // "not used: set again below", "overrides “600”"; empty: nothing to say
  bool isUsed = true;  // on at least one node
  bool operator==(const EnvRow&) const = default;
};

/// All that the lists of a document say. Equal ones have the same rows in every view but the results.
struct EnvSettings {
  std::vector<EnvView> views;
  std::map<EnvLevel, std::vector<EnvVar>> settings;
  bool operator==(const EnvSettings& other) const;
};
[[nodiscard]] EnvSettings envSettings(const ClusterDocument& document);

/// Which of several settings of one variable the nodes get. Made from one document, in time that grows with
/// the number of variables.
class EnvPrecedence {
 public:
  explicit EnvPrecedence(const ClusterDocument& document);
  EnvPrecedence(const ClusterDocument& document, const EnvSettings& lists);
  [[nodiscard]] std::vector<EnvRow> rows(const EnvView& view) const;
  [[nodiscard]] int count(EnvLevel level) const;

 private:
  using Names = std::unordered_map<std::string, std::size_t>;  // the last line that sets it

  [[nodiscard]] std::vector<EnvRow> listRows(EnvLevel level) const;
  [[nodiscard]] std::vector<EnvRow> resultRows(NodeRole role) const;
  void evaluate(EnvRow& row, EnvLevel level, std::size_t index) const;
  [[nodiscard]] const EnvVar* settingAt(EnvLevel level, const std::string& name) const;
  [[nodiscard]] const EnvVar* winner(const std::string& name, NodeRole role, EnvLevel& level) const;
  [[nodiscard]] QString overridden(const std::string& name, EnvLevel level, bool& isUsed) const;
  [[nodiscard]] bool isGenerated(const std::string& name, EnvLevel level) const;

  const ClusterDocument& document_;
  std::map<EnvLevel, std::vector<EnvVar>> settings_;
  std::map<EnvLevel, Names> names_;
  std::vector<NodeRole> roles_;
};

}  // namespace lockstep
