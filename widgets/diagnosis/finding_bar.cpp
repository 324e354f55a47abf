// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diagnosis/finding_bar.h"

#include <QAccessible>
#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/diagnosis/finding_texts.h"
#include "widgets/diagnosis/run_finding_card.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 22;
constexpr int kMostLines = 18;  // of text, that the cards take from what is below them

}  // namespace

FindingBar::FindingBar(QWidget* parent)
    : QFrame(parent),
      icon_(new PlainLabel(this)),
      headline_(new PlainLabel(this)),
      gaps_(new PlainLabel(this)),
      toggle_(new QToolButton(this)),
      area_(new QScrollArea(this)) {
  headline_->setObjectName(QStringLiteral("headline"));
  headline_->setWordWrap(true);
  headline_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  headline_->setFocusPolicy(Qt::ClickFocus);
  QFont bold = headline_->font();
  bold.setWeight(QFont::DemiBold);
  headline_->setFont(bold);
  toggle_->setCheckable(true);
  toggle_->setAutoRaise(true);
  toggle_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  gaps_->setWordWrap(true);
  makeCaption(gaps_);
  auto* head = new QHBoxLayout;
  head->setSpacing(10);
  head->addWidget(icon_, 0, Qt::AlignTop);
  head->addWidget(headline_, 1);
  head->addWidget(toggle_, 0, Qt::AlignTop);
  auto* content = new QWidget(area_);
  list_ = new QVBoxLayout(content);
  list_->setContentsMargins(0, 0, 0, 0);
  list_->setSpacing(6);
  list_->addWidget(gaps_);
  list_->addStretch();
  area_->setWidget(content);
  area_->setWidgetResizable(true);
  area_->setFrameShape(QFrame::NoFrame);
  area_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  area_->setAccessibleName(tr("Findings"));
  area_->viewport()->setAutoFillBackground(false);
  content->setAutoFillBackground(false);
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(12, 8, 12, 8);
  layout->setSpacing(8);
  layout->addLayout(head);
  layout->addWidget(area_);
  connect(toggle_, &QToolButton::toggled, this, &FindingBar::setOpen);
  setOpen(false);
  hide();
}

void FindingBar::setFindings(std::vector<RunFinding> findings, std::vector<FindingKind> unmeasured,
                             TimePoint now) {
  findings_ = std::move(findings);
  unmeasured_ = std::move(unmeasured);
  now_ = now;
  refresh();
}

void FindingBar::setMuted(std::set<std::string> keys) {
  muted_ = std::move(keys);
  refresh();
}

void FindingBar::setAskable(bool isAskable) {
  if (isAskable_ == isAskable) return;
  isAskable_ = isAskable;
  refresh();
}

void FindingBar::setStacks(const std::string& finding, StackAnswer answer) {
  stacks_[finding] = std::move(answer);
  refresh();
  // Somebody has asked for it: it is to be in sight, once its place is known.
  const auto card = cards_.find(finding);
  if (card == cards_.end()) return;
  QTimer::singleShot(0, card->second,
                     [this, shown = card->second] { area_->ensureWidgetVisible(shown->stacks()); });
}

void FindingBar::clear() {
  stacks_.clear();
  findings_.clear();
  unmeasured_.clear();
  muted_.clear();
  announced_.clear();
  setOpen(false);
  refresh();
}

void FindingBar::setOpen(bool isOpen) {
  toggle_->setChecked(isOpen);
  toggle_->setIcon(themedIcon(isOpen ? QStringLiteral("down") : QStringLiteral("right")));
  area_->setVisible(isOpen);
  if (isOpen) refreshCards();
}

bool FindingBar::isOpen() const {
  return toggle_->isChecked();
}

QString FindingBar::headline() const {
  return headline_->text();
}

std::vector<RunFindingCard*> FindingBar::cards() const {
  std::vector<RunFindingCard*> cards;
  for (int i = 0; i < list_->count(); ++i)
    if (auto* card = qobject_cast<RunFindingCard*>(list_->itemAt(i)->widget())) cards.push_back(card);
  return cards;
}

std::vector<const RunFinding*> FindingBar::told() const {
  std::vector<const RunFinding*> told;
  for (const RunFinding& finding : findings_)
    if (!finding.end && !muted_.contains(finding.key())) told.push_back(&finding);
  return told;
}

void FindingBar::refresh() {
  refreshHead();
  if (isOpen()) refreshCards();
  setVisible(!findings_.empty());
}

void FindingBar::refreshHead() {
  const auto all = told();
  const auto ended =
      std::ranges::count_if(findings_, [](const RunFinding& one) { return one.end.has_value(); });
  const auto mutedOnes =
      static_cast<qsizetype>(findings_.size()) - ended - static_cast<qsizetype>(all.size());
  QString text;
  if (!all.empty())
    text = sentenceOf(all.front()->what);
  else if (mutedOnes > 0)
    text = tr("Muted findings: %1").arg(mutedOnes);
  else
    text = tr("Findings that are over: %1").arg(ended);
  if (headline_->text() != text) headline_->setText(text);
  toggle_->setText(all.size() > 1 ? tr("%1 more").arg(all.size() - 1) : tr("Details"));
  toggle_->setAccessibleName(tr("Show all findings"));
  setAccessibleName(text);
  icon_->setPixmap(iconFor(tone()).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  QPalette colors = palette();
  if (!all.empty()) colors.setColor(QPalette::WindowText, colorFor(tone(), colors));
  headline_->setPalette(colors);
  update();
  // Once for each finding, not for each number of it.
  const QString key = all.empty() ? QString() : QString::fromStdString(all.front()->key());
  if (key == announced_) return;
  announced_ = key;
  if (key.isEmpty()) return;
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

RunFindingCard* FindingBar::makeCard() {
  auto* card = new RunFindingCard(area_->widget());
  connect(card, &RunFindingCard::jumpRequested, this, &FindingBar::jumpRequested);
  connect(card, &RunFindingCard::whereRequested, this, &FindingBar::whereRequested);
  connect(card, &RunFindingCard::muteRequested, this, &FindingBar::muteRequested);
  return card;
}

void FindingBar::refreshCards() {
  std::vector<const RunFinding*> order = told();
  for (const RunFinding& finding : findings_)
    if (!finding.end && muted_.contains(finding.key())) order.push_back(&finding);
  for (const RunFinding& finding : findings_)
    if (finding.end) order.push_back(&finding);
  // Nodes answer the last question only.
  const bool isAsking = std::ranges::any_of(stacks_, [](const auto& one) { return one.second.isWaiting; });
  const bool canAsk = isAskable_ && !isAsking;
  std::map<std::string, RunFindingCard*> kept;
  int place = 0;
  for (const RunFinding* finding : order) {
    const std::string key = finding->key() + (finding->end ? " ended" : "");
    RunFindingCard*& card = cards_[key];
    if (card == nullptr) card = makeCard();
    card->show(*finding, now_, muted_.contains(finding->key()));
    const auto stacks = stacks_.find(finding->key());
    card->setStacks(stacks == stacks_.end() ? StackAnswer{} : stacks->second, canAsk);
    if (list_->indexOf(card) != place) list_->insertWidget(place, card);
    card->setVisible(true);
    kept[key] = card;
    ++place;
  }
  for (const auto& [key, card] : cards_)
    if (!kept.contains(key)) card->hide(), list_->removeWidget(card), card->deleteLater();
  cards_ = std::move(kept);
  gaps_->setText(unmeasuredText());
  gaps_->setVisible(!gaps_->text().isEmpty());
  fitHeight();
}

QString FindingBar::unmeasuredText() const {
  QStringList kinds;
  for (const FindingKind kind : unmeasured_) kinds << kindText(kind);
  if (kinds.isEmpty()) return {};
  return tr("Of these nothing can be said, since nothing was measured: %1")
      .arg(kinds.join(QStringLiteral(", ")));
}

void FindingBar::fitHeight() {
  // The window must not have to grow for it.
  const int share = window()->height() / (stacks_.empty() ? 5 : 3);
  const int most = std::min(kMostLines * fontMetrics().lineSpacing(), share);
  const int wanted = list_->hasHeightForWidth() ? list_->totalHeightForWidth(area_->viewport()->width())
                                                : list_->totalSizeHint().height();
  area_->setFixedHeight(
      std::clamp(wanted, fontMetrics().lineSpacing(), std::max(most, 4 * fontMetrics().lineSpacing())));
}

BadgeTone FindingBar::tone() const {
  const auto all = told();
  return all.empty() ? BadgeTone::Neutral : toneOf(all.front()->severity);
}

void FindingBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange && icon_ != nullptr) refreshHead();
}

void FindingBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = colorFor(tone(), palette());
  const QColor ground = tinted(palette().color(QPalette::Window), ink, 0.10);
  painter.setPen(tinted(ground, ink, 0.35));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

}  // namespace lockstep
