// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/region/profile_writer.h"

#include <cstdlib>
#include <map>

#include "base/atomic_file.h"
#include "base/text/trimmed.h"
#include "base/user_dirs.h"

namespace lockstep::rehearsal {
namespace {

constexpr const char* kOldEndpointKey = "endpoint";  // written by earlier versions

struct SplitConfig {
  std::string before, section, after;  // together the whole file
  bool found = false;
};

SplitConfig split(const std::string& text) {
  SplitConfig parts;
  const std::string header = std::string("[") + kProfileName + "]";
  bool inside = false;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
    const std::string line = text.substr(at, end - at);
    const std::string_view bare = trimmed(line);
    if (!bare.empty() && bare.front() == '[') {
      inside = bare == header;
      parts.found = parts.found || inside;
    }
    (inside ? parts.section : parts.found ? parts.after : parts.before) += line;
    at = end;
  }
  return parts;
}

std::map<std::string, std::string> valuesOf(const std::string& section) {
  std::map<std::string, std::string> values;
  for (std::size_t at = 0; at < section.size();) {
    const std::size_t end = std::min(section.find('\n', at), section.size());
    const std::string_view line = std::string_view(section).substr(at, end - at);
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos)
      values[std::string(trimmed(line.substr(0, equals)))] = trimmed(line.substr(equals + 1));
    at = end + 1;
  }
  return values;
}

std::string valueOf(const std::map<std::string, std::string>& values, const std::string& name) {
  const auto found = values.find(name);
  return found == values.end() ? std::string() : found->second;
}

std::string endpointOf(const std::map<std::string, std::string>& values) {
  const std::string own = valueOf(values, kEndpointKey);
  return own.empty() ? valueOf(values, kOldEndpointKey) : own;
}

// The section with the lines of the old key under the new one.
std::string withNewKey(const std::string& section) {
  std::string repaired;
  for (std::size_t at = 0; at < section.size();) {
    const std::size_t end = std::min(section.find('\n', at), section.size() - 1) + 1;
    std::string line = section.substr(at, end - at);
    if (trimmed(std::string_view(line).substr(0, line.find('='))) == kOldEndpointKey)
      line.replace(line.find(kOldEndpointKey), std::string_view(kOldEndpointKey).size(), kEndpointKey);
    repaired += line;
    at = end;
  }
  return repaired;
}

Result<std::string> readIfThere(const std::filesystem::path& file) {
  std::error_code ec;
  if (!std::filesystem::exists(file, ec)) return std::string();
  return readFile(file, 16 << 20);
}

}  // namespace

std::filesystem::path defaultConfigFile() {
  for (const char* name : {"OCI_CLI_CONFIG_FILE", "OCI_CONFIG_FILE"})
    if (const char* value = std::getenv(name); value != nullptr && *value != '\0') return expandHome(value);
  return homeDir() / ".oci" / "config";
}

Result<ProfileChange> writeProfile(const std::filesystem::path& file,
                                   const std::vector<std::pair<std::string, std::string>>& values) {
  const auto text = readIfThere(file);
  if (!text) return failure(text.error());
  SplitConfig parts = split(*text);
  std::string section = std::string("[") + kProfileName + "]\n";
  std::string keyFile;
  for (const auto& [name, value] : values) {
    section += name + "=" + value + "\n";
    if (name == "key_file") keyFile = value;
  }
  ProfileChange change;
  const auto old = valuesOf(parts.section);
  if (parts.found && valueOf(old, "key_file") != keyFile) {
    change.replacedEndpoint = endpointOf(old);
    if (change.replacedEndpoint.empty()) change.replacedEndpoint = "the region of its own";
  }
  if (!parts.before.empty() && !parts.before.ends_with("\n")) parts.before += "\n";
  if (!parts.found && !parts.before.empty() && !parts.before.ends_with("\n\n")) parts.before += "\n";
  if (!parts.after.empty()) section += "\n";
  std::error_code ec;
  if (const auto folder = file.parent_path(); !folder.empty() && !std::filesystem::exists(folder, ec)) {
    std::filesystem::create_directories(folder, ec);
    if (ec) return failure(ErrorCode::Io, "cannot make the folder '" + folder.string() + "'", ec.message());
    std::filesystem::permissions(folder, std::filesystem::perms::owner_all, ec);
  }
  const std::string whole = parts.before + section + parts.after;
  if (whole == *text) return change;  // nothing to write: other programs' watchers stay quiet
  if (auto written = writeFileAtomically(file, whole, 0600); !written) return failure(written.error());
  return change;
}

Result<std::filesystem::path> folderOfProfile(const std::filesystem::path& file) {
  const auto text = readIfThere(file);
  if (!text) return failure(text.error());
  return std::filesystem::path(valueOf(valuesOf(split(*text).section), "key_file")).parent_path();
}

Result<void> repairProfile(const std::filesystem::path& file, const std::filesystem::path& keyFile) {
  const auto text = readIfThere(file);
  if (!text) return failure(text.error());
  const SplitConfig parts = split(*text);
  const auto values = valuesOf(parts.section);
  const bool isOld = values.contains(kOldEndpointKey) && !values.contains(kEndpointKey);
  if (!isOld || valueOf(values, "key_file") != keyFile.string()) return {};
  return writeFileAtomically(file, parts.before + withNewKey(parts.section) + parts.after, 0600);
}

Result<void> removeProfile(const std::filesystem::path& file, const std::filesystem::path& keyFile) {
  const auto text = readIfThere(file);
  if (!text) return failure(text.error());
  const SplitConfig parts = split(*text);
  auto values = valuesOf(parts.section);
  if (!parts.found || values["key_file"] != keyFile.string()) return {};
  return writeFileAtomically(file, parts.before + parts.after, 0600);
}

}  // namespace lockstep::rehearsal
