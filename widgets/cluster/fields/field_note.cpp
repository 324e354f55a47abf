// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/fields/field_note.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>

#include "widgets/common/issues/issues_model.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr qreal kSmaller = 0.92;

/// Right under its field a message need not spell the whole path.
QString textOf(const Issue& issue, const QString& fieldName) {
  QString message = asSentence(issue.message);
  if (!fieldName.isEmpty() && !issue.field.empty())
    message.replace(toQString(issue.field.toString()), fieldName);
  return issue.remedy.empty() ? message : QStringLiteral("%1. %2").arg(message, asSentence(issue.remedy));
}

QLabel* makeSmallLabel(QWidget* parent) {
  auto* label = new PlainLabel(parent);
  label->setWordWrap(true);
  QFont small = label->font();
  small.setPointSizeF(small.pointSizeF() * kSmaller);
  label->setFont(small);
  return label;
}

}  // namespace

FieldNote::FieldNote(QWidget* parent) : QWidget(parent) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(1, 1, 0, 0);
  column->setSpacing(3);
  hide();
}

FieldNote::Line FieldNote::makeLine() {
  auto* row = new QWidget(this);
  Line line{row, new PlainLabel(row), makeSmallLabel(row), makeSmallLabel(row)};
  line.text->setTextFormat(Qt::PlainText);
  line.text->setTextInteractionFlags(Qt::TextSelectableByMouse);
  line.fix->setTextFormat(Qt::RichText);
  line.fix->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
  line.fix->setFocusPolicy(Qt::StrongFocus);
  connect(line.fix, &QLabel::linkActivated, this, [this](const QString& link) { applyFix(link.toInt()); });
  auto* grid = new QGridLayout(row);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(5);
  grid->setVerticalSpacing(1);
  grid->addWidget(line.icon, 0, 0, Qt::AlignTop);
  grid->addWidget(line.text, 0, 1);
  grid->addWidget(line.fix, 1, 1);
  grid->setColumnStretch(1, 1);
  layout()->addWidget(row);
  return line;
}

void FieldNote::setIssues(const std::vector<Issue>& issues, const QString& remark, const QString& fieldName) {
  if (issues == issues_ && remark == remark_ && fieldName == fieldName_) return;
  issues_ = issues;
  remark_ = remark;
  fieldName_ = fieldName;
  fixable_.clear();
  severities_.clear();
  QStringList texts;
  for (const Issue& issue : issues_) {
    QString link;
    if (issue.fix) {
      link = QStringLiteral("<a href=\"%1\">%2</a>")
                 .arg(fixable_.size())
                 .arg(tr("Fix: %1").arg(toQString(issue.fix->title)).toHtmlEscaped());
      fixable_.push_back(issue);
    }
    texts << textOf(issue, fieldName);
    showLine(severities_.size(), issue.severity, texts.last(), link);
  }
  if (!remark.isEmpty()) {
    texts << remark;
    showLine(severities_.size(), Severity::Info, remark, {});
    lines_[severities_.size() - 1].icon->hide();  // nothing to look at: it only tells
  }
  used_ = severities_.size();
  for (std::size_t i = used_; i < lines_.size(); ++i) lines_[i].row->hide();
  text_ = texts.join(QLatin1Char('\n'));
  recolor();
  setVisible(used_ > 0);
}

int FieldNote::fixCount() const {
  return static_cast<int>(fixable_.size());
}

void FieldNote::applyFix(int index) {
  if (index < 0 || index >= fixCount()) return;
  emit fixRequested(Issue(fixable_[static_cast<std::size_t>(index)]));  // a copy: the slot changes the list
}

void FieldNote::showLine(std::size_t index, Severity severity, const QString& text, const QString& fix) {
  if (index == lines_.size()) lines_.push_back(makeLine());
  Line& line = lines_[index];
  severities_.push_back(severity);
  line.text->setText(text);
  line.fix->setText(fix);
  line.fix->setVisible(!fix.isEmpty());
  line.icon->show();
  line.row->show();
}

void FieldNote::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  // The labels' own palettes are set below; only the window's change is news.
  if (event->type() == QEvent::PaletteChange) recolor();
}

void FieldNote::recolor() {
  for (std::size_t i = 0; i < used_; ++i) {
    const Line& line = lines_[i];
    const int side = line.text->fontMetrics().height();
    const Severity severity = severities_[i];
    line.icon->setPixmap(iconFor(severity).pixmap(QSize(side, side), devicePixelRatioF()));
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText,
                    severity == Severity::Info ? mutedColor(colors) : colorFor(severity, colors));
    line.text->setPalette(colors);
  }
}

}  // namespace lockstep
