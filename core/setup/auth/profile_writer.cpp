// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/auth/profile_writer.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/atomic_file.h"
#include "base/text/trimmed.h"
#include "base/user_dirs.h"

namespace lockstep {
namespace fs = std::filesystem;
namespace {

constexpr std::uint64_t kMaxConfig = 1 << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool isComment(std::string_view bare) {
  return bare.starts_with('#') || bare.starts_with(';');
}

/// A file as its lines, each with its line end.
struct Lines {
  std::vector<std::string> lines;
  std::string lineEnd = "\n";

  explicit Lines(std::string_view text) {
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
      lines.emplace_back(text.substr(0, end));
      text.remove_prefix(end);
    }
    if (!lines.empty() && lines.front().ends_with("\r\n")) lineEnd = "\r\n";
  }
  [[nodiscard]] std::string text() const {
    std::string whole;
    for (const std::string& line : lines) whole += line;
    return whole;
  }
  /// The line's text without blanks, line end and byte order mark.
  [[nodiscard]] std::string_view bare(std::size_t i) const {
    std::string_view line = lines[i];
    if (i == 0 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
    return trimmed(line);
  }
  [[nodiscard]] bool isHeader(std::size_t i) const { return bare(i).starts_with('['); }
  [[nodiscard]] std::string nameAt(std::size_t i) const {
    const std::string_view line = bare(i);
    return std::string(trimmed(line.substr(1, std::min(line.find(']'), line.size()) - 1)));
  }
  void closeLastLine() {
    if (!lines.empty() && !lines.back().ends_with('\n')) lines.back() += lineEnd;
  }
};

/// The lines of a profile: its header and what belongs to it, up to its last value. Comments and blank lines
/// behind that belong to what follows.
struct Section {
  std::size_t begin = 0, end = 0;
};

std::optional<Section> sectionOf(const Lines& lines, const std::string& profile) {
  std::optional<Section> section;
  for (std::size_t i = 0; i < lines.lines.size(); ++i) {
    if (lines.isHeader(i)) {
      if (section) break;
      if (lines.nameAt(i) == profile) section = Section{i, i + 1};
    } else if (section && !lines.bare(i).empty() && !isComment(lines.bare(i))) {
      section->end = i + 1;
    }
  }
  return section;
}

std::string keyOf(std::string_view bare) {
  if (bare.empty() || isComment(bare) || bare.starts_with('[')) return {};
  return std::string(trimmed(bare.substr(0, bare.find('='))));
}

std::string valueAt(std::string_view bare) {
  const std::size_t equals = bare.find('=');
  return equals == std::string_view::npos ? std::string() : std::string(trimmed(bare.substr(equals + 1)));
}

tl::unexpected<Error> noProfile(const std::string& profile) {
  return failure(ErrorCode::NotFound, fmt::format("the config file has no profile '{}'", profile));
}

Result<void> checkWritable(const std::string& what, const std::string& text) {
  const bool fine = trimmed(text).size() == text.size() && text.find_first_of("\r\n") == std::string::npos;
  if (fine) return {};
  return failure(ErrorCode::InvalidArgument, fmt::format("{} cannot stand in a config file", what),
                 "it begins or ends with a blank, or has more than one line", "write it on one line");
}

Result<void> checkName(const std::string& profile) {
  if (profile.empty() || profile.find_first_of("[]") != std::string::npos)
    return failure(ErrorCode::InvalidArgument, fmt::format("'{}' cannot be the name of a profile", profile),
                   "it is empty or has a bracket");
  return checkWritable("the name of the profile", profile);
}

bool isSecretKey(const std::string& key) {
  return key == "pass_phrase" || key == "passphrase" || key == "key_content";
}

}  // namespace

Result<std::string> withProfile(std::string_view text, const std::string& profile,
                                const ProfileValues& values) {
  if (auto fine = checkName(profile); !fine) return failure(fine.error());
  Lines lines(text);
  if (sectionOf(lines, profile))
    return failure(ErrorCode::AlreadyExists, fmt::format("there is a profile '{}' already", profile));
  lines.closeLastLine();
  if (!lines.lines.empty() && !lines.bare(lines.lines.size() - 1).empty())
    lines.lines.push_back(lines.lineEnd);
  lines.lines.push_back("[" + profile + "]" + lines.lineEnd);
  for (const auto& [key, value] : values) {
    if (auto fine = checkWritable(key, value); !fine) return failure(fine.error());
    lines.lines.push_back(key + "=" + value + lines.lineEnd);
  }
  return lines.text();
}

Result<std::string> withoutProfile(std::string_view text, const std::string& profile) {
  Lines lines(text);
  const auto section = sectionOf(lines, profile);
  if (!section) return noProfile(profile);
  const auto at = [&](std::size_t i) { return lines.lines.begin() + static_cast<std::ptrdiff_t>(i); };
  const bool isFirst = section->begin == 0;
  const bool hadMark = isFirst && lines.lines[0].starts_with(kByteOrderMark);
  lines.lines.erase(at(section->begin), at(section->end));
  // One blank line between what stood before and after it.
  while (section->begin < lines.lines.size() && lines.bare(section->begin).empty() &&
         (section->begin == 0 || lines.bare(section->begin - 1).empty()))
    lines.lines.erase(at(section->begin));
  while (section->begin == lines.lines.size() && !lines.lines.empty() &&
         lines.bare(lines.lines.size() - 1).empty())
    lines.lines.pop_back();
  return (hadMark ? std::string(kByteOrderMark) : std::string()) + lines.text();
}

Result<std::string> withValue(std::string_view text, const std::string& profile, const std::string& key,
                              const std::optional<std::string>& value) {
  if (value) {
    if (auto fine = checkWritable(key, *value); !fine) return failure(fine.error());
  }
  Lines lines(text);
  const auto section = sectionOf(lines, profile);
  if (!section) return noProfile(profile);
  for (std::size_t i = section->begin + 1; i < section->end; ++i) {
    if (keyOf(lines.bare(i)) != key) continue;
    if (!value) {
      lines.lines.erase(lines.lines.begin() + static_cast<std::ptrdiff_t>(i));
      return lines.text();
    }
    std::string& line = lines.lines[i];
    const std::size_t end = line.find_last_not_of("\r\n") + 1;
    // What the user has written around the '=' stays.
    std::size_t from = line.find('=');
    from = from == std::string::npos ? end : std::min(line.find_first_not_of(" \t", from + 1), end);
    line = line.substr(0, from) + *value + line.substr(end);
    return lines.text();
  }
  if (!value) return lines.text();
  if (section->end == lines.lines.size()) lines.closeLastLine();
  lines.lines.insert(lines.lines.begin() + static_cast<std::ptrdiff_t>(section->end),
                     key + "=" + *value + lines.lineEnd);
  return lines.text();
}

std::optional<std::map<std::string, std::string>> ownValues(std::string_view text,
                                                            const std::string& profile) {
  const Lines lines(text);
  const auto section = sectionOf(lines, profile);
  if (!section) return std::nullopt;
  std::map<std::string, std::string> values;
  for (std::size_t i = section->begin + 1; i < section->end; ++i) {
    if (const std::string key = keyOf(lines.bare(i)); !key.empty()) values[key] = valueAt(lines.bare(i));
  }
  return values;
}

std::string shownProfile(std::string_view text, const std::string& profile) {
  const Lines lines(text);
  const auto section = sectionOf(lines, profile);
  std::string shown;
  for (std::size_t i = section ? section->begin : 0; section && i < section->end; ++i) {
    const std::string key = keyOf(lines.bare(i));
    // A comment may hold an old pass phrase just as well.
    if (isComment(lines.bare(i))) continue;
    shown += isSecretKey(key) ? key + "=…" : std::string(lines.bare(i));
    shown += "\n";
  }
  return shown;
}

Result<std::string> readConfigText(const fs::path& file) {
  auto text = readFile(file, kMaxConfig);
  if (!text && text.error().code == ErrorCode::NotFound) return std::string();
  return text;
}

Result<void> editConfig(const fs::path& file,
                        const std::function<Result<std::string>(const std::string& text)>& edit) {
  const auto text = readConfigText(file);
  if (!text) return failure(text.error());
  const auto edited = edit(*text);
  if (!edited) return failure(edited.error());
  if (*edited == *text) return {};
  if (const int error = makePrivateFolder(file.parent_path()); error != 0)
    return failure(
        errnoError(fmt::format("cannot make the folder '{}'", file.parent_path().string()), error));
  return writeFileAtomically(file, *edited, 0600);
}

}  // namespace lockstep
