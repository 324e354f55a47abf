// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QList>
#include <QToolButton>

class QAction;

namespace lockstep {

/// The button beside a chart's title, with what can be done with the chart: its picture copied or saved, its values saved.
/// The same menu is the chart's context menu; whoever shows the chart may add to it.
class PlotMenu : public QToolButton {
  Q_OBJECT
 public:
  /// `title`: of the chart.
  explicit PlotMenu(const QString& title, QWidget* parent = nullptr);

  void setTitle(const QString& title);
  /// Without samples there is nothing to copy or save.
  void setHasData(bool hasData);
  void showAt(const QPoint& global);

 signals:
  void copyPicture();
  void savePicture();
  void saveValues();

 private:
  QList<QAction*> ofData_;
};

}  // namespace lockstep
