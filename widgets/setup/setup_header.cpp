// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/setup/setup_header.h"

#include <QAction>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>

#include "widgets/common/layout/disconnect_fields.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/layout/wheel_guard.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMargin = 14;
constexpr int kProfileChars = 4;  // where there is no room for more
constexpr int kMaxProfileChars = 36;
constexpr int kIconButtonRoom = 34;

/// A button that does what the action does, is disabled with it, and says the same.
QPushButton* makeButton(QAction* action, QWidget* parent) {
  auto* button = new QPushButton(action->icon(), action->text(), parent);
  const auto follow = [button, action] {
    button->setEnabled(action->isEnabled());
    button->setToolTip(action->toolTip());
  };
  follow();
  QObject::connect(action, &QAction::changed, button, follow);
  QObject::connect(button, &QPushButton::clicked, action, &QAction::trigger);
  return button;
}

}  // namespace

SetupHeader::SetupHeader(QAction* check, QAction* rehearsal, const QList<QAction*>& more, QWidget* parent)
    : QFrame(parent) {
  makeCard(this);
  summary_ = new ElidedLabel(this);
  summary_->setMuted(true);
  summary_->setElideMode(Qt::ElideMiddle);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(kMargin, 12, kMargin, 10);
  column->setSpacing(8);
  column->addLayout(makeActions(check, rehearsal, more));
  column->addWidget(summary_);
  column->addLayout(makeProgress());
  setProfiles({}, {});
  setSummary({});
  setCounts(0, 0, 0, false);
}

SetupHeader::~SetupHeader() {
  disconnectFields(this);
}

QLayout* SetupHeader::makeActions(QAction* check, QAction* rehearsal, const QList<QAction*>& more) {
  auto* label = new PlainLabel(tr("&Profile"), this);
  profiles_ = new QComboBox(this);
  profiles_->setEditable(true);
  profiles_->setInsertPolicy(QComboBox::NoInsert);
  profiles_->setMinimumContentsLength(kProfileChars);
  profiles_->setSizeAdjustPolicy(
      QComboBox::AdjustToMinimumContentsLengthWithIcon);  // a long name widens nothing
  profiles_->setMaximumWidth(fontMetrics().averageCharWidth() * kMaxProfileChars);
  profiles_->setAccessibleDescription(
      tr("The profile of the OCI config file that requests are signed with; type a new name to make one"));
  profiles_->setToolTip(plainToolTip(profiles_->accessibleDescription()));
  letWheelPass(profiles_);
  label->setBuddy(profiles_);
  connect(profiles_, &QComboBox::textActivated, this, &SetupHeader::choose);
  connect(profiles_->lineEdit(), &QLineEdit::editingFinished, this,
          [this] { choose(profiles_->currentText().trimmed()); });
  auto* menuButton = new QPushButton(themedIcon(QStringLiteral("export")), tr("&Report and export"), this);
  auto* menu = new QMenu(menuButton);
  menu->addActions(more);
  menuButton->setMenu(menu);
  check_ = makeButton(check, this);
  check_->setText(tr("&Check all (F5)"));
  makePrimary(check_);
  QPushButton* region = makeButton(rehearsal, this);
  for (QPushButton* button : {menuButton, region}) {
    foldable_.emplace_back(button, button->text());
    button->setAccessibleName(QString(button->text()).remove(QLatin1Char('&')));
    button->setMinimumWidth(button->iconSize().width() + kIconButtonRoom);
  }
  menuButton->setToolTip(plainToolTip(menuButton->accessibleName()));
  auto* row = actions_ = new QHBoxLayout;
  row->addWidget(label);
  row->addWidget(profiles_, 3);
  row->addStretch(1);
  row->addWidget(menuButton);
  row->addWidget(region);
  row->addWidget(check_);
  return row;
}

QLayout* SetupHeader::makeProgress() {
  counts_ = new PlainLabel(this);
  progress_ = new QProgressBar(this);
  progress_->setTextVisible(false);
  progress_->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
  progress_->setAccessibleName(tr("Steps that are ready"));
  lastCheck_ = new ElidedLabel(this);
  lastCheck_->setMuted(true);
  auto* row = new QHBoxLayout;
  row->setSpacing(12);
  row->addWidget(counts_);
  row->addWidget(progress_, 1);
  row->addWidget(lastCheck_, 2);
  return row;
}

// Where it is narrow, icons do; their tool tips say the same.
void SetupHeader::resizeEvent(QResizeEvent* event) {
  QFrame::resizeEvent(event);
  for (const auto& [button, text] : foldable_) button->setText(text);
  actions_->invalidate();
  if (actions_->sizeHint().width() <= contentsRect().width() - 2 * kMargin) return;
  for (const auto& [button, text] : foldable_) button->setText({});
}

void SetupHeader::choose(const QString& name) {
  if (name.isEmpty() || name == shown_) return;
  shown_ = name;
  emit profileChosen(name);
}

void SetupHeader::setProfiles(const QStringList& names, const QString& current) {
  const QSignalBlocker quiet(profiles_);
  profiles_->clear();
  profiles_->addItems(names);
  profiles_->setCurrentIndex(static_cast<int>(names.indexOf(current)));
  profiles_->setEditText(current);
  profiles_->lineEdit()->home(false);  // of a name that is cut the beginning is to be seen
  profiles_->lineEdit()->setPlaceholderText(names.isEmpty() ? tr("no profile yet") : tr("choose a profile"));
  shown_ = current;
}

QString SetupHeader::currentProfile() const {
  return shown_;
}

void SetupHeader::setSummary(const QString& text) {
  summary_->setText(text);
  summary_->setVisible(!text.isEmpty());
}

void SetupHeader::setCounts(int ready, int all, int checked, bool isChecking, int blocked) {
  const bool isFree = checked == all && blocked == 0 && ready < all;
  counts_->setText(isChecking     ? tr("Checking: %1 of %2 done").arg(checked).arg(all)
                   : checked == 0 ? tr("Not checked yet")
                   : isFree ? tr("Nothing prevents a launch, %Ln step(s) with a remark", "", all - ready)
                            : tr("%1 of %2 ready").arg(ready).arg(all));
  progress_->setRange(0, qMax(1, all));
  progress_->setValue(isChecking || isFree ? checked : ready);
  progress_->setAccessibleName(isChecking ? tr("Progress of the check") : tr("Steps that are ready"));
  progress_->setAccessibleDescription(counts_->text());
}

void SetupHeader::setLastCheck(const QString& text) {
  lastCheck_->setText(text);
}

QString SetupHeader::countsText() const {
  return counts_->text();
}

}  // namespace lockstep
