// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringView>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cluster/document/cluster_document.h"

namespace lockstep {

// A text widget knows neither bytes nor "\r\n". These map between a document's bytes and what the widget
// shows, so that an edit made there changes only its own bytes: line ends, a byte order mark and even
// malformed bytes elsewhere stay as they are.

/// The bytes as the widget shows them: UTF-16, '\n' for every line end, U+FFFD for each malformed byte.
[[nodiscard]] QString toView(std::string_view bytes);

/// Where the `index`-th UTF-16 unit of toView(bytes) begins in the bytes.
[[nodiscard]] std::size_t byteOffset(std::string_view bytes, qsizetype index);

/// The one replacement that turns toView(bytes) into `view`; new line ends are those that the document uses.
[[nodiscard]] TextEdit editTowards(std::string_view bytes, const QString& view);
/// The same for who has toView(bytes) at hand.
[[nodiscard]] TextEdit editTowards(std::string_view bytes, const QString& now, const QString& view);

/// One replacement in the text that a widget shows, in UTF-16 units.
struct ViewEdit {
  qsizetype position = 0;
  qsizetype removed = 0;
  QString inserted;
};
/// What an edit of the bytes changes in toView(bytes).
[[nodiscard]] ViewEdit viewEditOf(std::string_view bytes, const TextEdit& edit);
/// What turns `from` into `to`: all between their common beginning and end. Never parts a surrogate pair.
[[nodiscard]] ViewEdit viewDifference(QStringView from, QStringView to);

/// The one replacement that turns `from` into `to`: what lies between their common beginning and end.
[[nodiscard]] TextEdit difference(std::string_view from, std::string_view to);

/// `second` follows `first`: the one edit that does both, or nothing when they do not touch.
[[nodiscard]] std::optional<TextEdit> composed(const TextEdit& first, const TextEdit& second);

/// The same with whatever lies between the two taken in; `after` is the text that both led to.
[[nodiscard]] TextEdit composedAcross(const TextEdit& first, TextEdit second, std::string_view after);

}  // namespace lockstep
