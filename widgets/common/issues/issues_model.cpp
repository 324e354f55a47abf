// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/issues/issues_model.h"

#include <QCoreApplication>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

QString placeText(const Issue& issue) {
  if (issue.place.line <= 0) return {};
  if (issue.place.column <= 0) return IssuesModel::tr("line %1").arg(issue.place.line);
  return IssuesModel::tr("line %1:%2").arg(issue.place.line).arg(issue.place.column);
}

QString messageText(const Issue& issue) {
  const QString message = asSentence(issue.message);
  return issue.remedy.empty() ? message : IssuesModel::tr("%1. %2").arg(message, asSentence(issue.remedy));
}

QVariant fixData(const Issue& issue, int role) {
  if (!issue.fix) return {};
  const QString text = IssuesModel::tr("Fix: %1").arg(toQString(issue.fix->title));
  if (role == Qt::DisplayRole) return text;
  if (role == Qt::ToolTipRole) return toolTipLines({IssuesModel::tr("%1 (Ctrl+.)").arg(text)});
  return {};
}

}  // namespace

QIcon iconFor(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return themedIcon(QStringLiteral("error"), IconColor::Error);
    case Severity::Warning:
      return themedIcon(QStringLiteral("warning"), IconColor::Warning);
    case Severity::Info:
      break;
  }
  return themedIcon(QStringLiteral("info"), IconColor::Accent);
}

QColor colorFor(Severity severity, const QPalette& palette) {
  switch (severity) {
    case Severity::Error:
      return errorColor(palette);
    case Severity::Warning:
      return warningColor(palette);
    case Severity::Info:
      break;
  }
  return accentColor(palette);
}

QString nameOf(Severity severity) {
  switch (severity) {
    case Severity::Error:
      return IssuesModel::tr("Error");
    case Severity::Warning:
      return IssuesModel::tr("Warning");
    case Severity::Info:
      break;
  }
  return IssuesModel::tr("Note");
}

IssuesModel::IssuesModel(QObject* parent) : QAbstractTableModel(parent) {}

void IssuesModel::setIssues(std::vector<Issue> issues) {
  if (issues == issues_) return;  // keeps the selection while somebody types elsewhere
  beginResetModel();
  issues_ = std::move(issues);
  listRows();
  endResetModel();
}

void IssuesModel::setShown(Severity severity, bool isShown) {
  bool& shown = isShown_[static_cast<std::size_t>(severity)];
  if (shown == isShown) return;
  beginResetModel();
  shown = isShown;
  listRows();
  endResetModel();
}

bool IssuesModel::isShown(Severity severity) const {
  return isShown_[static_cast<std::size_t>(severity)];
}

void IssuesModel::listRows() {
  rows_.clear();
  for (std::size_t i = 0; i < issues_.size(); ++i)
    if (isShown(issues_[i].severity)) rows_.push_back(i);
}

const Issue* IssuesModel::issueAt(int row) const {
  if (row < 0 || row >= rowCount()) return nullptr;
  return &issues_[rows_[static_cast<std::size_t>(row)]];
}

int IssuesModel::fixCount() const {
  return static_cast<int>(std::count_if(issues_.begin(), issues_.end(),
                                        [](const Issue& issue) { return issue.fix.has_value(); }));
}

int IssuesModel::count(Severity severity) const {
  return static_cast<int>(std::count_if(issues_.begin(), issues_.end(),
                                        [&](const Issue& issue) { return issue.severity == severity; }));
}

QString IssuesModel::summary() const {
  QStringList parts;
  if (const int errors = count(Severity::Error))
    parts << (errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
  if (const int warnings = count(Severity::Warning))
    parts << (warnings == 1 ? tr("1 warning") : tr("%1 warnings").arg(warnings));
  if (const int notes = count(Severity::Info))
    parts << (notes == 1 ? tr("1 note") : tr("%1 notes").arg(notes));
  return parts.isEmpty() ? tr("No problems") : parts.join(tr(", ", "between the parts of a list"));
}

int IssuesModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int IssuesModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant IssuesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const Issue& issue = *issueAt(index.row());
  if (index.column() == FixColumn) return fixData(issue, role);
  if (role == Qt::ToolTipRole)
    return toolTipLines({asSentence(issue.message), asSentence(issue.remedy)},
                        toQString(issue.field.toString()));
  if (role == Qt::DecorationRole && index.column() == SeverityColumn) return iconFor(issue.severity);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case SeverityColumn:
      return nameOf(issue.severity);
    case PlaceColumn:
      return placeText(issue);
    default:
      return messageText(issue);
  }
}

QVariant IssuesModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case SeverityColumn:
      return tr("Kind");
    case PlaceColumn:
      return tr("Place");
    case MessageColumn:
      return tr("Problem");
    case FixColumn:
      return tr("Fix");
    default:
      return {};
  }
}

}  // namespace lockstep
