// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/marks_dialog.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QPlainTextEdit>

#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

constexpr int kMaxTagsLength = 1024, kMaxGroupLength = 64, kMaxNoteLength = 16 * 1024;

}  // namespace

MarksDialog::MarksDialog(const QString& run, const RunMarks& marks, QWidget* parent)
    : QDialog(parent),
      old_(marks),
      tags_(new QLineEdit(this)),
      group_(new QLineEdit(this)),
      note_(new QPlainTextEdit(this)) {
  setWindowTitle(tr("Tags and note of %1").arg(run));
  QStringList tags;
  for (const std::string& tag : marks.tags) tags << toShownLine(tag);
  tags_->setText(tags.join(QStringLiteral(", ")));
  tags_->setPlaceholderText(tr("baseline, paper"));
  tags_->setMaxLength(kMaxTagsLength);
  tags_->setAccessibleName(tr("Tags, separated by commas"));
  group_->setText(toShownLine(marks.group));
  group_->setMaxLength(kMaxGroupLength);
  group_->setAccessibleName(tr("Group"));
  note_->setPlainText(toShownText(marks.note));
  note_->setTabChangesFocus(true);
  note_->setAccessibleName(tr("Note"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel, this);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* form = new QFormLayout(this);
  form->addRow(tr("&Tags:"), tags_);
  form->addRow(tr("&Group:"), group_);
  form->addRow(tr("&Note:"), note_);
  form->addRow(buttons);
  resize(460, 300);
}

RunMarks MarksDialog::marks() const {
  RunMarks marks = old_;
  marks.tags.clear();
  for (const QString& tag : tags_->text().split(QLatin1Char(','), Qt::SkipEmptyParts))
    if (const QString word = tag.trimmed(); !word.isEmpty()) marks.tags.push_back(toStdString(word));
  marks.group = toStdString(group_->text().trimmed());
  marks.note = toStdString(note_->toPlainText().left(kMaxNoteLength).trimmed());
  return marks;
}

}  // namespace lockstep
