// SPDX-License-Identifier: GPL-3.0-or-later
#include "oci/signing/config_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/secret.h"
#include "base/text/trimmed.h"

namespace lockstep::oci {
namespace {

constexpr std::uint64_t kMaxConfigBytes = 1 << 20;

tl::unexpected<Error> refuse(const std::filesystem::path& path, int line, std::string cause,
                             std::string remedy) {
  // The line itself is not quoted: it may hold a pass phrase.
  return failure(ErrorCode::InvalidArgument, "cannot read the OCI config file", std::move(cause),
                 std::move(remedy), fmt::format("{}:{}", path.string(), line));
}

}  // namespace

ConfigFile::~ConfigFile() {
  for (ConfigSection& section : sections_)
    for (auto& [key, value] : section.values) wipe(value);
}

Result<ConfigFile> ConfigFile::parse(std::string_view text, const std::filesystem::path& path) {
  ConfigFile file;
  file.path_ = path;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  int number = 0;
  while (!text.empty()) {
    ++number;
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.empty() || line.front() == '#' || line.front() == ';') continue;
    const auto taken = line.front() == '[' ? file.addSection(line, number) : file.addValue(line, number);
    if (!taken) return failure(taken.error());
  }
  return file;
}

Result<void> ConfigFile::addSection(std::string_view line, int number) {
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos) {
    return refuse(path_, number, "the ']' of a profile's name is missing", "add it");
  }
  const std::string name(trimmed(line.substr(1, close - 1)));
  if (const ConfigSection* first = find(name); first != nullptr) {
    return refuse(path_, number,
                  fmt::format("the profile '{}' is there twice; the first is in line {}", name, first->line),
                  "rename or remove one of the two");
  }
  sections_.push_back({name, number, {}});
  return {};
}

Result<void> ConfigFile::addValue(std::string_view line, int number) {
  const std::size_t equals = line.find('=');
  if (equals == std::string_view::npos) {
    return refuse(path_, number, "the line is neither '[profile]', 'key=value' nor a comment",
                  "write key=value, or begin the line with '#'");
  }
  const std::string key(trimmed(line.substr(0, equals)));
  if (sections_.empty()) {
    return refuse(path_, number, fmt::format("the key '{}' stands before the first profile", key),
                  "add a line [DEFAULT] above it");
  }
  ConfigSection& section = sections_.back();
  if (section.values.emplace(key, trimmed(line.substr(equals + 1))).second) return {};
  return refuse(path_, number,
                fmt::format("the key '{}' is there twice in the profile '{}'", key, section.name),
                "remove one of the two");
}

Result<ConfigFile> ConfigFile::read(const std::filesystem::path& path) {
  auto text = readFile(path, kMaxConfigBytes);
  if (text) {
    auto file = parse(*text, path);
    wipe(*text);
    return file;
  }
  Error error = text.error();
  error.what = fmt::format("cannot read the OCI config file '{}'", path.string());
  if (error.code == ErrorCode::NotFound) {
    error.remedy =
        "create it with 'oci setup config', name another one with --config, or start a rehearsal region with "
        "'lockstep rehearsal start', which writes the profile REHEARSAL";
  }
  return failure(std::move(error));
}

const ConfigSection* ConfigFile::find(const std::string& name) const {
  const auto it =
      std::find_if(sections_.begin(), sections_.end(), [&](const auto& s) { return s.name == name; });
  return it == sections_.end() ? nullptr : &*it;
}

Result<std::map<std::string, std::string>> ConfigFile::profile(const std::string& name) const {
  const ConfigSection* section = find(name);
  if (section == nullptr) {
    std::vector<std::string> names;
    for (const auto& s : sections_) names.push_back(s.name);
    const std::string known = names.empty()
                                  ? "it has no profile at all"
                                  : fmt::format("the profiles there are: {}", fmt::join(names, ", "));
    return failure(ErrorCode::NotFound,
                   fmt::format("no profile '{}' in the OCI config file '{}'", name, path_.string()), known,
                   "choose one with --profile or OCI_CLI_PROFILE");
  }
  std::map<std::string, std::string> values = section->values;
  if (const ConfigSection* defaults = find("DEFAULT"); defaults != nullptr) {
    values.insert(defaults->values.begin(), defaults->values.end());
  }
  return values;
}

}  // namespace lockstep::oci
