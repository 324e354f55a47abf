// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/fix_series_panel.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/step_texts.h"

namespace lockstep {
namespace {

QString linesOf(const FixOfStep& one) {
  QStringList lines{FixSeriesPanel::tr("%1: %2").arg(stepTitle(one.stepId), asSentence(one.fix.title))};
  for (const std::string& call : one.fix.calls) lines << QStringLiteral("    ") + toQString(call);
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

FixSeriesPanel::FixSeriesPanel(QWidget* parent)
    : QFrame(parent), title_(new PlainLabel(this)), list_(new QPlainTextEdit(this)) {
  makeHeading(title_);
  auto* remark = new PlainLabel(
      tr("These changes are made one after the other, in this order. If one fails, those after it "
         "are left. Each can be taken back. What grants or opens more than is needed is not among "
         "them."),
      this);
  remark->setWordWrap(true);
  makeCaption(remark);
  list_->setReadOnly(true);
  list_->setTabChangesFocus(true);
  list_->setFont(monospaceFont());
  list_->setAccessibleName(tr("Changes and the calls that make them"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 4, 4, 4);
  column->setSpacing(8);
  column->addWidget(title_);
  column->addWidget(remark);
  column->addWidget(list_, 1);
  column->addWidget(makeButtons());
  setFixes({});
}

QWidget* FixSeriesPanel::makeButtons() {
  auto* row = new QWidget(this);
  close_ = new QPushButton(tr("&Back to the step"), row);
  doing_ = new PlainLabel(row);
  makeCaption(doing_);
  progress_ = new QProgressBar(row);
  progress_->setRange(0, 0);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("The changes are being made"));
  apply_ = new QPushButton(row);
  apply_->setAccessibleDescription(tr("Makes exactly the changes that are listed"));
  makePrimary(apply_);
  connect(close_, &QPushButton::clicked, this, &FixSeriesPanel::closed);
  connect(apply_, &QPushButton::clicked, this, &FixSeriesPanel::applyRequested);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->addWidget(close_);
  line->addWidget(doing_);
  line->addWidget(progress_, 1);
  line->addStretch();
  line->addWidget(apply_);
  return row;
}

void FixSeriesPanel::setFixes(const std::vector<FixOfStep>& fixes) {
  fixes_ = fixes;
  QStringList parts;
  for (const FixOfStep& one : fixes_) parts << linesOf(one);
  list_->setPlainText(parts.join(QLatin1String("\n\n")));
  const int count = static_cast<int>(fixes_.size());
  title_->setText(tr("%Ln change(s) that Lockstep can make", nullptr, count));
  apply_->setText(tr("&Make %Ln change(s)", nullptr, count));
  setApplying(false);
}

void FixSeriesPanel::setApplying(bool isApplying, const QString& doing) {
  isApplying_ = isApplying;
  doing_->setText(doing);
  doing_->setVisible(isApplying);
  progress_->setVisible(isApplying);
  close_->setEnabled(!isApplying);
  apply_->setEnabled(!isApplying && !fixes_.empty());
}

QString FixSeriesPanel::text() const {
  return list_->toPlainText();
}

void FixSeriesPanel::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && !isApplying_) return emit closed();
  QFrame::keyPressEvent(event);
}

}  // namespace lockstep
