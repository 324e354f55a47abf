// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup_view.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "base/text/line_difference.h"
#include "output.h"

namespace lockstep::cli {
namespace {

Tone toneOf(StepState state) {
  switch (state) {
    case StepState::Ready:
      return Tone::Good;
    case StepState::Warning:
      return Tone::Warn;
    case StepState::Blocked:
      return Tone::Bad;
    default:
      return Tone::Dim;
  }
}

/// How the command line is told what the finding's remedy says is to be chosen.
const char* optionFor(const std::string& code) {
  static const std::map<std::string, const char*> kOptions{
      {"group-unknown", "--group"},          {"group-missing", "--group"},
      {"user-not-in-group", "--group"},      {"compartment-not-chosen", "--compartment"},
      {"compartment-none", "--compartment"}, {"compartment-name", "--new-compartment"},
      {"project-not-chosen", "--project"},   {"subnet-not-chosen", "--subnet"},
      {"bucket-not-chosen", "--work-dir"},   {"log-group-not-chosen", "--log-group"}};
  const auto found = kOptions.find(code);
  return found == kOptions.end() ? nullptr : found->second;
}

void printFinding(const Finding& finding) {
  printLine(fmt::format(
      "  {} {}", painted(fmt::format("{}:", toString(finding.state)), toneOf(finding.state)), finding.text));
  if (!finding.cause.empty()) printLine("    because: " + finding.cause);
  if (!finding.evidence.empty()) printLine(painted("    " + finding.evidence, Tone::Dim));
  const char* option = optionFor(finding.code);
  if (!finding.remedy.empty())
    printLine("    " + finding.remedy + (option == nullptr ? "" : fmt::format(" ({})", option)));
}

void printTable(const ReportTable& report) {
  Table table(report.columns);
  for (const auto& row : report.rows) {
    std::vector<std::string> cells;
    for (const ReportTable::Cell& cell : row) cells.push_back(cell.text);
    table.add(std::move(cells));
  }
  printLine("  " + report.title);
  std::istringstream lines(table.text());
  for (std::string line; std::getline(lines, line);) printLine("    " + line);
}

std::string afterText(const ProposedFix& fix) {
  return fix.waitsFor.empty() ? std::string() : fmt::format(" (after {})", fix.waitsFor);
}

Tone toneOfLine(const std::string& line) {
  if (line.starts_with("+")) return Tone::Good;
  if (line.starts_with("-")) return Tone::Bad;
  return line.starts_with("@@") ? Tone::Dim : Tone::Plain;
}

}  // namespace

void printReport(const std::string& step, const StepReport& report) {
  printLine(fmt::format("{}: {}", painted(step, Tone::Strong),
                        painted(toString(report.state), toneOf(report.state))));
  for (const Finding& finding : report.findings) printFinding(finding);
  for (const ReportTable& table : report.tables) printTable(table);
  for (const ProposedFix& fix : report.fixes)
    printLine(fmt::format("    lockstep fix {} --only {}: {}{}{}", step, fix.id, fix.title,
                          fix.isUnsafe ? " (unsafe)" : "", afterText(fix)));
}

void printFix(const std::string& step, const ProposedFix& fix) {
  printLine(fmt::format("{} {}{}{}", painted(fmt::format("{}, {}:", step, fix.id), Tone::Strong), fix.title,
                        fix.isUnsafe ? painted(" (unsafe)", Tone::Bad) : "", afterText(fix)));
  std::istringstream lines(unifiedDifference(fix.before, fix.after, "before", "after"));
  for (std::string line; std::getline(lines, line);) printLine("  " + painted(line, toneOfLine(line)));
  for (const std::string& call : fix.calls) printLine(painted("  " + call, Tone::Dim));
}

}  // namespace lockstep::cli
