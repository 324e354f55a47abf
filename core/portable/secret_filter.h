// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/document/cluster_document.h"
#include "logs/log_line.h"

namespace lockstep {

/// Keeps secrets out of what people give to others: what looks like one (base/text/redaction.h), and the values that the
/// train.yaml of the run gives to variables whose names or values say that they are secret, wherever they turn up. Pure;
/// one thread.
class SecretFilter {
 public:
  /// `home`: the folder of the person at this machine, which is shown as "~"; empty: it is not known.
  explicit SecretFilter(std::string trainYaml, std::string home = {});

  /// The train.yaml: still YAML, with "…" in the place of secrets, and OCIDs shortened. Empty where it is no YAML, so that
  /// nobody knows what in it is secret.
  [[nodiscard]] const std::string& trainYaml() const { return trainYaml_; }
  /// A text about the run: without secrets, OCIDs shortened, the home folder as "~".
  [[nodiscard]] std::string text(std::string_view text) const;
  /// Every text in a document, also those below a key that says that they are secret. Numbers stay.
  [[nodiscard]] nlohmann::json document(const nlohmann::json& json) const;
  /// A line of the log, without secrets and otherwise as it was; of a key that is printed in several lines, all of them.
  /// To be asked in the order in which they were printed.
  [[nodiscard]] std::string line(const LogLine& line);

 private:
  /// A scalar of the document, and what it is to be.
  struct Change {
    FieldPath path;
    std::string value;
    bool isSecret = false;
  };
  void learn(const std::string& value);
  [[nodiscard]] std::string safeText(ClusterDocument document, const std::vector<Change>& changes) const;
  [[nodiscard]] std::string withoutKnown(std::string_view text) const;

  std::string trainYaml_, home_;
  std::vector<std::string> values_;                   // longest first
  std::map<std::pair<std::string, int>, int> inKey_;  // node and rank: lines of a private key that have come
};

}  // namespace lockstep
