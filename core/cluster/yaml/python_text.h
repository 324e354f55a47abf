// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>

#include "cluster/yaml/yaml_tree.h"

namespace lockstep {

/// repr() of a Python string: 'it', "it's", 'a\nb'. Well-formed UTF-8 in, UTF-8 out.
[[nodiscard]] std::string pythonRepr(std::string_view text);

/// str() of the Python value that the node becomes: scalars as resolveScalar has them, lists and mappings as
/// Python literals. Values that the loader refuses read as their own text.
[[nodiscard]] std::string pythonStr(const YamlTree& tree, NodeId node);

}  // namespace lockstep
