// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/pickers/resource_picker.h"

#include <QAbstractItemView>
#include <QCompleter>
#include <QKeyEvent>
#include <QLineEdit>
#include <QStandardItemModel>

#include "widgets/common/layout/name_line.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

constexpr int kValueRole = Qt::UserRole;
constexpr int kMinPopupChars = 46;

/// Work dirs go on behind the bucket that was chosen: "oci://bucket@namespace/" knows
/// "oci://bucket@namespace/a".
bool means(const ResourceChoice& choice, const QString& value, ResourceKind kind) {
  if (choice.value == value) return true;
  return kind == ResourceKind::Bucket && !choice.value.isEmpty() && value.startsWith(choice.value) &&
         (choice.value.endsWith(QLatin1Char('/')) || value[choice.value.size()] == QLatin1Char('/'));
}

QString lineOf(const ResourceChoice& choice) {
  const QString name = choice.name.isEmpty() ? choice.value : choice.name;
  return choice.details.isEmpty() ? name : QStringLiteral("%1 — %2").arg(name, choice.details);
}

/// Finds by what is shown, and puts the value into the field.
class ValueCompleter final : public QCompleter {
 public:
  using QCompleter::QCompleter;
  [[nodiscard]] QString pathFromIndex(const QModelIndex& index) const override {
    const QVariant value = index.data(kValueRole);
    return value.isValid() ? value.toString() : completionPrefix();
  }
};

}  // namespace

QString pluralOf(ResourceKind kind) {
  switch (kind) {
    case ResourceKind::Compartment:
      return ResourcePicker::tr("compartments");
    case ResourceKind::Project:
      return ResourcePicker::tr("projects");
    case ResourceKind::Vcn:
      return ResourcePicker::tr("virtual cloud networks");
    case ResourceKind::Subnet:
      return ResourcePicker::tr("subnets");
    case ResourceKind::LogGroup:
      return ResourcePicker::tr("log groups");
    case ResourceKind::Log:
      return ResourcePicker::tr("logs");
    case ResourceKind::Bucket:
      return ResourcePicker::tr("buckets");
    case ResourceKind::Image:
      return ResourcePicker::tr("container images");
    case ResourceKind::Group:
      return ResourcePicker::tr("groups");
    case ResourceKind::DynamicGroup:
      return ResourcePicker::tr("dynamic groups");
  }
  return {};
}

ResourcePicker::ResourcePicker(ResourceKind kind, QWidget* parent)
    : QComboBox(parent), kind_(kind), line_(new NameLine(this)), list_(new QStandardItemModel(this)) {
  setEditable(true);
  setLineEdit(line_);
  setInsertPolicy(QComboBox::NoInsert);
  setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
  setMinimumContentsLength(8);
  setModel(list_);
  auto* finder = new ValueCompleter(list_, this);
  finder->setFilterMode(Qt::MatchContains);
  finder->setCaseSensitivity(Qt::CaseInsensitive);
  finder->setCompletionMode(QCompleter::PopupCompletion);
  setCompleter(finder);
  connect(line_, &QLineEdit::textChanged, this, &ResourcePicker::showName);
  fill();
}

void ResourcePicker::setNames(const ResourceNames& names) {
  names_ = names;
  showName();
}

const ResourceChoice* ResourcePicker::choiceOf(const QString& value) const {
  if (value.isEmpty()) return nullptr;
  for (const ResourceChoice& choice : choices_.choices)
    if (means(choice, value, kind_)) return &choice;
  return nullptr;
}

// What goes on behind a bucket is more than its name.
QString ResourcePicker::nameOf(const QString& value) const {
  const ResourceChoice* choice = choiceOf(value);
  if (choice && choice->value == value) return choice->name == value ? QString() : choice->name;
  const auto told = names_.find(value);
  return told == names_.end() || value.isEmpty() ? QString() : told->second;
}

void ResourcePicker::showName() {
  line_->setName(nameOf(line_->text().trimmed()));
}

void ResourcePicker::setChoices(const ResourceChoices& choices) {
  const bool wasOpen = view()->isVisible();
  choices_ = choices;
  fill();
  // The list was opened before there was one.
  if (wasOpen) {
    hidePopup();
    QComboBox::showPopup();
  }
}

QString ResourcePicker::describe(const QString& value) const {
  if (const ResourceChoice* choice = choiceOf(value))
    return choice->name == value ? choice->details : lineOf(*choice);
  if (const QString name = nameOf(value); !name.isEmpty()) return name;
  if (choices_.state == ResourceChoices::State::Loading)
    return tr("Asking for the %1 …").arg(pluralOf(kind_));
  if (choices_.state == ResourceChoices::State::Failed)
    return tr("The %1 cannot be listed: %2").arg(pluralOf(kind_), choices_.problem);
  if (choices_.state != ResourceChoices::State::Ready || value.isEmpty()) return {};
  return tr("Not among the %1 listed").arg(pluralOf(kind_));
}

bool ResourcePicker::choose(int index) {
  const QVariant value = itemData(index, kValueRole);
  if (!value.isValid()) return false;
  setEditText(value.toString());
  lineEdit()->setCursorPosition(0);
  return true;
}

void ResourcePicker::showPopup() {
  // A list that could not be had is asked for again when somebody opens it again.
  if (choices_.state == ResourceChoices::State::Unknown || choices_.state == ResourceChoices::State::Failed)
    emit choicesWanted(kind_);
  view()->setMinimumWidth(fontMetrics().averageCharWidth() * kMinPopupChars);
  view()->setTextElideMode(Qt::ElideRight);
  QComboBox::showPopup();
}

void ResourcePicker::focusInEvent(QFocusEvent* event) {
  QComboBox::focusInEvent(event);
  if (choices_.state == ResourceChoices::State::Unknown) emit choicesWanted(kind_);
}

void ResourcePicker::keyPressEvent(QKeyEvent* event) {
  // Up and Down would put a name into the field that was never meant: they open the list.
  const bool opens = event->key() == Qt::Key_Down || event->key() == Qt::Key_Up;
  if (opens && event->modifiers() == Qt::NoModifier) return showPopup();
  QComboBox::keyPressEvent(event);
}

void ResourcePicker::fill() {
  const QString text = currentText();
  const int cursor = lineEdit()->cursorPosition();
  const QSignalBlocker quiet(this);
  list_->clear();
  for (const ResourceChoice& choice : choices_.choices) {
    auto* item = new QStandardItem(lineOf(choice));
    item->setData(choice.value, kValueRole);
    item->setToolTip(plainToolTip(choice.value));
    list_->appendRow(item);
  }
  if (choices_.state == ResourceChoices::State::Ready && choices_.choices.empty())
    addRemark(tr("There are no %1").arg(pluralOf(kind_)));
  if (choices_.state == ResourceChoices::State::Loading)
    addRemark(tr("Asking for the %1 …").arg(pluralOf(kind_)));
  if (choices_.state == ResourceChoices::State::Unknown)
    addRemark(tr("The %1 are not known: type the value").arg(pluralOf(kind_)));
  if (choices_.state == ResourceChoices::State::Failed) addRemark(describe(text));
  setCurrentIndex(-1);
  setEditText(text);
  lineEdit()->setCursorPosition(cursor);
  showName();
}

void ResourcePicker::addRemark(const QString& text) {
  auto* item = new QStandardItem(text);
  item->setFlags(Qt::NoItemFlags);
  item->setToolTip(plainToolTip(text));
  list_->appendRow(item);
}

}  // namespace lockstep
