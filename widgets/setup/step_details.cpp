// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/step_details.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QToolButton>
#include <nlohmann/json.hpp>

#include "widgets/common/layout/elided_label.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/facts_card.h"
#include "widgets/setup/finding_card.h"
#include "widgets/setup/finding_list.h"
#include "widgets/setup/fix_list.h"
#include "widgets/setup/fix_preview.h"
#include "widgets/setup/report_table_view.h"
#include "widgets/setup/waiver_row.h"

namespace lockstep {
namespace {

constexpr int kSettleMs = 40;
constexpr int kToolRoom = 10;

QString plainTextOf(const StepsModel::Step& step) {
  QStringList lines{StepDetails::tr("%1: %2").arg(step.title, nameOf(step.report.state))};
  for (const Finding& finding : step.report.findings) lines << plainText(finding);
  return lines.join(QLatin1Char('\n'));
}

struct PartedFindings {
  std::vector<Finding> problems, fine;
};

PartedFindings parted(const std::vector<Finding>& findings) {
  PartedFindings parts;
  for (const Finding& finding : findings) {
    const bool isProblem = finding.state == StepState::Blocked || finding.state == StepState::Warning;
    (isProblem ? parts.problems : parts.fine).push_back(finding);
  }
  return parts;
}

void clear(QVBoxLayout* column) {
  while (QLayoutItem* item = column->takeAt(0)) {
    if (item->widget()) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
}

QVBoxLayout* addColumn(QVBoxLayout* to) {
  auto* column = new QVBoxLayout;
  column->setSpacing(8);
  to->addLayout(column);
  return column;
}

QToolButton* makeTool(const QString& icon, const QString& text, const QString& tip, QWidget* parent) {
  auto* button = new QToolButton(parent);
  button->setIcon(themedIcon(icon));
  button->setText(text);
  button->setToolTip(plainToolTip(tip));
  button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  button->setAutoRaise(true);
  button->setFocusPolicy(Qt::TabFocus);
  return button;
}

/// What decides how the findings look; fixes and facts have widgets that look after themselves.
std::string fingerprintOf(const StepReport& report) {
  StepReport shown = report;
  shown.fixes.clear();
  shown.facts.clear();
  shown.names.clear();
  return toJson(shown).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

StepDetails::StepDetails(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 4, 4, 4);
  column->setSpacing(6);
  head_ = makeHead();
  column->addWidget(head_);
  purpose_ = new PlainLabel(this);
  purpose_->setWordWrap(true);
  makeCaption(purpose_);
  column->addWidget(purpose_);
  waiver_ = new WaiverRow(this);
  column->addWidget(waiver_);
  column->addWidget(makeBody(), 1);
  connect(waive_, &QToolButton::clicked, waiver_, &WaiverRow::ask);
  connect(copy_, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(plainText_); });
  // The preview is laid out first, which takes as long as in fitPageSoon(), then brought into view.
  connect(fixes_, &FixList::previewOpened, this, [this] {
    fitPageSoon();
    QTimer::singleShot(2 * kSettleMs, this,
                       [this] { scroll_->ensureWidgetVisible(fixes_->preview()->applyButton(), 0, 24); });
  });
}

QWidget* StepDetails::makeHead() {
  auto* head = new QWidget(this);
  title_ = new ElidedLabel(head);
  title_->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);  // its state stands right beside it
  makeHeading(title_);
  badge_ = new StateBadge(head);
  check_ = makeTool(QStringLiteral("refresh"), QString(), QString(), head);
  waive_ = makeTool(QStringLiteral("skipped"), tr("Waive …"),
                    tr("Do not check this step any more, for a reason that you give"), head);
  copy_ = makeTool(QStringLiteral("copy"), tr("Cop&y"), tr("Copy the findings as text"), head);
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->addWidget(title_);
  row->addSpacing(8);
  row->addWidget(badge_);
  row->addStretch();
  for (QToolButton* button : {check_, waive_, copy_}) {
    button->setMinimumWidth(button->iconSize().width() + kToolRoom);  // its icon alone, where it is narrow
    row->addWidget(button);
  }
  return head;
}

QWidget* StepDetails::makeBody() {
  scroll_ = new QScrollArea(this);
  scroll_->setWidgetResizable(true);
  scroll_->setFrameShape(QFrame::NoFrame);
  scroll_->setAccessibleName(tr("Findings"));
  auto* page = new QWidget;
  auto* column = new QVBoxLayout(page);
  column->setContentsMargins(0, 4, 6, 0);
  column->setSpacing(8);
  form_ = new ChoiceForm(page);
  remark_ = new PlainLabel(page);
  remark_->setWordWrap(true);
  makeCaption(remark_);
  fixes_ = new FixList(page);
  facts_ = new FactsCard(page);
  column->addWidget(form_);
  column->addWidget(remark_);
  problems_ = addColumn(column);
  column->addWidget(fixes_);
  rest_ = addColumn(column);
  column->addWidget(facts_);
  column->addStretch();
  scroll_->setWidget(page);
  return scroll_;
}

void StepDetails::setNames(const ResourceNames& names) {
  names_ = names;
  form_->setNames(names_);
}

void StepDetails::setCheckAction(QAction* action) {
  check_->setDefaultAction(action);
}

void StepDetails::showStep(const StepsModel::Step& step, const QString& waiver) {
  const bool isAnother = step.id != stepId_;
  stepId_ = step.id;
  title_->setText(step.title);
  badge_->setState(toneOf(step.state()), nameOf(step.state()));
  purpose_->setText(step.purpose);
  fitHead();
  if (isAnother) {
    waiver_->reset();
    fixes_->setFixes({});
    scroll_->verticalScrollBar()->setValue(0);
  }
  waiver_->setReason(waiver);
  waive_->setVisible(waiver.isEmpty());
  std::set<std::string> fixIds;
  for (const ProposedFix& fix : step.report.fixes) fixIds.insert(fix.id);
  form_->showStep(step.id, step.report.facts, fixIds);
  showRemark(step);
  showFindings(step);
  fixes_->setFixes(step.report.fixes);
  facts_->setFacts(step.report.facts, names_);
  plainText_ = plainTextOf(step);
  copy_->setEnabled(!step.report.findings.empty());
}

void StepDetails::showRemark(const StepsModel::Step& step) {
  QString text;
  if (step.rememberedFrom) {
    text = tr("As it was %1. A check says how it is now, and what can be done.")
               .arg(shortTime(*step.rememberedFrom));
  } else if (step.report.findings.empty()) {
    text = step.isChecking
               ? tr("Checking …")
               : tr("Not checked yet. “Check all” asks the service; nothing is created or changed.");
  }
  remark_->setText(text);
  remark_->setVisible(!text.isEmpty());
}

void StepDetails::showFindings(const StepsModel::Step& step) {
  std::string now = step.id + fingerprintOf(step.report);
  if (now == shownJson_) return;
  shownJson_ = std::move(now);
  clear(problems_);
  clear(rest_);
  const auto [problems, fine] = parted(step.report.findings);
  problems_->addWidget(makeList(problems));
  for (const ReportTable& table : step.report.tables) {
    auto* title = new PlainLabel(asSentence(table.title));
    QFont bold = title->font();
    bold.setWeight(QFont::DemiBold);
    title->setFont(bold);
    rest_->addWidget(title);
    auto* view = new ReportTableView(table);
    title->setBuddy(view);
    rest_->addWidget(view);
  }
  rest_->addWidget(makeList(fine));
  fitPageSoon();
}

FindingList* StepDetails::makeList(const std::vector<Finding>& findings) {
  auto* list = new FindingList(findings);
  list->setVisible(!findings.empty());
  connect(list, &FindingList::folded, this, &StepDetails::fitPageSoon);
  return list;
}

// What was just put in is shown, and tables know their height, only once control is back in the event loop.
void StepDetails::fitPageSoon() {
  for (const int delay : {0, kSettleMs}) QTimer::singleShot(delay, this, &StepDetails::fitPage);
}

// A scroll area does not look again at the height that its page has for the width, when only what lies in
// layouts within the page's layout has changed.
void StepDetails::fitPage() {
  QLayout* layout = scroll_->widget()->layout();
  for (QLayout* part : {static_cast<QLayout*>(problems_), static_cast<QLayout*>(rest_), layout})
    part->invalidate();
  layout->activate();
  QEvent request(QEvent::LayoutRequest);
  QApplication::sendEvent(scroll_, &request);
}

// The step's title comes before the words of the buttons, which their tool tips say as well.
void StepDetails::fitHead() {
  const auto show = [this](Qt::ToolButtonStyle style) {
    for (QToolButton* button : {check_, waive_, copy_}) button->setToolButtonStyle(style);
  };
  show(Qt::ToolButtonTextBesideIcon);
  head_->layout()->invalidate();
  if (head_->layout()->sizeHint().width() > head_->width()) show(Qt::ToolButtonIconOnly);
}

void StepDetails::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  fitHead();
  fitPageSoon();
}

}  // namespace lockstep
