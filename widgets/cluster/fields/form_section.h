// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <vector>

#include "cluster/document/cluster_document.h"

class QGridLayout;
class QLabel;
class QToolButton;

namespace lockstep {

class FieldRow;

/// A card of the form: a title whose mnemonic leads to its first field, and the fields that the present
/// document has or has a use for, without gaps for the others. "More" offers the rarely used ones.
class FormSection : public QFrame {
  Q_OBJECT
 public:
  using Relevance = bool (*)(const ClusterDocument& document);

  /// `title` has its mnemonic.
  FormSection(const QString& title, QWidget* parent);

  void addRow(FieldRow* row);
  /// A widget over the whole width; shown while it is relevant (nullptr: always). The caller makes it focus
  /// by itself.
  void addWide(QWidget* widget, Relevance isRelevant = nullptr);
  /// Shows what the document calls for. Costs little when that is what is shown already.
  void refresh(const ClusterDocument& document);
  [[nodiscard]] bool showsAll() const;
  void setShowsAll(bool showsAll);

 signals:
  void showsAllChanged();

 private:
  struct Item {
    QWidget* widget;
    FieldRow* row;  // nullptr: a wide widget
    Relevance isRelevant;
    bool isShown;
  };
  void arrange();
  void refreshMore(const ClusterDocument& document);

  QLabel* title_;
  QToolButton* more_;
  QGridLayout* grid_;
  std::vector<Item> items_;
};

}  // namespace lockstep
