// SPDX-License-Identifier: GPL-3.0-or-later
#include "cluster/document/fix.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

namespace lockstep {
namespace {

constexpr std::size_t kMaxFixes = 4096;  // more than a document may have issues

/// What an issue says, wherever it stands: items of a list move when one of them goes away.
std::size_t countOf(const ClusterDocument& document, const Issue& issue) {
  const auto& issues = document.issues();
  return static_cast<std::size_t>(std::count_if(issues.begin(), issues.end(), [&](const Issue& i) {
    return i.code == issue.code && i.message == issue.message;
  }));
}

/// One issue of one state of the text.
using Attempt = std::tuple<std::string, std::string, FieldPath>;

/// Applies the first fix that helps; nothing when none does.
std::optional<ClusterDocument> fixOne(const ClusterDocument& document, std::set<Attempt>& failed,
                                      std::vector<Issue>& fixed) {
  for (const Issue& issue : document.issues()) {
    const Attempt attempt{issue.code, issue.message, issue.field};
    if (!issue.fix || failed.contains(attempt)) continue;
    auto text = applyFix(document, *issue.fix);
    if (text && *text != document.text()) {
      ClusterDocument after(std::move(*text));
      const bool spoils = !hasErrors(document.issues()) && hasErrors(after.issues());
      if (countOf(after, issue) < countOf(document, issue) && !spoils) {
        fixed.push_back(issue);
        return after;
      }
    }
    failed.insert(attempt);
  }
  return std::nullopt;
}

}  // namespace

Result<TextEdit> editOf(const ClusterDocument& document, const FixStep& step) {
  switch (step.kind) {
    case FixStep::Kind::Set:
      return document.setScalar(step.field, step.value);
    case FixStep::Kind::SetBare:
      return document.setScalar(step.field, step.value, true);
    case FixStep::Kind::RenameKey:
      return document.renameKey(step.field, step.value);
    case FixStep::Kind::Remove:
      return document.remove(step.field);
    case FixStep::Kind::Append:
      return document.appendItem(step.field, step.value);
    case FixStep::Kind::AppendEnv: {
      const std::size_t sign = std::min(step.value.find('='), step.value.size());
      const std::string value = sign < step.value.size() ? step.value.substr(sign + 1) : std::string();
      return document.appendEnv(step.field, {step.value.substr(0, sign), value});
    }
  }
  return failure(ErrorCode::Internal, "this step of a fix is not known", "", "", step.field.toString());
}

Result<std::string> applyFix(const ClusterDocument& document, const Fix& fix) {
  std::string text = document.text();
  for (std::size_t i = 0; i < fix.steps.size(); ++i) {
    const auto edit = i == 0 ? editOf(document, fix.steps[i]) : editOf(ClusterDocument(text), fix.steps[i]);
    if (!edit) {
      Error error = edit.error();
      error.what = fmt::format("cannot {}: {}", fix.title, error.what);
      return failure(std::move(error));
    }
    text = applyEdit(std::move(text), *edit);
  }
  return text;
}

FixReport fixAll(std::string text) {
  FixReport report;
  std::set<Attempt> failed;
  ClusterDocument document(std::move(text));
  while (report.fixed.size() < kMaxFixes) {
    auto after = fixOne(document, failed, report.fixed);
    if (!after) break;
    document = std::move(*after);
  }
  report.text = document.text();
  return report;
}

}  // namespace lockstep
