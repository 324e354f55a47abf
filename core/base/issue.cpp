// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/issue.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace lockstep {

const char* toString(Severity severity) {
  switch (severity) {
    case Severity::Info:
      return "info";
    case Severity::Warning:
      return "warning";
    case Severity::Error:
      return "error";
  }
  return "error";
}

bool hasErrors(const std::vector<Issue>& issues) {
  return std::any_of(issues.begin(), issues.end(),
                     [](const Issue& i) { return i.severity == Severity::Error; });
}

std::string describe(const Issue& issue, const std::string& fileName) {
  std::string text = fileName;
  if (issue.place.line > 0) text += fmt::format(":{}:{}", issue.place.line, std::max(issue.place.column, 1));
  text += fmt::format(": {}: {}", toString(issue.severity), issue.message);
  if (!issue.remedy.empty()) text += "\n  " + issue.remedy;
  return text;
}

nlohmann::json toJson(const Issue& issue) {
  return {{"severity", toString(issue.severity)},
          {"code", issue.code},
          {"message", issue.message},
          {"remedy", issue.remedy},
          {"field", issue.field.toString()},
          {"line", issue.place.line},
          {"column", issue.place.column},
          {"fix", issue.fix ? nlohmann::json(issue.fix->title) : nlohmann::json(nullptr)}};
}

}  // namespace lockstep
