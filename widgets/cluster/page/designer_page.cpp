// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/page/designer_page.h"

#include <QAction>
#include <QDataStream>
#include <QFrame>
#include <QIODevice>
#include <QLabel>
#include <QListView>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>
#include <QVBoxLayout>

#include "cluster/document/fix.h"
#include "plan/plan.h"
#include "widgets/cluster/page/cluster_form.h"
#include "widgets/cluster/page/cluster_summary.h"
#include "widgets/cluster/yaml/yaml_editor.h"
#include "widgets/common/issues/issues_panel.h"
#include "widgets/common/issues/issues_view.h"
#include "widgets/common/issues/message_bar.h"
#include "widgets/common/layout/elided_label.h"
#include "widgets/common/layout/folding_splitter.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/text/text_difference_view.h"
#include "widgets/common/theme/state_badge.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr quint32 kStateVersion = 1;
constexpr int kPaneMargin = 10;
constexpr int kFormWidth = 560;
constexpr int kEditorWidth = 700;
constexpr int kProblemsHeight = 130;
constexpr int kPanesHeight = 560;

QString fileNameOf(const QString& path) {
  return path.mid(path.lastIndexOf(QLatin1Char('/')) + 1);
}

}  // namespace

DesignerPage::DesignerPage(QWidget* parent) : QWidget(parent), cluster_(new EditableCluster(this)) {
  // The order of making is the order of Tab.
  bar_ = new DesignerToolBar(this);
  connectActions();
  message_ = new MessageBar(this);
  QWidget* progress = makeProgress();

  panes_ = new FoldingSplitter(this);
  panes_->addWidget(makeFormSide());
  panes_->addWidget(makeTextSide());
  panes_->setChildrenCollapsible(false);
  panes_->setStretchFactor(0, 4);
  panes_->setStretchFactor(1, 5);
  panes_->setSizes({kFormWidth, kEditorWidth});
  rows_ = new QSplitter(Qt::Vertical, this);
  rows_->addWidget(panes_);
  problems_ = new IssuesPanel(this);
  rows_->addWidget(problems_);
  rows_->setChildrenCollapsible(false);
  rows_->setStretchFactor(0, 1);
  rows_->setStretchFactor(1, 0);
  rows_->setSizes({kPanesHeight, kProblemsHeight});

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(bar_);
  auto* body = new QVBoxLayout;
  body->setContentsMargins(kPaneMargin, 0, kPaneMargin, kPaneMargin);
  body->setSpacing(8);
  body->addWidget(message_);
  body->addWidget(progress);
  body->addWidget(rows_, 1);
  column->addLayout(body, 1);

  connectViews();
  refreshDocument();
  refreshHistory();
  refreshTitle();
  fitProblems(problems_->isListShown());
}

void DesignerPage::connectActions() {
  connect(bar_->newAction(), &QAction::triggered, this, &DesignerPage::newRequested);
  connect(bar_->openAction(), &QAction::triggered, this, &DesignerPage::openRequested);
  connect(bar_->saveAction(), &QAction::triggered, this, &DesignerPage::saveRequested);
  connect(bar_->saveAsAction(), &QAction::triggered, this, &DesignerPage::saveAsRequested);
  connect(bar_->undoAction(), &QAction::triggered, this, &DesignerPage::undo);
  connect(bar_->redoAction(), &QAction::triggered, this, &DesignerPage::redo);
  connect(bar_->launchAction(), &QAction::triggered, this, [this] {
    cluster_->document();  // what was typed a moment ago counts, too
    if (launchAction()->isEnabled()) emit launchRequested();
  });
  connect(bar_, &DesignerToolBar::templateRequested, this, &DesignerPage::templateRequested);
  connect(bar_, &DesignerToolBar::exportRequested, this, &DesignerPage::exportRequested);
}

QWidget* DesignerPage::makeFormSide() {
  auto* side = new QWidget(this);
  form_ = new ClusterForm(cluster_, side);
  summary_ = new ClusterSummary(side);
  auto* column = new QVBoxLayout(side);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(6);
  column->addWidget(form_, 1);
  auto* foot = new QHBoxLayout;
  foot->setContentsMargins(kPaneMargin, 0, kPaneMargin + style()->pixelMetric(QStyle::PM_ScrollBarExtent), 0);
  foot->addWidget(summary_);
  column->addLayout(foot);
  return side;
}

QWidget* DesignerPage::makeTextSide() {
  texts_ = new QStackedWidget(this);
  editor_ = new YamlEditor(texts_);
  difference_ = new TextDifferenceView(texts_);
  texts_->addWidget(editor_);
  texts_->addWidget(difference_);
  connect(difference_, &TextDifferenceView::closed, this, [this] {
    texts_->setCurrentWidget(editor_);
    editor_->setFocus(Qt::OtherFocusReason);
  });
  return texts_;
}

void DesignerPage::connectViews() {
  connect(cluster_, &EditableCluster::textChanged, this, &DesignerPage::refreshText);
  connect(cluster_, &EditableCluster::documentChanged, this, &DesignerPage::refreshDocument);
  connect(cluster_, &EditableCluster::dirtyChanged, this, &DesignerPage::refreshTitle);
  connect(cluster_, &EditableCluster::pathChanged, this, &DesignerPage::refreshTitle);
  connect(cluster_->undoStack(), &QUndoStack::indexChanged, this, &DesignerPage::refreshHistory);
  connect(editor_, &YamlEditor::edited, cluster_, &EditableCluster::setViewText);
  connect(editor_, &YamlEditor::undoRequested, this, &DesignerPage::undo);
  connect(editor_, &YamlEditor::redoRequested, this, &DesignerPage::redo);
  connect(form_, &ClusterForm::undoRequested, this, &DesignerPage::undo);
  connect(form_, &ClusterForm::redoRequested, this, &DesignerPage::redo);
  connect(form_, &ClusterForm::editFailed, this, &DesignerPage::showError);
  connect(form_, &ClusterForm::goToRequested, editor_, &YamlEditor::goTo);
  connect(form_, &ClusterForm::fixRequested, this, &DesignerPage::applyFix);
  connect(problems_, &IssuesPanel::issueActivated, this, &DesignerPage::goToIssue);
  connect(problems_, &IssuesPanel::fixRequested, this, &DesignerPage::applyFix);
  connect(problems_, &IssuesPanel::fixAllRequested, this, &DesignerPage::applyAllFixes);
  connect(problems_, &IssuesPanel::listShown, this, &DesignerPage::fitProblems);
  connect(form_, &ClusterForm::resourcesWanted, this, &DesignerPage::resourcesWanted);
}

void DesignerPage::setDocument(const QString& path, const QString& text) {
  setDocument(path, toStdString(text));
}

void DesignerPage::setDocument(const QString& path, std::string bytes) {
  message_->clear();
  texts_->setCurrentWidget(editor_);
  cluster_->load(path, std::move(bytes));
  editor_->moveCursor(QTextCursor::Start);
  refreshHistory();
}

QString DesignerPage::text() const {
  return toQString(cluster_->text());
}

void DesignerPage::setSaved(const QString& path) {
  cluster_->setSaved(path);
}

void DesignerPage::showError(const Error& error) {
  message_->showError(error);
}

void DesignerPage::showMessage(Severity severity, const QString& title, const QString& text) {
  message_->showMessage(severity, title, text);
}

void DesignerPage::showFileChangedOnDisk() {
  cluster_->setFileDiffers();
  message_->showMessage(
      Severity::Warning, tr("“%1” changed on disk").arg(fileNameOf(cluster_->path())),
      tr("Another program wrote the file since it was read here. Saving replaces what it wrote."));
  QPushButton* reload = message_->addButton(tr("Re&load"));
  QPushButton* keep = message_->addButton(tr("&Keep mine"));
  QPushButton* difference = message_->addButton(tr("Show &difference"));
  connect(difference, &QPushButton::clicked, this, &DesignerPage::differenceRequested);
  connect(reload, &QPushButton::clicked, this, [this] {
    message_->clear();
    emit reloadRequested();
  });
  connect(keep, &QPushButton::clicked, message_, &MessageBar::clear);
}

void DesignerPage::setResources(ResourceKind kind, const ResourceChoices& choices) {
  form_->setResources(kind, choices);
}

void DesignerPage::setNames(const ResourceNames& names) {
  form_->setNames(names);
}

void DesignerPage::setPrices(const PriceTable& prices) {
  form_->setPrices(prices);
  summary_->setPrices(prices);
}

void DesignerPage::showDifference(const QString& before, const QString& beforeName, const QString& after,
                                  const QString& afterName) {
  difference_->setTexts(before, beforeName, after, afterName);
  texts_->setCurrentWidget(difference_);
  difference_->list()->setFocus(Qt::OtherFocusReason);
}

IssuesView* DesignerPage::problems() const {
  return problems_->view();
}

void DesignerPage::setTemplates(const std::vector<TemplateChoice>& templates) {
  bar_->setTemplates(templates);
}

void DesignerPage::setExportTargets(const std::vector<ExportTarget>& targets) {
  bar_->setExportTargets(targets);
}

QList<QAction*> DesignerPage::fileActions() const {
  return {bar_->newAction(), bar_->openAction(), bar_->saveAction(), bar_->saveAsAction()};
}

QList<QAction*> DesignerPage::editActions() const {
  return {bar_->undoAction(), bar_->redoAction()};
}

QByteArray DesignerPage::saveState() const {
  QByteArray state;
  QDataStream out(&state, QIODevice::WriteOnly);
  out << kStateVersion << panes_->saveState() << rows_->saveState() << problems_->isUnfolded();
  return state;
}

bool DesignerPage::restoreState(const QByteArray& state) {
  QDataStream in(state);
  quint32 version = 0;
  QByteArray panes;
  QByteArray rows;
  bool problemsShown = true;
  in >> version >> panes >> rows >> problemsShown;
  if (in.status() != QDataStream::Ok || version != kStateVersion) return false;
  const bool restored = panes_->restoreState(panes) && rows_->restoreState(rows);
  problems_->setUnfolded(problemsShown);
  return restored;
}

void DesignerPage::changeEvent(QEvent* event) {
  QWidget::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) refreshLaunch();
}

void DesignerPage::undo() {
  cluster_->undoStack()->undo();
  cluster_->document();
}

void DesignerPage::redo() {
  cluster_->undoStack()->redo();
  cluster_->document();
}

void DesignerPage::refreshText() {
  editor_->setViewText(cluster_->viewText());
}

void DesignerPage::refreshDocument() {
  const ClusterDocument& document = cluster_->document();
  editor_->setIssues(document.issues());
  problems_->setIssues(document.issues());
  summary_->setSpec(cluster_->lastGood().spec());
  refreshLaunch();
}

void DesignerPage::refreshHistory() {
  const QUndoStack& stack = *cluster_->undoStack();
  bar_->setUndoTexts(stack.canUndo() ? stack.undoText() : QString(),
                     stack.canRedo() ? stack.redoText() : QString());
}

void DesignerPage::refreshTitle() {
  const QString name = cluster_->path().isEmpty() ? tr("not saved yet") : cluster_->path();
  bar_->title()->setText(cluster_->isDirty() ? tr("%1 (edited)").arg(name) : name);
}

/// The folded list leaves its room to the panes, and takes it back.
void DesignerPage::fitProblems(bool isListShown) {
  if (!isListShown && problems_->maximumHeight() == QWIDGETSIZE_MAX) problemsSizes_ = rows_->sizes();
  problems_->setMaximumHeight(isListShown ? QWIDGETSIZE_MAX : problems_->foldedHeight());
  if (!isListShown) rows_->setSizes({rows_->height(), 0});
  if (isListShown && !problemsSizes_.isEmpty()) rows_->setSizes(problemsSizes_);
}

void DesignerPage::applyFix(const Issue& issue) {
  if (!issue.fix) return;
  std::vector<EditableCluster::Step> steps;
  for (const FixStep& step : issue.fix->steps)
    steps.push_back([step](const ClusterDocument& document) { return editOf(document, step); });
  const auto done = cluster_->edit(tr("fix: %1").arg(toQString(issue.fix->title)), {}, steps);
  if (!done) showError(done.error());
  cluster_->document();
}

void DesignerPage::applyAllFixes() {
  const auto fix = [](const ClusterDocument& document) -> Result<TextEdit> {
    return TextEdit{0, document.text(), fixAll(document.text()).text};
  };
  const auto done = cluster_->edit(tr("fix all"), {}, {fix});
  if (!done) showError(done.error());
  cluster_->document();
}

void DesignerPage::goToIssue(const Issue& issue) {
  const bool inForm = form_->focusField(issue.field);
  if (issue.place.line <= 0) return;
  QWidget* focused = inForm ? focusWidget() : nullptr;
  editor_->goTo(issue.place.line, issue.place.column);
  if (focused) focused->setFocus(Qt::OtherFocusReason);
}

}  // namespace lockstep
