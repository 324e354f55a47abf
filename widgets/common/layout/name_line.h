// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLineEdit>

namespace lockstep {

/// A field for an id that people know by a name: while nobody is typing in it, it shows the name first and
/// the id, muted, after it. Its text is the id at all times.
class NameLine : public QLineEdit {
  Q_OBJECT
 public:
  using QLineEdit::QLineEdit;

  /// Empty: the name is not known, and the text is shown as it is.
  void setName(const QString& name);
  [[nodiscard]] QString name() const { return name_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString name_;
};

}  // namespace lockstep
