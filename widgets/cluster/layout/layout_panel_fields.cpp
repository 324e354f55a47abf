// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cluster/layout/layout_panel_fields.h"

#include <QCoreApplication>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "widgets/cluster/canvas/cluster_canvas.h"
#include "widgets/common/layout/wheel_guard.h"
#include "widgets/common/text/plain_text.h"
#include "widgets/common/text/qt_convert.h"
#include "widgets/common/theme/theme.h"

namespace lockstep {
namespace {

/// The outermost mapping below spec.multiNode that would be left empty without `path`.
FieldPath emptiedBy(const ClusterDocument& document, FieldPath path) {
  constexpr size_t kRoot = 2;  // spec.multiNode
  while (path.elements().size() > kRoot + 1) {
    const auto keys = document.keysAt(path.parent());
    if (!keys || keys->size() != 1) break;
    path = path.parent();
  }
  return path;
}

bool isThere(const ClusterDocument& document, const FieldPath& path) {
  return document.scalar(path) || document.lengthAt(path) || document.keysAt(path);
}

QString commandText(const QString& name) {
  return QCoreApplication::translate("lockstep::LayoutPanel", "change %1").arg(name);
}

}  // namespace

Result<void> setLayoutField(EditableCluster& cluster, const FieldPath& path, const QString& value, bool plain,
                            const QString& name) {
  const ClusterDocument& document = cluster.document();
  const QString key = QStringLiteral("layout ") + toQString(path.toString());
  if (!value.isEmpty()) {
    const auto present = document.scalar(path);
    if (present && toQString(present->raw) == value) return {};
    return cluster.setScalar(path, value, plain, commandText(name), key);
  }
  if (!isThere(document, path)) return {};
  return cluster.remove(emptiedBy(document, path), commandText(name), key);
}

Result<void> setLayoutWords(EditableCluster& cluster, const FieldPath& path,
                            const std::vector<std::string>& words, const QString& name) {
  if (words.empty()) return setLayoutField(cluster, path, {}, false, name);
  std::vector<EditableCluster::Step> steps;
  if (isThere(cluster.document(), path))
    steps.push_back([path](const ClusterDocument& present) { return present.remove(path); });
  for (const std::string& word : words)
    steps.push_back([path, word](const ClusterDocument& present) { return present.appendItem(path, word); });
  return cluster.edit(commandText(name), {}, steps);
}

OptionalNumber::OptionalNumber(int max, const QString& unset, QWidget* parent) : QSpinBox(parent) {
  setRange(0, max);
  setSpecialValueText(unset);
  setKeyboardTracking(false);
  setAccelerated(true);
  letWheelPass(this);
  // Style sheets size spin boxes by themselves; beside the other fields it should look like one of them.
  setMinimumHeight(QLineEdit().sizeHint().height());
  connect(this, &QSpinBox::valueChanged, this, &OptionalNumber::edited);
}

void OptionalNumber::showNumber(const std::optional<long long>& number) {
  const QSignalBlocker quiet(this);
  setValue(static_cast<int>(std::clamp<long long>(number.value_or(0), 0, maximum())));
}

QString OptionalNumber::fileText() const {
  return value() == 0 ? QString() : QString::number(value());
}

QWidget* labelled(const QString& label, QWidget* editor, QWidget* parent) {
  auto* field = new QWidget(parent);
  auto* column = new QVBoxLayout(field);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(3);
  auto* words = new PlainLabel(label, field);
  makeCaption(words);
  words->setBuddy(editor);
  column->addWidget(words);
  column->addWidget(editor);
  QString name = label;
  editor->setAccessibleName(name.remove(QLatin1Char('&')));
  return field;
}

}  // namespace lockstep
