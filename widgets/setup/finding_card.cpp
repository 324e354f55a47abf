// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/finding_card.h"

#include <QGridLayout>
#include <QLabel>
#include <QRegularExpression>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/step_texts.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 20;

// A label breaks its lines between words only, and an id is one word that can be wider than the window. What
// is copied is whole.
QString withShortIds(const QString& text) {
  static const QRegularExpression kRequest(QStringLiteral("(opc-request-id [0-9A-Za-z]{8})[0-9A-Za-z/]{9,}"));
  static const QRegularExpression kLong(QStringLiteral(
      "(ocid1\\.[a-z0-9]+\\.[a-z0-9]*\\.[a-z0-9-]*\\.?[a-z0-9]{4})[a-z0-9]{16,}([a-z0-9]{6})"));
  return QString(text).replace(kLong, QStringLiteral("\\1…\\2")).replace(kRequest, QStringLiteral("\\1…"));
}

QLabel* makeText(const QString& text, QWidget* parent) {
  const QString shown = withShortIds(text);
  auto* label = new PlainLabel(shown, parent);
  if (shown != text) label->setToolTip(plainToolTip(text));
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setFocusPolicy(Qt::ClickFocus);
  return label;
}

QString sentence(const std::string& text) {
  return withStepTitles(asSentence(text));
}

bool isProblem(StepState state) {
  return state == StepState::Blocked || state == StepState::Warning;
}

}  // namespace

QString plainText(const Finding& finding) {
  QStringList lines{FindingCard::tr("- %1: %2").arg(nameOf(finding.state), toQString(finding.text))};
  if (!finding.cause.empty()) lines << FindingCard::tr("  likely: %1").arg(toQString(finding.cause));
  if (!finding.evidence.empty()) lines << FindingCard::tr("  saw: %1").arg(toQString(finding.evidence));
  if (!finding.remedy.empty()) lines << FindingCard::tr("  to do: %1").arg(toQString(finding.remedy));
  return lines.join(QLatin1Char('\n'));
}

FindingCard::FindingCard(const Finding& finding, QWidget* parent) : QFrame(parent) {
  makeCard(this);
  setAccessibleName(tr("%1: %2").arg(nameOf(finding.state), toQString(finding.text)));
  QStringList more{sentence(finding.cause), sentence(finding.remedy)};
  more.removeAll(QString());
  setAccessibleDescription(more.join(QStringLiteral(". ")));
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(12, 10, 12, 10);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(4);
  grid->setColumnStretch(2, 1);
  auto* icon = new PlainLabel(this);
  icon->setPixmap(iconFor(toneOf(finding.state)).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  icon->setToolTip(plainToolTip(nameOf(finding.state)));
  icon->setAccessibleName(nameOf(finding.state));
  grid->addWidget(icon, 0, 0, Qt::AlignTop);
  QLabel* what = makeText(sentence(finding.text), this);
  if (isProblem(finding.state)) {
    QFont bold = what->font();
    bold.setWeight(QFont::DemiBold);
    what->setFont(bold);
  }
  grid->addWidget(what, 0, 1, 1, 2);
  const auto addLine = [&](const QString& name, const QString& text, bool isMuted) {
    if (text.isEmpty()) return;
    auto* label = new PlainLabel(name, this);
    makeCaption(label);
    QLabel* value = makeText(text, this);
    if (isMuted) makeCaption(value);
    const int row = grid->rowCount();
    grid->addWidget(label, row, 1, Qt::AlignTop);
    grid->addWidget(value, row, 2);
  };
  addLine(tr("Saw"), toQString(finding.evidence), true);
  addLine(tr("Likely"), sentence(finding.cause), false);
  addLine(tr("To do"), sentence(finding.remedy), false);
}

}  // namespace lockstep
