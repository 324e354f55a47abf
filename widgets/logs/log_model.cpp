// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_model.h"

#include <QCoreApplication>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

// From here on one removal and one insertion of the end are cheaper for a view than many insertions.
constexpr std::size_t kManyGroups = 64;

}  // namespace

LogModel::LogModel(QObject* parent, LogBook::Limits limits) : QAbstractTableModel(parent), book_(limits) {}

void LogModel::addLines(const std::vector<LogLine>& lines) {
  if (lines.empty()) return;
  const auto places = book_.add(lines);
  Lines fresh;
  for (const std::size_t place : places) {
    const LogLineView line = book_.line(place);
    if (!filter_.accepts(line)) continue;
    noteLength(line);
    fresh.push_back(static_cast<std::uint32_t>(place));
  }
  moveUp(places);
  if (!fresh.empty()) insertGroups(fresh);
  dropOldest(book_.surplus());
}

void LogModel::dropOldest(std::size_t lines) {
  if (lines == 0) return;
  const auto rows = std::lower_bound(visible_.begin(), visible_.end(), lines) - visible_.begin();
  if (rows > 0) beginRemoveRows({}, 0, static_cast<int>(rows) - 1);
  book_.dropOldest(lines);
  visible_.erase(visible_.begin(), visible_.begin() + rows);
  for (auto& line : visible_) line -= static_cast<std::uint32_t>(lines);
  if (rows > 0) endRemoveRows();
}

void LogModel::moveUp(const std::vector<std::size_t>& places) {
  // The rows keep the lines that they show; only the lines' numbers change.
  std::size_t shift = 0;
  for (auto line = std::lower_bound(visible_.begin(), visible_.end(), places.front()); line != visible_.end();
       ++line) {
    while (shift < places.size() && places[shift] <= *line + shift) ++shift;
    *line += static_cast<std::uint32_t>(shift);
  }
}

void LogModel::insertGroups(const Lines& fresh) {
  struct Group {
    std::size_t begin, end;  // in fresh
  };
  std::vector<Group> groups;
  std::size_t row = 0;
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const auto next =
        std::lower_bound(visible_.begin() + static_cast<std::ptrdiff_t>(row), visible_.end(), fresh[i]);
    const auto at = static_cast<std::size_t>(next - visible_.begin());
    if (groups.empty() || at != row) groups.push_back({i, i});
    groups.back().end = i + 1;
    row = at;
  }
  if (groups.size() > kManyGroups) return rewriteTail(fresh);
  for (const auto& [begin, end] : groups) {
    const auto at = std::lower_bound(visible_.begin(), visible_.end(), fresh[begin]) - visible_.begin();
    beginInsertRows({}, static_cast<int>(at),
                    static_cast<int>(at + static_cast<std::ptrdiff_t>(end - begin) - 1));
    visible_.insert(visible_.begin() + at, fresh.begin() + static_cast<std::ptrdiff_t>(begin),
                    fresh.begin() + static_cast<std::ptrdiff_t>(end));
    endInsertRows();
  }
}

void LogModel::rewriteTail(const Lines& fresh) {
  const auto at = std::lower_bound(visible_.begin(), visible_.end(), fresh.front()) - visible_.begin();
  Lines tail(visible_.begin() + at, visible_.end());
  if (!tail.empty()) {
    beginRemoveRows({}, static_cast<int>(at), static_cast<int>(visible_.size()) - 1);
    visible_.resize(static_cast<std::size_t>(at));
    endRemoveRows();
  }
  Lines merged;
  std::merge(tail.begin(), tail.end(), fresh.begin(), fresh.end(), std::back_inserter(merged));
  beginInsertRows({}, static_cast<int>(at), static_cast<int>(at + std::ssize(merged)) - 1);
  visible_.insert(visible_.end(), merged.begin(), merged.end());
  endInsertRows();
}

void LogModel::noteLength(const LogLineView& line) {
  longestText_ = std::max(longestText_, static_cast<int>(std::min<std::size_t>(line.text.size(), 1 << 20)));
}

void LogModel::setFilter(LogFilter filter) {
  beginResetModel();
  filter_ = std::move(filter);
  visible_ = book_.matching(filter_);
  for (const auto line : visible_) noteLength(book_.line(line));
  endResetModel();
}

void LogModel::clear() {
  beginResetModel();
  book_.clear();
  visible_.clear();
  longestText_ = 0;
  endResetModel();
}

LogLineView LogModel::lineAt(int row) const {
  return book_.line(visible_[static_cast<std::size_t>(row)]);
}

QString LogModel::copyText(int row) const {
  const LogLineView line = lineAt(row);
  const QString time =
      toQDateTime(line.time).toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
  const QString who = line.rank
                          ? QStringLiteral("[%1 rank %2]").arg(toShownLine(line.node)).arg(line.rank->value)
                          : QStringLiteral("[%1]").arg(toShownLine(line.node));
  return QStringLiteral("%1 %2 %3").arg(time, who, toShownLine(line.text));
}

int LogModel::findRow(const TextMatcher& wanted, int row, bool forward) const {
  const int count = rowCount();
  for (int step = 1; step <= count; ++step) {
    const int candidate = ((forward ? row + step : row - step) % count + count) % count;
    if (wanted(lineAt(candidate).text)) return candidate;
  }
  return -1;
}

int LogModel::rowOfLine(std::size_t line) const {
  return static_cast<int>(std::lower_bound(visible_.begin(), visible_.end(), line) - visible_.begin());
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(visible_.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const LogLineView line = lineAt(index.row());
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case TimeColumn:
          return lineTimeText(line.time);
        case RankColumn:
          return line.rank ? QString::number(line.rank->value) : QString();
        case NodeColumn:
          return toShownLine(line.node);
        case TextColumn:
          return toShownLine(line.text);
        default:
          return {};
      }
    case Qt::ToolTipRole:
      if (index.column() != TimeColumn) return {};
      return plainToolTip(toQDateTime(line.time).toLocalTime().toString(Qt::ISODateWithMs));
    case Qt::AccessibleTextRole:
      return index.column() == TextColumn && line.level >= LogLevel::Warning
                 ? tr("%1: %2").arg(levelText(line.level), toShownLine(line.text))
                 : data(index, Qt::DisplayRole);
    case RankRole:
      return line.rank ? line.rank->value : -1;
    case LevelRole:
      return static_cast<int>(line.level);
    default:
      return {};
  }
}

QVariant LogModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  switch (section) {
    case TimeColumn:
      return tr("Time");
    case RankColumn:
      return tr("Rank");
    case NodeColumn:
      return tr("Node");
    case TextColumn:
      return tr("Text");
    default:
      return {};
  }
}

QString lineTimeText(TimePoint time) {
  return toQDateTime(time).toLocalTime().toString(QStringLiteral("HH:mm:ss.zzz"));
}

QString levelText(LogLevel level) {
  switch (level) {
    case LogLevel::Debug:
      return QCoreApplication::translate("LogLevel", "Debug");
    case LogLevel::Info:
      return QCoreApplication::translate("LogLevel", "Info");
    case LogLevel::Warning:
      return QCoreApplication::translate("LogLevel", "Warning");
    case LogLevel::Error:
      return QCoreApplication::translate("LogLevel", "Error");
  }
  return {};
}

}  // namespace lockstep
