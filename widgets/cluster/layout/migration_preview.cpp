// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/layout/migration_preview.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/text/text_difference_view.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

QLabel* cell(const QString& text, QWidget* parent) {
  auto* label = new PlainLabel(text, parent);
  label->setTextFormat(Qt::PlainText);
  label->setWordWrap(true);
  label->setAlignment(Qt::AlignTop | Qt::AlignLeading);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

}  // namespace

MigrationPreview::MigrationPreview(QWidget* parent)
    : QFrame(parent),
      title_(new PlainLabel(this)),
      table_(new QWidget(this)),
      cells_(new QGridLayout(table_)),
      warnings_(new PlainLabel(this)),
      difference_(new TextDifferenceView(this)),
      accept_(new QPushButton(tr("Change the layout"), this)),
      reject_(new QPushButton(tr("Keep it"), this)) {
  makeCard(this);
  makePrimary(accept_);
  setAccessibleName(tr("What the other layout changes"));
  QFont bold = title_->font();
  bold.setWeight(QFont::DemiBold);
  title_->setFont(bold);
  title_->setWordWrap(true);
  warnings_->setWordWrap(true);
  warnings_->setTextFormat(Qt::PlainText);
  cells_->setContentsMargins(0, 0, 0, 0);
  cells_->setHorizontalSpacing(14);
  cells_->setVerticalSpacing(5);
  cells_->setColumnStretch(1, 1);
  cells_->setColumnStretch(2, 1);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch();
  buttons->addWidget(reject_);
  buttons->addWidget(accept_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(12, 10, 12, 12);
  column->setSpacing(8);
  column->addWidget(title_);
  column->addWidget(table_);
  column->addWidget(warnings_);
  column->addWidget(difference_);
  column->addLayout(buttons);
  difference_->setClosable(false);
  connect(accept_, &QPushButton::clicked, this, &MigrationPreview::accepted);
  connect(reject_, &QPushButton::clicked, this, &MigrationPreview::rejected);
  hide();
}

void MigrationPreview::show(const Migration& migration, const QString& before, const QString& after) {
  migration_ = migration;
  title_->setText(tr("What changes"));
  fillTable();
  QStringList lines;
  for (const std::string& warning : migration.warnings)
    lines << QStringLiteral("⚠ %1").arg(asSentence(warning));
  warnings_->setText(lines.join(QLatin1Char('\n')));
  warnings_->setVisible(!lines.isEmpty());
  recolor();
  difference_->setTexts(before, tr("now"), after, tr("then"));
  setAccessibleDescription(plainText());
  setVisible(true);
  accept_->setFocus(Qt::OtherFocusReason);
}

void MigrationPreview::fillTable() {
  while (QLayoutItem* item = cells_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  int row = 0;
  int column = 0;
  for (const QString& head : {QString(), tr("Now"), tr("Then")}) {
    QLabel* label = cell(head, table_);
    makeCaption(label);
    cells_->addWidget(label, row, column++);
  }
  for (const MigrationChange& change : migration_.changes) {
    ++row;
    QLabel* what = cell(asSentence(change.what), table_);
    makeCaption(what);
    cells_->addWidget(what, row, 0);
    cells_->addWidget(cell(toQString(change.before), table_), row, 1);
    cells_->addWidget(cell(toQString(change.after), table_), row, 2);
  }
}

void MigrationPreview::clear() {
  migration_ = {};
  setVisible(false);
}

QString MigrationPreview::plainText() const {
  QStringList lines;
  for (const MigrationChange& change : migration_.changes)
    lines << tr("%1: %2; then: %3")
                 .arg(toQString(change.what), toQString(change.before), toQString(change.after));
  for (const std::string& warning : migration_.warnings) lines << asSentence(warning);
  return lines.join(QLatin1Char('\n'));
}

void MigrationPreview::recolor() {
  QPalette ink = palette();
  const QColor color = warningColor(ink);
  if (warnings_->palette().color(QPalette::WindowText) == color) return;
  ink.setColor(QPalette::WindowText, color);
  warnings_->setPalette(ink);
}

void MigrationPreview::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) recolor();
}

void MigrationPreview::keyPressEvent(QKeyEvent* event) {
  if (event->key() != Qt::Key_Escape) return QFrame::keyPressEvent(event);
  emit rejected();
}

}  // namespace lockstep
