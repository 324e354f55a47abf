// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_model.h"

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/logs/filters/log_words.h"

namespace lockstep {
namespace {

constexpr std::size_t kLongestDrawnText = 64 * 1024;  // bytes; all of a line is copied and saved

}  // namespace

LogModel::LogModel(LogLines* lines, QObject* parent)
    : QAbstractTableModel(parent), lines_(lines), rows_(lines) {
  slices_.setSingleShot(true);
  slices_.setInterval(0);
  connect(&slices_, &QTimer::timeout, this, [this] {
    sync();
    fillOn();
    emit scanAdvanced();
  });
  connectLines();
  setSearcher(std::make_unique<SlicedLogSearcher>());
  begin(LogQuery());
}

LogModel::~LogModel() = default;

void LogModel::onMarksChanged() {
  if (rowCount() > 0) emit dataChanged(index(0, TimeColumn), index(rowCount() - 1, TextColumn), {MarkRole});
}

LogLineView LogModel::lineAt(int row) const {
  return lines_->line(lineOfRow(row));
}

QString LogModel::copyText(int row) const {
  const std::uint64_t at = lineOfRow(row);
  const std::string whole = lines_->wholeText(at);
  LogLineView line = lines_->line(at);
  line.text = whole;
  return lineText(line);
}

QString LogModel::rawText(int row) const {
  return toQString(lines_->wholeText(lineOfRow(row)));
}

int LogModel::rowOfLine(std::uint64_t line) const {
  return static_cast<int>(shown_.countBefore(line));
}

int LogModel::reveal(std::uint64_t line) {
  if (!accepted().contains(line)) return -1;
  if (!shown_.contains(line)) {
    rows_.setUnfolded(line, true);
    sync();
    while (!shown_.contains(line) && isFilling()) fillOn();
  }
  return shown_.contains(line) ? rowOfLine(line) : -1;
}

int LogModel::rowAtTime(TimePoint time) const {
  return rowOfLine(lines_->firstAfter(time)) - 1;
}

int LogModel::setUnfolded(int row, bool on) {
  const std::uint64_t line = lineOfRow(row);
  const LineFolding::Group* const group = rows_.groupOf(line);
  if (group == nullptr) return -1;
  const std::uint64_t shown = accepted().at(group->shown());
  rows_.setUnfolded(line, on);
  sync();
  return rowOfLine(shown);
}

LogModel::Fold LogModel::foldOf(std::uint64_t line) const {
  const LineFolding::Group* const group = rows_.groupOf(line);
  if (group == nullptr) return Fold::None;
  if (!rows_.isUnfolded(line)) return Fold::Folded;
  return accepted().at(group->shown()) == line ? Fold::Unfolded : Fold::Inner;
}

int LogModel::countOf(std::uint64_t line) const {
  const LineFolding::Group* const group = rows_.groupOf(line);
  return group == nullptr ? 0 : static_cast<int>(group->count) - 1;
}

// A folded traceback says how it ended.
std::string LogModel::drawnText(std::uint64_t line) const {
  const auto cut = [this](std::uint64_t at) {
    return visibleText(lines_->line(at).text).substr(0, kLongestDrawnText);
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
  const std::uint64_t at = lineOfRow(index.row());
  switch (role) {
    case Qt::DisplayRole:
      return display(index.column(), at);
    case Qt::ToolTipRole:
      if (index.column() != TimeColumn) return {};
      return plainToolTip(toQDateTime(lines_->line(at).time).toLocalTime().toString(Qt::ISODateWithMs));
    case Qt::AccessibleTextRole:
      return accessibleText(index.column(), at);
    case RankRole: {
      const std::optional<Rank> rank = lines_->line(at).rank;
      return rank ? rank->value : -1;
    }
    case LevelRole:
      return static_cast<int>(lines_->line(at).level);
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

QVariant LogModel::display(int column, std::uint64_t line) const {
  switch (column) {
    case TimeColumn:
      return lineTimeText(lines_->line(line).time);
    case RankColumn: {
      const std::optional<Rank> rank = lines_->line(line).rank;
      return rank ? QString::number(rank->value) : QString();
    }
    case NodeColumn:
      return toShownLine(lines_->line(line).node);
    case TextColumn:
      return toShownLine(drawnText(line));
    default:
      return {};
  }
}

QString LogModel::accessibleText(int column, std::uint64_t line) const {
  QString text = display(column, line).toString();
  if (column == TimeColumn && lines_->marks().contains(line)) return tr("%1, marked").arg(text);
  if (column != TextColumn) return text;
  const LogLevel level = lines_->line(line).level;
  if (level >= LogLevel::Warning) text = tr("%1: %2").arg(levelText(level), text);
  if (foldOf(line) == Fold::Folded) text = tr("%1, %Ln line(s) folded", nullptr, countOf(line)).arg(text);
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
