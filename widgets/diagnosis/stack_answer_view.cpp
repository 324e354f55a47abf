// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/diagnosis/stack_answer_view.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QPlainTextEdit>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {
constexpr int kMostLines = 12;  // that are seen at once
}  // namespace

StackAnswerView::StackAnswerView(QWidget* parent)
    : QWidget(parent),
      state_(new PlainLabel(this)),
      text_(new QPlainTextEdit(this)),
      copy_(new QToolButton(this)) {
  state_->setObjectName(QStringLiteral("stackState"));
  state_->setWordWrap(true);
  state_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  state_->setFocusPolicy(Qt::ClickFocus);
  text_->setReadOnly(true);
  text_->setTabChangesFocus(true);
  text_->setLineWrapMode(QPlainTextEdit::NoWrap);
  text_->setFont(monospaceFont());
  text_->setAccessibleName(tr("Where the ranks are in their code"));
  copy_->setText(tr("Copy the stacks"));
  copy_->setToolTip(tr("Copy where the ranks are as text"));
  connect(copy_, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(text_->toPlainText()); });
  auto* layout = new QVBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  layout->setSpacing(4);
  layout->addWidget(state_);
  layout->addWidget(text_);
  layout->addWidget(copy_, 0, Qt::AlignLeft);
  hide();
}

void StackAnswerView::show(const StackAnswer& answer) {
  const QString state = stateText(answer), text = stacksText(answer);
  if (state_->text() != state) {
    state_->setText(state);
    QAccessibleEvent changed(state_, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&changed);
  }
  state_->setVisible(!state.isEmpty());
  if (text_->toPlainText() != text) text_->setPlainText(text);  // what is selected in it stays
  const auto lines = std::min<qsizetype>(text.count(QLatin1Char('\n')) + 2, kMostLines);
  text_->setFixedHeight(static_cast<int>(lines) * text_->fontMetrics().lineSpacing() +
                        2 * text_->frameWidth());
  text_->setVisible(!text.isEmpty());
  copy_->setVisible(!text.isEmpty());
  setVisible(!answer.isEmpty());
}

}  // namespace lockstep
