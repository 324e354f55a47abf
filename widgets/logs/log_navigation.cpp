// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/log_navigation.h"

#include <QLocale>
#include <algorithm>

namespace lockstep {

LogNavigation::LogNavigation(LogTable* table) : QObject(table), table_(table), model_(table->logModel()) {}

std::optional<std::uint64_t> LogNavigation::current() const {
  const QModelIndex index = table_->currentIndex();
  if (!index.isValid()) return std::nullopt;
  return model_->lineOfRow(index.row());
}

void LogNavigation::showLine(std::uint64_t line) {
  if (model_->rowCount() == 0) return;
  const int row = model_->reveal(line);
  table_->showRow(row >= 0 ? row : std::min(model_->rowOfLine(line), model_->rowCount() - 1));
}

void LogNavigation::goRound(const auto& lines, bool forward,
                            const std::function<bool(std::uint64_t)>& isWanted, const QString& none) {
  const std::uint64_t count = lines.size();
  const auto from = current();
  const std::uint64_t line = from.value_or(0);
  // The first one that may be it, in the direction in which is gone.
  const std::uint64_t begin = !from ? (forward ? 0 : count) : lines.countBefore(forward ? line + 1 : line);
  for (std::uint64_t step = 0; step < std::min(count, kMaxLookedAt); ++step) {
    const std::uint64_t place = forward ? (begin + step) % count : (begin + count - 1 - step) % count;
    const std::uint64_t at = lines.at(place);
    if (isWanted(at)) return showLine(at);
  }
  emit said(count > kMaxLookedAt ? tr("None among the next %1 errors").arg(QLocale().toString(kMaxLookedAt))
                                 : none);
}

void LogNavigation::goToError(bool forward) {
  const auto from = current();
  const std::optional<Rank> rank = from ? model_->lines()->line(*from).rank : std::nullopt;
  const bool isOfNode = from && !rank;
  const QString none = rank       ? tr("No error of rank %1").arg(rank->value)
                       : isOfNode ? tr("No error of a node agent")
                                  : tr("No error");
  goRound(
      model_->errors(), forward,
      [&](std::uint64_t line) { return !from || model_->lines()->line(line).rank == rank; }, none);
}

void LogNavigation::goToMark(bool forward) {
  goRound(
      model_->lines()->marks(), forward,
      [this](std::uint64_t line) { return model_->accepted().contains(line); }, tr("No line is marked"));
}

void LogNavigation::toggleMarks() {
  const LineList& marks = model_->lines()->marks();
  std::vector<std::uint64_t> lines;
  for (const int row : table_->selectedRows()) lines.push_back(model_->lineOfRow(row));
  const auto isMarked = [&marks](std::uint64_t line) { return marks.contains(line); };
  const bool areAll = std::all_of(lines.begin(), lines.end(), isMarked);
  for (const std::uint64_t line : lines)
    if (isMarked(line) == areAll) model_->lines()->toggleMark(line);
}

void LogNavigation::goToNumber(quint64 number) {
  const std::uint64_t count = model_->lines()->size(), dropped = model_->lines()->dropped();
  if (count == 0) return;
  const std::uint64_t line = number > dropped ? number - dropped - 1 : 0;
  showLine(std::min(line, count - 1));
}

void LogNavigation::goToTime(TimePoint time) {
  if (model_->rowCount() > 0) table_->showRow(std::max(0, model_->rowAtTime(time)));
}

}  // namespace lockstep
