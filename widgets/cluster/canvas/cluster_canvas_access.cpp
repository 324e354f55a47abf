// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas_access.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QPointer>
#include <utility>
#include <vector>

#include "widgets/cluster/canvas/cluster_canvas.h"

namespace lockstep {
namespace {

/// One part of the drawing. Stands for whatever is drawn under its key, and is invalid while nothing is.
class CanvasPart final : public QAccessibleInterface, public QAccessibleActionInterface {
 public:
  CanvasPart(ClusterCanvas* canvas, const CanvasKey& key) : canvas_(canvas), key_(key) {}

  [[nodiscard]] bool isValid() const override { return item(); }
  [[nodiscard]] QObject* object() const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* parent() const override {
    return QAccessible::queryAccessibleInterface(canvas_);
  }
  [[nodiscard]] QAccessibleInterface* child(int) const override { return nullptr; }
  [[nodiscard]] QAccessibleInterface* childAt(int, int) const override { return nullptr; }
  [[nodiscard]] int childCount() const override { return 0; }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface*) const override { return -1; }

  [[nodiscard]] QString text(QAccessible::Text kind) const override {
    const CanvasItem* part = item();
    if (!part) return {};
    if (kind == QAccessible::Name) return canvas_->describePart(*part);
    return kind == QAccessible::Description ? canvas_->detailsOf(*part) : QString();
  }
  void setText(QAccessible::Text, const QString&) override {}

  [[nodiscard]] QRect rect() const override {
    const CanvasItem* part = item();
    if (!part) return {};
    const QRect rect = part->rect.toAlignedRect();
    return {canvas_->mapToGlobal(rect.topLeft()), rect.size()};
  }

  [[nodiscard]] QAccessible::Role role() const override {
    if (key_.kind == CanvasKey::Kind::Add) return QAccessible::Button;
    return key_.kind == CanvasKey::Kind::Group ? QAccessible::Grouping : QAccessible::ListItem;
  }

  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state;
    state.invalid = !item();
    state.invisible = state.invalid || !canvas_->isVisible();
    state.disabled = !canvas_ || !canvas_->isEnabled();
    state.focusable = true;
    state.focused = canvas_ && canvas_->hasFocus() && canvas_->focusedPart() == key_;
    return state;
  }

  void* interface_cast(QAccessible::InterfaceType type) override {
    return type == QAccessible::ActionInterface ? static_cast<QAccessibleActionInterface*>(this) : nullptr;
  }

  [[nodiscard]] QStringList actionNames() const override {
    QStringList names{pressAction(), setFocusAction()};
    if (hasReplicas(key_)) names << increaseAction() << decreaseAction();
    return names;
  }
  void doAction(const QString& name) override {
    if (!item() || !canvas_->isEnabled()) return;
    if (name == pressAction()) return canvas_->activatePart(key_);
    if (name == increaseAction()) return canvas_->step(key_.role, 1);
    if (name == decreaseAction()) return canvas_->step(key_.role, -1);
    if (name != setFocusAction()) return;
    canvas_->setFocus();
    canvas_->setFocusedPart(key_);
  }
  [[nodiscard]] QStringList keyBindingsForAction(const QString&) const override { return {}; }

 private:
  [[nodiscard]] const CanvasItem* item() const { return canvas_ ? canvas_->scene().find(key_) : nullptr; }

  QPointer<ClusterCanvas> canvas_;
  CanvasKey key_;
};

/// The canvas itself: first its parts, then the widgets that it has.
class CanvasAccessible final : public QAccessibleWidget {
 public:
  explicit CanvasAccessible(ClusterCanvas* canvas) : QAccessibleWidget(canvas, QAccessible::List) {}
  ~CanvasAccessible() override {
    for (const auto& [key, id] : known_) QAccessible::deleteAccessibleInterface(id);
  }

  [[nodiscard]] QAccessible::State state() const override {
    QAccessible::State state = QAccessibleWidget::state();
    if (canvas().scene().find(canvas().focusedPart())) state.focused = false;  // the part is
    return state;
  }
  [[nodiscard]] int childCount() const override {
    return static_cast<int>(canvas().focusableParts().size()) + QAccessibleWidget::childCount();
  }
  [[nodiscard]] QAccessibleInterface* child(int index) const override {
    const std::vector<CanvasKey> parts = canvas().focusableParts();
    const int count = static_cast<int>(parts.size());
    if (index < 0) return nullptr;
    return index < count ? part(parts[static_cast<size_t>(index)]) : QAccessibleWidget::child(index - count);
  }
  [[nodiscard]] int indexOfChild(const QAccessibleInterface* child) const override {
    const std::vector<CanvasKey> parts = canvas().focusableParts();
    for (size_t i = 0; i < parts.size(); ++i)
      if (part(parts[i]) == child) return static_cast<int>(i);
    const int index = QAccessibleWidget::indexOfChild(child);
    return index < 0 ? index : index + static_cast<int>(parts.size());
  }
  [[nodiscard]] QAccessibleInterface* childAt(int x, int y) const override {
    const CanvasItem* item = canvas().scene().at(canvas().mapFromGlobal(QPoint(x, y)));
    return item && item->canFocus ? part(item->key) : nullptr;
  }
  [[nodiscard]] QAccessibleInterface* focusChild() const override {
    return canvas().hasFocus() ? part(canvas().focusedPart()) : QAccessibleWidget::focusChild();
  }

 private:
  [[nodiscard]] ClusterCanvas& canvas() const { return *static_cast<ClusterCanvas*>(widget()); }

  /// Screen readers hold on to an interface, so a part has one as long as the canvas is there.
  QAccessibleInterface* part(const CanvasKey& key) const {
    for (const auto& [known, id] : known_)
      if (known == key) return QAccessible::accessibleInterface(id);
    auto* made = new CanvasPart(&canvas(), key);
    known_.emplace_back(key, QAccessible::registerAccessibleInterface(made));
    return made;
  }

  mutable std::vector<std::pair<CanvasKey, QAccessible::Id>> known_;
};

}  // namespace

QAccessibleInterface* canvasAccessibleFactory(const QString&, QObject* object) {
  auto* canvas = qobject_cast<ClusterCanvas*>(object);
  return canvas ? new CanvasAccessible(canvas) : nullptr;
}

}  // namespace lockstep
