// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <map>
#include <set>

#include "widgets/common/pickers/resource_picker.h"
#include "widgets/setup/choice_fields.h"

class QComboBox;
class QGridLayout;
class QLineEdit;

namespace lockstep {

/// What a step lets the user choose, as a small form made from choiceFieldsOf(). Hidden for a step without
/// choices. A change is told when it is done: Enter, another field, or a choice from a list.
class ChoiceForm : public QFrame {
  Q_OBJECT
 public:
  explicit ChoiceForm(QWidget* parent = nullptr);
  ~ChoiceForm() override;

  /// Shows the form of this step; `fixes` are the ids of what it proposes. The fields of a step that is shown
  /// already stay, with the cursor in them.
  void showStep(const std::string& stepId, const std::map<std::string, std::string>& facts,
                const std::set<std::string>& fixes = {});
  /// The names that checks have seen.
  void setNames(const ResourceNames& names);
  void setChoices(const SetupChoices& choices);
  [[nodiscard]] const SetupChoices& choices() const { return choices_; }
  void setResources(ResourceKind kind, const ResourceChoices& resources);
  /// The tenancy is another one, or has changed: what it has is asked for anew.
  void clearResources();
  /// The answer to fileWanted().
  void setField(const std::string& fieldId, const QString& value);
  /// Null: the step shown has no such field.
  [[nodiscard]] QWidget* editorOf(const std::string& fieldId) const;

 signals:
  void changed(const std::string& fieldId, const lockstep::SetupChoices& choices);
  void resourcesWanted(lockstep::ResourceKind kind);
  void fileWanted(const std::string& fieldId);

 private:
  struct Row {
    ChoiceField field;
    QWidget* label = nullptr;
    QWidget* editor = nullptr;         // all of it
    QLineEdit* line = nullptr;         // of a text or a file
    ResourcePicker* picker = nullptr;  // of a resource
    QComboBox* options = nullptr;      // of fixed alternatives
  };
  void rebuild();
  QWidget* makeEditor(Row& row);
  QWidget* makeOptions(Row& row);
  QWidget* makePicker(Row& row);
  QWidget* makeLine(Row& row);
  void commit(const std::string& fieldId, const QString& value);
  void adoptChoices(const SetupChoices& choices);
  void showValues();
  void showValue(const Row& row);
  void showHint(const Row& row);
  void showOffered(const Row& row);

  QGridLayout* grid_;
  std::string stepId_;
  std::map<std::string, std::string> facts_;
  std::set<std::string> fixes_;
  ResourceNames names_;
  std::map<ResourceKind, ResourceChoices> resources_;
  SetupChoices choices_;
  std::vector<Row> rows_;
};

}  // namespace lockstep
