// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/shape_picker.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QCompleter>
#include <QHeaderView>
#include <QLineEdit>
#include <QPainter>
#include <QScreen>
#include <QStyledItemDelegate>
#include <QTableView>
#include <algorithm>

#include "widgets/cluster/fields/shape_table_model.h"
#include "widgets/common/layout/wheel_guard.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

constexpr int kVisibleRows = 16;
constexpr int kCellPad = 8;

/// Cells with the room at both sides that the header's have.
class CellDelegate final : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    QStyleOptionViewItem cell = option;
    initStyleOption(&cell, index);
    const QStyle* style = cell.widget ? cell.widget->style() : QApplication::style();
    style->drawPrimitive(QStyle::PE_PanelItemViewItem, &cell, painter, cell.widget);
    const bool isChosen = cell.state & QStyle::State_Selected;
    painter->setFont(cell.font);
    painter->setPen(cell.palette.color(isChosen ? QPalette::HighlightedText : QPalette::Text));
    painter->drawText(cell.rect.adjusted(kCellPad, 0, -kCellPad, 0),
                      static_cast<int>(cell.displayAlignment) | Qt::TextSingleLine, cell.text);
  }
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    return QStyledItemDelegate::sizeHint(option, index) + QSize(2 * kCellPad, 0);
  }
};

QTableView* makeTable() {
  auto* table = new QTableView;
  table->verticalHeader()->hide();
  table->verticalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table->horizontalHeader()->setHighlightSections(false);
  table->setShowGrid(false);
  table->setSelectionBehavior(QAbstractItemView::SelectRows);
  table->setSelectionMode(QAbstractItemView::SingleSelection);
  table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  table->setItemDelegate(new CellDelegate(table));
  table->setAccessibleName(ShapePicker::tr("Shapes"));
  return table;
}

/// As wide as its columns, as far as the screen allows.
void fitWidth(QTableView& table, const QScreen* screen) {
  table.resizeColumnsToContents();
  const int bar = table.style()->pixelMetric(QStyle::PM_ScrollBarExtent);
  const int wanted = table.horizontalHeader()->length() + bar + 2 * table.frameWidth() + 4;
  table.setMinimumWidth(screen ? std::min(wanted, screen->availableGeometry().width() - 20) : wanted);
}

}  // namespace

ShapePicker::ShapePicker(QWidget* parent)
    : QComboBox(parent),
      prices_(builtInPrices()),
      all_(new ShapeTableModel(ShapeTableModel::Headings::Shown, this)),
      matching_(new ShapeTableModel(ShapeTableModel::Headings::Omitted, this)),
      table_(makeTable()),
      narrowed_(makeTable()) {
  setEditable(true);
  setInsertPolicy(QComboBox::NoInsert);
  letWheelPass(this);
  setMaxVisibleItems(kVisibleRows);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(12);
  setModel(all_);
  setView(table_);
  setModelColumn(ShapeTableModel::Name);
  for (int row = 0; row < all_->rowCount(); ++row)
    if (all_->isHeading(row)) table_->setSpan(row, 0, 1, ShapeTableModel::ColumnCount);
  setCurrentIndex(-1);
  clearEditText();
  auto* completer = new QCompleter(matching_, this);
  completer->setCompletionColumn(ShapeTableModel::Name);
  completer->setCaseSensitivity(Qt::CaseInsensitive);
  completer->setFilterMode(Qt::MatchContains);
  completer->setCompletionMode(QCompleter::PopupCompletion);
  completer->setMaxVisibleItems(kVisibleRows);
  completer->setPopup(narrowed_);
  setCompleter(completer);
  connect(this, &QComboBox::currentTextChanged, this, &ShapePicker::updateToolTip);
  connect(lineEdit(), &QLineEdit::textEdited, this, [this] { fitWidth(*narrowed_, screen()); });
  updateToolTip();
}

void ShapePicker::setPrices(const PriceTable& prices) {
  prices_ = prices;
  all_->setPrices(prices);
  matching_->setPrices(prices);
  updateToolTip();
}

void ShapePicker::showPopup() {
  fitWidth(*table_, screen());
  // What was typed is where the table opens.
  const int row = findText(currentText(), Qt::MatchFixedString);
  if (row >= 0 && row != currentIndex()) {
    const QSignalBlocker quiet(this);
    setCurrentIndex(row);
  }
  QComboBox::showPopup();
}

void ShapePicker::updateToolTip() {
  const QString words = describeShape(currentText(), prices_);
  setToolTip(words.isEmpty() ? tr("The compute shape of a node") : plainToolTip(words));
}

QString ShapePicker::describeShape(const QString& name, const PriceTable& prices) {
  const Shape* shape = ShapeCatalogue::builtIn().find(toStdString(name.trimmed()));
  if (!shape) return {};
  const QLocale locale;
  QStringList parts;
  if (shape->gpus > 0) {
    QString gpus = tr("%1 × %2").arg(shape->gpus).arg(toQString(shape->gpuType));
    if (shape->gpuMemoryInGBs > 0)
      gpus = tr("%1, %2 GB each").arg(gpus, locale.toString(shape->gpuMemoryInGBs));
    parts << gpus;
  }
  if (shape->ocpus)
    parts << (*shape->ocpus == 1 ? tr("1 OCPU") : tr("%1 OCPUs").arg(locale.toString(*shape->ocpus)));
  if (shape->memoryInGBs) parts << tr("%1 GB").arg(locale.toString(*shape->memoryInGBs));
  if (shape->flex)
    parts << tr("%1 to %2 OCPUs").arg(shape->flex->minOcpus).arg(shape->flex->maxOcpus)
          << tr("%1 to %2 GB").arg(shape->flex->minMemoryInGBs).arg(shape->flex->maxMemoryInGBs);
  if (shape->rdma) parts << tr("RDMA");
  const QString price = shapePriceText(*shape, prices);
  if (price.isEmpty())
    parts << tr("no price known");
  else
    parts << tr("%1/h (as of %2)").arg(price, toQString(prices.asOf));
  return parts.join(QStringLiteral(" · "));
}

}  // namespace lockstep
