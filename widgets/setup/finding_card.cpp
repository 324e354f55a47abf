// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/finding_card.h"

#include <QGridLayout>
#include <QLabel>

#include "widgets/common/qt_convert.h"
#include "widgets/common/theme.h"
#include "widgets/setup/step_texts.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 20;
constexpr int kLeastWords = 3;  // of a reason: "blocked: no subnet" is one statement

QLabel* makeText(const QString& text, QWidget* parent) {
  auto* label = new QLabel(text, parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setFocusPolicy(Qt::ClickFocus);
  return label;
}

bool isProblem(StepState state) {
  return state == StepState::Blocked || state == StepState::Warning;
}

// The last ": " outside of quotes and brackets: names and addresses have colons of their own.
qsizetype splitPlace(const QString& text) {
  qsizetype place = -1;
  int depth = 0;
  bool isQuoted = false;
  for (qsizetype i = 0; i + 1 < text.size(); ++i) {
    const QChar c = text[i];
    const bool isApostrophe = i > 0 && text[i - 1].isLetter() && text[i + 1].isLetter();
    if (c == QLatin1Char('\'') && !isApostrophe) isQuoted = !isQuoted;
    if (c == QLatin1Char('(')) ++depth;
    if (c == QLatin1Char(')')) --depth;
    if (c == QLatin1Char(':') && text[i + 1] == QLatin1Char(' ') && !isQuoted && depth == 0) place = i;
  }
  return place;
}

}  // namespace

FindingText splitText(const Finding& finding) {
  const QString text = toQString(finding.text);
  const qsizetype place = isProblem(finding.state) ? splitPlace(text) : -1;
  if (place <= 0) return {asSentence(finding.text), {}};
  const QString why = text.mid(place + 2);
  if (why.count(QLatin1Char(' ')) + 1 < kLeastWords) return {asSentence(finding.text), {}};
  return {asSentence(toStdString(text.left(place))), asSentence(toStdString(why))};
}

QString plainText(const Finding& finding) {
  QStringList lines{FindingCard::tr("- %1: %2").arg(nameOf(finding.state), toQString(finding.text))};
  if (!finding.evidence.empty()) lines << FindingCard::tr("  saw: %1").arg(toQString(finding.evidence));
  if (!finding.remedy.empty()) lines << FindingCard::tr("  to do: %1").arg(toQString(finding.remedy));
  return lines.join(QLatin1Char('\n'));
}

FindingCard::FindingCard(const Finding& finding, QWidget* parent) : QFrame(parent) {
  makeCard(this);
  const FindingText said = splitText(finding);
  setAccessibleName(tr("%1: %2").arg(nameOf(finding.state), toQString(finding.text)));
  setAccessibleDescription(toQString(finding.remedy));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(12, 10, 12, 10);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(2, 1);
  auto* icon = new QLabel(this);
  icon->setPixmap(iconFor(toneOf(finding.state)).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  icon->setToolTip(nameOf(finding.state));
  icon->setAccessibleName(nameOf(finding.state));
  grid->addWidget(icon, 0, 0, Qt::AlignTop);
  QLabel* what = makeText(said.what, this);
  if (isProblem(finding.state)) {
    QFont bold = what->font();
    bold.setWeight(QFont::DemiBold);
    what->setFont(bold);
  }
  grid->addWidget(what, 0, 1, 1, 2);
  const auto addLine = [&](const QString& name, const QString& text, bool isMuted) {
    if (text.isEmpty()) return;
    auto* label = new QLabel(name, this);
    makeCaption(label);
    QLabel* value = makeText(text, this);
    if (isMuted) makeCaption(value);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 1, Qt::AlignTop);
    grid->addWidget(value, row, 2);
  };
  addLine(tr("Saw"), toQString(finding.evidence), true);
  addLine(tr("Likely"), said.why, false);
  addLine(tr("To do"), asSentence(finding.remedy), false);
}

}  // namespace lockstep
