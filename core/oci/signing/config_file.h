// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"

namespace lockstep::oci {

/// One `[name]` block of an OCI config file.
struct ConfigSection {
  std::string name;
  int line = 0;  // of the `[name]`
  std::map<std::string, std::string> values;
};

/// An OCI config file as the OCI tools read it (oci-rest-contract 1.4): `#` and `;` begin a comment at the
/// start of a line, a value is everything after the first `=`, blanks around both are dropped; a byte order
/// mark and CRLF are fine.
class ConfigFile {
 public:
  /// InvalidArgument with file:line for what is no such file.
  static Result<ConfigFile> parse(std::string_view text, const std::filesystem::path& path);
  static Result<ConfigFile> read(const std::filesystem::path& path);

  ConfigFile() = default;
  ConfigFile(const ConfigFile&) = default;
  ConfigFile(ConfigFile&&) = default;
  ConfigFile& operator=(const ConfigFile&) = default;
  ConfigFile& operator=(ConfigFile&&) = default;
  ~ConfigFile();  // wipes the values: some are secrets

  /// The section with what it inherits from DEFAULT. NotFound lists the sections that there are.
  [[nodiscard]] Result<std::map<std::string, std::string>> profile(const std::string& name) const;
  [[nodiscard]] const std::vector<ConfigSection>& sections() const { return sections_; }

 private:
  Result<void> addSection(std::string_view line, int number);
  Result<void> addValue(std::string_view line, int number);
  [[nodiscard]] const ConfigSection* find(const std::string& name) const;
  std::filesystem::path path_;
  std::vector<ConfigSection> sections_;
};

}  // namespace lockstep::oci
