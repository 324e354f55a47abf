// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QAccessibleInterface;
class QObject;
class QString;

namespace lockstep {

/// Makes the parts of a ClusterCanvas children that screen readers can walk, press and step. For
/// QAccessible::installFactory; nullptr for every other object.
[[nodiscard]] QAccessibleInterface* canvasAccessibleFactory(const QString& key, QObject* object);

}  // namespace lockstep
