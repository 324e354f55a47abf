// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/line_rules_button.h"

#include <QCheckBox>
#include <QDateTime>
#include <QFrame>
#include <QGridLayout>
#include <QLineEdit>
#include <QLocale>
#include <QPushButton>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "metrics/lines/line_rules.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

constexpr int kColumns = 2;
constexpr int kMaxExpression = 4096;

QString linesText(long long lines) {
  return LineRulesButton::tr("%1 lines").arg(QLocale().toString(static_cast<qlonglong>(lines)));
}

QString sinceText(TimePoint time) {
  const auto millis = std::chrono::duration_cast<std::chrono::milliseconds>(time.time_since_epoch());
  return QLocale().toString(QDateTime::fromMSecsSinceEpoch(millis.count()), QLocale::ShortFormat);
}

/// What core says in English (LineRecognizer).
QString whyOff(const std::string& why) {
  if (why == "its steps go back") return LineRulesButton::tr("not used: its steps go back");
  return LineRulesButton::tr("not used: its lines report different things");
}

/// How one rule has fared: since when, and why it is not used.
QStringList factsOf(const LineRuleUse& use) {
  if (use.lines == 0) return {};
  QStringList lines{LineRulesButton::tr("%1 since %2").arg(linesText(use.lines), sinceText(use.since))};
  if (!use.offBecause.empty()) lines.append(whyOff(use.offBecause));
  return lines;
}

}  // namespace

LineRulesButton::LineRulesButton(QWidget* parent) : QToolButton(parent) {
  setObjectName(QStringLiteral("lineRules"));
  setAutoRaise(true);
  createPanel();
  showChoice();
  showUses();
  connect(this, &QToolButton::clicked, this, &LineRulesButton::openPanel);
}

void LineRulesButton::createPanel() {
  panel_ = new QFrame(this, Qt::Popup);
  panel_->setObjectName(QStringLiteral("lineRulesPanel"));
  panel_->setFrameShape(QFrame::StyledPanel);
  panel_->setAccessibleName(tr("Which rules read samples from the lines"));
  auto* const column = new QVBoxLayout(panel_);
  isOn_ = new QCheckBox(tr("&Read samples from the lines"), panel_);
  isOn_->setObjectName(QStringLiteral("readsLines"));
  column->addWidget(isOn_);
  auto* const grid = new QGridLayout;
  int place = 0;
  for (const LineRule& rule : lineRules()) {
    auto* const box = new QCheckBox(panel_);
    box->setObjectName(QStringLiteral("rule-") + toQString(std::string(rule.id)));
    rules_[std::string(rule.id)] = box;
    grid->addWidget(box, place / kColumns, place % kColumns);
    connect(isOn_, &QCheckBox::toggled, box, &QWidget::setEnabled);
    ++place;
  }
  column->addLayout(grid);
  auto* const label = new PlainLabel(tr("&Own expression, before the rules"), panel_);
  own_ = new QLineEdit(panel_);
  own_->setObjectName(QStringLiteral("ownRule"));
  own_->setMaxLength(kMaxExpression);
  own_->setPlaceholderText(QStringLiteral("it (?<step>\\d+) cost=(?<loss>\\S+)"));
  own_->setMinimumWidth(fontMetrics().averageCharWidth() * 48);
  label->setBuddy(own_);
  problem_ = new PlainLabel(panel_);
  problem_->setObjectName(QStringLiteral("ownRuleProblem"));
  problem_->setWordWrap(true);
  problem_->hide();
  apply_ = new QPushButton(tr("Apply"), panel_);
  apply_->setObjectName(QStringLiteral("applyRules"));
  apply_->setToolTip(tr("The lines of this run are read again"));
  apply_->setDefault(true);
  for (QWidget* const part :
       {static_cast<QWidget*>(label), static_cast<QWidget*>(own_), static_cast<QWidget*>(problem_)})
    column->addWidget(part);
  column->addWidget(apply_, 0, Qt::AlignRight);
  connect(isOn_, &QCheckBox::toggled, own_, &QWidget::setEnabled);
  connect(own_, &QLineEdit::textChanged, this, &LineRulesButton::checkOwn);
  connect(own_, &QLineEdit::returnPressed, this, &LineRulesButton::apply);
  connect(apply_, &QPushButton::clicked, this, &LineRulesButton::apply);
}

void LineRulesButton::setUses(const std::vector<LineRuleUse>& uses) {
  uses_ = uses;
  showUses();
}

void LineRulesButton::setChoice(const LineChoice& choice) {
  choice_ = choice;
  if (!panel_->isVisible()) showChoice();
  showUses();
}

void LineRulesButton::showChoice() {
  isOn_->setChecked(choice_.isOn);
  for (const auto& [id, box] : rules_) {
    box->setChecked(!choice_.off.contains(id));
    box->setEnabled(choice_.isOn);
  }
  own_->setText(choice_.own.empty() ? QString() : toQString(choice_.own.front()));
  own_->setEnabled(choice_.isOn);
  checkOwn();
}

// The one that has read most is what the charts are made of.
void LineRulesButton::showUses() {
  const auto most = std::ranges::max_element(
      uses_, {}, [](const LineRuleUse& use) { return use.isActive ? use.lines : -1; });
  QString text = tr("Lines");
  if (!choice_.isOn)
    text = tr("Lines: not read");
  else if (most != uses_.end() && most->isActive)
    text = tr("Lines: %1").arg(toShownLine(most->id));
  setText(text);
  QStringList tips{tr("Which rules read samples from the lines of this run")};
  for (const LineRuleUse& use : uses_)
    tips.append(
        tr("%1: %2", "a rule and how many lines it has read").arg(toShownLine(use.id), linesText(use.lines)));
  setToolTip(toolTipLines(tips));
  setAccessibleName(text);
  setAccessibleDescription(tips.join(QStringLiteral("; ")));
  for (const auto& [id, box] : rules_) {
    const auto found = std::ranges::find(uses_, id, &LineRuleUse::id);
    const LineRuleUse use = found == uses_.end() ? LineRuleUse() : *found;
    const QString name = toShownLine(id);
    box->setText(use.lines == 0 ? name : tr("%1 (%2)").arg(name, linesText(use.lines)));
    box->setToolTip(toolTipLines(factsOf(use), toShownLine(use.example)));
  }
}

void LineRulesButton::checkOwn() {
  const std::string text = toStdString(own_->text().trimmed());
  const auto usable = text.empty() ? Result<void>() : checkOwnRule(text);
  problem_->setVisible(!usable);
  if (!usable) problem_->setText(toShownText(usable.error().what + ": " + usable.error().cause));
  apply_->setEnabled(usable.has_value());
  if (panel_->isVisible()) panel_->adjustSize();
}

LineChoice LineRulesButton::choiceInPanel() const {
  LineChoice choice;
  choice.isOn = isOn_->isChecked();
  for (const auto& [id, box] : rules_)
    if (!box->isChecked()) choice.off.insert(id);
  const std::string own = toStdString(own_->text().trimmed());
  if (!own.empty()) choice.own.push_back(own);
  return choice;
}

void LineRulesButton::apply() {
  if (!apply_->isEnabled()) return;
  const LineChoice choice = choiceInPanel();
  panel_->hide();
  if (choice == choice_) return;
  choice_ = choice;
  showUses();
  emit chosen(choice);
}

void LineRulesButton::openPanel() {
  showChoice();
  panel_->adjustSize();
  const bool hasPlace = isVisible() || parentWidget() == nullptr;
  const QWidget* const under = hasPlace ? this : parentWidget();  // it may be in a menu for want of room
  panel_->move(under->mapToGlobal(QPoint(0, under->height())));
  panel_->show();
  isOn_->setFocus(Qt::PopupFocusReason);
}

}  // namespace lockstep
