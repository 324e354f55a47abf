// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QColor>
#include <QIcon>
#include <QPalette>

class QApplication;
class QWidget;

namespace lockstep {

enum class ThemeMode { System, Light, Dark };

/// Sets style, palette and style sheet of the whole application. May be called again at any time; with System
/// the look follows the desktop from then on. UI thread.
void applyTheme(QApplication& application, ThemeMode mode);

/// Whether a palette is dark: by the lightness of its window colour.
[[nodiscard]] bool isDark(const QPalette& palette);

// What a colour means, readable on every ground of the palette given, a tint of itself and a selected row of a sidebar
// included (contrast 4.5:1 or better).
[[nodiscard]] QColor okColor(const QPalette& palette);
[[nodiscard]] QColor warningColor(const QPalette& palette);
[[nodiscard]] QColor errorColor(const QPalette& palette);
[[nodiscard]] QColor mutedColor(const QPalette& palette);   // secondary text
[[nodiscard]] QColor accentColor(const QPalette& palette);  // links, focus, the primary action
[[nodiscard]] QColor borderColor(const QPalette& palette);  // hair lines between areas
[[nodiscard]] QColor cardColor(const QPalette& palette);    // background of a raised area
/// How well one colour is told from the other, by WCAG 2: 1 (not at all) to 21.
[[nodiscard]] double contrast(const QColor& one, const QColor& other);
/// `color` laid thinly over `ground`: the background of a badge or a message.
[[nodiscard]] QColor tinted(const QColor& ground, const QColor& color, double share = 0.14);

/// OnTint: in a list whose selected row is only tinted (makeSidebar), where the others would turn white when selected.
enum class IconColor { Text, Muted, Accent, Ok, Warning, Error, OnAccent, OnTint };
/// An icon of resources/icons by its name ("play"), drawn in a colour of the palette in force when it is
/// painted, at whatever size and scale: it need not be replaced when the theme changes. An unknown name gives
/// a null icon.
[[nodiscard]] QIcon themedIcon(const QString& name, IconColor color = IconColor::Text);

/// Looks that the style sheet knows. Call before the widget is shown.
void makeCard(QWidget* widget);     // raised area with a border and round corners
void makeHeading(QWidget* label);   // larger, bold
void makeCaption(QWidget* label);   // muted, small
void makePrimary(QWidget* button);  // the one action that the page is for
void makeSidebar(QWidget* list);    // a list that switches pages
/// The fixed-width font for documents and logs.
[[nodiscard]] QFont monospaceFont();

}  // namespace lockstep
