// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QFrame>
#include <map>
#include <string>

class QGridLayout;
class QPushButton;

namespace lockstep {

/// What a step found that train.yaml can use, field by field, and the button that puts it there. Hidden
/// without facts.
class FactsCard : public QFrame {
  Q_OBJECT
 public:
  explicit FactsCard(QWidget* parent = nullptr);
  /// With the names of those ids that are known; ids follow their names.
  void setFacts(const std::map<std::string, std::string>& facts,
                const std::map<QString, QString>& names = {});
  [[nodiscard]] QPushButton* useButton() const { return use_; }

 signals:
  void useRequested(const std::map<std::string, std::string>& facts);

 private:
  QWidget* lines_ = nullptr;
  QPushButton* use_;
  std::map<std::string, std::string> facts_;
  std::map<QString, QString> names_;
};

}  // namespace lockstep
