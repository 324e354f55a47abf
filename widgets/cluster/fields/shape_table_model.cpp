// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/shape_table_model.h"

#include <QFont>
#include <QGuiApplication>
#include <QLocale>

#include "widgets/cluster/fields/shape_picker.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

const QString kDash = QStringLiteral("—");

QString number(double value) {
  return QLocale().toString(value, 'g', 6);
}

/// Money with as many digits as a rate per GB needs.
QString money(double value, const std::string& currency) {
  return QStringLiteral("%1 %2").arg(QLocale().toString(value, 'f', value < 0.1 ? 4 : 2),
                                     toQString(currency));
}

QString rangeText(double min, double max) {
  return min == max ? number(min) : QStringLiteral("%1–%2").arg(number(min), number(max));
}

bool isNumber(int column) {
  return column == ShapeTableModel::Ocpus || column == ShapeTableModel::Memory ||
         column == ShapeTableModel::Network;
}

QString ocpusText(const Shape& shape) {
  if (shape.flex) return rangeText(shape.flex->minOcpus, shape.flex->maxOcpus);
  return shape.ocpus ? number(*shape.ocpus) : kDash;
}

QString memoryText(const Shape& shape) {
  if (shape.flex)
    return ShapePicker::tr("%1 GB").arg(rangeText(shape.flex->minMemoryInGBs, shape.flex->maxMemoryInGBs));
  return shape.memoryInGBs ? ShapePicker::tr("%1 GB").arg(number(*shape.memoryInGBs)) : kDash;
}

}  // namespace

QString shapePriceText(const Shape& shape, const PriceTable& prices) {
  const ShapePrice* price = priceOf(prices, shape.name);
  if (!price) return {};
  if (price->perGpuHour && shape.gpus > 0) return money(*price->perGpuHour * shape.gpus, prices.currency);
  if (!price->perOcpuHour) return {};
  if (shape.flex) {
    const QString rate = ShapePicker::tr("%1 per OCPU").arg(money(*price->perOcpuHour, prices.currency));
    if (!price->perGbHour) return rate;
    return ShapePicker::tr("%1 + %2 per GB").arg(rate, money(*price->perGbHour, prices.currency));
  }
  if (!shape.ocpus || (price->perGbHour && !shape.memoryInGBs)) return {};
  const double memory = price->perGbHour ? *price->perGbHour * *shape.memoryInGBs : 0;
  return money(*price->perOcpuHour * *shape.ocpus + memory, prices.currency);
}

ShapeTableModel::ShapeTableModel(Headings headings, QObject* parent)
    : QAbstractTableModel(parent), prices_(builtInPrices()) {
  for (const bool wantsGpus : {true, false}) {
    if (headings == Headings::Shown)
      rows_.push_back({nullptr, wantsGpus ? ShapePicker::tr("With GPUs") : ShapePicker::tr("CPU only")});
    for (const Shape& shape : ShapeCatalogue::builtIn().shapes())
      if ((shape.gpus > 0) == wantsGpus) rows_.push_back({&shape, {}});
  }
}

void ShapeTableModel::setPrices(const PriceTable& prices) {
  prices_ = prices;
  if (rows_.empty()) return;
  emit dataChanged(index(0, Price), index(rowCount() - 1, Price));
  emit headerDataChanged(Qt::Horizontal, Price, Price);
}

bool ShapeTableModel::isHeading(int row) const {
  return !rows_[static_cast<size_t>(row)].shape;
}

int ShapeTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

int ShapeTableModel::columnCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : ColumnCount;
}

Qt::ItemFlags ShapeTableModel::flags(const QModelIndex& index) const {
  if (!index.isValid() || isHeading(index.row())) return Qt::NoItemFlags;
  return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemNeverHasChildren;
}

QString ShapeTableModel::cell(const Shape& shape, int column) const {
  switch (column) {
    case Name:
      return toQString(shape.name);
    case Gpus:
      return shape.gpus > 0 ? QStringLiteral("%1 × %2").arg(shape.gpus).arg(toQString(shape.gpuType)) : kDash;
    case GpuMemory:
      return shape.gpuMemoryInGBs > 0 ? ShapePicker::tr("%1 GB each").arg(number(shape.gpuMemoryInGBs))
                                      : kDash;
    case Ocpus:
      return ocpusText(shape);
    case Memory:
      return memoryText(shape);
    case Network:
      return shape.networkInGbps ? ShapePicker::tr("%1 Gbit/s").arg(number(*shape.networkInGbps)) : kDash;
    case Rdma:
      return shape.rdma ? ShapePicker::tr("yes") : kDash;
    case Price: {
      const QString price = shapePriceText(shape, prices_);
      return price.isEmpty() ? kDash : price;
    }
    default:
      return {};
  }
}

QString ShapeTableModel::toolTip(const Shape& shape, int column) const {
  if (column == Price) {
    if (shapePriceText(shape, prices_).isEmpty()) return ShapePicker::tr("No price known");
    return ShapePicker::tr("Per node and hour as of %1; %2")
        .arg(toQString(prices_.asOf), toQString(prices_.source));
  }
  if (column == Rdma)
    return shape.rdma ? ShapePicker::tr("Nodes of this shape share a cluster network with RDMA")
                      : ShapePicker::tr("No cluster network");
  return ShapePicker::describeShape(toQString(shape.name), prices_);
}

QVariant ShapeTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  if (!row.shape) {
    if (role == Qt::DisplayRole && index.column() == Name) return row.heading;
    if (role == Qt::ForegroundRole) return mutedColor(QGuiApplication::palette());
    if (role != Qt::FontRole) return {};
    QFont font;
    font.setWeight(QFont::DemiBold);
    return font;
  }
  switch (role) {
    case Qt::DisplayRole:
    case Qt::EditRole:
      return cell(*row.shape, index.column());
    case Qt::ToolTipRole:
      return plainToolTip(toolTip(*row.shape, index.column()));
    case Qt::AccessibleTextRole:
      return index.column() == Name ? ShapePicker::describeShape(toQString(row.shape->name), prices_)
                                    : cell(*row.shape, index.column());
    case Qt::TextAlignmentRole:
      if (isNumber(index.column())) return QVariant(Qt::AlignTrailing | Qt::AlignVCenter);
      return {};
    default:
      return {};
  }
}

QVariant ShapeTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return QVariant((isNumber(section) ? Qt::AlignTrailing : Qt::AlignLeading) | Qt::AlignVCenter);
  if (role == Qt::ToolTipRole && section == Price) return plainToolTip(toQString(prices_.source));
  if (role != Qt::DisplayRole) return {};
  switch (section) {
    case Name:
      return ShapePicker::tr("Shape");
    case Gpus:
      return ShapePicker::tr("GPUs");
    case GpuMemory:
      return ShapePicker::tr("GPU memory");
    case Ocpus:
      return ShapePicker::tr("OCPUs");
    case Memory:
      return ShapePicker::tr("Memory");
    case Network:
      return ShapePicker::tr("Network");
    case Rdma:
      return ShapePicker::tr("RDMA");
    case Price:
      return ShapePicker::tr("Per hour (%1)").arg(toQString(prices_.asOf));
    default:
      return {};
  }
}

}  // namespace lockstep
