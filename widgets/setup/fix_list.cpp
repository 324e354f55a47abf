// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/fix_list.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <algorithm>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"
#include "widgets/setup/fix_preview.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 18;

bool isSame(const ProposedFix& a, const ProposedFix& b) {
  return a.id == b.id && a.title == b.title && a.before == b.before && a.after == b.after &&
         a.calls == b.calls && a.isUnsafe == b.isUnsafe && a.needsPerson == b.needsPerson &&
         a.waitsFor == b.waitsFor;
}

QLabel* makeTitle(QWidget* parent) {
  auto* title = new PlainLabel(FixList::tr("What Lockstep can do"), parent);
  QFont bold = title->font();
  bold.setWeight(QFont::DemiBold);
  title->setFont(bold);
  return title;
}

}  // namespace

FixList::FixList(QWidget* parent)
    : QWidget(parent),
      column_(new QVBoxLayout(this)),
      title_(makeTitle(this)),
      preview_(new FixPreview(this)) {
  column_->setContentsMargins(0, 2, 0, 2);
  column_->setSpacing(6);
  column_->addWidget(title_);
  preview_->hide();
  hide();
  connect(preview_, &FixPreview::closed, this, &FixList::closePreview);
  connect(preview_, &FixPreview::applyRequested, this, [this] {
    if (!open_.empty()) emit applyRequested(open_);
  });
}

void FixList::setFixes(const std::vector<ProposedFix>& fixes) {
  const bool isTheSame =
      std::equal(fixes.begin(), fixes.end(), rows_.begin(), rows_.end(),
                 [](const ProposedFix& fix, const Row& row) { return isSame(fix, row.fix); });
  if (isTheSame) return;  // whoever has the focus in a line keeps it
  const std::string wasOpen = open_;
  const Row* before = find(wasOpen);
  const auto same = before ? std::find_if(fixes.begin(), fixes.end(),
                                          [&](const auto& fix) { return isSame(fix, before->fix); })
                           : fixes.end();
  const bool staysOpen = same != fixes.end();
  removeRows();
  for (const ProposedFix& fix : fixes) addRow(fix);
  setVisible(!fixes.empty());
  if (staysOpen) {
    column_->insertWidget(column_->indexOf(find(wasOpen)->line) + 1, preview_);
  } else {
    preview_->hide();
    open_.clear();
  }
  refreshButtons();
}

void FixList::removeRows() {
  column_->removeWidget(preview_);
  for (const Row& row : rows_) {
    column_->removeWidget(row.line);
    row.line->hide();
    row.line->deleteLater();  // the click that led here may come from it
  }
  rows_.clear();
}

void FixList::addRow(const ProposedFix& fix) {
  auto* line = new QFrame(this);
  makeCard(line);
  const BadgeTone tone = fix.isUnsafe ? BadgeTone::Warning : BadgeTone::Info;
  auto* icon = new PlainLabel(line);
  icon->setPixmap(fix.isUnsafe ? iconFor(tone).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF())
                               : themedIcon(QStringLiteral("play"), IconColor::Accent)
                                     .pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  const QString said = asSentence(fix.title);
  auto* text = new PlainLabel(fix.isUnsafe ? tr("%1 (unsafe)").arg(said) : said, line);
  text->setWordWrap(true);
  text->setTextFormat(Qt::PlainText);
  auto* button = new QPushButton(line);
  button->setAccessibleDescription(text->text());
  connect(button, &QPushButton::clicked, this,
          [this, id = fix.id] { open_ == id ? closePreview() : open(id); });
  auto* row = new QHBoxLayout(line);
  row->setContentsMargins(12, 8, 12, 8);
  row->setSpacing(10);
  row->addWidget(icon);
  row->addWidget(text, 1);
  row->addWidget(button);
  column_->addWidget(line);
  rows_.push_back({fix, line, button});
}

const FixList::Row* FixList::find(const std::string& fixId) const {
  const auto at =
      std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.fix.id == fixId; });
  return at == rows_.end() ? nullptr : &*at;
}

QPushButton* FixList::previewButton(const std::string& fixId) const {
  const Row* row = find(fixId);
  return row ? row->button : nullptr;
}

bool FixList::openFirst() {
  if (rows_.empty()) return false;
  if (open_.empty()) open(rows_.front().fix.id);
  find(open_)->button->setFocus(Qt::OtherFocusReason);
  return true;
}

void FixList::open(const std::string& fixId) {
  const Row* row = find(fixId);
  if (!row || !applying_.empty()) return;
  open_ = fixId;
  preview_->showFix(row->fix);
  column_->removeWidget(preview_);
  column_->insertWidget(column_->indexOf(row->line) + 1, preview_);
  preview_->show();
  // By keyboard one reaches the preview right after the button that opened it, part by part.
  QWidget* last = row->button;
  for (QWidget* part : preview_->findChildren<QWidget*>()) {
    if (!(part->focusPolicy() & Qt::TabFocus)) continue;
    setTabOrder(last, part);
    last = part;
  }
  refreshButtons();
  emit previewOpened();
}

void FixList::closePreview() {
  const Row* row = find(open_);
  open_.clear();
  preview_->hide();
  refreshButtons();
  if (row) row->button->setFocus(Qt::OtherFocusReason);
}

void FixList::setApplying(const std::string& fixId) {
  applying_ = fixId;
  preview_->setApplying(!fixId.empty() && fixId == open_);
  refreshButtons();
}

void FixList::refreshButtons() {
  for (const Row& row : rows_) {
    row.button->setText(row.fix.id == open_ ? tr("Hide the preview") : tr("Preview change …"));
    row.button->setEnabled(applying_.empty());
  }
}

}  // namespace lockstep
