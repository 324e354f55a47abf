// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/time/time_bar.h"

#include <QComboBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QToolButton>
#include <algorithm>

#include "widgets/common/layout/flow_layout.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"
#include "widgets/runs/time/run_clock.h"
#include "widgets/runs/time/time_texts.h"

namespace lockstep {
namespace {

constexpr double kSpeeds[] = {1, 4, 16, 64, 256, RunClock::kWhole};
constexpr Step kManySteps = 10;
constexpr std::chrono::years kMaxAround{1};
constexpr qsizetype kMaxLetters = 48;  // of what is chosen

QToolButton* flatButton(const QString& name, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setObjectName(name);
  button->setAutoRaise(true);
  return button;
}

}  // namespace

TimeBar::TimeBar(RunClock* clock, QWidget* parent)
    : QWidget(parent),
      clock_(clock),
      timeline_(std::make_shared<const RunTimeline>()),
      live_(flatButton(QStringLiteral("live"), this)),
      play_(flatButton(QStringLiteral("play"), this)),
      speed_(new QComboBox(this)),
      track_(new TimeTrack(this)),
      place_(new PlainLabel(this)),
      clocks_(flatButton(QStringLiteral("clocks"), this)),
      window_(flatButton(QStringLiteral("timeWindow"), this)) {
  createButtons();
  arrange();
  listen();
  showSpan();
  showMode();
  showWindow();
}

void TimeBar::createButtons() {
  live_->setCheckable(true);
  live_->setToolButtonStyle(Qt::ToolButtonTextOnly);
  play_->setToolButtonStyle(Qt::ToolButtonIconOnly);
  speed_->setObjectName(QStringLiteral("speed"));
  for (const double speed : kSpeeds) speed_->addItem(speedText(speed), speed);
  speed_->setToolTip(tr("How fast the run is played again"));
  speed_->setAccessibleName(tr("Speed"));
  speed_->setAccessibleDescription(speed_->toolTip());
  place_->setObjectName(QStringLiteral("place"));
  place_->setToolTip(tr("The time that is shown, and the furthest step of then"));
  clocks_->setText(tr("Clocks differ"));
  clocks_->setIcon(themedIcon(QStringLiteral("warning"), IconColor::Warning));
  clocks_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  window_->setIcon(themedIcon(QStringLiteral("close")));
  window_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  window_->setToolTip(tr("The log shows only this; click to show all of it again"));
}

void TimeBar::arrange() {
  auto* row = new FlowLayout(this);
  row->setContentsMargins(2, 0, 2, 0);
  row->setGaps(6, 2);
  for (QWidget* part :
       {static_cast<QWidget*>(live_), static_cast<QWidget*>(play_), static_cast<QWidget*>(speed_),
        static_cast<QWidget*>(track_), static_cast<QWidget*>(place_), static_cast<QWidget*>(window_),
        static_cast<QWidget*>(clocks_)})
    row->addWidget(part);
  clocks_->hide();
  fitPlace();
}

void TimeBar::listen() {
  connect(live_, &QToolButton::clicked, this, [this] {
    clock_->mode() == RunClock::Mode::Live ? clock_->pause() : clock_->goLive();
    showMode();
  });
  connect(play_, &QToolButton::clicked, clock_, &RunClock::togglePlay);
  connect(speed_, &QComboBox::currentIndexChanged, this,
          [this] { clock_->setSpeed(speed_->currentData().toDouble()); });
  connect(track_, &TimeTrack::moved, clock_, &RunClock::seek);
  connect(track_, &TimeTrack::liveRequested, clock_, &RunClock::goLive);
  connect(track_, &TimeTrack::choiceForgotten, clock_, [this] { clock_->setWindow(std::nullopt); });
  connect(track_, &TimeTrack::chosen, clock_, [this](TimePoint from, TimePoint to) {
    clock_->setWindow(RunWindow{from, to, clock_->window() ? clock_->window()->ranks : std::vector<Rank>()});
  });
  connect(window_, &QToolButton::clicked, clock_, [this] { clock_->setWindow(std::nullopt); });
  connect(clock_, &RunClock::spanChanged, this, &TimeBar::showSpan);
  connect(clock_, &RunClock::modeChanged, this, &TimeBar::showMode);
  connect(clock_, &RunClock::endChanged, this, &TimeBar::showPlace);
  connect(clock_, &RunClock::cursorChanged, this, [this] {
    track_->setCursorTime(clock_->cursor() ? std::optional(clock_->cursor()->time) : std::nullopt);
  });
  connect(clock_, &RunClock::windowChanged, this, &TimeBar::showWindow);
}

void TimeBar::setRunSpan(const std::optional<TimeTrack::Span>& span) {
  run_ = span;
  showSpan();
}

void TimeBar::setTimeline(std::shared_ptr<const RunTimeline> timeline) {
  timeline_ = std::move(timeline);
  const QStringList lines = clockLines(timeline_->clocks());
  clocks_->setVisible(!lines.isEmpty());
  if (!lines.isEmpty()) {
    const QString note = tr("The clocks of some nodes differ; what they recorded is moved by so much:");
    clocks_->setToolTip(toolTipLines(QStringList(note) + lines));
    clocks_->setAccessibleDescription(note + QLatin1Char(' ') + lines.join(QStringLiteral("; ")));
  }
  showPlace();
}

void TimeBar::setMarks(const std::vector<RunMark>& marks) {
  track_->setMarks(marks);
}

void TimeBar::setRunning(bool isRunning) {
  isRunning_ = isRunning;
  showMode();
}

std::chrono::nanoseconds TimeBar::length() const {
  return clock_->span() ? clock_->span()->second - clock_->span()->first : std::chrono::nanoseconds(0);
}

void TimeBar::showSpan() {
  const auto& loaded = clock_->span();
  std::optional<TimeTrack::Span> whole = loaded;
  // A clock that is off, or a run whose record says less than its samples, must not hide what is there; nor may hours of
  // waiting leave it no room.
  const auto most = std::min<std::chrono::nanoseconds>(length(), kMaxAround);
  if (whole && run_)
    whole = TimeTrack::Span(std::clamp(run_->first, loaded->first - most, loaded->first),
                            std::clamp(run_->second, loaded->second, loaded->second + most));
  track_->setSpan(whole, loaded);
  for (QWidget* part :
       {static_cast<QWidget*>(live_), static_cast<QWidget*>(play_), static_cast<QWidget*>(speed_)})
    part->setEnabled(loaded.has_value());
  showPlace();
}

void TimeBar::showMode() {
  const bool isLive = clock_->mode() == RunClock::Mode::Live;
  const bool isPlaying = clock_->mode() == RunClock::Mode::Playing;
  live_->setChecked(isLive);
  live_->setText(isRunning_ ? tr("Live") : tr("All"));
  live_->setToolTip(isRunning_ ? tr("Show what comes as it comes (End)")
                               : tr("Show the whole run, to its end (End)"));
  live_->setAccessibleDescription(live_->toolTip());
  play_->setIcon(themedIcon(isPlaying ? QStringLiteral("pause") : QStringLiteral("play")));
  play_->setText(isPlaying ? tr("Pause") : tr("Play"));
  play_->setToolTip(isPlaying
                        ? tr("Stop the time here (space bar)")
                        : tr("Show the run again as it went, from here or from its beginning (space bar)"));
  play_->setAccessibleName(play_->text());
  play_->setAccessibleDescription(play_->toolTip());
  showPlace();
}

QString TimeBar::placeText() const {
  if (!clock_->span()) return {};
  const QString time = momentText(clock_->position(), length());
  const auto step = timeline_->stepAt(clock_->position());
  return step ? tr("%1 · step %2").arg(time, QLocale().toString(*step)) : time;
}

void TimeBar::showPlace() {
  const bool isLive = clock_->mode() == RunClock::Mode::Live;
  track_->setPosition(clock_->position(), isLive);
  const QString text = placeText();
  place_->setText(text);
  track_->setAccessibleDescription(isLive && isRunning_ ? tr("%1, live").arg(text) : text);
  fitPlace();
}

// The track must not move under the mouse because a number has a letter more: the label only grows.
void TimeBar::fitPlace() {
  const int wanted = fontMetrics().horizontalAdvance(place_->text() + QStringLiteral("00"));
  if (wanted > place_->minimumWidth()) place_->setMinimumWidth(wanted);
}

void TimeBar::showWindow() {
  const auto& window = clock_->window();
  window_->setVisible(window.has_value());
  track_->setChosen(window ? std::optional(TimeTrack::Span(window->from, window->to)) : std::nullopt);
  if (!window) return;
  QString text = windowText(*window, length());
  window_->setAccessibleName(tr("Show all again: %1").arg(text));
  if (text.size() > kMaxLetters) text = text.left(kMaxLetters) + QStringLiteral("…");
  window_->setText(text);
}

void TimeBar::goSteps(Step steps) {
  if (!clock_->span()) return;
  const Step here = timeline_->stepAt(clock_->position()).value_or(0);
  const auto wanted = timeline_->timeOf(std::max<Step>(0, here + steps), clock_->position());
  if (wanted) return clock_->seek(*wanted);
  // Beyond the last step, or before the first that this attempt has.
  steps > 0 ? clock_->goLive() : clock_->seek(clock_->span()->first);
}

bool TimeBar::handleKey(const QKeyEvent* event) {
  const Step steps = event->modifiers() & Qt::ShiftModifier ? kManySteps : 1;
  switch (event->key()) {
    case Qt::Key_Space:
      clock_->togglePlay();
      return true;
    case Qt::Key_Comma:
    case Qt::Key_Less:
    case Qt::Key_Semicolon:
      goSteps(event->key() == Qt::Key_Comma && steps == 1 ? -1 : -kManySteps);
      return true;
    case Qt::Key_Period:
    case Qt::Key_Greater:
    case Qt::Key_Colon:
      goSteps(event->key() == Qt::Key_Period && steps == 1 ? 1 : kManySteps);
      return true;
    default:
      return false;
  }
}

void TimeBar::keyPressEvent(QKeyEvent* event) {
  if (!handleKey(event)) QWidget::keyPressEvent(event);
}

void TimeBar::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() != QEvent::FontChange) return;
  place_->setMinimumWidth(0);
  fitPlace();
}

}  // namespace lockstep
