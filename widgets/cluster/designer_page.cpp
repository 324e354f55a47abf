// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/designer_page.h"

#include <QAction>
#include <QDataStream>
#include <QFrame>
#include <QIODevice>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSplitter>
#include <QToolBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "widgets/cluster/cluster_form.h"
#include "widgets/cluster/yaml_editor.h"
#include "widgets/common/elided_label.h"
#include "widgets/common/issues_view.h"
#include "widgets/common/message_bar.h"
#include "widgets/common/qt_convert.h"
#include "widgets/common/state_badge.h"
#include "widgets/common/theme.h"

namespace lockstep {
namespace {

constexpr quint32 kStateVersion = 1;
constexpr int kPaneMargin = 10;
constexpr int kFormWidth = 560;
constexpr int kEditorWidth = 700;
constexpr int kProblemsHeight = 130;
constexpr int kPanesHeight = 560;

QString withShortcut(const QString& tip, const QAction& action) {
  return action.shortcut().isEmpty()
             ? tip
             : QStringLiteral("%1 (%2)").arg(tip, action.shortcut().toString(QKeySequence::NativeText));
}

QString fileNameOf(const QString& path) {
  return path.mid(path.lastIndexOf(QLatin1Char('/')) + 1);
}

}  // namespace

DesignerPage::DesignerPage(QWidget* parent) : QWidget(parent), cluster_(new EditableCluster(this)) {
  makeActions();
  // The order of making is the order of Tab.
  QToolBar* toolBar = makeToolBar();
  message_ = new MessageBar(this);
  QWidget* progress = makeProgress();
  form_ = new ClusterForm(cluster_, this);
  editor_ = new YamlEditor(this);

  panes_ = new QSplitter(Qt::Horizontal, this);
  panes_->addWidget(form_);
  panes_->addWidget(editor_);
  panes_->setChildrenCollapsible(false);
  panes_->setStretchFactor(0, 4);
  panes_->setStretchFactor(1, 5);
  panes_->setSizes({kFormWidth, kEditorWidth});
  rows_ = new QSplitter(Qt::Vertical, this);
  rows_->addWidget(panes_);
  rows_->addWidget(makeProblems());
  rows_->setChildrenCollapsible(false);
  rows_->setStretchFactor(0, 1);
  rows_->setStretchFactor(1, 0);
  rows_->setSizes({kPanesHeight, kProblemsHeight});

  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(0);
  column->addWidget(toolBar);
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
}

QAction* DesignerPage::makeAction(const QString& icon, const QString& text, const QKeySequence& shortcut,
                                  const QString& tip) {
  auto* action = new QAction(themedIcon(icon), text, this);
  action->setShortcut(shortcut);
  action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
  action->setToolTip(withShortcut(tip, *action));
  addAction(action);
  return action;
}

void DesignerPage::makeActions() {
  new_ = makeAction(QStringLiteral("new"), tr("&New"), QKeySequence::New, tr("Start from the example"));
  open_ = makeAction(QStringLiteral("open"), tr("&Open…"), QKeySequence::Open, tr("Open a train.yaml"));
  save_ = makeAction(QStringLiteral("save"), tr("&Save"), QKeySequence::Save, tr("Save"));
  saveAs_ = makeAction(QStringLiteral("save"), tr("Save &as…"), QKeySequence::SaveAs,
                       tr("Save under another name"));
  undo_ = makeAction(QStringLiteral("undo"), tr("&Undo"), QKeySequence::Undo, tr("Undo"));
  redo_ = makeAction(QStringLiteral("redo"), tr("&Redo"), QKeySequence::Redo, tr("Redo"));
  launch_ =
      makeAction(QStringLiteral("play"), tr("&Launch"), QKeySequence(Qt::CTRL | Qt::Key_Return), QString());
  launch_->setIcon(themedIcon(QStringLiteral("play"), IconColor::OnAccent));
  connect(new_, &QAction::triggered, this, &DesignerPage::newRequested);
  connect(open_, &QAction::triggered, this, &DesignerPage::openRequested);
  connect(save_, &QAction::triggered, this, &DesignerPage::saveRequested);
  connect(saveAs_, &QAction::triggered, this, &DesignerPage::saveAsRequested);
  connect(undo_, &QAction::triggered, this, &DesignerPage::undo);
  connect(redo_, &QAction::triggered, this, &DesignerPage::redo);
  connect(launch_, &QAction::triggered, this, [this] {
    cluster_->document();  // what was typed a moment ago counts, too
    if (launch_->isEnabled()) emit launchRequested();
  });
}

QToolBar* DesignerPage::makeToolBar() {
  auto* bar = new QToolBar(tr("Cluster"), this);
  bar->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  bar->addActions({new_, open_, save_});
  bar->addSeparator();
  bar->addActions({undo_, redo_});
  bar->addSeparator();
  for (QAction* action : {undo_, redo_})
    static_cast<QToolButton*>(bar->widgetForAction(action))->setToolButtonStyle(Qt::ToolButtonIconOnly);
  title_ = new ElidedLabel(bar);
  title_->setElideMode(Qt::ElideMiddle);
  title_->setMuted(true);
  bar->addWidget(title_);
  badge_ = new StateBadge(bar);
  bar->addWidget(badge_);
  auto* gap = new QWidget(bar);
  gap->setFixedWidth(6);
  bar->addWidget(gap);
  bar->addAction(launch_);
  auto* button = static_cast<QToolButton*>(bar->widgetForAction(launch_));
  makePrimary(button);
  for (QAction* action : bar->actions())
    if (auto* tool = qobject_cast<QToolButton*>(bar->widgetForAction(action)))
      tool->setFocusPolicy(Qt::TabFocus);
  return bar;
}

QWidget* DesignerPage::makeProgress() {
  progressPanel_ = new QFrame(this);
  makeCard(progressPanel_);
  auto* row = new QHBoxLayout(progressPanel_);
  row->setContentsMargins(12, 6, 8, 6);
  doing_ = new ElidedLabel(progressPanel_);
  progress_ = new QProgressBar(progressPanel_);
  progress_->setTextVisible(false);
  progress_->setAccessibleName(tr("Progress of the launch"));
  auto* cancel = new QPushButton(themedIcon(QStringLiteral("cancel")), tr("&Cancel launch"), progressPanel_);
  connect(cancel, &QPushButton::clicked, this, &DesignerPage::cancelLaunchRequested);
  row->addWidget(doing_, 1);
  row->addWidget(progress_, 1);
  row->addWidget(cancel);
  progressPanel_->hide();
  return progressPanel_;
}

QWidget* DesignerPage::makeProblems() {
  auto* panel = new QWidget(this);
  problemsButton_ = new QToolButton(panel);
  problemsButton_->setAutoRaise(true);
  problemsButton_->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
  problemsButton_->setToolTip(tr("Show or hide the list of problems"));
  problems_ = new IssuesView(panel);
  problems_->setHeaderHidden(true);
  auto* column = new QVBoxLayout(panel);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(4);
  column->addWidget(problemsButton_);
  column->addWidget(problems_, 1);
  connect(problemsButton_, &QToolButton::clicked, this, [this] {
    wantsProblems_ = !wantsProblems_;
    refreshProblems();
  });
  connect(problems_, &IssuesView::issueActivated, this, &DesignerPage::goToIssue);
  return panel;
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
  connect(form_, &ClusterForm::editFailed, this, &DesignerPage::showStatus);
  connect(form_, &ClusterForm::goToRequested, editor_, &YamlEditor::goTo);
}

void DesignerPage::setDocument(const QString& path, const QString& text) {
  setDocument(path, toStdString(text));
}

void DesignerPage::setDocument(const QString& path, std::string bytes) {
  message_->clear();
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

void DesignerPage::showStatus(const Status& status) {
  message_->showStatus(status);
}

void DesignerPage::showMessage(Severity severity, const QString& title, const QString& text) {
  message_->showMessage(severity, title, text);
}

void DesignerPage::showFileChangedOnDisk() {
  cluster_->setFileDiffers();
  message_->showMessage(
      Severity::Warning, tr("“%1” changed on disk").arg(fileNameOf(cluster_->path())),
      tr("Another program wrote the file since it was read here. Saving replaces what it wrote."));
  QPushButton* reload = message_->addButton(tr("&Take the file's text"));
  QPushButton* keep = message_->addButton(tr("&Keep this text"));
  connect(reload, &QPushButton::clicked, this, [this] {
    message_->clear();
    emit reloadRequested();
  });
  connect(keep, &QPushButton::clicked, message_, &MessageBar::clear);
}

void DesignerPage::setLaunching(bool isLaunching, int done, int total, const QString& doing) {
  isLaunching_ = isLaunching;
  progressPanel_->setVisible(isLaunching);
  progress_->setRange(0, std::max(0, total));
  progress_->setValue(done);
  doing_->setText(total > 0         ? tr("Launching, %1 of %2: %3").arg(done).arg(total).arg(doing)
                  : doing.isEmpty() ? tr("Launching…")
                                    : tr("Launching: %1").arg(doing));
  refreshLaunch();
}

void DesignerPage::setLaunchObstacle(const QString& reason) {
  obstacle_ = reason;
  refreshLaunch();
}

QList<QAction*> DesignerPage::fileActions() const {
  return {new_, open_, save_, saveAs_};
}

QList<QAction*> DesignerPage::editActions() const {
  return {undo_, redo_};
}

QByteArray DesignerPage::saveState() const {
  QByteArray state;
  QDataStream out(&state, QIODevice::WriteOnly);
  out << kStateVersion << panes_->saveState() << rows_->saveState() << wantsProblems_;
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
  wantsProblems_ = problemsShown;
  refreshProblems();
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
  refreshProblems();
  refreshLaunch();
}

void DesignerPage::refreshHistory() {
  const QUndoStack& stack = *cluster_->undoStack();
  undo_->setEnabled(stack.canUndo());
  redo_->setEnabled(stack.canRedo());
  undo_->setToolTip(
      withShortcut(stack.canUndo() ? tr("Undo: %1").arg(stack.undoText()) : tr("Undo"), *undo_));
  redo_->setToolTip(
      withShortcut(stack.canRedo() ? tr("Redo: %1").arg(stack.redoText()) : tr("Redo"), *redo_));
}

void DesignerPage::refreshTitle() {
  const QString name = cluster_->path().isEmpty() ? tr("not saved yet") : cluster_->path();
  title_->setText(cluster_->isDirty() ? tr("%1 (edited)").arg(name) : name);
}

QString DesignerPage::launchObstacle() const {
  if (isLaunching_) return tr("A launch is under way.");
  const ClusterDocument& document = cluster_->document();
  if (document.text().empty()) return tr("There is nothing to launch: open a train.yaml or start a new one.");
  if (!document.isParsable()) return tr("The text cannot be read as YAML.");
  if (const int errors = problems_->issuesModel()->count(Severity::Error)) {
    const auto& issues = document.issues();
    for (const Issue& issue : issues)
      if (issue.severity == Severity::Error)
        return errors == 1
                   ? tr("There is an error: %1").arg(toQString(issue.message))
                   : tr("There are %1 errors. The first: %2").arg(errors).arg(toQString(issue.message));
  }
  return obstacle_;
}

void DesignerPage::refreshLaunch() {
  const QString reason = launchObstacle();
  launch_->setEnabled(reason.isEmpty());
  launch_->setToolTip(reason.isEmpty() ? withShortcut(tr("Launch this cluster"), *launch_)
                                       : tr("Cannot launch: %1").arg(reason));
  const IssuesModel& issues = *problems_->issuesModel();
  const int errors = issues.count(Severity::Error);
  badge_->setToolTip(launch_->toolTip());
  if (isLaunching_) return badge_->setState(BadgeTone::Busy, tr("launching"));
  if (errors > 0)
    return badge_->setState(BadgeTone::Error, errors == 1 ? tr("1 error") : tr("%1 errors").arg(errors));
  if (!reason.isEmpty()) return badge_->setState(BadgeTone::Warning, tr("not ready"));
  badge_->setState(BadgeTone::Ok, tr("ready to launch"));
}

void DesignerPage::refreshProblems() {
  const IssuesModel& model = *problems_->issuesModel();
  const bool isEmpty = model.rowCount() == 0;
  const bool shown = wantsProblems_ && !isEmpty;
  problemsButton_->setText(isEmpty ? model.summary() : tr("Problems: %1").arg(model.summary()));
  problemsButton_->setIcon(isEmpty ? themedIcon(QStringLiteral("ok"), IconColor::Ok)
                                   : themedIcon(shown ? QStringLiteral("down") : QStringLiteral("right")));
  problemsButton_->setEnabled(!isEmpty);
  if (shown == !problems_->isHidden()) return;
  if (!shown) problemsSizes_ = rows_->sizes();
  problems_->setVisible(shown);
  problems_->parentWidget()->setMaximumHeight(shown ? QWIDGETSIZE_MAX : problemsButton_->sizeHint().height());
  if (!shown) rows_->setSizes({rows_->height(), 0});
  if (shown && !problemsSizes_.isEmpty()) rows_->setSizes(problemsSizes_);
}

void DesignerPage::goToIssue(const Issue& issue) {
  const bool inForm = form_->focusField(issue.field);
  if (issue.place.line <= 0) return;
  QWidget* focused = inForm ? focusWidget() : nullptr;
  editor_->goTo(issue.place.line, issue.place.column);
  if (focused) focused->setFocus(Qt::OtherFocusReason);
}

}  // namespace lockstep
