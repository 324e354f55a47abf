// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QScrollArea>
#include <vector>

#include "widgets/cluster/editable_cluster.h"

class QGridLayout;
class QVBoxLayout;

namespace lockstep {

class EnvEditor;
class FieldRow;
struct FieldBinding;
class MessageBar;
class TopologyStrip;

/// The form: one row per binding, its issues right under it. While the text is no YAML it shows, disabled,
/// the last state that was, and says where the text breaks.
class ClusterForm : public QScrollArea {
  Q_OBJECT
 public:
  explicit ClusterForm(EditableCluster* cluster, QWidget* parent = nullptr);

  /// Moves to the field that edits `field` or the nearest one around it; false when the form has none.
  bool focusField(const FieldPath& field);
  [[nodiscard]] FieldRow* rowFor(const FieldPath& field) const;
  [[nodiscard]] EnvEditor* envEditor() const { return env_; }
  [[nodiscard]] TopologyStrip* topology() const { return topology_; }
  [[nodiscard]] MessageBar* brokenNote() const { return broken_; }

 signals:
  void editFailed(const lockstep::Status& status);
  void undoRequested();
  void redoRequested();
  void goToRequested(int line, int column);

 private:
  void addRows(QVBoxLayout* column);
  QGridLayout* addSection(QVBoxLayout* column, const QString& title);
  void placeRow(QGridLayout* grid, FieldRow* row);
  FieldRow* makeRow(const FieldBinding& binding);
  void refresh();
  void refreshRow(FieldRow& row, const ClusterDocument& document);
  void onEdited(FieldRow& row, const QString& text);
  void onFinished(FieldRow& row);
  void showBroken();

  EditableCluster* cluster_;
  MessageBar* broken_ = nullptr;
  QWidget* fields_ = nullptr;
  TopologyStrip* topology_ = nullptr;
  EnvEditor* env_ = nullptr;
  std::vector<FieldRow*> rows_;
  FieldRow* writing_ = nullptr;  // whose edit is on its way through the document
  int visit_ = 0;                // typing merges within one visit of a field
};

}  // namespace lockstep
