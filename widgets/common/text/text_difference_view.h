// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QAbstractListModel>
#include <QWidget>
#include <vector>

#include "widgets/common/text/text_difference.h"

class QLabel;
class QListView;
class QPushButton;
class QToolButton;

namespace lockstep {

/// The lines of a comparison, long equal stretches folded into one row each.
class TextDifferenceModel : public QAbstractListModel {
  Q_OBJECT
 public:
  enum Role { LineRole = Qt::UserRole, KindRole, FoldRole };  // FoldRole: how many lines the row stands for

  explicit TextDifferenceModel(QObject* parent = nullptr);
  void setLines(std::vector<DifferenceLine> lines);
  [[nodiscard]] int count(DifferenceLine::Kind kind) const;
  [[nodiscard]] const QString& longest() const { return longest_; }
  [[nodiscard]] bool isFold(int row) const;
  void unfold(int row);
  /// The first row of the next (or previous) changed stretch; -1: there is none.
  [[nodiscard]] int changeFrom(int row, bool forward) const;
  /// The line of a row; nullptr for a fold.
  [[nodiscard]] const DifferenceLine* line(int row) const;

  [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
  [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

 private:
  struct Row {
    std::size_t first = 0;  // in lines_
    std::size_t count = 1;  // more than one: folded
  };
  [[nodiscard]] bool isChange(int row) const;

  std::vector<DifferenceLine> lines_;
  std::vector<Row> rows_;
  QString longest_;
};

/// Two versions of a text line by line, added and removed lines marked by sign and colour, equal stretches
/// folded. F7 and Shift+F7 go from change to change; Enter unfolds.
class TextDifferenceView : public QWidget {
  Q_OBJECT
 public:
  explicit TextDifferenceView(QWidget* parent = nullptr);
  void setTexts(const QString& before, const QString& beforeName, const QString& after,
                const QString& afterName);
  /// Whether it has the button that emits closed(). It has at first.
  void setClosable(bool isClosable);
  /// "2 lines removed, 3 added" or "No differences".
  [[nodiscard]] QString summary() const;
  [[nodiscard]] QListView* list() const { return list_; }
  [[nodiscard]] TextDifferenceModel* model() const { return model_; }

 public slots:
  void goToNext();
  void goToPrevious();

 signals:
  /// The user is done with it.
  void closed();

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void go(bool forward);
  void unfoldCurrent();

  TextDifferenceModel* model_;
  QLabel* title_;
  QLabel* summary_;
  QListView* list_;
  QToolButton* previous_;
  QToolButton* next_;
  QPushButton* back_ = nullptr;
};

}  // namespace lockstep
