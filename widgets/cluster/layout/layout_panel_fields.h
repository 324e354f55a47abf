// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>
#include <QSpinBox>
#include <functional>

#include "widgets/cluster/document/editable_cluster.h"

class QGridLayout;

namespace lockstep {

/// Gives a field of spec.multiNode another text; an empty one removes the field with the mappings that it
/// leaves empty, but for spec.multiNode itself, whose presence chooses the layout.
Result<void> setLayoutField(EditableCluster& cluster, const FieldPath& path, const QString& value, bool plain,
                            const QString& name);
/// Makes the list at `path` these words; none removes it.
Result<void> setLayoutWords(EditableCluster& cluster, const FieldPath& path,
                            const std::vector<std::string>& words, const QString& name);

/// A number that may be left out: the least value stands for that and says what happens then.
class OptionalNumber : public QSpinBox {
  Q_OBJECT
 public:
  OptionalNumber(int max, const QString& unset, QWidget* parent = nullptr);
  /// Shows a number of the file; nullopt: it has none.
  void showNumber(const std::optional<long long>& number);
  /// What the file is to get: digits, or nothing.
  [[nodiscard]] QString fileText() const;

 signals:
  void edited();
};

/// A label over an editor, as the form has them. The label says the editor's accessible name, too.
[[nodiscard]] QWidget* labelled(const QString& label, QWidget* editor, QWidget* parent);

}  // namespace lockstep
