// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/rank_views/heat_canvas.h"

#include <QKeyEvent>
#include <QLocale>
#include <QMouseEvent>
#include <QTimer>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/metrics/rank_views/view_colors.h"

namespace lockstep {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kSlice{3};       // of a frame that moves, for cells that are lacking
constexpr milliseconds kLongSlice{20};  // of any other
constexpr int kMovingMs = 150;          // after a change of the view the next one is likely
constexpr milliseconds kPause{25};      // between slices that only make old cells new
constexpr double kZoom = 0.8;           // a step of the wheel
constexpr double kZoomPerKey = 0.7;
constexpr int kLinesOfAPage = 10;

QString number(Step step) {
  return QLocale().toString(step);
}

}  // namespace

HeatCanvas::HeatCanvas(QWidget* parent)
    : QWidget(parent), readout_(new PlainLabel(this)), timer_(new QTimer(this)) {
  setFocusPolicy(Qt::StrongFocus);
  setMouseTracking(true);
  setAccessibleRole(this, QAccessible::Chart);
  readout_->setAttribute(Qt::WA_TransparentForMouseEvents);
  readout_->setAutoFillBackground(true);
  readout_->setFrameShape(QFrame::Box);
  readout_->setMargin(5);
  readout_->hide();
  timer_->setSingleShot(true);
  connect(timer_, &QTimer::timeout, this, [this] { forgetPicture(); });
}

void HeatCanvas::setSource(HeatSource source) {
  const bool isOther = source.name != source_.name;
  source_ = std::move(source);
  const auto steps = source_.metrics ? stepsOf(*source_.metrics, source_.name) : std::nullopt;
  const bool wasAll = view_.showsAll();
  const auto rows = static_cast<double>(source_.rows.ranks.size());
  if (steps) view_.setBounds(static_cast<double>(steps->first), static_cast<double>(steps->second) + 1, rows);
  if (wasAll) view_.showAll();
  if (isOther) cursor_.reset(), anchor_.reset();
  tiles_.setSource(source_.metrics, source_.name, source_.rows.ranks);
  tiles_.setScale(source_.scale);
  isFinished_ = false;
  layOut();
}

void HeatCanvas::layOut() {
  labels_ = widthOfRowLabels(source_.rows, fontMetrics(), width());
  unmeasured_ = {};
  forgetPicture();
}

void HeatCanvas::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  layOut();
}

void HeatCanvas::setSteps(double from, double to) {
  view_.setSteps(from, to);
  moved_.start();
  forgetPicture();
}

void HeatCanvas::showAll() {
  view_.showAll();
  forgetPicture();
}

void HeatCanvas::forgetPicture() {
  picture_ = {};
  update();
}

void HeatCanvas::changeView(const std::function<void(HeatView&)>& change) {
  const HeatView before = view_;
  change(view_);
  if (view_ == before) return;
  readout_->hide();
  moved_.start();
  forgetPicture();
  emit viewChanged(view_.from, view_.to);
}

QRectF HeatCanvas::cellArea() const {
  const QFontMetrics font = fontMetrics();
  const int top = font.height() / 2;  // the label of the first row is higher than the row may be
  const int bottom = font.height() + 8;
  return QRectF(labels_, top, std::max(1, width() - labels_ - 4), std::max(1, height() - bottom - top));
}

int HeatCanvas::level() const {
  return HeatTiles::levelFor(view_.to - view_.from,
                             static_cast<int>(cellArea().width() * devicePixelRatioF()));
}

int HeatCanvas::rowsPerLine() const {
  return HeatTiles::rowsPerLine(view_.bottom - view_.top,
                                static_cast<int>(cellArea().height() * devicePixelRatioF()));
}

HeatCanvas::Place HeatCanvas::placeAt(double step, double row) const {
  const double width = static_cast<double>(stepsPerColumn());
  const int rows = static_cast<int>(source_.rows.ranks.size());
  const int at = std::clamp(static_cast<int>(std::floor(row)), 0, std::max(0, rows - 1));
  return {
      static_cast<Step>(std::floor(std::clamp(step, view_.first, view_.end - 1) / width)) * stepsPerColumn(),
      at / rowsPerLine() * rowsPerLine()};
}

HeatCanvas::Place HeatCanvas::placeAt(const QPointF& point) const {
  return placeAt(view_.stepAt(point.x(), cellArea()), view_.rowAt(point.y(), cellArea()));
}

QRectF HeatCanvas::boundsOf(const Place& one, const Place& other) const {
  const QRectF area = cellArea();
  const auto [fromStep, toStep] = std::minmax(one.step, other.step);
  const auto [fromRow, toRow] = std::minmax(one.row, other.row);
  return {QPointF(view_.xOf(static_cast<double>(fromStep), area), view_.yOf(fromRow, area)),
          QPointF(view_.xOf(static_cast<double>(toStep + stepsPerColumn()), area),
                  view_.yOf(std::min<double>(toRow + rowsPerLine(), view_.rows), area))};
}

QString HeatCanvas::cellText(const RankCell& cell) const {
  if (!cell.isMeasured) return tr("not measured");
  if (!cell.hasValue()) return tr("not a number");
  const auto low = static_cast<double>(cell.low), high = static_cast<double>(cell.high);
  QString text = low == high ? source_.text(low) : tr("%1 to %2").arg(source_.text(low), source_.text(high));
  if (cell.hasGap) text = tr("not a number, else %1").arg(text);
  return text;
}

double HeatCanvas::medianAt(Step step) const {
  const StepColumns column{step, stepsPerColumn(), 1};
  return columnMedians(rankCells(*source_.metrics, source_.name, source_.rows.ranks, column), 1).front();
}

QString HeatCanvas::readoutAt(double step, double row) const {
  if (!source_.metrics || source_.rows.ranks.empty()) return {};
  const Place place = placeAt(step, row);
  const auto first = static_cast<std::size_t>(place.row);
  const auto count = std::min(source_.rows.ranks.size() - first, static_cast<std::size_t>(rowsPerLine()));
  const std::span<const Rank> ranks = std::span(source_.rows.ranks).subspan(first, count);
  const auto cells = rankCells(*source_.metrics, source_.name, ranks, {place.step, stepsPerColumn(), 1});
  const double median = count == 1 ? 0 : medianAt(place.step);
  // Of the ranks in the line the one whose color it has.
  const auto weight = [median](const RankCell& cell) {
    const double distance = cell.hasValue() ? std::fabs(cell.farthestFrom(median) - median) : -1;
    return std::pair(cell.hasGap, distance);
  };
  const auto shown = std::ranges::max_element(cells, {}, weight);
  const auto at = static_cast<std::size_t>(shown - cells.begin());
  const QString node = source_.rows.nodeOf(place.row + static_cast<int>(at));
  QString who = tr("rank %1").arg(ranks[at].value);
  if (!node.isEmpty()) who = tr("%1 on %2").arg(who, node);
  const QString when =
      stepsPerColumn() == 1
          ? tr("step %1").arg(number(place.step))
          : tr("steps %1 to %2").arg(number(place.step), number(place.step + stepsPerColumn() - 1));
  const QString text = tr("%1, %2: %3").arg(who, when, cellText(*shown));
  return count == 1 ? text : tr("%1 (of %Ln ranks in this line)", nullptr, static_cast<int>(count)).arg(text);
}

void HeatCanvas::fill(std::chrono::nanoseconds time) {
  isFinished_ = tiles_.fill(view_, level(), time);
}

void HeatCanvas::finishNow() {
  fill(std::chrono::hours(1));
  picture_ = {};
  repaint();
}

void HeatCanvas::drawPicture() {
  const double scale = devicePixelRatioF();
  const QSize size = (cellArea().size() * scale).toSize();
  if (unmeasured_.size() != size) {
    unmeasured_ = QImage(size, QImage::Format_RGB32);
    unmeasured_.fill(unmeasuredColor(palette()));
    QPainter(&unmeasured_).fillRect(unmeasured_.rect(), unmeasuredBrush(palette()));
  }
  picture_ = QImage(size, QImage::Format_RGB32);
  const bool isWhole =
      tiles_.draw(picture_, unmeasured_, view_, level(), rowsPerLine(), cardColor(palette()).rgb());
  picture_.setDevicePixelRatio(scale);
  if (!isFinished_) timer_->start(isWhole ? kPause : milliseconds(0));
}

void HeatCanvas::paintEvent(QPaintEvent*) {
  const bool fits = picture_.size() == (cellArea().size() * devicePixelRatioF()).toSize();
  if (picture_.isNull() || !fits) {
    const bool isMoving = moved_.isValid() && moved_.elapsed() < kMovingMs;
    fill(isMoving ? kSlice : kLongSlice);
    drawPicture();
  }
  QPainter painter(this);
  painter.fillRect(rect(), cardColor(palette()));
  const QRectF area = cellArea();
  painter.drawImage(area.topLeft(), picture_);
  painter.setPen(mutedColor(palette()));
  paintStepLabels(painter, view_, area, tr("step"));
  paintRowLabels(painter, source_.rows, view_, area, cardColor(palette()));
  paintChosenRanks(painter, source_.rows, chosenRanks_, view_, area, palette());
  painter.setClipRect(area.adjusted(-1, -1, 1, 1));
  if (pointed_) paintPointedStep(painter, view_.xOf(static_cast<double>(*pointed_) + 0.5, area), area);
  paintChoice(painter);
}

void HeatCanvas::paintChoice(QPainter& painter) const {
  // White on black is seen on every colour of the scale.
  const auto outline = [&painter](const QRectF& bounds) {
    painter.setPen(QPen(Qt::black, 3));
    painter.drawRect(bounds);
    painter.setPen(QPen(Qt::white, 1));
    painter.drawRect(bounds);
  };
  if (cursor_ && anchor_) outline(boundsOf(*anchor_, *cursor_));
  if (!cursor_ || !hasFocus()) return;
  QRectF cell = boundsOf(*cursor_, *cursor_);
  const double wider = std::max(0.0, 5 - cell.width()) / 2, higher = std::max(0.0, 5 - cell.height()) / 2;
  outline(cell.adjusted(-wider, -higher, wider, higher));
}

void HeatCanvas::setPointed(std::optional<Step> step) {
  if (std::exchange(pointed_, step) != step) update();
}

void HeatCanvas::setChosenRanks(const std::set<Rank>& ranks) {
  if (ranks == chosenRanks_) return;
  chosenRanks_ = ranks;
  update();
}

void HeatCanvas::tellPointed(const std::optional<Place>& place) {
  const auto& ranks = source_.rows.ranks;
  if (!place || ranks.empty()) return emit pointedAt(std::nullopt, Rank(0));
  emit pointedAt(place->step,
                 ranks[std::min(static_cast<std::size_t>(std::max(0, place->row)), ranks.size() - 1)]);
}

void HeatCanvas::showReadout(const QPointF& point) {
  if (!cellArea().contains(point) || drag_ == Drag::Moves || !source_.metrics) return readout_->hide();
  const QRectF area = cellArea();
  readout_->setText(readoutAt(view_.stepAt(point.x(), area), view_.rowAt(point.y(), area)));
  readout_->setPalette(palette());
  readout_->adjustSize();
  const int x = static_cast<int>(point.x()), y = static_cast<int>(point.y());
  const bool isRight = x + 14 + readout_->width() < width();
  const bool isAbove = y - 10 - readout_->height() > 0;
  readout_->move(std::max(0, isRight ? x + 14 : x - 14 - readout_->width()),
                 isAbove ? y - 10 - readout_->height() : std::min(y + 18, height() - readout_->height()));
  readout_->setVisible(!readout_->text().isEmpty());
}

void HeatCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton || !cellArea().contains(event->position()))
    return QWidget::mousePressEvent(event);
  dragged_ = event->position();
  drag_ = event->modifiers() & Qt::ShiftModifier ? Drag::Chooses : Drag::Moves;
  anchor_.reset();
  cursor_ = placeAt(dragged_);
  if (drag_ == Drag::Chooses) anchor_ = cursor_;
  setAccessibleDescription(readoutAt(static_cast<double>(cursor_->step), cursor_->row));
  update();
}

void HeatCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPointF by = event->position() - dragged_;
  dragged_ = event->position();
  const QRectF area = cellArea();
  if (drag_ == Drag::Moves) {
    setCursor(Qt::ClosedHandCursor);
    changeView([&](HeatView& view) {
      view.move(-by.x() / area.width() * (view.to - view.from),
                -by.y() / area.height() * (view.bottom - view.top));
    });
  } else if (drag_ == Drag::Chooses) {
    cursor_ = placeAt(event->position());
    update();
  }
  showReadout(event->position());
  if (drag_ == Drag::None && area.contains(event->position())) tellPointed(placeAt(event->position()));
}

void HeatCanvas::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
  if (drag_ == Drag::Chooses) tellChoice();
  drag_ = Drag::None;
  unsetCursor();
}

void HeatCanvas::mouseDoubleClickEvent(QMouseEvent*) {
  changeView([](HeatView& view) { view.showAll(); });
}

void HeatCanvas::leaveEvent(QEvent* event) {
  QWidget::leaveEvent(event);
  readout_->hide();
  tellPointed(std::nullopt);
}

void HeatCanvas::wheelEvent(QWheelEvent* event) {
  const QPoint turned = event->angleDelta();
  // With Alt held, some systems turn the other wheel.
  const double steps = (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
  const double factor = std::pow(kZoom, std::clamp(steps, -10.0, 10.0));
  const QRectF area = cellArea();
  changeView([&](HeatView& view) {
    if (event->modifiers() & Qt::ControlModifier)
      view.zoomRows(factor, view.rowAt(event->position().y(), area));
    else
      view.zoomSteps(factor, view.stepAt(event->position().x(), area));
  });
  showReadout(event->position());
  event->accept();
}

void HeatCanvas::moveCursor(int columns, int lines, bool chooses) {
  if (!cursor_)
    cursor_ = placeAt((view_.from + view_.to) / 2, (view_.top + view_.bottom) / 2), columns = lines = 0;
  if (!chooses) anchor_.reset();
  if (chooses && !anchor_) anchor_ = cursor_;
  cursor_ = placeAt(static_cast<double>(cursor_->step + columns * stepsPerColumn()),
                    cursor_->row + lines * rowsPerLine());
  changeView([this](HeatView& view) { view.reveal(static_cast<double>(cursor_->step), cursor_->row); });
  setAccessibleDescription(readoutAt(static_cast<double>(cursor_->step), cursor_->row));
  const QPointF place = boundsOf(*cursor_, *cursor_).center();
  const QRectF area = cellArea();
  showReadout({std::clamp(place.x(), area.left(), area.right() - 1),
               std::clamp(place.y(), area.top(), area.bottom() - 1)});
  tellPointed(cursor_);
  update();
}

bool HeatCanvas::zoomByKey(int key) {
  if (key != Qt::Key_Plus && key != Qt::Key_Minus && key != Qt::Key_Equal) return false;
  const double factor = key == Qt::Key_Minus ? 1 / kZoomPerKey : kZoomPerKey;
  changeView([&](HeatView& view) {
    view.zoomSteps(factor, cursor_ ? static_cast<double>(cursor_->step) : (view.from + view.to) / 2);
  });
  return true;
}

void HeatCanvas::keyPressEvent(QKeyEvent* event) {
  if (source_.rows.ranks.empty() || zoomByKey(event->key())) return;
  const bool chooses = event->modifiers() & Qt::ShiftModifier;
  switch (event->key()) {
    case Qt::Key_Left:
      return moveCursor(-1, 0, chooses);
    case Qt::Key_Right:
      return moveCursor(1, 0, chooses);
    case Qt::Key_Up:
      return moveCursor(0, -1, chooses);
    case Qt::Key_Down:
      return moveCursor(0, 1, chooses);
    case Qt::Key_PageUp:
      return moveCursor(0, -kLinesOfAPage, chooses);
    case Qt::Key_PageDown:
      return moveCursor(0, kLinesOfAPage, chooses);
    case Qt::Key_Home:
      return changeView([](HeatView& view) { view.showAll(); });
    case Qt::Key_Return:
    case Qt::Key_Enter:
      return tellChoice();
    default:
      break;
  }
  if (event->key() != Qt::Key_Escape || !anchor_) return QWidget::keyPressEvent(event);
  anchor_.reset();
  update();
}

void HeatCanvas::tellChoice() {
  if (!cursor_) return;
  const Place other = anchor_.value_or(*cursor_);
  const auto [fromStep, toStep] = std::minmax(cursor_->step, other.step);
  const auto [fromRow, toRow] = std::minmax(cursor_->row, other.row);
  const int end = std::min(toRow + rowsPerLine(), static_cast<int>(source_.rows.ranks.size()));
  emit brushed(fromStep, toStep + stepsPerColumn() - 1,
               {source_.rows.ranks.begin() + fromRow, source_.rows.ranks.begin() + end});
}

void HeatCanvas::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  const auto type = event->type();
  if (type == QEvent::PaletteChange || type == QEvent::StyleChange || type == QEvent::FontChange) layOut();
}

}  // namespace lockstep
