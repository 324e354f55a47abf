// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/phase_model.h"

#include <QApplication>
#include <QBrush>
#include <QLocale>
#include <algorithm>

#include "health/health_text.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/health/health_words.h"

namespace lockstep {
namespace {

constexpr double kTint = 0.12;
constexpr std::chrono::seconds kWorthSaying{1};

QString none() {
  return QStringLiteral("–");
}

bool sameRanks(const std::vector<RankHeartbeat>& a, const std::vector<RankHeartbeat>& b) {
  return std::equal(
      a.begin(), a.end(), b.begin(), b.end(),
      [](const RankHeartbeat& one, const RankHeartbeat& other) { return one.rank == other.rank; });
}

}  // namespace

PhaseModel::PhaseModel(QObject* parent) : QAbstractTableModel(parent) {}

const std::vector<RankHeartbeat>& PhaseModel::beats() const {
  static const std::vector<RankHeartbeat> kNone;
  return health_ && health_->heartbeat ? health_->heartbeat->ranks : kNone;
}

void PhaseModel::setHealth(std::shared_ptr<const RunHealth> health) {
  const bool isSame = sameRanks(
      beats(), health && health->heartbeat ? health->heartbeat->ranks : std::vector<RankHeartbeat>());
  if (!isSame) beginResetModel();
  health_ = std::move(health);
  evaluate();
  if (!isSame) endResetModel();
  if (isSame && rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void PhaseModel::setNow(SteadyPoint now, News news) {
  now_ = now;
  news_ = news;
  evaluate();
  if (rowCount() > 0) emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

void PhaseModel::evaluate() {
  stalls_ = health_ && news_ == News::Live ? findStalls(*health_, now_) : std::vector<Stall>();
}

const Stall* PhaseModel::stallOf(const RankHeartbeat& beat) const {
  const auto found = std::find_if(stalls_.begin(), stalls_.end(), [&](const Stall& one) {
    return one.kind == Stall::Kind::NobodyBehind || one.beat.rank == beat.rank;
  });
  return found == stalls_.end() ? nullptr : &*found;
}

int PhaseModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(beats().size());
}

int PhaseModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

QString PhaseModel::text(const RankHeartbeat& beat, int column) const {
  switch (column) {
    case RankColumn:
      return QString::number(beat.rank.value);
    case PhaseColumn:
      return news_ == News::Ended ? tr("ended; last: %1").arg(phaseText(beat)) : phaseText(beat);
    case LastingColumn: {
      const auto lasting = news_ == News::Live ? standingFor(*health_, beat) : std::nullopt;
      return lasting && *lasting >= kWorthSaying ? toQString(lastingText(*lasting)) : none();
    }
    case StepColumn:
      return beat.step < 0 ? none() : QLocale().toString(beat.step);
    case CollectiveColumn:
      return QLocale().toString(beat.collectives);
    case AgeColumn:
      return news_ != News::Ended ? tr("%1 ago").arg(toQString(lastingText(heartbeatAge(*health_, now_))))
                                  : none();
    case HostColumn:
      if (beat.host.empty()) return none();
      return beat.pid > 0 ? tr("%1, %2").arg(toQString(beat.host)).arg(beat.pid) : toQString(beat.host);
    default:
      return {};
  }
}

QString PhaseModel::spoken(const RankHeartbeat& beat) const {
  QStringList parts;
  for (int column = 0; column < ColumnCount; ++column)
    parts << tr("%1: %2").arg(headerData(column, Qt::Horizontal, Qt::DisplayRole).toString(),
                              text(beat, column));
  QString all = parts.join(QStringLiteral(", "));
  if (const Stall* stall = stallOf(beat)) all += QLatin1Char('\n') + plainText(noticeOf(*stall));
  return all;
}

QVariant PhaseModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const RankHeartbeat& beat = beats()[static_cast<std::size_t>(index.row())];
  const Stall* stall = stallOf(beat);
  switch (role) {
    case Qt::DisplayRole:
      return text(beat, index.column());
    case Qt::DecorationRole:
      return stall != nullptr && index.column() == PhaseColumn ? QVariant(iconFor(BadgeTone::Warning))
                                                               : QVariant();
    case Qt::BackgroundRole: {
      const QPalette colors = QApplication::palette();
      return stall != nullptr
                 ? QVariant(QBrush(tinted(colors.color(QPalette::Base), warningColor(colors), kTint)))
                 : QVariant();
    }
    case Qt::TextAlignmentRole: {
      if (index.column() == RankColumn) return static_cast<int>(Qt::AlignCenter);
      const bool isText = index.column() == PhaseColumn || index.column() == HostColumn;
      return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
    }
    case Qt::ToolTipRole:
      if (stall != nullptr) return plainToolTip(plainText(noticeOf(*stall)));
      if (index.column() != HostColumn) return {};
      return plainToolTip(beat.pid > 0 ? tr("%1, process %2").arg(toQString(beat.host)).arg(beat.pid)
                                       : text(beat, HostColumn));
    case Qt::AccessibleTextRole:
      return index.column() == RankColumn || index.column() == PhaseColumn ? QVariant(spoken(beat))
                                                                           : QVariant();
    default:
      return {};
  }
}

QVariant PhaseModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) {
    if (section == RankColumn) return static_cast<int>(Qt::AlignCenter);
    const bool isText = section == PhaseColumn || section == HostColumn;
    return static_cast<int>((isText ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
  }
  if (role == Qt::ToolTipRole && section == AgeColumn)
    return tr("Rank 0 writes down every few seconds where all ranks are");
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case RankColumn:
      return tr("Rank");
    case PhaseColumn:
      return tr("Doing");
    case LastingColumn:
      return tr("For");
    case StepColumn:
      return tr("Step");
    case CollectiveColumn:
      return tr("Collective");
    case AgeColumn:
      return tr("Heartbeat");
    case HostColumn:
      return tr("Host, process");
    default:
      return {};
  }
}

}  // namespace lockstep
