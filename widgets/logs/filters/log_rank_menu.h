// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLineEdit>
#include <string>
#include <vector>

#include "logs/log_filter.h"
#include "widgets/common/layout/elided_button.h"

class QMenu;

namespace lockstep {

/// A button whose menu chooses ranks and nodes: one by one, or as a list such as "0-3, 17".
class LogRankMenu : public ElidedButton {
  Q_OBJECT
 public:
  using Choice = std::vector<std::optional<Rank>>;  // empty: all; nullopt: the lines of node agents

  explicit LogRankMenu(QWidget* parent = nullptr);

  /// What there is to choose from. Choices made stay. Of more than kMaxEntries ranks or nodes the rest is chosen by the list
  /// of ranks alone.
  void setRanks(const std::vector<Rank>& ranks);
  void setNodes(const std::vector<std::string>& nodes);

  void choose(Choice ranks, std::vector<std::string> nodes);
  [[nodiscard]] const Choice& ranks() const { return chosen_; }
  [[nodiscard]] const std::vector<std::string>& nodes() const { return chosenNodes_; }
  /// "Ranks 3, 4", "Node agents"; empty: all.
  [[nodiscard]] QString ranksText() const;
  [[nodiscard]] QString nodesText() const;

  static constexpr std::size_t kMaxEntries = 64;

 signals:
  void chosenChanged();

 protected:
  void changeEvent(QEvent* event) override;

 private:
  void rebuild();
  void addRankList();
  void addRank(const QString& text, std::optional<Rank> rank);
  void addNodes();
  void readRankList(QLineEdit* field);
  void change();

  QMenu* menu_;
  std::vector<Rank> ranks_;
  std::vector<std::string> nodes_;
  Choice chosen_;
  std::vector<std::string> chosenNodes_;
};

}  // namespace lockstep
