// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/yaml/yaml_editor.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QTextBlock>
#include <QToolTip>
#include <QUrl>
#include <algorithm>

#include "widgets/cluster/document/text_view.h"
#include "widgets/cluster/yaml/yaml_highlighter.h"
#include "widgets/common/issues/issues_model.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {

/// The strip with line numbers and issue marks at the left edge.
class YamlGutter final : public QWidget {
 public:
  explicit YamlGutter(YamlEditor& editor) : QWidget(&editor), editor_(editor) {}
  [[nodiscard]] QSize sizeHint() const override { return {editor_.gutterWidth(), 0}; }

 protected:
  void paintEvent(QPaintEvent* event) override {
    QPainter painter(this);
    editor_.paintGutter(painter, event->rect());
  }
  bool event(QEvent* event) override {
    if (event->type() == QEvent::ToolTip) {
      const auto* help = static_cast<QHelpEvent*>(event);
      const int line = editor_.cursorForPosition({0, help->pos().y()}).blockNumber() + 1;
      QToolTip::showText(help->globalPos(), editor_.issueTextAt(line), this);
      return true;
    }
    return QWidget::event(event);
  }
  void mousePressEvent(QMouseEvent* event) override {
    editor_.goTo(editor_.cursorForPosition({0, event->pos().y()}).blockNumber() + 1, 1);
  }

 private:
  YamlEditor& editor_;
};

namespace {

constexpr int kGutterPad = 6;

int severityRank(Severity severity) {
  return static_cast<int>(severity);
}

/// From the issue's place to the end of its word; at the end of a line, its last character.
QTextCursor cursorFor(const Issue& issue, const QTextDocument& document) {
  const QTextBlock block = document.findBlockByNumber(issue.place.line - 1);
  QTextCursor cursor(block);
  if (!block.isValid()) return {};
  const QString line = block.text();
  const int length = static_cast<int>(line.size());
  int from = std::clamp(issue.place.column - 1, 0, std::max(0, length - 1));
  if (issue.place.column <= 0)
    while (from < length && line[from].isSpace()) ++from;
  int to = from;
  while (to < length && !line[to].isSpace()) ++to;
  cursor.setPosition(block.position() + from);
  cursor.setPosition(block.position() + std::max(to, std::min(from + 1, length)), QTextCursor::KeepAnchor);
  return cursor;
}

}  // namespace

YamlEditor::YamlEditor(QWidget* parent)
    : QPlainTextEdit(parent), gutter_(new YamlGutter(*this)), highlighter_(new YamlHighlighter(document())) {
  setFont(monospaceFont());
  setUndoRedoEnabled(false);
  setLineWrapMode(QPlainTextEdit::NoWrap);
  setAccessibleName(tr("train.yaml"));
  setAccessibleDescription(tr("The document as text. Press Escape and then Tab to leave the editor."));
  setTabStopDistance(2 * fontMetrics().horizontalAdvance(QLatin1Char(' ')));
  highlighter_->setPalette(palette());
  connect(this, &QPlainTextEdit::blockCountChanged, this, &YamlEditor::updateMargins);
  connect(this, &QPlainTextEdit::cursorPositionChanged, this, &YamlEditor::updateSelections);
  connect(document(), &QTextDocument::contentsChange, this, &YamlEditor::onContentsChange);
  connect(this, &QPlainTextEdit::textChanged, this, &YamlEditor::onTextChanged);
  connect(this, &QPlainTextEdit::updateRequest, this, [this](const QRect& rect, int dy) {
    dy != 0 ? gutter_->scroll(0, dy) : gutter_->update(0, rect.y(), gutter_->width(), rect.height());
  });
  updateMargins();
}

QString YamlEditor::viewText() const {
  QString text = document()->toRawText();
  text.replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
  return text;
}

void YamlEditor::setViewText(const QString& view) {
  if (known_ == view) return;
  const ViewEdit change = viewDifference(known_, view);
  known_ = view;
  applying_ = true;
  QTextCursor cursor(document());
  cursor.setPosition(static_cast<int>(change.position));
  cursor.setPosition(static_cast<int>(change.position + change.removed), QTextCursor::KeepAnchor);
  cursor.insertText(change.inserted);
  applying_ = false;
}

void YamlEditor::setIssues(std::vector<Issue> issues) {
  issues_ = std::move(issues);
  markIssues();
  updateSelections();
  gutter_->update();
}

void YamlEditor::goTo(int line, int column) {
  const QTextBlock block = document()->findBlockByNumber(std::clamp(line, 1, blockCount()) - 1);
  QTextCursor cursor(block);
  cursor.setPosition(block.position() + std::clamp(column - 1, 0, block.length() - 1));
  setTextCursor(cursor);
  centerCursor();
  setFocus(Qt::OtherFocusReason);
}

int YamlEditor::gutterWidth() const {
  const int digits = std::max(2, static_cast<int>(QString::number(std::max(1, blockCount())).size()));
  return 3 * kGutterPad + fontMetrics().height() + fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits;
}

bool YamlEditor::event(QEvent* event) {
  // Ctrl+Z belongs to the document, not to this pane: let the page's action have it.
  if (event->type() == QEvent::ShortcutOverride) {
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
      event->ignore();
      return false;
    }
  }
  return QPlainTextEdit::event(event);
}

bool YamlEditor::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    QToolTip::showText(help->globalPos(), issueTextAt(cursorForPosition(help->pos()).blockNumber() + 1),
                       this);
    return true;
  }
  return QPlainTextEdit::viewportEvent(event);
}

void YamlEditor::changeEvent(QEvent* event) {
  QPlainTextEdit::changeEvent(event);
  if (event->type() == QEvent::PaletteChange) {
    highlighter_->setPalette(palette());
    markIssues();
    updateSelections();
  } else if (event->type() == QEvent::FontChange) {
    updateMargins();
  }
}

void YamlEditor::contextMenuEvent(QContextMenuEvent* event) {
  QMenu* menu = createStandardContextMenu(event->pos());
  // The standard entries would act on a history that this widget does not keep.
  for (QAction* action : menu->actions()) {
    const QString name = action->objectName();
    if (name == QLatin1String("edit-undo") || name == QLatin1String("edit-redo")) menu->removeAction(action);
  }
  QAction* first = menu->actions().value(0);
  auto* undo = new QAction(tr("&Undo"), menu);
  auto* redo = new QAction(tr("&Redo"), menu);
  connect(undo, &QAction::triggered, this, &YamlEditor::undoRequested);
  connect(redo, &QAction::triggered, this, &YamlEditor::redoRequested);
  menu->insertActions(first, {undo, redo});
  menu->setAttribute(Qt::WA_DeleteOnClose);
  menu->popup(event->globalPos());
}

void YamlEditor::keyPressEvent(QKeyEvent* event) {
  if (event->matches(QKeySequence::Undo)) return emit undoRequested();
  if (event->matches(QKeySequence::Redo)) return emit redoRequested();
  if (handleTab(event)) return;
  tabLeaves_ = event->key() == Qt::Key_Escape;
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) {
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return event->ignore();
    return insertLineBreak();
  }
  QPlainTextEdit::keyPressEvent(event);
}

bool YamlEditor::handleTab(QKeyEvent* event) {
  const bool back = event->key() == Qt::Key_Backtab;
  if (!back && (event->key() != Qt::Key_Tab || event->modifiers() != Qt::NoModifier)) return false;
  if (std::exchange(tabLeaves_, false)) {
    // NOLINTNEXTLINE(bugprone-parent-virtual-call)
    QWidget::focusNextPrevChild(!back);  // the pane's own would refuse: Tab is text to it
    return true;
  }
  if (back || textCursor().hasSelection())
    indentSelection(!back);
  else
    textCursor().insertText(QStringLiteral("  "));
  return true;
}

void YamlEditor::indentSelection(bool deeper) {
  QTextCursor cursor = textCursor();
  const int last =
      document()->findBlock(std::max(cursor.selectionStart(), cursor.selectionEnd() - 1)).blockNumber();
  QTextBlock block = document()->findBlock(cursor.selectionStart());
  cursor.beginEditBlock();
  for (; block.isValid() && block.blockNumber() <= last; block = block.next()) {
    QTextCursor start(block);
    if (deeper) {
      if (!block.text().isEmpty()) start.insertText(QStringLiteral("  "));
      continue;
    }
    for (int i = 0; i < 2 && block.text().startsWith(QLatin1Char(' ')); ++i) start.deleteChar();
  }
  cursor.endEditBlock();
}

void YamlEditor::insertLineBreak() {
  QTextCursor cursor = textCursor();
  const QString before = cursor.block().text().left(cursor.positionInBlock());
  qsizetype indent = 0;
  while (indent < before.size() && before[indent] == QLatin1Char(' ')) ++indent;
  const bool opensMapping = before.trimmed().endsWith(QLatin1Char(':'));
  cursor.insertText(QLatin1Char('\n') + QString(indent + (opensMapping ? 2 : 0), QLatin1Char(' ')));
  ensureCursorVisible();
}

bool YamlEditor::canInsertFromMimeData(const QMimeData* source) const {
  const QList<QUrl> urls = source->urls();
  return (urls.isEmpty() || !urls.front().isLocalFile()) && QPlainTextEdit::canInsertFromMimeData(source);
}

void YamlEditor::resizeEvent(QResizeEvent* event) {
  QPlainTextEdit::resizeEvent(event);
  updateMargins();
}

void YamlEditor::onContentsChange(int position, int removed, int added) {
  if (applying_) return;
  // Qt counts the end of the document in at times; the lengths before and after tell what is right.
  const qsizetype length = document()->characterCount() - 1;
  const qsizetype inserted = std::min<qsizetype>(added, length - position);
  const qsizetype gone = known_.size() + inserted - length;
  if (removed == 0 && added == 0) return;
  if (position > known_.size() || gone < 0 || position + gone > known_.size()) {
    known_ = viewText();
  } else {
    QTextCursor cursor(document());
    cursor.setPosition(position);
    cursor.setPosition(static_cast<int>(position + inserted), QTextCursor::KeepAnchor);
    QString text = cursor.selectedText();
    text.replace(QChar::ParagraphSeparator, QLatin1Char('\n'));
    known_.replace(position, gone, text);
  }
  changed_ = true;
}

void YamlEditor::onTextChanged() {
  if (applying_ || !std::exchange(changed_, false)) return;
  emit edited(QString(known_));  // a copy: the pane may be told to show something else meanwhile
}

void YamlEditor::updateMargins() {
  setViewportMargins(gutterWidth(), 0, 0, 0);
  const QRect area = contentsRect();
  gutter_->setGeometry(area.left(), area.top(), gutterWidth(), area.height());
}

void YamlEditor::markIssues() {
  issueMarks_.clear();
  for (const Issue& issue : issues_) {
    if (issue.place.line <= 0 || issue.place.line > blockCount()) continue;
    QTextEdit::ExtraSelection mark;
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(colorFor(issue.severity, palette()));
    mark.cursor = cursorFor(issue, *document());
    issueMarks_ << mark;
  }
}

void YamlEditor::updateSelections() {
  QTextEdit::ExtraSelection current;
  current.format.setBackground(
      tinted(palette().color(QPalette::Base), palette().color(QPalette::Text), 0.05));
  current.format.setProperty(QTextFormat::FullWidthSelection, true);
  current.cursor = textCursor();
  current.cursor.clearSelection();
  setExtraSelections(QList{current} + issueMarks_);
}

const Issue* YamlEditor::worstIssueAt(int line) const {
  const Issue* worst = nullptr;
  for (const Issue& issue : issues_)
    if (issue.place.line == line && (!worst || severityRank(issue.severity) > severityRank(worst->severity)))
      worst = &issue;
  return worst;
}

QString YamlEditor::issueTextAt(int line) const {
  QStringList lines;
  for (const Issue& issue : issues_) {
    if (issue.place.line != line) continue;
    lines << QStringLiteral("%1: %2").arg(nameOf(issue.severity), toQString(issue.message))
          << toQString(issue.remedy);
  }
  return toolTipLines(lines);
}

void YamlEditor::paintGutter(QPainter& painter, const QRect& area) const {
  const QColor ground = palette().color(QPalette::Base);
  painter.fillRect(area, tinted(ground, palette().color(QPalette::Text), 0.03));
  painter.setFont(font());
  const int lineHeight = fontMetrics().height();
  const int currentLine = textCursor().blockNumber() + 1;
  for (QTextBlock block = firstVisibleBlock(); block.isValid(); block = block.next()) {
    const QRectF box = blockBoundingGeometry(block).translated(contentOffset());
    if (box.top() > area.bottom()) break;
    if (!block.isVisible() || box.bottom() < area.top()) continue;
    const int line = block.blockNumber() + 1;
    const int top = static_cast<int>(box.top());
    painter.setPen(line == currentLine ? palette().color(QPalette::Text) : mutedColor(palette()));
    painter.drawText(0, top, gutter_->width() - kGutterPad, lineHeight, Qt::AlignRight,
                     QString::number(line));
    if (const Issue* issue = worstIssueAt(line))
      iconFor(issue->severity)
          .paint(&painter, QRect(kGutterPad / 2, top + 1, lineHeight - 2, lineHeight - 2));
  }
}

}  // namespace lockstep
