// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/layout/layout_panel_group.h"

#include <QGridLayout>
#include <QLabel>
#include <QLineEdit>
#include <cmath>

#include "base/text/quote.h"
#include "widgets/cluster/canvas/cluster_canvas_model.h"
#include "widgets/cluster/fields/shape_picker.h"
#include "widgets/cluster/layout/layout_panel_fields.h"
#include "widgets/common/layout/disconnect_fields.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMaxNodes = 100'000;
constexpr int kMaxOcpus = 256;
constexpr int kMaxMemory = 4096;
constexpr int kMaxSeconds = 86'400;
constexpr int kMaxFailures = 1000;

const char* keyOf(NodeRole role) {
  return role == NodeRole::Main ? "main" : role == NodeRole::Worker ? "worker" : "ps";
}

QString commandLine(const std::vector<std::string>& words) {
  QStringList quoted;
  for (const std::string& word : words) quoted << toQString(quoteShell(word));
  return quoted.join(QLatin1Char(' '));
}

std::optional<long long> whole(const std::optional<double>& number) {
  return number ? std::optional(std::llround(*number)) : std::nullopt;
}

void showText(QLineEdit* edit, const QString& text) {
  if (edit->text() == text || (edit->hasFocus() && edit->isModified())) return;
  edit->setText(text);
  edit->setModified(false);
}

/// A row of fields of the same width, without margins.
QWidget* row(std::initializer_list<QWidget*> fields, QWidget* parent) {
  auto* out = new QWidget(parent);
  auto* grid = new QGridLayout(out);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setHorizontalSpacing(12);
  int column = 0;
  for (QWidget* field : fields) {
    grid->setColumnStretch(column, 1);
    grid->addWidget(field, 0, column++);
  }
  return out;
}

}  // namespace

NodeGroupSettings::NodeGroupSettings(EditableCluster* cluster, NodeRole role, QWidget* parent)
    : QWidget(parent),
      cluster_(cluster),
      role_(role),
      title_(new PlainLabel(this)),
      min_(new OptionalNumber(kMaxNodes, tr("all"), this)),
      shape_(new ShapePicker(this)),
      ocpus_(new OptionalNumber(kMaxOcpus, tr("not given"), this)),
      memory_(new OptionalNumber(kMaxMemory, tr("not given"), this)),
      probe_(new QLineEdit(this)),
      period_(new OptionalNumber(kMaxSeconds, tr("default"), this)),
      threshold_(new OptionalNumber(kMaxFailures, tr("default"), this)),
      delay_(new OptionalNumber(kMaxSeconds, tr("none"), this)) {
  QFont bold = title_->font();
  bold.setWeight(QFont::DemiBold);
  title_->setFont(bold);
  shape_->lineEdit()->setPlaceholderText(tr("as all nodes"));
  probe_->setPlaceholderText(tr("none"));
  probe_->setToolTip(
      tr("The service runs this command in a node until it succeeds; then the node counts as "
         "started. Of use when the groups start one after the other."));
  min_->setToolTip(tr("The job run succeeds when this many nodes of the group do."));
  for (OptionalNumber* seconds : {period_, delay_}) seconds->setSuffix(tr(" s"));
  memory_->setSuffix(tr(" GB"));
  minField_ = labelled(tr("Have to succeed"), min_, this);
  flexFields_ = row({labelled(tr("OCPUs"), ocpus_, this), labelled(tr("Memory"), memory_, this)}, this);
  probeFields_ =
      row({labelled(tr("Every"), period_, this), labelled(tr("Failures at most"), threshold_, this),
           labelled(tr("First after"), delay_, this)},
          this);
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 6, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  grid->addWidget(title_, 0, 0, 1, 2);
  grid->addWidget(labelled(tr("Shape"), shape_, this), 1, 0);
  grid->addWidget(minField_, 1, 1);
  grid->addWidget(flexFields_, 2, 0, 1, 2);
  grid->addWidget(labelled(tr("Start-up probe"), probe_, this), 3, 0, 1, 2);
  grid->addWidget(probeFields_, 4, 0, 1, 2);
  connectFields();
}

NodeGroupSettings::~NodeGroupSettings() {
  disconnectFields(this);
}

void NodeGroupSettings::connectFields() {
  connect(min_, &OptionalNumber::edited, this, [this] {
    set(field({"minimumSuccessReplicas"}), min_->fileText(), true, tr("nodes that have to succeed"));
  });
  connect(shape_, &QComboBox::activated, this, &NodeGroupSettings::setShape);
  connect(shape_->lineEdit(), &QLineEdit::editingFinished, this, &NodeGroupSettings::setShape);
  connect(probe_, &QLineEdit::editingFinished, this, &NodeGroupSettings::setProbe);
  const auto number = [this](OptionalNumber* box, std::initializer_list<const char*> keys,
                             const QString& name) {
    connect(box, &OptionalNumber::edited, this,
            [this, box, path = field(keys), name] { set(path, box->fileText(), true, name); });
  };
  number(ocpus_, {"shapeConfigDetails", "ocpus"}, tr("OCPUs"));
  number(memory_, {"shapeConfigDetails", "memoryInGBs"}, tr("memory"));
  number(period_, {"startupProbe", "periodInSeconds"}, tr("time between probes"));
  number(threshold_, {"startupProbe", "failureThreshold"}, tr("failures of the probe"));
  number(delay_, {"startupProbe", "initialDelayInSeconds"}, tr("time before the first probe"));
}

FieldPath NodeGroupSettings::field(std::initializer_list<const char*> keys) const {
  FieldPath path{"spec", "multiNode", "groups", keyOf(role_)};
  for (const char* key : keys) path = path.child(std::string(key));
  return path;
}

void NodeGroupSettings::set(const FieldPath& path, const QString& value, bool plain, const QString& name) {
  if (const auto done = setLayoutField(*cluster_, path, value, plain, name); !done)
    emit editFailed(done.error());
  cluster_->document();
}

void NodeGroupSettings::setShape() {
  const NodeGroupSpec* group = spec();
  const QString text = shape_->currentText().trimmed();
  if (!group || text == toQString(group->shapeName.value_or(std::string()))) return;
  set(field({"shapeName"}), text, false, tr("shape"));
}

void NodeGroupSettings::setProbe() {
  const NodeGroupSpec* group = spec();
  if (!group) return;
  const std::vector<std::string> words = splitShell(toStdString(probe_->text()));
  if (words == (group->startupProbe ? group->startupProbe->command : std::vector<std::string>())) return;
  probe_->setModified(false);
  if (const auto done = setLayoutWords(*cluster_, field({"startupProbe", "command"}), words, tr("probe"));
      !done)
    emit editFailed(done.error());
  cluster_->document();
}

const NodeGroupSpec* NodeGroupSettings::spec() const {
  const auto& layout = cluster_->lastGood().spec().multiNode;
  if (!layout) return nullptr;
  return role_ == NodeRole::Main     ? &layout->main
         : role_ == NodeRole::Worker ? &layout->worker
                                     : &layout->parameterServer;
}

void NodeGroupSettings::refresh() {
  const ClusterSpec& cluster = cluster_->lastGood().spec();
  const NodeGroupSpec* group = spec();
  const long long nodes = nodeCount(cluster, role_);
  setVisible(group && nodes > 0);
  if (!group) return;
  title_->setText(roleCountText(role_, nodes));
  minField_->setVisible(nodes > 1 || group->minimumSuccessReplicas);
  min_->showNumber(group->minimumSuccessReplicas);
  const QString shape = toQString(group->shapeName.value_or(std::string()));
  const bool isTyping = shape_->lineEdit()->hasFocus() && shape_->lineEdit()->isModified();
  if (shape_->currentText() != shape && !isTyping) shape_->setEditText(shape);
  flexFields_->setVisible(shape.endsWith(QLatin1String("Flex")) || group->shapeConfig);
  ocpus_->showNumber(group->shapeConfig ? whole(group->shapeConfig->ocpus) : std::nullopt);
  memory_->showNumber(group->shapeConfig ? whole(group->shapeConfig->memoryInGBs) : std::nullopt);
  const StartupProbe probe = group->startupProbe.value_or(StartupProbe());
  showText(probe_, commandLine(probe.command));
  probeFields_->setVisible(group->startupProbe.has_value());
  period_->showNumber(probe.periodInSeconds);
  threshold_->showNumber(probe.failureThreshold);
  delay_->showNumber(probe.initialDelayInSeconds);
}

}  // namespace lockstep
