// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/document/editable_cluster.h"

#include <utility>

#include "widgets/cluster/document/text_view.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

constexpr int kParsePauseMs = 120;
constexpr int kCommandId = 1;

/// Without what stays at its beginning and end.
TextEdit trimmed(const TextEdit& edit) {
  TextEdit change = difference(edit.removed, edit.inserted);
  change.offset += edit.offset;
  return change;
}

}  // namespace

/// Whether commands of one key merge only while they touch, or also across what lies between.
enum class MergeRule { Touching, Always };

/// Replaces one range of the text. Merges with the next one of the same key.
class TextCommand final : public QUndoCommand {
 public:
  TextCommand(EditableCluster& cluster, TextEdit edit, const QString& text, QString mergeKey, MergeRule rule)
      : QUndoCommand(text),
        cluster_(cluster),
        edit_(std::move(edit)),
        mergeKey_(std::move(mergeKey)),
        rule_(rule) {}

  void redo() override { cluster_.apply(edit_); }
  void undo() override { cluster_.apply({edit_.offset, edit_.inserted, edit_.removed}); }
  [[nodiscard]] int id() const override { return mergeKey_.isEmpty() ? -1 : kCommandId; }
  bool mergeWith(const QUndoCommand* other) override {
    const auto& next = static_cast<const TextCommand&>(*other);
    if (next.mergeKey_ != mergeKey_) return false;
    const bool across = rule_ == MergeRule::Always;
    auto both = across ? composedAcross(edit_, next.edit_, cluster_.text()) : composed(edit_, next.edit_);
    if (!both) return false;
    edit_ = std::move(*both);
    setObsolete(edit_.removed == edit_.inserted);
    return true;
  }

 private:
  EditableCluster& cluster_;
  TextEdit edit_;
  QString mergeKey_;
  MergeRule rule_;
};

EditableCluster::EditableCluster(QObject* parent)
    : QObject(parent), document_(std::make_shared<ClusterDocument>(std::string())), lastGood_(document_) {
  parseTimer_.setSingleShot(true);
  parseTimer_.setInterval(kParsePauseMs);
  connect(&parseTimer_, &QTimer::timeout, this, &EditableCluster::parse);
}

EditableCluster::~EditableCluster() {
  // The stack says that it is empty now; the page that listens is half gone when its children go.
  undo_.disconnect();
}

void EditableCluster::load(const QString& path, std::string text) {
  undo_.clear();
  path_ = path;
  savedText_ = text;
  fileDiffers_ = false;
  // An unreadable document must not show the values of the one before.
  lastGood_ = std::make_shared<ClusterDocument>(std::string());
  text_ = std::move(text);
  view_.reset();
  sinceParsed_.reset();
  prepared_.reset();
  noteChange();
  parse();
  savedDocument_ = document_;
  emit pathChanged(path_);
}

void EditableCluster::setSaved(const QString& path) {
  savedText_ = text_;
  savedDocument_ = stale_ ? nullptr : document_;
  fileDiffers_ = false;
  undo_.setClean();
  updateDirty();
  if (path == path_) return;
  path_ = path;
  emit pathChanged(path_);
}

void EditableCluster::setFileDiffers() {
  fileDiffers_ = true;
  updateDirty();
}

const ClusterDocument& EditableCluster::document() {
  if (stale_) parse();
  return *document_;
}

Result<void> EditableCluster::edit(const QString& commandText, const QString& mergeKey,
                                   const std::vector<Step>& steps) {
  document();
  std::shared_ptr<const ClusterDocument> present = document_;
  TextEdit change;
  for (const Step& step : steps) {
    auto next = step(*present);
    if (!next) return tl::unexpected(std::move(next.error()));
    change = std::move(*next);
    present = std::make_shared<ClusterDocument>(present->edited(change));
  }
  bool isOne = steps.size() == 1;
  if (const auto respelled = asSaved(*present)) {
    present = std::make_shared<ClusterDocument>(present->edited(*respelled));
    isOne = false;
  }
  push(isOne ? trimmed(change) : difference(text_, present->text()), commandText, mergeKey,
       MergeRule::Always);
  if (stale_ && text_ == present->text()) prepared_ = std::move(present);
  return {};
}

std::optional<TextEdit> EditableCluster::asSaved(const ClusterDocument& document) {
  if (!savedDocument_) savedDocument_ = std::make_shared<ClusterDocument>(savedText_);
  return document.respelledAs(*savedDocument_);
}

Result<void> EditableCluster::setScalar(const FieldPath& path, const QString& value, bool plain,
                                        const QString& commandText, const QString& mergeKey) {
  const std::string bytes = toStdString(value);
  return edit(commandText, mergeKey,
              {[&](const ClusterDocument& document) { return document.setScalar(path, bytes, plain); }});
}

Result<void> EditableCluster::remove(const FieldPath& path, const QString& commandText,
                                     const QString& mergeKey) {
  return edit(commandText, mergeKey,
              {[&](const ClusterDocument& document) { return document.remove(path); }});
}

QString EditableCluster::viewText() const {
  if (!view_) view_ = toView(text_);
  return *view_;
}

void EditableCluster::setViewText(const QString& view) {
  const TextEdit change = editTowards(text_, viewText(), view);
  if (!lastTyped_.isValid() || lastTyped_.elapsed() > burstPauseMs_) ++burst_;
  push(change, tr("typing"), QStringLiteral("burst %1").arg(burst_), MergeRule::Touching);
  lastTyped_.start();
}

void EditableCluster::push(const TextEdit& edit, const QString& commandText, const QString& mergeKey,
                           MergeRule rule) {
  if (edit.removed == edit.inserted) return;
  undo_.push(new TextCommand(*this, edit, commandText, mergeKey, rule));
}

void EditableCluster::apply(const TextEdit& edit) {
  if (view_) {
    const ViewEdit change = viewEditOf(text_, edit);
    view_->replace(change.position, change.removed, change.inserted);
  }
  sinceParsed_ = !stale_ ? edit : sinceParsed_ ? composed(*sinceParsed_, edit) : std::nullopt;
  prepared_.reset();
  text_ = applyEdit(std::move(text_), edit);
  noteChange();
}

void EditableCluster::noteChange() {
  stale_ = true;
  parseTimer_.start();
  updateDirty();
  emit textChanged();
}

void EditableCluster::parse() {
  parseTimer_.stop();
  stale_ = false;
  if (prepared_)
    document_ = std::move(prepared_);
  else if (sinceParsed_)
    document_ = std::make_shared<ClusterDocument>(document_->edited(*sinceParsed_));
  else
    document_ = std::make_shared<ClusterDocument>(text_);
  prepared_.reset();
  sinceParsed_.reset();
  if (document_->isParsable()) lastGood_ = document_;
  emit documentChanged();
}

void EditableCluster::updateDirty() {
  const bool dirty = fileDiffers_ || text_ != savedText_;
  if (dirty == dirty_) return;
  dirty_ = dirty;
  emit dirtyChanged(dirty_);
}

}  // namespace lockstep
