// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "export/cluster_view.h"
#include "export/export.h"
#include "export/secrets.h"

namespace lockstep {
namespace {

const FieldPath kImage = {std::string("spec"), std::string("cluster"), std::string("spec"),
                          std::string("image")};

bool holdsSecrets(const ClusterView& view) {
  return std::any_of(view.nodes.begin(), view.nodes.end(), [](const ExportNode& node) {
    return std::any_of(node.environment.variables().begin(), node.environment.variables().end(),
                       [](const EnvVar& variable) { return isSecret(variable); });
  });
}

}  // namespace

/// The text as it stands. Only an image that says '@…' is replaced, by the one the plan was made with.
Result<ExportBundle> exportTrainYaml(const ExportInput& input) {
  ExportBundle bundle;
  std::string text = input.document.text();
  const auto view = clusterView(input);
  if (!view) return failure(view.error());
  const ClusterSpec& spec = input.document.spec();
  if (spec.image && spec.image->starts_with('@')) {
    if (!view->imageIsKnown) {
      bundle.notes.push_back("The image is still '" + *spec.image +
                             "': `ads` takes it from config.ini, Lockstep from --image.");
    } else {
      auto edit = input.document.setScalar(kImage, view->image);
      if (!edit) return failure(edit.error());
      text = applyEdit(std::move(text), *edit);
    }
  }
  const bool isSecret = holdsSecrets(*view);
  if (isSecret)
    bundle.notes.push_back(
        "The file holds values whose names or values say that they are secret; mind who gets it.");
  bundle.files.push_back({"train.yaml", std::move(text), false, isSecret});
  return bundle;
}

}  // namespace lockstep
