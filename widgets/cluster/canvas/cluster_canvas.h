// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QWidget>
#include <memory>
#include <optional>

#include "base/field_path.h"
#include "widgets/cluster/canvas/cluster_canvas_scene.h"
#include "widgets/cluster/document/editable_cluster.h"

class QSpinBox;
class QTimer;

namespace lockstep {

class NodeCard;
struct CanvasLook;

/// The cluster drawn: the subnet as a box, in it the main node and the groups of workers and parameter
/// servers with their ports, beside it bucket and log group. One edits it directly: replicas by dragging or
/// typing, roles added, duplicated, removed. Hover or focus shows a node's ranks, host, ports and
/// environment. Changes the document through EditableCluster, so the one undo stack has them; while the text
/// is no YAML it shows the last good state, disabled.
class ClusterCanvas : public QWidget {
  Q_OBJECT
 public:
  explicit ClusterCanvas(EditableCluster* cluster, QWidget* parent = nullptr);
  ~ClusterCanvas() override;

  /// "World size 6 = (1 main + 2 workers) × 2 GPUs": what the drawing says to those who cannot see it.
  [[nodiscard]] QString summary() const;

  /// What is drawn now, and where: for screen readers and tests.
  [[nodiscard]] const CanvasScene& scene() const { return scene_; }
  [[nodiscard]] const CanvasModel& model() const { return model_; }
  [[nodiscard]] CanvasKey focusedPart() const { return focused_; }
  /// Moves the keyboard's place in the drawing; ignored for what is not drawn.
  void setFocusedPart(const CanvasKey& key);
  /// What a part says in words: "worker 1, ranks 4–5".
  [[nodiscard]] QString describePart(const CanvasItem& item) const;
  /// Ranks, host, ports of a node, in words; empty for what is no node.
  [[nodiscard]] QString detailsOf(const CanvasItem& item) const;
  /// The card that is shown beside a part, or nullptr.
  [[nodiscard]] NodeCard* card() const { return card_; }
  /// What Enter and a double click do.
  void activatePart(const CanvasKey& key);
  /// More or fewer nodes of a role; none left removes it.
  void step(NodeRole role, int by);
  /// What the keyboard can reach, in reading order.
  [[nodiscard]] std::vector<CanvasKey> focusableParts() const;
  /// Opens the little field in which the number of a role's nodes is typed.
  void editCount(NodeRole role, const QString& firstDigits = {});

  [[nodiscard]] QSize sizeHint() const override;
  [[nodiscard]] QSize minimumSizeHint() const override;
  [[nodiscard]] bool hasHeightForWidth() const override { return true; }
  [[nodiscard]] int heightForWidth(int width) const override;

 signals:
  /// The user wants to edit what is behind a part of the drawing: the form moves there.
  void fieldRequested(const lockstep::FieldPath& field);
  void editFailed(const lockstep::Error& error);

 protected:
  bool event(QEvent* event) override;
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void changeEvent(QEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusInEvent(QFocusEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void leaveEvent(QEvent* event) override;
  void hideEvent(QHideEvent* event) override;
  bool eventFilter(QObject* watched, QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  enum class Gesture { None, Pressed, DraggingGrip, DraggingCard };
  enum class Drop { Nothing, OneMore, OneLess };

  void refresh();
  void relayout();
  void keepFocusOnSomething();
  void describeFocus();
  void updateCursor();
  void setHovered(const CanvasKey& key);
  [[nodiscard]] CanvasLook look() const;

  void change(NodeRole role, long long count, const QString& mergeKey = {});
  bool clickPart(const CanvasItem& item, const QPointF& place);
  void dragGrip(const QPointF& place);
  void endGesture(bool takeIt);
  [[nodiscard]] Drop dropAt(const QPointF& place) const;
  [[nodiscard]] QRectF binRect() const;
  void paintGesture(QPainter& painter);
  void paintBubble(QPainter& painter, const QString& text, const QPointF& place, bool isRemoval);
  [[nodiscard]] QString dropText() const;

  bool handleKey(QKeyEvent* event);
  bool handleRoleKey(QKeyEvent* event, NodeRole role);
  bool moveFocus(Qt::Key key);
  bool removePart(const CanvasItem& item);
  void finishCount(bool takeIt);

  [[nodiscard]] QString cardText(const CanvasItem& item) const;
  void showCard();  // after a moment
  void presentCard();
  void watchForCard(const QEvent& event);
  void hideCard();

  EditableCluster* cluster_;
  CanvasModel model_;
  CanvasMetrics metrics_;
  CanvasScene scene_;
  CanvasKey hovered_, focused_;

  Gesture gesture_ = Gesture::None;
  CanvasKey pressed_;
  QPointF pressedAt_, mouseAt_;
  std::optional<long long> preview_;  // while a grip is dragged: the number that it stands at
  int visit_ = 0;                     // steps merge until the focus moves

  QSpinBox* countBox_ = nullptr;
  NodeRole countRole_ = NodeRole::Worker;
  int countShown_ = 0;  // what the field began with
  NodeCard* card_ = nullptr;
  QTimer* cardTimer_ = nullptr;
  bool cardOfFocus_ = false;  // else of what the mouse is over
};

}  // namespace lockstep
