// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/layout/layout_panel.h"

#include <QButtonGroup>
#include <QLabel>
#include <QRadioButton>
#include <QVBoxLayout>

#include "cluster/document/fix.h"
#include "plan/migration.h"
#include "widgets/cluster/layout/layout_panel_settings.h"
#include "widgets/cluster/layout/migration_preview.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

LayoutPanel::LayoutPanel(EditableCluster* cluster, QWidget* parent)
    : QWidget(parent),
      cluster_(cluster),
      runs_(new QRadioButton(tr("One job run per node"), this)),
      nodes_(new QRadioButton(tr("One multi-node job run"), this)),
      words_(new PlainLabel(this)),
      note_(new MessageBar(this)),
      preview_(new MigrationPreview(this)),
      settings_(new MultiNodeSettings(cluster, this)) {
  setAccessibleName(tr("Layout of the nodes"));
  runs_->setToolTip(tr("As ads does it: the nodes find each other by files in the work dir."));
  nodes_->setToolTip(
      tr("OCI's native multi-node job: one job run spans all nodes, and the service tells each "
         "node the addresses of the others."));
  auto* group = new QButtonGroup(this);
  group->addButton(runs_);
  group->addButton(nodes_);
  words_->setWordWrap(true);
  makeCaption(words_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(8);
  for (QWidget* part : std::initializer_list<QWidget*>{runs_, nodes_, words_, note_, preview_, settings_})
    column->addWidget(part);
  connect(runs_, &QRadioButton::clicked, this, [this] { propose(false); });
  connect(nodes_, &QRadioButton::clicked, this, [this] { propose(true); });
  connect(preview_, &MigrationPreview::accepted, this, &LayoutPanel::applyProposal);
  connect(preview_, &MigrationPreview::rejected, this, &LayoutPanel::dropProposal);
  connect(settings_, &MultiNodeSettings::editFailed, this, &LayoutPanel::editFailed);
  connect(cluster_, &EditableCluster::documentChanged, this, &LayoutPanel::refresh);
  refresh();
}

void LayoutPanel::refresh() {
  const bool isGood = cluster_->document().isParsable();
  setEnabled(isGood);
  if (!isGood) return;
  // A proposal for a text that is no longer there is worth nothing.
  note_->clear();
  preview_->clear();
  showPresent();
}

void LayoutPanel::showPresent() {
  const ClusterSpec& spec = cluster_->lastGood().spec();
  const bool isNative = isMultiNode(spec);
  const bool isChoice = !spec.job;
  (isNative ? nodes_ : runs_)->setChecked(true);
  runs_->setEnabled(isChoice);
  nodes_->setEnabled(isChoice);
  settings_->setVisible(isNative && isChoice);
  settings_->refresh();
  if (!isChoice)
    words_->setText(tr("A job file with more than one replica is one multi-node job run."));
  else if (isNative)
    words_->setText(
        tr("The service starts all nodes in one job run and tells them about each other. "
           "RANK is not set; NODE_RANK is."));
  else
    words_->setText(tr("Each node is a job run of its own; they meet by files in the work dir."));
}

void LayoutPanel::propose(bool wantsNodes) {
  const ClusterDocument& document = cluster_->document();
  if (isMultiNode(document.spec()) == wantsNodes) return dropProposal();
  const auto migration = wantsNodes ? migrationToNodes(document) : migrationToRuns(document);
  if (!migration) {
    showPresent();
    return note_->showError(migration.error());
  }
  const auto after = applyFix(document, migration->edits);
  if (!after) {
    showPresent();
    return note_->showError(after.error());
  }
  note_->clear();
  preview_->show(*migration, toQString(document.text()), toQString(*after));
}

void LayoutPanel::applyProposal() {
  const Migration migration = preview_->migration();
  std::vector<EditableCluster::Step> steps;
  for (const FixStep& step : migration.edits.steps)
    steps.push_back([step](const ClusterDocument& present) { return editOf(present, step); });
  preview_->clear();
  const QString text = isMultiNode(cluster_->document().spec()) ? tr("change to one job run per node")
                                                                : tr("change to a multi-node job run");
  if (const auto done = cluster_->edit(text, {}, steps); !done) emit editFailed(done.error());
  cluster_->document();
  showPresent();
}

void LayoutPanel::dropProposal() {
  preview_->clear();
  note_->clear();
  showPresent();
}

}  // namespace lockstep
