// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/canvas/cluster_canvas_scene.h"

#include <algorithm>
#include <cmath>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/cluster/canvas/cluster_canvas_edits.h"
#include "widgets/cluster/canvas/cluster_canvas_group.h"

namespace lockstep {
namespace {

constexpr qreal kWidest = 900;     // units; a wider drawing would only pull apart what belongs together
constexpr qreal kSideChips = 640;  // from here on the chips stand beside the subnet
constexpr qreal kChipColumn = 156;
constexpr qreal kMinChip = 108;
constexpr qreal kChipGap = 12;

QFont scaled(const QFont& font, qreal factor) {
  QFont out = font;
  if (font.pointSizeF() > 0)
    out.setPointSizeF(font.pointSizeF() * factor);
  else
    out.setPixelSize(static_cast<int>(std::lround(font.pixelSize() * factor)));
  return out;
}

QFont weighted(const QFont& font, QFont::Weight weight) {
  QFont out = font;
  out.setWeight(weight);
  return out;
}

CanvasItem item(CanvasKey::Kind kind, const QRectF& rect, const FieldPath& field) {
  CanvasItem out;
  out.key.kind = kind;
  out.rect = rect;
  out.field = field;
  return out;
}

/// Lays out left to right; layoutCanvas() mirrors the result.
class Layouter {
 public:
  Layouter(const CanvasModel& model, const CanvasMetrics& metrics, CanvasScene& scene)
      : model_(model), m_(metrics), scene_(scene), u_(metrics.unit) {}

  void run(qreal width) {
    const qreal margin = 3 * u_;  // room for the focus ring
    const qreal room = std::min(width - 2 * margin, kWidest * u_);
    const bool beside = room >= kSideChips * u_;
    const qreal subnetWidth = beside ? room - (kChipColumn + 44) * u_ : room;
    const auto chips = static_cast<qreal>(model_.chips.size());
    const qreal min = beside ? chips * chipSize(0).height() + (chips - 1) * kChipGap * u_ : 0;
    qreal bottom = subnet(margin, margin, subnetWidth, min);
    if (beside)
      bottom = std::max(bottom, chipsBeside(margin + room - kChipColumn * u_));
    else
      bottom = chipsBelow(margin, bottom, room);
    bottom = words(margin, bottom + 10 * u_, room);
    scene_.size = QSizeF(width, std::ceil(bottom + margin));
  }

 private:
  qreal subnet(qreal x, qreal y, qreal width, qreal min) {
    const qreal pad = 14 * u_;
    const qreal title = m_.boldSize.height() + 4 * u_;
    scene_.subnetTitle = {x + pad, y + 8 * u_, width - 2 * pad, title};
    scene_.items.push_back(item(CanvasKey::Kind::Subnet, scene_.subnetTitle, model_.subnetField));
    scene_.items.back().title = model_.subnetTitle;
    scene_.items.back().subtitle = model_.subnetCaption;
    qreal top = scene_.subnetTitle.bottom() + 8 * u_;
    qreal left = x + pad;
    qreal room = width - 2 * pad;
    if (model_.isOneRun) {
      scene_.runTitle = {left + pad, top + 6 * u_, room - 2 * pad, m_.smallSize.height() + 2 * u_};
      const qreal bottom = nodes(left + pad, scene_.runTitle.bottom() + 8 * u_, room - 2 * pad);
      scene_.run = {left, top, room, bottom + 12 * u_ - top};
      top = scene_.run.bottom();
    } else {
      top = nodes(left, top, room);
    }
    const qreal shapeWidth = std::min(room, m_.smallSize.horizontalAdvance(model_.shapeText) + 14 * u_);
    const qreal shapeHeight = m_.smallSize.height() + 6 * u_;
    top = std::max(top + 8 * u_, y + min - shapeHeight - 8 * u_);
    const QRectF shape(left - 6 * u_, top, shapeWidth, shapeHeight);
    scene_.items.push_back(item(CanvasKey::Kind::Shape, shape, model_.shapeField));
    scene_.items.back().title = model_.shapeText;
    scene_.subnet = {x, y, width, shape.bottom() + 8 * u_ - y};
    return scene_.subnet.bottom();
  }

  /// Main beside its groups where there is room for both, else above them.
  qreal nodes(qreal x, qreal y, qreal width) {
    const CanvasGroupSizes sizes(model_, m_);
    const qreal pill = pillWidth();
    const qreal gap = std::max(48 * u_, pill + 26 * u_);
    const qreal min = model_.groups.empty() ? sizes.card.width() : sizes.minGroupWidth(2);
    const bool beside = width >= sizes.card.width() + gap + min;
    return beside ? nodesBeside(sizes, x, y, width, gap) : nodesBelow(sizes, x, y, width, pill);
  }

  qreal nodesBeside(const CanvasGroupSizes& sizes, qreal x, qreal y, qreal width, qreal gap) {
    const size_t mainIndex = scene_.items.size();
    scene_.items.push_back(mainNode(sizes, x, y));
    const qreal groupX = x + sizes.card.width() + gap;
    const std::vector<QRectF> groups = groupColumn(sizes, groupX, y, x + width - groupX);
    const qreal bottom = groups.empty() ? y + sizes.card.height() : groups.back().bottom();
    QRectF& main = scene_.items[mainIndex].rect;
    main.moveTop(y + std::max(0.0, (bottom - y - sizes.card.height()) / 2));
    const qreal trunk = main.right() + gap / 2;
    for (size_t i = 0; i < groups.size() && i < model_.groups.size(); ++i) {
      CanvasEdge edge;
      const qreal to = groups[i].center().y();
      const bool isLevel = std::abs(to - main.center().y()) < 2;
      const QPointF fork(trunk, main.center().y());  // from there on each edge goes its own way
      edge.points = {fork, {trunk, to}, {groupX, to}};
      if (i == 0) edge.points.insert(edge.points.begin(), QPointF(main.right(), fork.y()));
      if (isLevel) edge.points = {{i == 0 ? main.right() : trunk, to}, {groupX, to}};
      if (i == 0) label(edge, {main.right() + gap / 2, main.center().y()});
      scene_.edges.push_back(std::move(edge));
    }
    return std::max(bottom, main.bottom());
  }

  qreal nodesBelow(const CanvasGroupSizes& sizes, qreal x, qreal y, qreal width, qreal pill) {
    scene_.items.push_back(mainNode(sizes, x, y));
    const QRectF main = scene_.items.back().rect;
    const qreal rail = x + 18 * u_;
    const qreal gap = pill > 0 ? m_.smallSize.height() + 22 * u_ : 16 * u_;
    const qreal groupX = rail + 18 * u_;
    const std::vector<QRectF> groups = groupColumn(sizes, groupX, main.bottom() + gap, x + width - groupX);
    for (size_t i = 0; i < groups.size() && i < model_.groups.size(); ++i) {
      CanvasEdge edge;
      const qreal to = groups[i].top() + 22 * u_;
      const qreal from = i == 0 ? main.bottom() : groups[i - 1].top() + 14 * u_;
      edge.points = {{rail, from}, {rail, to}, {groupX, to}};
      if (i == 0) label(edge, {std::max(rail, x + pill / 2), main.bottom() + gap / 2});
      scene_.edges.push_back(std::move(edge));
    }
    return groups.empty() ? main.bottom() : groups.back().bottom();
  }

  CanvasItem mainNode(const CanvasGroupSizes& sizes, qreal x, qreal y) const {
    CanvasItem main = item(CanvasKey::Kind::Node, {QPointF(x, y), sizes.card}, model_.main.field);
    main.title = nodeTitle(model_.main, 0);
    main.subtitle = rankText(model_.main, 0, 0);
    if (main.subtitle.isEmpty()) main.subtitle = model_.main.word;
    return main;
  }

  /// The groups and, after them, what can be added.
  std::vector<QRectF> groupColumn(const CanvasGroupSizes& sizes, qreal x, qreal y, qreal width) {
    std::vector<QRectF> rects;
    for (const CanvasRole& role : model_.groups) {
      rects.push_back(layoutGroup(role, sizes, m_, {x, y}, width, scene_.items));
      y = rects.back().bottom() + 10 * u_;
    }
    for (const NodeRole role : model_.addable) {
      const QString text = QStringLiteral("+ %1").arg(rolePlural(role));
      const qreal wanted = m_.bodySize.horizontalAdvance(text) + 28 * u_;
      const qreal height = model_.groups.empty() ? sizes.card.height() : m_.bodySize.height() + 14 * u_;
      const QRectF rect(x, y, std::min(width, wanted), height);
      CanvasItem add = item(CanvasKey::Kind::Add, rect, roleField(role));
      add.key.role = role;
      add.title = text;
      scene_.items.push_back(add);
      rects.push_back(rect);
      y = rect.bottom() + 10 * u_;
    }
    return rects;
  }

  [[nodiscard]] qreal pillWidth() const {
    return model_.portText.isEmpty() ? 0 : m_.smallSize.horizontalAdvance(model_.portText) + 14 * u_;
  }

  void label(CanvasEdge& edge, const QPointF& center) const {
    if (model_.portText.isEmpty()) return;
    edge.label = model_.portText;
    edge.labelRect = {0, 0, pillWidth(), m_.smallSize.height() + 4 * u_};
    edge.labelRect.moveCenter(center);
  }

  [[nodiscard]] QSizeF chipSize(qreal width) const {
    return {width, m_.smallSize.height() + m_.bodySize.height() + 14 * u_};
  }

  void addChip(size_t index, const QRectF& rect, std::vector<QPointF> edge) {
    const CanvasChip& chip = model_.chips[index];
    CanvasItem out = item(CanvasKey::Kind::Chip, rect, chip.field);
    out.key.index = static_cast<long long>(index);
    out.title = chip.value;
    out.subtitle = chip.caption;
    scene_.items.push_back(out);
    scene_.edges.push_back({std::move(edge), true, {}, {}});
  }

  qreal chipsBeside(qreal x) {
    const QSizeF size = chipSize(kChipColumn * u_);
    const qreal gap = kChipGap * u_;
    const auto count = static_cast<qreal>(model_.chips.size());
    const qreal height = count * size.height() + (count - 1) * gap;
    qreal y = std::max(scene_.subnet.top(), scene_.subnet.center().y() - height / 2);
    for (size_t i = 0; i < model_.chips.size(); ++i) {
      const QRectF rect({x, y}, size);
      const qreal level = std::min(rect.center().y(), scene_.subnet.bottom() - 16 * u_);
      addChip(i, rect, {{scene_.subnet.right(), level}, {x, level}});
      y = rect.bottom() + gap;
    }
    return y - gap;
  }

  qreal chipsBelow(qreal x, qreal top, qreal width) {
    const qreal gap = 10 * u_;
    const auto count = static_cast<qreal>(model_.chips.size());
    const qreal column = (width - (count - 1) * gap) / count;
    if (column < kMinChip * u_) return chipList(x, top, width);
    const qreal y = top + 20 * u_;
    for (size_t i = 0; i < model_.chips.size(); ++i) {
      const QRectF rect({x + static_cast<qreal>(i) * (column + gap), y}, chipSize(column));
      addChip(i, rect, {{rect.center().x(), top}, {rect.center().x(), y}});
    }
    return y + chipSize(column).height();
  }

  qreal chipList(qreal x, qreal top, qreal width) {
    const qreal rail = x + 18 * u_;
    const qreal left = rail + 18 * u_;
    qreal y = top + 12 * u_;
    qreal from = top;
    for (size_t i = 0; i < model_.chips.size(); ++i) {
      const QRectF rect({left, y}, chipSize(x + width - left));
      addChip(i, rect, {{rail, from}, {rail, rect.center().y()}, {left, rect.center().y()}});
      from = rect.center().y() - 8 * u_;  // where the edge before has turned off
      y = rect.bottom() + 8 * u_;
    }
    return y - 8 * u_;
  }

  /// The sentence below the drawing, and what the dashes mean.
  qreal words(qreal x, qreal y, qreal width) {
    const qreal legend = m_.smallSize.horizontalAdvance(ClusterCanvas::tr("not checked yet")) + 34 * u_;
    const qreal wanted = m_.bodySize.horizontalAdvance(model_.note) + 4 * u_;
    const bool oneLine = wanted + legend + 16 * u_ <= width;
    const qreal room = oneLine ? width - legend - 16 * u_ : width;
    const qreal height =
        model_.note.isEmpty()
            ? 0
            : m_.bodySize.boundingRect(QRectF(0, 0, room, 1e6), Qt::TextWordWrap, model_.note).height();
    scene_.note = {x, y, room, height};
    scene_.legend = {oneLine ? x + width - legend : x, oneLine ? y : y + height + 2 * u_, legend,
                     m_.bodySize.height()};
    return std::max(scene_.note.bottom(), scene_.legend.bottom());
  }

  const CanvasModel& model_;
  const CanvasMetrics& m_;
  CanvasScene& scene_;
  qreal u_;
};

void mirror(QRectF& rect, qreal width) {
  rect.moveLeft(width - rect.right());
}

void mirror(CanvasScene& scene, qreal width) {
  for (CanvasItem& item : scene.items) mirror(item.rect, width);
  for (CanvasEdge& edge : scene.edges) {
    for (QPointF& point : edge.points) point.setX(width - point.x());
    mirror(edge.labelRect, width);
  }
  for (QRectF* rect :
       {&scene.subnet, &scene.subnetTitle, &scene.run, &scene.runTitle, &scene.note, &scene.legend})
    mirror(*rect, width);
}

}  // namespace

CanvasMetrics::CanvasMetrics(const QFont& font)
    : body(font),
      bold(weighted(font, QFont::DemiBold)),
      small(scaled(font, 0.88)),
      bodySize(body),
      boldSize(bold),
      smallSize(small),
      unit(bodySize.height() / 16) {}

bool hasReplicas(const CanvasKey& key) {
  const bool isOfGroup = key.kind == CanvasKey::Kind::Group || key.kind == CanvasKey::Kind::Node ||
                         key.kind == CanvasKey::Kind::Stack;
  return isOfGroup && key.role != NodeRole::Main;
}

const CanvasItem* CanvasScene::find(const CanvasKey& key) const {
  for (const CanvasItem& item : items)
    if (item.key == key) return &item;
  return nullptr;
}

const CanvasItem* CanvasScene::at(const QPointF& point) const {
  for (auto item = items.rbegin(); item != items.rend(); ++item)
    if (item->rect.contains(point)) return &*item;
  return nullptr;
}

QRectF removeButton(const CanvasItem& item, const CanvasMetrics& metrics, Qt::LayoutDirection direction) {
  if (item.key.kind != CanvasKey::Kind::Node || item.key.role == NodeRole::Main) return {};
  const qreal side = 16 * metrics.unit;
  const qreal inset = 3 * metrics.unit;
  const qreal left =
      direction == Qt::RightToLeft ? item.rect.left() + inset : item.rect.right() - inset - side;
  return {left, item.rect.top() + inset, side, side};
}

CanvasScene layoutCanvas(const CanvasModel& model, const CanvasMetrics& metrics, qreal width,
                         Qt::LayoutDirection direction) {
  CanvasScene scene;
  Layouter(model, metrics, scene).run(std::max(width, minCanvasWidth(model, metrics)));
  if (direction == Qt::RightToLeft) mirror(scene, width);
  return scene;
}

qreal minCanvasWidth(const CanvasModel& model, const CanvasMetrics& metrics) {
  const CanvasGroupSizes sizes(model, metrics);
  const qreal frame = (model.isOneRun ? 28 : 0) * metrics.unit;
  return sizes.minGroupWidth(1) + (3 + 14 + 36 + 14 + 3) * metrics.unit + frame;
}

}  // namespace lockstep
