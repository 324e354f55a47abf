// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/logs/filters/log_highlighters_dialog.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <QVBoxLayout>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

LogHighlightersDialog::LogHighlightersDialog(const LogHighlighters& highlighters, QWidget* parent)
    : QDialog(parent), mistake_(new PlainLabel(this)) {
  setWindowTitle(tr("Words in colours"));
  auto* grid = new QGridLayout;
  for (int i = 0; i < LogHighlighters::kMost; ++i)
    addRow(grid, i, highlighters.words[static_cast<std::size_t>(i)]);
  mistake_->setObjectName(QStringLiteral("highlighterMistake"));
  mistake_->setWordWrap(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* help = new PlainLabel(tr("Marked in every line, whatever is filtered. Case does not count."), this);
  help->setWordWrap(true);
  makeCaption(help);
  auto* column = new QVBoxLayout(this);
  column->addWidget(help);
  column->addLayout(grid);
  column->addWidget(mistake_);
  column->addWidget(buttons);
  paintSwatches();
  read();
}

void LogHighlightersDialog::addRow(QGridLayout* grid, int number, const LogHighlighters::Word& word) {
  Row& row = rows_[static_cast<std::size_t>(number)];
  row.swatch = new PlainLabel(QString::number(number + 1), this);
  row.swatch->setAlignment(Qt::AlignCenter);
  row.swatch->setAutoFillBackground(true);
  row.swatch->setMinimumWidth(2 * row.swatch->fontMetrics().height());
  row.text = new QLineEdit(word.text, this);
  row.text->setObjectName(QStringLiteral("highlighter%1").arg(number + 1));
  row.text->setAccessibleName(tr("Word %1").arg(number + 1));
  row.text->setMaxLength(1000);
  row.text->setMinimumWidth(row.text->fontMetrics().averageCharWidth() * 30);
  row.isExpression = new QCheckBox(tr("Expression"), this);
  row.isExpression->setChecked(word.isExpression);
  row.isExpression->setAccessibleName(tr("Word %1 is a regular expression").arg(number + 1));
  grid->addWidget(row.swatch, number, 0);
  grid->addWidget(row.text, number, 1);
  grid->addWidget(row.isExpression, number, 2);
  connect(row.text, &QLineEdit::textChanged, this, &LogHighlightersDialog::read);
  connect(row.isExpression, &QCheckBox::toggled, this, &LogHighlightersDialog::read);
}

void LogHighlightersDialog::paintSwatches() {
  for (int i = 0; i < LogHighlighters::kMost; ++i) {
    QLabel* const swatch = rows_[static_cast<std::size_t>(i)].swatch;
    if (swatch == nullptr) return;
    QPalette colors = palette();
    colors.setColor(QPalette::Window, highlightGround(i, palette()));
    colors.setColor(QPalette::WindowText, palette().color(QPalette::Text));
    swatch->setPalette(colors);
  }
}

void LogHighlightersDialog::read() {
  LogHighlighters highlighters;
  QString mistake;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    LogHighlighters::Word& word = highlighters.words[i];
    word = {rows_[i].text->text(), rows_[i].isExpression->isChecked()};
    const QRegularExpression pattern = patternOf(word);
    QString wrong;
    if (!pattern.isValid()) wrong = tr("Word %1: %2").arg(QString::number(i + 1), pattern.errorString());
    rows_[i].text->setAccessibleDescription(wrong);
    if (mistake.isEmpty()) mistake = wrong;
  }
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, errorColor(colors));
  mistake_->setPalette(colors);
  mistake_->setText(mistake);
  emit highlightersChanged(highlighters);
}

void LogHighlightersDialog::changeEvent(QEvent* event) {
  QDialog::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) paintSwatches();
}

}  // namespace lockstep
