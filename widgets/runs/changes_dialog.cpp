// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/runs/changes_dialog.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QPushButton>
#include <QScreen>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include "history/relaunch.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/text/text_difference_view.h"

namespace lockstep {
namespace {

constexpr int kWhat = 0, kNow = 1, kThen = 2, kOwnRows = 2;
constexpr double kOfScreen = 0.85;  // where letters are large, a screen is small
constexpr int kMaxShown = 4096;     // of a value

QTableWidgetItem* fixedItem(const QString& text) {
  auto* item = new QTableWidgetItem(text);
  item->setFlags(Qt::ItemIsSelectable | Qt::ItemIsEnabled);
  return item;
}

}  // namespace

ChangesDialog::ChangesDialog(const TrainingRun& run, QWidget* parent)
    : QDialog(parent),
      run_(run),
      table_(new QTableWidget(0, 3, this)),
      problem_(new PlainLabel(this)),
      difference_(new TextDifferenceView(this)) {
  setWindowTitle(tr("Launch %1 again, with changes").arg(toShownLine(run.name)));
  auto* intro =
      new PlainLabel(tr("Write what is to be other into the last column. In the empty rows anything "
                        "else of the file can be set: "
                        "arg.NAME, env.NAME, or a path such as spec.cluster.spec.worker.replicas."),
                     this);
  intro->setWordWrap(true);
  problem_->setWordWrap(true);
  problem_->setAccessibleName(tr("What is wrong with the changes"));
  difference_->setClosable(false);
  fillTable();
  auto* halves = new QSplitter(Qt::Vertical, this);
  halves->addWidget(table_);
  halves->addWidget(difference_);
  halves->setChildrenCollapsible(false);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
  launch_ = buttons->addButton(tr("&Launch"), QDialogButtonBox::AcceptRole);
  connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  auto* column = new QVBoxLayout(this);
  column->addWidget(intro);
  column->addWidget(halves, 1);
  column->addWidget(problem_);
  column->addWidget(buttons);
  connect(table_, &QTableWidget::itemChanged, this, &ChangesDialog::showWhatComes);
  resize(QSize(760, 620).boundedTo(screen()->availableSize() * kOfScreen));
  showWhatComes();
}

void ChangesDialog::fillTable() {
  table_->setHorizontalHeaderLabels({tr("What"), tr("Now"), tr("Then")});
  table_->setAccessibleName(tr("What is to be other"));
  table_->verticalHeader()->hide();
  table_->setWordWrap(false);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->setEditTriggers(QAbstractItemView::AllEditTriggers);
  for (const LaunchChange& one : valuesNow(ClusterDocument(run_.trainYaml)))
    addRow(toQString(one.key), toQString(one.value));
  for (int i = 0; i < kOwnRows; ++i) addRow({}, {});
  table_->setCurrentCell(0, kThen);
}

void ChangesDialog::addRow(const QString& key, const QString& now) {
  const int row = table_->rowCount();
  table_->insertRow(row);
  auto* what = key.isEmpty() ? new QTableWidgetItem : fixedItem(key);
  table_->setItem(row, kWhat, what);
  table_->setItem(row, kNow, fixedItem(toShownLine(toStdString(now.left(kMaxShown)))));
  table_->setItem(row, kThen, new QTableWidgetItem(now));
}

std::vector<LaunchChange> ChangesDialog::changes() const {
  std::vector<LaunchChange> changes;
  const auto before = valuesNow(ClusterDocument(run_.trainYaml));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const std::string key = toStdString(table_->item(row, kWhat)->text().trimmed());
    const std::string then = toStdString(table_->item(row, kThen)->text());
    const bool isOwn = static_cast<std::size_t>(row) >= before.size();
    if (key.empty() || (!isOwn && before[static_cast<std::size_t>(row)].value == then)) continue;
    changes.push_back({key, then});
  }
  return changes;
}

void ChangesDialog::showWhatComes() {
  const auto wanted = changes();
  const auto again = planRelaunch(run_, wanted);
  problem_->setVisible(!again);
  launch_->setEnabled(again.has_value() && !wanted.empty());
  if (!again) return problem_->setText(toShownText(describe(again.error())));
  difference_->setTexts(toQString(run_.trainYaml), tr("launched before"), toQString(again->document.text()),
                        tr("launched now"));
}

}  // namespace lockstep
