// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <vector>

#include "cluster/cluster_spec.h"

namespace lockstep {

/// GPUs of a shape by the number at the end of its name ("VM.GPU.A10.2": 2); 0 for a shape without GPUs.
[[nodiscard]] int gpusByName(const std::string& shapeName);

/// A drawing of the nodes that the spec asks for, with the ranks on each, and the world size below.
class TopologyStrip : public QWidget {
  Q_OBJECT
 public:
  explicit TopologyStrip(QWidget* parent = nullptr);
  void setSpec(const ClusterSpec& spec);
  /// "World size 3: 1 main + 2 workers, one rank each": what the strip says to those who cannot see it.
  [[nodiscard]] QString summary() const { return summary_; }

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  struct Node {
    QString title, ranks;
    bool isMain = false;
  };
  [[nodiscard]] QSize boxSize() const;
  [[nodiscard]] Node nodeAt(long long index) const;
  void paintBox(QPainter& painter, const QRect& box, const Node& node) const;

  long long workers_ = 0;
  int ranksPerNode_ = 1;
  QString summary_;
};

}  // namespace lockstep
