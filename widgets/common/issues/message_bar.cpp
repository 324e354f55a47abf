// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/issues/message_bar.h"

#include <QAccessible>
#include <QApplication>
#include <QClipboard>
#include <QGridLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "widgets/common/access/accessible_role.h"
#include "widgets/common/issues/issues_model.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kIconSide = 22;

QLabel* makeText(QWidget* parent) {
  auto* label = new PlainLabel(parent);
  label->setWordWrap(true);
  label->setTextFormat(Qt::PlainText);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  label->setFocusPolicy(Qt::ClickFocus);
  return label;
}

QToolButton* makeTool(QWidget* parent, const QString& text) {
  auto* button = new QToolButton(parent);
  button->setText(text);
  button->setAutoRaise(true);
  return button;
}

QString detailsOf(const Error& error) {
  QStringList lines;
  if (!error.where.empty()) lines << MessageBar::tr("Where: %1").arg(toQString(error.where));
  if (error.service) {
    const ServiceAnswer& answer = *error.service;
    lines << MessageBar::tr("Service: %1 %2").arg(toQString(answer.service), toQString(answer.operation));
    lines << (answer.httpStatus == 0 ? MessageBar::tr("Answer: none arrived")
                                     : MessageBar::tr("Answer: HTTP %1 %2")
                                           .arg(answer.httpStatus)
                                           .arg(toQString(answer.errorCode)));
    if (!answer.requestId.empty()) lines << MessageBar::tr("Request id: %1").arg(toQString(answer.requestId));
  }
  lines << MessageBar::tr("Kind: %1").arg(QString::fromLatin1(toString(error.code)));
  return lines.join(QLatin1Char('\n'));
}

}  // namespace

MessageBar::MessageBar(QWidget* parent)
    : QFrame(parent),
      icon_(new PlainLabel(this)),
      title_(makeText(this)),
      cause_(makeText(this)),
      remedy_(makeText(this)),
      details_(makeText(this)),
      buttons_(new QHBoxLayout),
      detailsButton_(makeTool(this, tr("Details"))),
      copyButton_(makeTool(this, QString())),
      closeButton_(makeTool(this, QString())) {
  title_->setObjectName(QStringLiteral("title"));
  cause_->setObjectName(QStringLiteral("cause"));
  remedy_->setObjectName(QStringLiteral("remedy"));
  details_->setObjectName(QStringLiteral("details"));
  QFont bold = title_->font();
  bold.setWeight(QFont::DemiBold);
  title_->setFont(bold);
  details_->setFont(monospaceFont());
  detailsButton_->setCheckable(true);
  detailsButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  detailsButton_->setToolTip(tr("Show what the service answered"));
  copyButton_->setIcon(themedIcon(QStringLiteral("copy")));
  copyButton_->setToolTip(tr("Copy the message"));
  copyButton_->setAccessibleName(tr("Copy the message"));
  closeButton_->setIcon(themedIcon(QStringLiteral("close")));
  closeButton_->setToolTip(tr("Close (Esc)"));
  closeButton_->setAccessibleName(tr("Close the message"));

  auto* tools = new QHBoxLayout;
  tools->setSpacing(2);
  for (auto* button : {detailsButton_, copyButton_, closeButton_}) tools->addWidget(button);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(12, 8, 8, 8);
  grid->setHorizontalSpacing(10);
  grid->setVerticalSpacing(3);
  grid->addWidget(icon_, 0, 0, Qt::AlignTop);
  grid->addWidget(title_, 0, 1);
  grid->addLayout(tools, 0, 2, Qt::AlignTop);
  grid->addWidget(cause_, 1, 1, 1, 2);
  grid->addWidget(remedy_, 2, 1, 1, 2);
  grid->addWidget(details_, 3, 1, 1, 2);
  buttons_->setSpacing(8);
  grid->addLayout(buttons_, 4, 1, 1, 2, Qt::AlignLeading);  // beside the text they would need a wide window
  grid->setColumnStretch(1, 1);

  connect(detailsButton_, &QToolButton::toggled, this, &MessageBar::setDetailsShown);
  connect(copyButton_, &QToolButton::clicked, this,
          [this] { QApplication::clipboard()->setText(plainText()); });
  connect(closeButton_, &QToolButton::clicked, this, [this] {
    clear();
    emit closed();
  });
  setAccessibleRole(this, QAccessible::AlertMessage);
  hide();
}

void MessageBar::showError(const Error& error, Severity severity) {
  present(severity, asSentence(error.what), asSentence(error.cause), asSentence(error.remedy),
          detailsOf(error));
}

void MessageBar::showMessage(Severity severity, const QString& title, const QString& text) {
  present(severity, title, text, {}, {});
}

QPushButton* MessageBar::addButton(const QString& text) {
  auto* button = new QPushButton(text, this);
  buttons_->addWidget(button);
  // Reached before the message's own tools, which come after it on the screen.
  setTabOrder(button, detailsButton_);
  return button;
}

QString MessageBar::plainText() const {
  QStringList lines;
  for (const QLabel* label : {title_, cause_, remedy_, details_})
    if (!label->text().isEmpty()) lines << label->text();
  return lines.join(QLatin1Char('\n'));
}

void MessageBar::clear() {
  removeButtons();
  hide();
}

void MessageBar::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Escape && hasMessage()) {
    closeButton_->click();
    return;
  }
  QFrame::keyPressEvent(event);
}

void MessageBar::changeEvent(QEvent* event) {
  QFrame::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) recolor();
}

void MessageBar::present(Severity severity, const QString& title, const QString& cause, const QString& remedy,
                         const QString& details) {
  removeButtons();
  severity_ = severity;
  title_->setText(title);
  cause_->setText(cause);
  remedy_->setText(remedy);
  details_->setText(details);
  cause_->setVisible(!cause.isEmpty());
  remedy_->setVisible(!remedy.isEmpty());
  detailsButton_->setVisible(!details.isEmpty());
  detailsButton_->setChecked(false);
  setDetailsShown(false);
  recolor();
  setAccessibleName(title);
  setAccessibleDescription(QStringList{cause, remedy}.join(QLatin1Char('\n')));
  show();
  QAccessibleEvent alert(this, QAccessible::Alert);
  QAccessible::updateAccessibility(&alert);
}

void MessageBar::setDetailsShown(bool shown) {
  details_->setVisible(shown && !details_->text().isEmpty());
  detailsButton_->setIcon(themedIcon(shown ? QStringLiteral("down") : QStringLiteral("right")));
}

void MessageBar::recolor() {
  QPalette colors = palette();
  colors.setColor(QPalette::WindowText, colorFor(severity_, colors));
  title_->setPalette(colors);
  icon_->setPixmap(iconFor(severity_).pixmap(QSize(kIconSide, kIconSide), devicePixelRatioF()));
  update();
}

void MessageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor ink = colorFor(severity_, palette());
  const QColor ground = tinted(palette().color(QPalette::Window), ink, 0.10);
  painter.setPen(tinted(ground, ink, 0.35));
  painter.setBrush(ground);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 8, 8);
}

void MessageBar::removeButtons() {
  while (QLayoutItem* item = buttons_->takeAt(0)) {
    // The click that led here may come from this very button.
    if (item->widget()) {
      item->widget()->hide();
      item->widget()->deleteLater();
    }
    delete item;
  }
}

}  // namespace lockstep
