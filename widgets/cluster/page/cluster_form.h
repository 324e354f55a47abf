// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QScrollArea>
#include <map>
#include <vector>

#include "plan/cost.h"
#include "widgets/cluster/document/editable_cluster.h"
#include "widgets/common/pickers/resource_picker.h"

class QVBoxLayout;

namespace lockstep {

class ClusterCanvas;
class EnvEditor;
class FieldRow;
class FormSection;
struct FieldBinding;
class LayoutPanel;
class MessageBar;
class PairEditor;

/// The form: one row per binding, its issues right under it. Rows that mean nothing in the present document
/// are hidden unless the file has them. While the text is no YAML it shows, disabled, the last state that
/// was, and says where the text breaks.
class ClusterForm : public QScrollArea {
  Q_OBJECT
 public:
  explicit ClusterForm(EditableCluster* cluster, QWidget* parent = nullptr);

  /// What the tenancy has of one kind; fields of that kind show and offer the names.
  void setResources(ResourceKind kind, const ResourceChoices& choices);
  /// The names of things by their id, as far as the set-up has seen them.
  void setNames(const ResourceNames& names);
  void setPrices(const PriceTable& prices);

  /// Moves to the field that edits `field` or the nearest one around it; false when the form has none.
  bool focusField(const FieldPath& field);
  /// The row that edits `field`; of several the one that is shown.
  [[nodiscard]] FieldRow* rowFor(const FieldPath& field) const;
  [[nodiscard]] const std::vector<FieldRow*>& rows() const { return rows_; }
  [[nodiscard]] EnvEditor* envEditor() const { return env_; }
  [[nodiscard]] ClusterCanvas* canvas() const { return canvas_; }
  [[nodiscard]] LayoutPanel* layoutPanel() const { return layout_; }
  [[nodiscard]] MessageBar* brokenNote() const { return broken_; }

 signals:
  void editFailed(const lockstep::Error& error);
  void undoRequested();
  void redoRequested();
  void goToRequested(int line, int column);
  /// The user takes up the fix of an issue.
  void fixRequested(const lockstep::Issue& issue);
  /// Somebody looks at a field whose choices are not known: list them and call setResources().
  void resourcesWanted(lockstep::ResourceKind kind);

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void fitWidth();
  void addSections(QVBoxLayout* column);
  FormSection* addSection(QVBoxLayout* column, const QString& title);
  void endSection(QVBoxLayout* column, FormSection* section, const QString& title);
  PairEditor* addPairs(PairEditor* editor);
  FieldRow* makeRow(const FieldBinding& binding, QWidget* parent);
  void refresh();
  void refreshRow(FieldRow& row, const ClusterDocument& document, const std::vector<Issue>& issues);
  [[nodiscard]] std::map<const FieldRow*, std::vector<Issue>> issuesByRow(
      const ClusterDocument& document) const;
  void forgetStaleChoices(const ClusterDocument& document);
  [[nodiscard]] QString remarkFor(const FieldRow& row, const ClusterDocument& document, bool hasIssues) const;
  void reveal(FieldRow* row);
  void onEdited(FieldRow& row, const QString& text);
  void onFinished(FieldRow& row);
  void removeEmptied(FieldRow& row);
  void showBroken();

  EditableCluster* cluster_;
  MessageBar* broken_ = nullptr;
  QWidget* fields_ = nullptr;
  ClusterCanvas* canvas_ = nullptr;
  EnvEditor* env_ = nullptr;
  LayoutPanel* layout_ = nullptr;
  std::vector<FormSection*> sections_;
  std::vector<FieldRow*> rows_;
  std::vector<PairEditor*> pairs_;
  std::multimap<FieldPath, FieldRow*> rowsByPath_;
  PriceTable prices_;
  ResourceNames names_;
  std::string compartment_, logGroup_;  // what the choices were listed for
  FieldRow* writing_ = nullptr;         // whose edit is on its way through the document
  FieldRow* touched_ = nullptr;         // edited since it got the focus
  int visit_ = 0;                       // typing merges within one visit of a field
};

}  // namespace lockstep
