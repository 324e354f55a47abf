// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QComboBox>
#include <map>

#include "widgets/common/pickers/resource_choices.h"

class QStandardItemModel;

namespace lockstep {

class NameLine;

/// The names of things by their id, where something else than a list has told them.
using ResourceNames = std::map<QString, QString>;

/// "subnets": what a list of things of this kind is called.
[[nodiscard]] QString pluralOf(ResourceKind kind);

/// A field for an id of the tenancy. Any text may be typed; what the tenancy has is listed by name, and
/// filtered while one types. While nobody types, a value whose name is known is shown by its name. Says when
/// somebody looks at it for the first time, so that the list is asked for only then.
class ResourcePicker : public QComboBox {
  Q_OBJECT
 public:
  explicit ResourcePicker(ResourceKind kind, QWidget* parent = nullptr);

  void setChoices(const ResourceChoices& choices);
  [[nodiscard]] const ResourceChoices& choices() const { return choices_; }
  /// What is known without a list; a list knows better.
  void setNames(const ResourceNames& names);
  /// Empty where it is not known, and for a value that is a name itself.
  [[nodiscard]] QString nameOf(const QString& value) const;
  /// What is known of a value: its name and details, or that the list is on its way or could not be had.
  [[nodiscard]] QString describe(const QString& value) const;
  /// Puts the value of a choice into the field; false for a line that is no choice.
  bool choose(int index);

  void showPopup() override;

 signals:
  /// The choices are not known and somebody wants to choose.
  void choicesWanted(lockstep::ResourceKind kind);

 protected:
  void focusInEvent(QFocusEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void fill();
  void showName();
  [[nodiscard]] const ResourceChoice* choiceOf(const QString& value) const;
  void addRemark(const QString& text);

  ResourceKind kind_;
  ResourceChoices choices_;
  ResourceNames names_;
  NameLine* line_;
  QStandardItemModel* list_;
};

}  // namespace lockstep
