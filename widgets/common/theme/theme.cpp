// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/theme/theme.h"

#include <QApplication>
#include <QEvent>
#include <QFontDatabase>
#include <QStyleHints>
#include <QToolTip>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "widgets/common/theme/theme_style.h"

namespace lockstep {
namespace {

constexpr auto kSheet = R"(
QWidget[lockstepTools="true"] > QToolButton { padding: 5px 9px; border: none; border-radius: 5px; }
QWidget[lockstepTools="true"] > QToolButton[popupMode="2"] { padding-right: 20px; }
QWidget[lockstepTools="true"] > QToolButton::menu-indicator { subcontrol-origin: padding; subcontrol-position: right center; right: 6px; }
QWidget[lockstepTools="true"] > QToolButton#moreTools { padding: 5px 9px; }
QWidget[lockstepTools="true"] > QToolButton#moreTools::menu-indicator { image: none; width: 0; }
QToolButton#plotMenu, QToolButton#cardMenu { padding: 0px 4px; }
QToolButton#plotMenu::menu-indicator, QToolButton#cardMenu::menu-indicator { image: none; width: 0; }
QWidget[lockstepTools="true"] > QToolButton:hover:enabled { background: %hover%; }
QWidget[lockstepTools="true"] > QToolButton:pressed, QWidget[lockstepTools="true"] > QToolButton:checked { background: %press%; }
QWidget[lockstepTools="true"] > QToolButton:focus { border: 2px solid %accent%; padding: 3px 7px; }
QWidget[lockstepTools="true"] > QToolButton[popupMode="2"]:focus { padding-right: 18px; }
QFrame#toolSeparator { color: %border%; }
QFrame[lockstepCard="true"] { background: %card%; border: 1px solid %border%; border-radius: 8px; }
QLabel[lockstepCaption="true"] { color: %muted%; }
QListView[lockstepSidebar="true"] { background: %side%; border: none; outline: none; padding: 6px; }
QListView[lockstepSidebar="true"]::item { padding: 7px 10px; border-radius: 6px; margin: 1px 0; color: palette(text); }
QListView[lockstepSidebar="true"]::item:hover { background: %hover%; }
QListView[lockstepSidebar="true"]::item:selected { background: %select%; color: palette(text); }
QListView[lockstepSidebar="true"]::item:selected:active { background: %select%; color: palette(text); }
QPushButton[lockstepPrimary="true"], QWidget[lockstepTools="true"] > QToolButton[lockstepPrimary="true"] { background: %accentFill%; color: white; border: 1px solid %accentFill%; border-radius: 5px; padding: 5px 14px; font-weight: 600; }
QPushButton[lockstepPrimary="true"]:hover:enabled, QWidget[lockstepTools="true"] > QToolButton[lockstepPrimary="true"]:hover:enabled { background: %accentHover%; }
QPushButton[lockstepPrimary="true"]:pressed, QWidget[lockstepTools="true"] > QToolButton[lockstepPrimary="true"]:pressed { background: %accentPress%; }
QPushButton[lockstepPrimary="true"]:focus, QWidget[lockstepTools="true"] > QToolButton[lockstepPrimary="true"]:focus { border: 2px solid palette(text); padding: 4px 13px; }
QPushButton[lockstepPrimary="true"]:disabled, QWidget[lockstepTools="true"] > QToolButton[lockstepPrimary="true"]:disabled { background: %hover%; color: %muted%; border-color: %border%; }
QHeaderView::section { background: palette(window); color: %muted%; border: none; border-bottom: 1px solid %border%; padding: 4px 8px; }
QTreeView, QTableView, QListView, QPlainTextEdit, QTextEdit { border: 1px solid %border%; border-radius: 6px; }
QTreeView, QTableView { outline: none; }
QAbstractScrollArea:focus { border: 1px solid %accent%; }
QSplitter::handle { background: transparent; }
QSplitter::handle:hover { background: %select%; }
QToolTip { background: %card%; color: palette(text); border: 1px solid %border%; padding: 5px; }
QProgressBar { border: none; border-radius: 3px; background: %press%; max-height: 6px; min-height: 6px; }
QProgressBar::chunk { border-radius: 3px; background: %accentFill%; }
QStatusBar::item { border: none; }
QAbstractScrollArea::corner { background: transparent; border: none; }
QScrollBar:vertical { background: transparent; width: 12px; margin: 0; }
QScrollBar::handle:vertical { background: %thumb%; border-radius: 4px; min-height: 28px; margin: 2px; }
QScrollBar:horizontal { background: transparent; height: 12px; margin: 0; }
QScrollBar::handle:horizontal { background: %thumb%; border-radius: 4px; min-width: 28px; margin: 2px; }
QScrollBar::handle:hover { background: %muted%; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: transparent; }
)";

QPalette makePalette(bool dark) {
  const QColor window = dark ? QColor(0x1e, 0x21, 0x27) : QColor(0xf4, 0xf5, 0xf7);
  const QColor base = dark ? QColor(0x17, 0x19, 0x1e) : QColor(0xff, 0xff, 0xff);
  const QColor text = dark ? QColor(0xe4, 0xe7, 0xec) : QColor(0x1d, 0x23, 0x2c);
  const QColor button = dark ? QColor(0x2b, 0x2f, 0x37) : QColor(0xff, 0xff, 0xff);
  const QColor faint = dark ? QColor(0x86, 0x8d, 0x99) : QColor(0x73, 0x7a, 0x86);
  const QColor accent = dark ? QColor(0x2f, 0x6f, 0xd0) : QColor(0x25, 0x63, 0xc4);
  QPalette palette(text, button, dark ? QColor(0x3a, 0x3f, 0x49) : QColor(0xff, 0xff, 0xff),
                   dark ? QColor(0x10, 0x12, 0x16) : QColor(0xb8, 0xbe, 0xc8),
                   dark ? QColor(0x24, 0x28, 0x2f) : QColor(0xd5, 0xd9, 0xe0), text, Qt::white, base, window);
  palette.setColor(QPalette::AlternateBase, dark ? QColor(0x1b, 0x1e, 0x24) : QColor(0xf7, 0xf8, 0xfa));
  palette.setColor(QPalette::ToolTipBase, button);
  palette.setColor(QPalette::ToolTipText, text);
  palette.setColor(QPalette::Highlight, accent);
  palette.setColor(QPalette::HighlightedText, Qt::white);
  palette.setColor(QPalette::PlaceholderText, mutedColor(palette));
  palette.setColor(QPalette::Link, accentColor(palette));
  palette.setColor(QPalette::LinkVisited, accentColor(palette));
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    palette.setColor(QPalette::Disabled, role, faint);
  palette.setColor(QPalette::Disabled, QPalette::Base, window);
  return palette;
}

QString makeSheet(const QPalette& palette) {
  QString sheet = QString::fromLatin1(kSheet);
  const QColor text = palette.color(QPalette::Text);
  const QColor window = palette.color(QPalette::Window);
  const QColor fill = palette.color(QPalette::Highlight);
  const std::pair<const char*, QColor> colors[] = {
      {"%hover%", tinted(window, text, 0.07)},
      {"%press%", tinted(window, text, 0.12)},
      {"%border%", borderColor(palette)},
      {"%card%", cardColor(palette)},
      {"%muted%", mutedColor(palette)},
      {"%side%", tinted(window, text, 0.035)},
      {"%select%", tinted(window, fill, 0.22)},
      {"%accent%", accentColor(palette)},
      {"%accentFill%", fill},
      {"%accentHover%", fill.darker(108)},
      {"%accentPress%", fill.darker(125)},
      {"%thumb%", tinted(window, text, 0.26)},
  };
  for (const auto& [name, color] : colors) sheet.replace(QLatin1String(name), color.name());
  return sheet;
}

void install(QApplication& application, bool dark) {
  const QPalette palette = makePalette(dark);
  application.setPalette(palette);
  QToolTip::setPalette(palette);
  application.setStyleSheet(makeSheet(palette));
}

/// Qt 6.4 cannot be asked for the desktop's colour scheme; what it can be asked for is the desktop's own
/// palette.
bool desktopIsDark(QApplication& application) {
  application.setPalette(QPalette());
  return isDark(QApplication::palette());
}

/// Follows the desktop while the mode is System. Owned by the application, one at most.
class ThemeFollower final : public QObject {
 public:
  explicit ThemeFollower(QApplication& application) : QObject(&application), application_(application) {
    setObjectName(QStringLiteral("lockstepThemeFollower"));
  }
  void setMode(ThemeMode mode) {
    mode_ = mode;
    refresh();
  }
  bool eventFilter(QObject*, QEvent* event) override {
    if (event->type() == QEvent::ThemeChange && mode_ == ThemeMode::System && !pending_) {
      pending_ = true;  // every window gets the event; once is enough, and not in the middle of its delivery
      QMetaObject::invokeMethod(
          this, [this] { refresh(); }, Qt::QueuedConnection);
    }
    return false;
  }

 private:
  void refresh() {
    pending_ = false;
    install(application_,
            mode_ == ThemeMode::System ? desktopIsDark(application_) : mode_ == ThemeMode::Dark);
  }
  QApplication& application_;
  ThemeMode mode_ = ThemeMode::System;
  bool pending_ = false;
};

double luminance(const QColor& color) {
  const auto channel = [](double value) {
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) + 0.0722 * channel(color.blueF());
}

void setMark(QWidget* widget, const char* mark) {
  widget->setProperty(mark, true);
}

void resizeFont(QWidget* widget, double factor, QFont::Weight weight) {
  QFont font = widget->font();
  font.setPointSizeF(font.pointSizeF() * factor);
  font.setWeight(weight);
  widget->setFont(font);
}

}  // namespace

void applyTheme(QApplication& application, ThemeMode mode) {
  if (!qobject_cast<ThemeStyle*>(QApplication::style()) && application.property("lockstepStyled").isNull()) {
    QApplication::setStyle(new ThemeStyle);
    application.setProperty("lockstepStyled", true);
  }
  auto* follower =
      static_cast<ThemeFollower*>(application.findChild<QObject*>(QStringLiteral("lockstepThemeFollower")));
  if (!follower) {
    follower = new ThemeFollower(application);
    application.installEventFilter(follower);
  }
  follower->setMode(mode);
}

bool isDark(const QPalette& palette) {
  return palette.color(QPalette::Window).lightnessF() < palette.color(QPalette::WindowText).lightnessF();
}

QColor okColor(const QPalette& palette) {
  return isDark(palette) ? QColor(0x5f, 0xc9, 0x8a) : QColor(0x11, 0x66, 0x3a);
}
QColor warningColor(const QPalette& palette) {
  return isDark(palette) ? QColor(0xe9, 0xb3, 0x4d) : QColor(0x7d, 0x4d, 0x00);
}
QColor errorColor(const QPalette& palette) {
  return isDark(palette) ? QColor(0xff, 0x86, 0x7c) : QColor(0xac, 0x20, 0x16);
}
QColor mutedColor(const QPalette& palette) {
  return isDark(palette) ? QColor(0x9d, 0xa5, 0xb1) : QColor(0x52, 0x5a, 0x67);
}
QColor accentColor(const QPalette& palette) {
  return isDark(palette) ? QColor(0x7f, 0xb0, 0xff) : QColor(0x1c, 0x54, 0xad);
}
QColor borderColor(const QPalette& palette) {
  return isDark(palette) ? QColor(0x3a, 0x3f, 0x49) : QColor(0xd3, 0xd7, 0xde);
}
QColor cardColor(const QPalette& palette) {
  return isDark(palette) ? QColor(0x24, 0x28, 0x2f) : QColor(0xff, 0xff, 0xff);
}

double contrast(const QColor& one, const QColor& other) {
  const double a = luminance(one) + 0.05;
  const double b = luminance(other) + 0.05;
  return std::max(a, b) / std::min(a, b);
}

QColor tinted(const QColor& ground, const QColor& color, double share) {
  const auto mix = [share](int a, int b) {
    return static_cast<int>(std::lround(a * (1 - share) + b * share));
  };
  return {mix(ground.red(), color.red()), mix(ground.green(), color.green()),
          mix(ground.blue(), color.blue())};
}

void makeCard(QWidget* widget) {
  setMark(widget, "lockstepCard");
}
void makeHeading(QWidget* label) {
  resizeFont(label, 1.25, QFont::DemiBold);
}
void makeCaption(QWidget* label) {
  setMark(label, "lockstepCaption");
  resizeFont(label, 0.92, QFont::Normal);
}
void makePrimary(QWidget* button) {
  setMark(button, "lockstepPrimary");
}
void makeSidebar(QWidget* list) {
  setMark(list, "lockstepSidebar");
}

QFont monospaceFont() {
  return QFontDatabase::systemFont(QFontDatabase::FixedFont);
}

}  // namespace lockstep
