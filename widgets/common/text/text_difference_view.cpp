// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/text/text_difference_view.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QShortcut>
#include <QStyledItemDelegate>
#include <QToolButton>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

using Kind = DifferenceLine::Kind;

constexpr int kPad = 6;

/// Both line numbers, the sign, the text: a line looks added or removed by sign as well as by colour.
class DifferenceDelegate final : public QStyledItemDelegate {
 public:
  explicit DifferenceDelegate(TextDifferenceModel* model, QObject* parent)
      : QStyledItemDelegate(parent), model_(model) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const QPalette& colors = option.palette;
    const bool isSelected = option.state & QStyle::State_Selected;
    const DifferenceLine* line = model_->line(index.row());
    painter->save();
    painter->setFont(option.font);
    const QColor ink = line && line->kind == Kind::Added     ? okColor(colors)
                       : line && line->kind == Kind::Removed ? errorColor(colors)
                                                             : mutedColor(colors);
    QColor ground = colors.color(QPalette::Base);
    if (!line) ground = tinted(ground, colors.color(QPalette::Text), 0.05);
    if (line && line->kind != Kind::Equal) ground = tinted(ground, ink, 0.14);
    if (isSelected) ground = tinted(ground, accentColor(colors), 0.30);
    painter->fillRect(option.rect, ground);
    line ? paintLine(painter, option, *line, ink) : paintFold(painter, option, index);
    painter->restore();
  }

  /// The same for all rows: as wide as the longest line.
  [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    const QFontMetrics metrics(option.font);
    return {textLeft(metrics) + metrics.horizontalAdvance(model_->longest()) + 2 * kPad,
            metrics.height() + 4};
  }

 private:
  [[nodiscard]] int numberWidth(const QFontMetrics& metrics) const {
    return metrics.horizontalAdvance(QStringLiteral("00000")) + kPad;
  }
  [[nodiscard]] int textLeft(const QFontMetrics& metrics) const {
    return 2 * numberWidth(metrics) + metrics.horizontalAdvance(QStringLiteral("+ ")) + kPad;
  }

  void paintLine(QPainter* painter, const QStyleOptionViewItem& option, const DifferenceLine& line,
                 const QColor& ink) const {
    const QFontMetrics metrics(option.font);
    const int width = numberWidth(metrics);
    QRect place = option.rect;
    place.setWidth(width);
    painter->setPen(mutedColor(option.palette));
    for (const int number : {line.before, line.after}) {
      if (number > 0) painter->drawText(place, Qt::AlignRight | Qt::AlignVCenter, QString::number(number));
      place.translate(width, 0);
    }
    place.setLeft(place.left() + kPad);
    painter->setPen(ink);
    const QString sign = line.kind == Kind::Added     ? QStringLiteral("+")
                         : line.kind == Kind::Removed ? QStringLiteral("−")
                                                      : QString();
    painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter, sign);
    place = option.rect;
    place.setLeft(option.rect.left() + textLeft(metrics));
    painter->setPen(option.palette.color(QPalette::Text));
    painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine, line.text);
  }

  void paintFold(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    QRect place = option.rect;
    place.setLeft(place.left() + textLeft(QFontMetrics(option.font)));
    painter->setPen(mutedColor(option.palette));
    painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                      QStringLiteral("⋯ ") + index.data().toString());
  }

  TextDifferenceModel* model_;
};

QToolButton* makeTool(const QString& icon, const QString& name, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(themedIcon(icon));
  button->setAccessibleName(name);
  button->setToolTip(plainToolTip(tip));
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

QStringList linesOf(const QString& text) {
  QStringList lines = text.split(QLatin1Char('\n'));
  if (!lines.isEmpty() && lines.last().isEmpty()) lines.removeLast();  // after the last line's end
  return lines;
}

}  // namespace

TextDifferenceView::TextDifferenceView(QWidget* parent)
    : QWidget(parent),
      model_(new TextDifferenceModel(this)),
      title_(new PlainLabel(this)),
      summary_(new PlainLabel(this)),
      list_(new QListView(this)),
      previous_(
          makeTool(QStringLiteral("up"), tr("Previous change"), tr("Previous change (Shift+F7)"), this)),
      next_(makeTool(QStringLiteral("down"), tr("Next change"), tr("Next change (F7)"), this)) {
  back_ = new QPushButton(tr("&Back to the text"), this);
  title_->setTextFormat(Qt::PlainText);
  title_->setWordWrap(true);
  makeCaption(summary_);
  list_->setModel(model_);
  list_->setItemDelegate(new DifferenceDelegate(model_, list_));
  list_->setFont(monospaceFont());
  list_->setUniformItemSizes(true);
  list_->setAccessibleName(tr("Differences"));
  list_->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
  list_->installEventFilter(this);
  auto* tools = new QHBoxLayout;
  tools->addWidget(summary_, 1);
  tools->addWidget(previous_);
  tools->addWidget(next_);
  tools->addWidget(back_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addLayout(tools);
  column->addWidget(title_);
  column->addWidget(list_, 1);
  connect(back_, &QPushButton::clicked, this, &TextDifferenceView::closed);
  connect(next_, &QToolButton::clicked, this, &TextDifferenceView::goToNext);
  connect(previous_, &QToolButton::clicked, this, &TextDifferenceView::goToPrevious);
  connect(list_, &QListView::clicked, this,
          [this](const QModelIndex& index) { model_->unfold(index.row()); });
  const auto addShortcut = [this](const QKeySequence& keys, auto slot) {
    auto* shortcut = new QShortcut(keys, this);
    shortcut->setContext(Qt::WidgetWithChildrenShortcut);
    connect(shortcut, &QShortcut::activated, this, slot);
  };
  addShortcut(Qt::Key_F7, &TextDifferenceView::goToNext);
  addShortcut(Qt::SHIFT | Qt::Key_F7, &TextDifferenceView::goToPrevious);
}

void TextDifferenceView::setClosable(bool isClosable) {
  back_->setVisible(isClosable);
}

void TextDifferenceView::setTexts(const QString& before, const QString& beforeName, const QString& after,
                                  const QString& afterName) {
  model_->setLines(lineDifference(linesOf(before), linesOf(after)));
  title_->setText(tr("− %1\n+ %2").arg(beforeName, afterName));
  summary_->setText(summary());
  list_->setAccessibleDescription(summary());
  const int first = model_->changeFrom(-1, true);
  next_->setEnabled(first >= 0);
  previous_->setEnabled(first >= 0);
  list_->setCurrentIndex(model_->index(std::max(0, first)));
  list_->scrollTo(list_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

QString TextDifferenceView::summary() const {
  const int removed = model_->count(Kind::Removed);
  const int added = model_->count(Kind::Added);
  if (removed + added == 0) return tr("No differences");
  const QString gone = removed == 1 ? tr("1 line removed") : tr("%1 lines removed").arg(removed);
  return tr("%1, %2 added").arg(gone).arg(added);
}

void TextDifferenceView::goToNext() {
  go(true);
}

void TextDifferenceView::goToPrevious() {
  go(false);
}

void TextDifferenceView::go(bool forward) {
  const int row = model_->changeFrom(list_->currentIndex().row(), forward);
  if (row < 0) return;
  list_->setCurrentIndex(model_->index(row));
  list_->scrollTo(list_->currentIndex(), QAbstractItemView::PositionAtCenter);
}

bool TextDifferenceView::eventFilter(QObject* watched, QEvent* event) {
  if (watched == list_ && event->type() == QEvent::KeyPress) {
    const int key = static_cast<QKeyEvent*>(event)->key();
    if ((key == Qt::Key_Return || key == Qt::Key_Enter) && model_->isFold(list_->currentIndex().row())) {
      unfoldCurrent();
      return true;
    }
    if (key == Qt::Key_Escape) {
      emit closed();
      return true;
    }
  }
  return QWidget::eventFilter(watched, event);
}

void TextDifferenceView::unfoldCurrent() {
  const int row = list_->currentIndex().row();
  model_->unfold(row);
  list_->setCurrentIndex(model_->index(row));
}

}  // namespace lockstep
