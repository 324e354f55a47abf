// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/layout/layout_panel_settings.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>

#include "plan/node_groups.h"
#include "widgets/cluster/layout/layout_panel_fields.h"
#include "widgets/cluster/layout/layout_panel_group.h"
#include "widgets/common/layout/wheel_guard.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kMaxMinutes = 43'200;  // 30 days, what the service lets a job run

void choose(QComboBox* combo, const std::optional<std::string>& value) {
  const QSignalBlocker quiet(combo);
  const QString text = value ? toQString(*value) : QString();
  int index = combo->findData(text);
  if (index < 0) {  // what the file says, though it is none of the choices
    combo->addItem(text, text);
    index = combo->count() - 1;
  }
  combo->setCurrentIndex(index);
}

}  // namespace

MultiNodeSettings::MultiNodeSettings(EditableCluster* cluster, QWidget* parent)
    : QWidget(parent),
      cluster_(cluster),
      network_(new QComboBox(this)),
      networkWords_(new PlainLabel(this)),
      order_(new QComboBox(this)),
      runtime_(new OptionalNumber(kMaxMinutes, tr("no limit of its own"), this)),
      groupWords_(new PlainLabel(this)) {
  network_->addItem(tr("Default"), QString());
  network_->addItem(tr("Own subnet"), QStringLiteral("own"));
  network_->addItem(tr("Managed by the service"), QStringLiteral("managed"));
  order_->addItem(tr("Default (together)"), QString());
  order_->addItem(tr("All groups together"), QStringLiteral("IN_PARALLEL"));
  order_->addItem(tr("One group after the other"), QStringLiteral("IN_ORDER"));
  order_->setToolTip(tr("One after the other: a group starts when the probe of the one before succeeds."));
  runtime_->setSuffix(tr(" min"));
  for (QLabel* words : {networkWords_, groupWords_}) {
    words->setWordWrap(true);
    makeCaption(words);
  }
  auto* grid = new QGridLayout(this);
  grid->setContentsMargins(0, 4, 0, 0);
  grid->setHorizontalSpacing(12);
  grid->setColumnStretch(0, 1);
  grid->setColumnStretch(1, 1);
  grid->addWidget(labelled(tr("Network"), network_, this), 0, 0);
  grid->addWidget(labelled(tr("Start-up order"), order_, this), 0, 1);
  grid->addWidget(networkWords_, 1, 0, 1, 2);
  grid->addWidget(labelled(tr("Longest run time"), runtime_, this), 2, 0);
  grid->addWidget(groupWords_, 3, 0, 1, 2);
  int row = 4;
  for (const NodeRole role : {NodeRole::Main, NodeRole::Worker, NodeRole::ParameterServer}) {
    groups_.push_back(new NodeGroupSettings(cluster, role, this));
    connect(groups_.back(), &NodeGroupSettings::editFailed, this, &MultiNodeSettings::editFailed);
    grid->addWidget(groups_.back(), row++, 0, 1, 2);
  }
  for (QComboBox* choice : {network_, order_}) letWheelPass(choice);
  connect(network_, &QComboBox::activated, this,
          [this] { set("network", network_->currentData().toString(), false, tr("network")); });
  connect(order_, &QComboBox::activated, this,
          [this] { set("startupOrder", order_->currentData().toString(), false, tr("start-up order")); });
  connect(runtime_, &OptionalNumber::edited, this,
          [this] { set("maximumRuntimeInMinutes", runtime_->fileText(), true, tr("longest run time")); });
}

NodeGroupSettings* MultiNodeSettings::group(NodeRole role) const {
  for (NodeGroupSettings* group : groups_)
    if (group->role() == role) return group;
  return nullptr;
}

void MultiNodeSettings::set(const char* key, const QString& value, bool plain, const QString& name) {
  const auto done = setLayoutField(*cluster_, {"spec", "multiNode", key}, value, plain, name);
  if (!done) emit editFailed(done.error());
  cluster_->document();
}

void MultiNodeSettings::refresh() {
  const ClusterSpec& spec = cluster_->lastGood().spec();
  if (!spec.multiNode) return;
  choose(network_, spec.multiNode->network);
  choose(order_, spec.multiNode->startupOrder);
  runtime_->showNumber(spec.multiNode->maximumRuntimeInMinutes);
  explainNetwork(spec);
  const bool isOneGroup = nodeGroupsOf(spec).size() == 1;
  groupWords_->setText(isOneGroup ? tr("All nodes are alike: one node group. A setting below gives main and "
                                       "workers a node group each.")
                                  : tr("One node group per role. What is left open is as for all nodes."));
  for (NodeGroupSettings* group : groups_) group->refresh();
}

void MultiNodeSettings::explainNetwork(const ClusterSpec& spec) {
  const bool hasSubnet = spec.infrastructure.subnetId.has_value();
  const std::string network = spec.multiNode->network.value_or(hasSubnet ? "own" : "managed");
  if (network == "managed")
    networkWords_->setText(
        tr("The service makes a network for the nodes of this job alone: there is no port "
           "to open, and nothing of your own network is reached."));
  else if (hasSubnet)
    networkWords_->setText(
        tr("The nodes stand in the subnet of the infrastructure, which has to let them "
           "reach each other."));
  else
    networkWords_->setText(tr("An own network needs the subnet of the infrastructure: give it below."));
}

}  // namespace lockstep
