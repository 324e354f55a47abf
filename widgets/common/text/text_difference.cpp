// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/common/text/text_difference.h"

#include <string_view>
#include <utility>

#include "base/text/line_difference.h"

namespace lockstep {
namespace {

using Kind = DifferenceLine::Kind;

/// The lines as bytes, for as long as `lines` live.
std::vector<std::string_view> bytesOf(const QStringList& lines) {
  std::vector<std::string_view> bytes;
  bytes.reserve(static_cast<std::size_t>(lines.size()));
  for (const QString& line : lines)
    bytes.emplace_back(reinterpret_cast<const char*>(line.constData()),
                       static_cast<std::size_t>(line.size()) * sizeof(QChar));
  return bytes;
}

/// Takes lines over from the beginning to the end.
class Rows {
 public:
  Rows(const QStringList& before, const QStringList& after) : before_(before), after_(after) {}

  void addEqual() {
    rows_.push_back({Kind::Equal, x_ + 1, y_ + 1, before_[x_]});
    ++x_;
    ++y_;
  }
  void addRemoved() {
    rows_.push_back({Kind::Removed, x_ + 1, 0, before_[x_]});
    ++x_;
  }
  void addAdded() {
    rows_.push_back({Kind::Added, 0, y_ + 1, after_[y_]});
    ++y_;
  }
  void addEqualUntil(std::size_t x) {
    while (static_cast<std::size_t>(x_) < x) addEqual();
  }
  [[nodiscard]] std::vector<DifferenceLine> take() { return std::move(rows_); }

 private:
  const QStringList &before_, &after_;
  std::vector<DifferenceLine> rows_;
  int x_ = 0, y_ = 0;  // the next lines
};

}  // namespace

std::vector<DifferenceLine> lineDifference(const QStringList& before, const QStringList& after) {
  Rows rows(before, after);
  for (const LineChange& change : lineChanges(bytesOf(before), bytesOf(after))) {
    rows.addEqualUntil(change.before);
    for (std::size_t i = 0; i < change.removed; ++i) rows.addRemoved();
    for (std::size_t i = 0; i < change.added; ++i) rows.addAdded();
  }
  rows.addEqualUntil(static_cast<std::size_t>(before.size()));
  return rows.take();
}

}  // namespace lockstep
