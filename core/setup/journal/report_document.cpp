// SPDX-License-Identifier: GPL-3.0-or-later
#include "setup/journal/report_document.h"

#include <fmt/format.h>

#include "base/text/html_text.h"
#include "base/text/redaction.h"
#include "base/time_text.h"

namespace lockstep {
namespace {

std::string shown(const std::string& text) {
  return escapedHtml(redacted(text));
}

std::string textOf(const ReportTable& table) {
  std::string text = fmt::format("  {}\n", table.title);
  const auto line = [&](const auto& cells, const auto& textOfCell) {
    text += "   ";
    for (const auto& cell : cells) text += " | " + textOfCell(cell);
    text += "\n";
  };
  line(table.columns, [](const std::string& name) { return name; });
  for (const auto& row : table.rows) {
    line(row, [](const ReportTable::Cell& cell) {
      return cell.detail.empty() ? cell.text : fmt::format("{} ({})", cell.text, cell.detail);
    });
  }
  return text;
}

std::string textOf(const std::string& step, const StepReport& report) {
  std::string text = fmt::format("\n{}: {}\n", step, toString(report.state));
  for (const Finding& finding : report.findings) {
    text += fmt::format("  {}: {}\n", toString(finding.state), finding.text);
    if (!finding.cause.empty()) text += fmt::format("      because: {}\n", finding.cause);
    if (!finding.evidence.empty()) text += fmt::format("      saw: {}\n", finding.evidence);
    if (!finding.remedy.empty()) text += fmt::format("      way out: {}\n", finding.remedy);
  }
  for (const ReportTable& table : report.tables) text += textOf(table);
  for (const ProposedFix& fix : report.fixes)
    text += fmt::format("  can be fixed: {}{}\n", fix.title, fix.isUnsafe ? " (unsafe)" : "");
  return text;
}

std::string htmlOf(const Finding& finding) {
  std::string html =
      fmt::format("<li><span class=\"{0}\">{0}</span>: {1}", toString(finding.state), shown(finding.text));
  if (!finding.cause.empty()) html += fmt::format("<div>Because: {}</div>", shown(finding.cause));
  if (!finding.evidence.empty()) html += fmt::format("<div class=\"dim\">{}</div>", shown(finding.evidence));
  if (!finding.remedy.empty()) html += fmt::format("<div>Way out: {}</div>", shown(finding.remedy));
  return html + "</li>\n";
}

std::string htmlOf(const ReportTable& table) {
  std::string html = fmt::format("<table><caption>{}</caption>\n<tr>", shown(table.title));
  for (const std::string& column : table.columns) html += fmt::format("<th>{}</th>", shown(column));
  html += "</tr>\n";
  for (const auto& row : table.rows) {
    html += "<tr>";
    for (const ReportTable::Cell& cell : row)
      html += fmt::format("<td class=\"{}\" title=\"{}\">{}</td>", toString(cell.state), shown(cell.detail),
                          shown(cell.text));
    html += "</tr>\n";
  }
  return html + "</table>\n";
}

std::string htmlOf(const std::string& step, const StepReport& report) {
  std::string html = fmt::format("<h2>{} <span class=\"{}\">{}</span></h2>\n<ul>\n", shown(step),
                                 toString(report.state), toString(report.state));
  for (const Finding& finding : report.findings) html += htmlOf(finding);
  html += "</ul>\n";
  for (const ReportTable& table : report.tables) html += htmlOf(table);
  for (const ProposedFix& fix : report.fixes)
    html += fmt::format("<p>Can be fixed: {}{}</p>\n", shown(fix.title), fix.isUnsafe ? " (unsafe)" : "");
  return html;
}

}  // namespace

std::string reportText(const ReportDocument& document) {
  std::string text =
      fmt::format("Lockstep: what a launch needs\nprofile {}, region {}, checked {}\n", document.profile,
                  document.region.empty() ? "?" : document.region, toRfc3339(document.checkedAt));
  for (const auto& [step, report] : document.steps) text += textOf(step, report);
  return redacted(text);
}

std::string reportHtml(const ReportDocument& document) {
  std::string html =
      fmt::format("<h1>What a launch needs</h1>\n<p class=\"dim\">profile {}, region {}, checked {}</p>\n",
                  shown(document.profile), shown(document.region.empty() ? "?" : document.region),
                  toRfc3339(document.checkedAt));
  for (const auto& [step, report] : document.steps) html += htmlOf(step, report);
  return htmlPage("Lockstep: what a launch needs", html);
}

}  // namespace lockstep
