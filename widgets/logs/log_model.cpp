// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_model.h"

#include <algorithm>

#include "logs/text/styled_line.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/logs/filters/log_words.h"

namespace lockstep {
namespace {

// From here on one removal and one insertion of the end are cheaper for a view than many small ones.
constexpr int kManyGroups = 64;
constexpr auto kFirstSlice = std::chrono::milliseconds(30);
constexpr std::size_t kLongestDrawnText = 64 * 1024;  // bytes; all of a line is copied and saved

/// What a line comes to that was written over: its last update, after a sign that there was more.
std::string visibleText(std::string_view text) {
  const std::string_view newest = newestUpdate(text);
  return (newest.size() < text.size() ? "\r" : "") + std::string(newest);
}

}  // namespace

LogModel::LogModel(LogLines* lines, QObject* parent)
    : QAbstractTableModel(parent), lines_(lines), rows_(lines) {
  slices_.setSingleShot(true);
  slices_.setInterval(0);
  connect(&slices_, &QTimer::timeout, this, &LogModel::scanOn);
  connect(lines, &LogLines::added, this, &LogModel::onAdded);
  connect(lines, &LogLines::aboutToDrop, this, [this](std::size_t count) {
    dropping_ = static_cast<int>(shown_.placeOf(static_cast<LineList::Line>(count)));
    if (dropping_ > 0) beginRemoveRows({}, 0, dropping_ - 1);
  });
  connect(lines, &LogLines::dropped, this, [this](std::size_t count) {
    rows_.dropOldest(count);
    shown_.dropOldest(count);
    if (dropping_ > 0) endRemoveRows();
    sync();
  });
  connect(lines, &LogLines::aboutToClear, this, [this] { beginResetModel(); });
  connect(lines, &LogLines::cleared, this, [this] {
    slices_.stop();
    rows_.clear();
    shown_.clear();
    endResetModel();
  });
  connect(lines, &LogLines::marksChanged, this, &LogModel::onMarksChanged);
  setFilter({});
}

void LogModel::onAdded(const std::vector<std::size_t>& places) {
  shown_.moveUp(places);
  rows_.added(places);
  sync();
}

void LogModel::setFilter(LogFilter filter) {
  beginResetModel();
  filter_ = filter;
  rows_.setFilter(std::move(filter));
  rows_.scan(kFirstSlice);
  shown_.clear();
  const LogRows::Tail tail = rows_.takeChanges();
  shown_.insert(tail.rows);
  endResetModel();
  isScanning() ? slices_.start() : slices_.stop();
}

void LogModel::setEnd(std::optional<TimePoint> end) {
  rows_.setEnd(end);
  if (isScanning()) rows_.scan(sliceTime_);
  sync();
  if (isScanning()) slices_.start();
}

void LogModel::setFolding(bool isOn) {
  if (isOn == isFolding()) return;
  rows_.setFolding(isOn);
  sync();
}

void LogModel::scanOn() {
  rows_.scan(sliceTime_);
  sync();
  if (isScanning()) slices_.start();
  emit scanAdvanced();
}

void LogModel::sync() {
  const int before = rowCount();
  const LogRows::Tail tail = rows_.takeChanges();
  replaceTail(tail);
  const int from = rowOfLine(tail.from);
  // What stays may stand for another number of lines now.
  if (from < std::min(before, rowCount()))
    emit dataChanged(index(from, 0), index(rowCount() - 1, TextColumn));
}

// Both are ascending: what is in one only goes or comes, and what is in both stays.
void LogModel::replaceTail(const LogRows::Tail& tail) {
  std::size_t at = shown_.placeOf(tail.from);
  std::size_t next = 0;
  const auto skipSame = [&] {
    while (at < shown_.size() && next < tail.rows.size() && shown_[at] == tail.rows[next]) ++at, ++next;
  };
  skipSame();
  if (at < shown_.size() && groupsFrom(at, tail, next) > kManyGroups) {
    beginRemoveRows({}, static_cast<int>(at), rowCount() - 1);
    shown_.eraseAt(at, shown_.size() - at);
    endRemoveRows();
  }
  for (; at < shown_.size() || next < tail.rows.size(); skipSame()) {
    removeWhile(at, tail, next);
    const std::size_t inserted = insertWhile(at, tail, next);
    at += inserted;
    next += inserted;
  }
}

int LogModel::groupsFrom(std::size_t at, const LogRows::Tail& tail, std::size_t next) const {
  int groups = 0;
  int kind = 0;  // -1: rows that go, 1: that come, 0: that stay
  while (at < shown_.size() || next < tail.rows.size()) {
    const bool isOld = at < shown_.size() && (next == tail.rows.size() || shown_[at] <= tail.rows[next]);
    const bool isNew = next < tail.rows.size() && (at == shown_.size() || tail.rows[next] <= shown_[at]);
    const int is = isOld && isNew ? 0 : isOld ? -1 : 1;
    if (is != 0 && is != kind) ++groups;
    kind = is;
    at += isOld ? 1 : 0;
    next += isNew ? 1 : 0;
  }
  return groups;
}

void LogModel::removeWhile(std::size_t at, const LogRows::Tail& tail, std::size_t next) {
  std::size_t count = 0;
  while (at + count < shown_.size() && (next == tail.rows.size() || shown_[at + count] < tail.rows[next]))
    ++count;
  if (count == 0) return;
  beginRemoveRows({}, static_cast<int>(at), static_cast<int>(at + count) - 1);
  shown_.eraseAt(at, count);
  endRemoveRows();
}

std::size_t LogModel::insertWhile(std::size_t at, const LogRows::Tail& tail, std::size_t next) {
  std::size_t count = 0;
  while (next + count < tail.rows.size() && (at == shown_.size() || tail.rows[next + count] < shown_[at]))
    ++count;
  if (count == 0) return 0;
  beginInsertRows({}, static_cast<int>(at), static_cast<int>(at + count) - 1);
  shown_.insertAt(at, tail.rows.data() + next, count);
  endInsertRows();
  return count;
}

void LogModel::onMarksChanged() {
  if (rowCount() > 0) emit dataChanged(index(0, TimeColumn), index(rowCount() - 1, TextColumn), {MarkRole});
}

LogLineView LogModel::lineAt(int row) const {
  return book().line(lineOfRow(row));
}

QString LogModel::copyText(int row) const {
  const LogLineView line = lineAt(row);
  const QString time =
      toQDateTime(line.time).toLocalTime().toString(QStringLiteral("yyyy-MM-dd HH:mm:ss.zzz"));
  const QString who = line.rank
                          ? QStringLiteral("[%1 rank %2]").arg(toShownLine(line.node)).arg(line.rank->value)
                          : QStringLiteral("[%1]").arg(toShownLine(line.node));
  return QStringLiteral("%1 %2 %3").arg(time, who, toShownLine(visibleText(line.text)));
}

QString LogModel::rawText(int row) const {
  return toQString(lineAt(row).text);
}

int LogModel::rowOfLine(std::size_t line) const {
  return static_cast<int>(shown_.placeOf(static_cast<LineList::Line>(line)));
}

int LogModel::reveal(std::size_t line) {
  const auto at = static_cast<LineList::Line>(line);
  if (!accepted().contains(at)) return -1;
  if (!shown_.contains(at)) {
    rows_.setUnfolded(at, true);
    sync();
  }
  return shown_.contains(at) ? rowOfLine(line) : -1;
}

int LogModel::rowAtTime(TimePoint time) const {
  return rowOfLine(lines_->firstAfter(time)) - 1;
}

int LogModel::setUnfolded(int row, bool on) {
  const auto line = static_cast<LineList::Line>(lineOfRow(row));
  const LineFolding::Group* const group = rows_.groupOf(line);
  if (group == nullptr) return -1;
  const std::uint32_t place = group->shown();
  rows_.setUnfolded(line, on);
  sync();
  return rowOfLine(accepted()[place]);
}

LogModel::Fold LogModel::foldOf(LineList::Line line) const {
  const LineFolding::Group* const group = rows_.groupOf(line);
  if (group == nullptr) return Fold::None;
  if (!rows_.isUnfolded(line)) return Fold::Folded;
  return accepted()[group->shown()] == line ? Fold::Unfolded : Fold::Inner;
}

int LogModel::countOf(LineList::Line line) const {
  const LineFolding::Group* const group = rows_.groupOf(line);
  return group == nullptr ? 0 : static_cast<int>(group->count) - 1;
}

// A folded traceback says how it ended.
std::string LogModel::drawnText(LineList::Line line) const {
  const auto cut = [this](LineList::Line at) {
    return visibleText(book().line(at).text).substr(0, kLongestDrawnText);
  };
  std::string text = cut(line);
  if (foldOf(line) != Fold::Folded) return text;
  if (const auto message = rows_.messageOf(line)) text.append("\033[0m  …  ").append(cut(*message));
  return text;
}

int LogModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

int LogModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QVariant LogModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const auto at = static_cast<LineList::Line>(lineOfRow(index.row()));
  const LogLineView line = book().line(at);
  switch (role) {
    case Qt::DisplayRole:
      return display(index.column(), at);
    case Qt::ToolTipRole:
      if (index.column() != TimeColumn) return {};
      return plainToolTip(toQDateTime(line.time).toLocalTime().toString(Qt::ISODateWithMs));
    case Qt::AccessibleTextRole:
      return accessibleText(index.column(), at);
    case RankRole:
      return line.rank ? line.rank->value : -1;
    case LevelRole:
      return static_cast<int>(line.level);
    case MarkRole:
      return lines_->marks().contains(at);
    case FoldRole:
      return static_cast<int>(foldOf(at));
    case CountRole:
      return countOf(at);
    case RawRole: {
      const std::string text = drawnText(at);
      return QByteArray(text.data(), static_cast<qsizetype>(text.size()));
    }
    default:
      return {};
  }
}

QVariant LogModel::display(int column, LineList::Line at) const {
  const LogLineView line = book().line(at);
  switch (column) {
    case TimeColumn:
      return lineTimeText(line.time);
    case RankColumn:
      return line.rank ? QString::number(line.rank->value) : QString();
    case NodeColumn:
      return toShownLine(line.node);
    case TextColumn:
      return toShownLine(drawnText(at));
    default:
      return {};
  }
}

QString LogModel::accessibleText(int column, LineList::Line at) const {
  QString text = display(column, at).toString();
  if (column == TimeColumn && lines_->marks().contains(at)) return tr("%1, marked").arg(text);
  if (column != TextColumn) return text;
  const LogLevel level = book().line(at).level;
  if (level >= LogLevel::Warning) text = tr("%1: %2").arg(levelText(level), text);
  if (foldOf(at) == Fold::Folded) text = tr("%1, %n line(s) folded", nullptr, countOf(at)).arg(text);
  return text;
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

}  // namespace lockstep
