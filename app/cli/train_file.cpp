// SPDX-License-Identifier: GPL-3.0-or-later
#include "train_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "base/atomic_file.h"
#include "output.h"

namespace lockstep::cli {
namespace {

// The document itself refuses texts of half that size, with an issue.
constexpr std::uint64_t kMaxTrainFile = 16ULL << 20;

Tone toneOf(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return Tone::Bad;
    case Severity::Warning:
      return Tone::Warn;
    case Severity::Info:
      return Tone::Dim;
  }
  return Tone::Plain;
}

std::string counted(std::ptrdiff_t n, const char* word) {
  return fmt::format("{} {}{}", n, word, n == 1 ? "" : "s");
}

}  // namespace

Result<std::string> readTrainFile(const std::string& file) {
  if (file != "-") return readFile(file, kMaxTrainFile);
  std::string text(kMaxTrainFile, '\0');
  std::cin.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(std::cin.gcount()));
  text.shrink_to_fit();
  return text;
}

std::string issuesText(const std::vector<Issue>& issues, const std::string& file, bool forErr) {
  std::string text;
  for (const Issue& issue : issues) {
    std::string lines = describe(issue, file);
    const std::string word = fmt::format("{}:", toString(issue.severity));
    if (const auto at = lines.find(word); at != std::string::npos) {
      const Tone tone = toneOf(issue.severity);
      lines.replace(at, word.size(), forErr ? paintedForErr(word, tone) : painted(word, tone));
    }
    text += lines + "\n";
  }
  return text;
}

nlohmann::json issuesJson(const std::vector<Issue>& issues) {
  nlohmann::json rows = nlohmann::json::array();
  for (const Issue& issue : issues) rows.push_back(lockstep::toJson(issue));
  return rows;
}

std::string countText(const std::vector<Issue>& issues) {
  const auto count = [&](Severity severity) {
    return std::count_if(issues.begin(), issues.end(),
                         [&](const Issue& i) { return i.severity == severity; });
  };
  return counted(count(Severity::Error), "error") + ", " + counted(count(Severity::Warning), "warning");
}

std::string placeInFile(const std::string& file, const std::string& place) {
  return place.empty() ? file : file + ":" + place;
}

}  // namespace lockstep::cli
