// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

class QAbstractButton;
class QAction;
class QHBoxLayout;
class QMenu;
class QToolButton;

namespace lockstep {

/// A line of tools that never asks for more width than there is: tools that do not fit go, from the end of
/// the line on, into the menu of one button. What is added to stay stays; what can be narrower becomes so
/// first.
class ToolRow : public QWidget {
  Q_OBJECT
 public:
  enum class Place { Overflows, Stays };

  explicit ToolRow(QWidget* parent = nullptr);

  /// A button that does what the action does, with icon and text.
  QToolButton* addTool(QAction* action, Place place = Place::Overflows);
  /// A button that somebody made. In the menu it goes by its text, else its accessible name.
  void addButton(QAbstractButton* button, Place place = Place::Overflows);
  void addWidget(QWidget* widget, int stretch = 0);
  void addSeparator();
  void addStretch();
  /// Whether a part of the line is to be had at all.
  void setOffered(QWidget* part, bool isOffered);
  void setMargins(const QMargins& margins);

  [[nodiscard]] QToolButton* overflowButton() const { return more_; }
  /// The tools that found no room, as entries.
  [[nodiscard]] QMenu* overflowMenu() const { return menu_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  bool event(QEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  enum class Kind { Tool, Fixed, Separator };
  struct Part {
    QWidget* widget;
    Kind kind;
    bool isOffered = true;
  };
  void add(QWidget* widget, Kind kind, int stretch = 0);
  void fit();
  [[nodiscard]] std::vector<bool> fitting() const;
  void fillMenu(const std::vector<bool>& shown);
  void addEntries(const QAbstractButton* button);
  [[nodiscard]] int widthOf(const std::vector<bool>& shown, bool withMore) const;

  std::vector<Part> parts_;
  std::vector<bool> shown_;
  QHBoxLayout* row_;
  QToolButton* more_;
  QMenu* menu_;
};

}  // namespace lockstep
