// SPDX-License-Identifier: GPL-3.0-or-later
#include "fuzz_parts.h"
#include "fuzz_targets.h"
#include "oci/signing/config_file.h"

namespace lockstep {
namespace {

std::string checkSections(const oci::ConfigFile& file) {
  for (const oci::ConfigSection& section : file.sections()) {
    const auto values = file.profile(section.name);
    if (!values) return "a profile that cannot be found: " + describe(values.error());
    for (const auto& [key, value] : section.values) {
      const auto found = values->find(key);
      if (found == values->end() || found->second != value) return "a value that DEFAULT took over";
      if (value.find('\n') != std::string::npos) return "a value of several lines";
    }
  }
  return {};
}

}  // namespace

std::string tryOciConfig(std::string_view input) {
  const auto file = oci::ConfigFile::parse(input, "config");
  if (!file) {
    if (file.error().where.empty()) return "a mistake without its place";
    return wordless(file.error(), ErrorCode::InvalidArgument);
  }
  return checkSections(*file);
}

}  // namespace lockstep
