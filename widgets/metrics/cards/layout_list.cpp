// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/metrics/cards/layout_list.h"

#include <fmt/format.h>

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <algorithm>
#include <utility>

#include "metrics/layouts/built_in_layouts.h"
#include "metrics/layouts/layout_text.h"
#include "widgets/common/text/qt_convert.h"

namespace lockstep {
namespace {

using Layouts = std::vector<DashboardLayout>;

auto named(const std::string& name) {
  return [&name](const DashboardLayout& layout) { return layout.name == name; };
}

QJsonArray textsOf(const Layouts& layouts) {
  QJsonArray texts;
  for (const DashboardLayout& layout : layouts) texts.append(toQString(layoutText(layout)));
  return texts;
}

Layouts layoutsIn(const QJsonValue& value, std::size_t most) {
  Layouts layouts;
  for (const auto& one : value.toArray()) {
    const auto layout = parseLayout(toStdString(one.toString()));
    if (!layout || layouts.size() >= most) continue;
    if (std::ranges::none_of(layouts, named(layout->name))) layouts.push_back(*layout);
  }
  return layouts;
}

}  // namespace

class LayoutChange final : public QUndoCommand {
 public:
  LayoutChange(LayoutList* list, const QString& what, DashboardLayout next, int kind)
      : QUndoCommand(what), list_(list), before_(list->current()), after_(std::move(next)), kind_(kind) {}

  void undo() override { list_->show(before_); }
  void redo() override { list_->show(after_); }
  [[nodiscard]] int id() const override { return kind_ > 0 ? kind_ : -1; }
  bool mergeWith(const QUndoCommand* later) override {
    after_ = static_cast<const LayoutChange*>(later)->after_;
    return true;
  }

 private:
  LayoutList* list_;
  DashboardLayout before_, after_;
  int kind_;
};

LayoutList::LayoutList(QObject* parent) : QObject(parent), current_(builtInLayouts().front()) {}

const DashboardLayout* LayoutList::stored(const std::string& name) const {
  const auto found = std::ranges::find_if(own_, named(name));
  return found != own_.end() ? &*found : findBuiltIn(name);
}

bool LayoutList::isOwn() const {
  return std::ranges::any_of(own_, named(current_.name));
}

bool LayoutList::isChanged() const {
  const DashboardLayout* const was = stored(current_.name);
  return was == nullptr || *was != current_;
}

void LayoutList::show(const DashboardLayout& layout) {
  const bool wasChanged = isChanged();
  const bool isOther = layout.name != current_.name;
  current_ = layout;
  emit currentChanged();
  if (isOther || wasChanged != isChanged()) emit listChanged();
}

void LayoutList::change(const QString& what, const DashboardLayout& next, int kind) {
  if (next != current_) undo_.push(new LayoutChange(this, what, next, kind));
}

void LayoutList::keepDraft() {
  std::erase_if(drafts_, named(current_.name));
  if (isChanged() && stored(current_.name) != nullptr) drafts_.push_back(current_);
}

bool LayoutList::choose(const std::string& name) {
  const DashboardLayout* const found = stored(name);
  if (found == nullptr) return false;
  if (name == current_.name) return true;
  keepDraft();
  const auto draft = std::ranges::find_if(drafts_, named(name));
  undo_.clear();
  show(draft != drafts_.end() ? DashboardLayout(*draft) : *found);
  return true;
}

Result<void> LayoutList::checkName(const std::string& name) const {
  if (name.find_first_not_of(' ') == std::string::npos)
    return failure(ErrorCode::InvalidArgument, "the layout has no name", {}, "write a name");
  if (name.size() > DashboardLayout::kLongestText)
    return failure(ErrorCode::InvalidArgument, "the name of the layout is too long", {},
                   "write a shorter one");
  if (findBuiltIn(name) != nullptr)
    return failure(ErrorCode::AlreadyExists, fmt::format("'{}' comes with the program", name), {},
                   "write another name");
  return {};
}

Result<void> LayoutList::saveAs(const std::string& name) {
  if (auto checked = checkName(name); !checked) return checked;
  const auto found = std::ranges::find_if(own_, named(name));
  if (found == own_.end() && own_.size() >= kMaxOwn)
    return failure(ErrorCode::ResourceExhausted, fmt::format("there are {} layouts of your own", kMaxOwn), {},
                   "delete one first");
  DashboardLayout saved = current_;
  saved.name = name;
  if (found == own_.end())
    own_.push_back(saved);
  else
    *found = saved;
  std::erase_if(drafts_, named(name));
  undo_.clear();
  current_ = saved;
  emit currentChanged();
  emit listChanged();
  return {};
}

Result<void> LayoutList::rename(const std::string& name) {
  if (name == current_.name) return {};
  if (auto checked = checkName(name); !checked) return checked;
  const auto found = std::ranges::find_if(own_, named(current_.name));
  if (found == own_.end())
    return failure(ErrorCode::FailedPrecondition, "this layout comes with the program", {},
                   "save it under a name of your own");
  if (std::ranges::any_of(own_, named(name)))
    return failure(ErrorCode::AlreadyExists, fmt::format("there is a layout '{}' already", name), {},
                   "write another name");
  found->name = name;
  undo_.clear();
  current_.name = name;
  emit currentChanged();
  emit listChanged();
  return {};
}

void LayoutList::removeCurrent() {
  if (!isOwn()) return;
  std::erase_if(own_, named(std::string(current_.name)));
  undo_.clear();
  current_ = builtInLayouts().front();
  if (const auto draft = std::ranges::find_if(drafts_, named(current_.name)); draft != drafts_.end())
    current_ = *draft;
  emit currentChanged();
  emit listChanged();
}

void LayoutList::reset() {
  if (const DashboardLayout* const was = stored(current_.name)) change(tr("Reset the layout"), *was);
}

QByteArray LayoutList::save() const {
  Layouts drafts = drafts_;
  std::erase_if(drafts, named(current_.name));
  if (isChanged()) drafts.push_back(current_);
  const QJsonObject saved{{QStringLiteral("shown"), toQString(current_.name)},
                          {QStringLiteral("own"), textsOf(own_)},
                          {QStringLiteral("changed"), textsOf(drafts)}};
  return QJsonDocument(saved).toJson(QJsonDocument::Compact);
}

void LayoutList::restore(const QByteArray& saved) {
  const QJsonObject object = QJsonDocument::fromJson(saved).object();
  own_ = layoutsIn(object[QStringLiteral("own")], kMaxOwn);
  std::erase_if(own_, [](const DashboardLayout& one) { return findBuiltIn(one.name) != nullptr; });
  drafts_ = layoutsIn(object[QStringLiteral("changed")], kMaxOwn);
  std::erase_if(drafts_, [this](const DashboardLayout& one) { return stored(one.name) == nullptr; });
  const std::string name = toStdString(object[QStringLiteral("shown")].toString());
  const DashboardLayout* const shown = stored(name);
  undo_.clear();
  current_ = shown != nullptr ? *shown : builtInLayouts().front();
  if (const auto draft = std::ranges::find_if(drafts_, named(current_.name)); draft != drafts_.end())
    current_ = *draft;
  emit currentChanged();
  emit listChanged();
}

}  // namespace lockstep
