// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "runs/run_summary.h"

namespace lockstep {

/// Which runs are wanted (docs/history.md): all terms of it hold.
///
///     word "two words"   somewhere in name, id, tags, group or note, whatever the case
///     name: id: tag: group: note: profile: image: commit: failure: backend:    the same in one of them
///     state:failed       the beginning of a state's word
///     is:pinned is:archived is:live is:dirty
///     loss<0.3 nodes>=2 elapsed>1h created>2026-11-01 finished<2d cost>10 findings>0    numbers, lengths of time, moments;
///                        a length of time in the place of a moment is a moment that long ago
///     -term              where it does not hold
struct RunQuery {
  enum class Field {
    Any,
    Name,
    Id,
    Tag,
    Group,
    Note,
    Profile,
    Image,
    Commit,
    Failure,
    Backend,
    State,
    Is,
    Number
  };
  enum class Comparison { Less, AtMost, More, AtLeast, Equal, Unequal };
  struct Term {
    Field field = Field::Any;
    bool isNegated = false;
    std::string text;  // folded; of Number: the name of the quantity as it is written
    Comparison comparison = Comparison::Equal;
    double number = 0;  // of elapsed seconds, of moments seconds since 1970
  };
  std::vector<Term> terms;

  [[nodiscard]] bool wantsAll() const { return terms.empty(); }
  /// Whether it asks for archived runs by their name: else lists leave them out.
  [[nodiscard]] bool namesArchived() const;
};

/// Longer queries, and such of more terms, are refused.
inline constexpr std::size_t kMaxQueryLength = 4096, kMaxQueryTerms = 64;

/// InvalidArgument: `where` is "character 5", from 1, and says where it stopped making sense. `now`: what lengths of time in the
/// place of moments are measured from. Pure.
[[nodiscard]] Result<RunQuery> parseRunQuery(std::string_view text, TimePoint now);

/// Small letters instead of capitals of ASCII; all else stays.
[[nodiscard]] std::string folded(std::string_view text);

}  // namespace lockstep
