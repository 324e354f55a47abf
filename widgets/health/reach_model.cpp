// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/health/reach_model.h"

#include <QApplication>
#include <QBrush>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/health/health_words.h"

namespace lockstep {
namespace {
constexpr double kTint = 0.12;
}

ReachModel::ReachModel(QObject* parent) : QAbstractTableModel(parent) {}

void ReachModel::setMatrix(ReachMatrix matrix) {
  beginResetModel();
  matrix_ = std::move(matrix);
  endResetModel();
}

int ReachModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(matrix_.nodes().size());
}

int ReachModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() || matrix_.nodes().empty() ? 0 : static_cast<int>(matrix_.nodes().size()) + 1;
}

QString ReachModel::spoken(const ReachNode& node) const {
  const QString address = toQString(node.address);
  if (!node.tookPart) return tr("%1 took no part in the test of the network").arg(nodeText(node));
  return address.isEmpty() ? nodeText(node) : tr("%1, %2").arg(nodeText(node), address);
}

QVariant ReachModel::rowName(const ReachNode& node, int role) const {
  switch (role) {
    case Qt::DisplayRole:
      return nodeText(node);
    case Qt::ToolTipRole:
      return plainToolTip(spoken(node));
    case Qt::AccessibleTextRole:
      return spoken(node);
    default:
      return {};
  }
}

QString ReachModel::spoken(std::size_t from, std::size_t to) const {
  const LinkState state = matrix_.state(from, to);
  QString text = tr("from %1 to %2: %3")
                     .arg(nodeText(matrix_.nodes()[from]), nodeText(matrix_.nodes()[to]),
                          linkText(state, matrix_.link(from, to)));
  if (isClosed(state))
    text += QLatin1Char('\n') + plainText(noticeOf(matrix_, {from, to, state, *matrix_.link(from, to)}));
  return text;
}

QVariant ReachModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid | CheckIndexOption::ParentIsInvalid)) return {};
  const auto from = static_cast<std::size_t>(index.row());
  if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
  if (index.column() == 0) return rowName(matrix_.nodes()[from], role);
  const auto to = static_cast<std::size_t>(index.column() - 1);
  if (from == to) return role == Qt::DisplayRole ? QVariant(QStringLiteral("–")) : QVariant();
  const LinkState state = matrix_.state(from, to);
  switch (role) {
    case Qt::DisplayRole:
      return linkText(state, matrix_.link(from, to));
    case Qt::DecorationRole:
      return iconFor(toneOf(state));
    case Qt::BackgroundRole: {
      const QPalette colors = QApplication::palette();
      return state == LinkState::Untested ? QVariant()
                                          : QVariant(QBrush(tinted(colors.color(QPalette::Base),
                                                                   colorFor(toneOf(state), colors), kTint)));
    }
    case Qt::ToolTipRole:
      return plainToolTip(spoken(from, to));
    case Qt::AccessibleTextRole:
      return spoken(from, to);
    default:
      return {};
  }
}

QVariant ReachModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
  if (role == Qt::TextAlignmentRole) return static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  if (section == 0) return tr("From \\ to");
  return nodeText(matrix_.nodes()[static_cast<std::size_t>(section - 1)]);
}

}  // namespace lockstep
