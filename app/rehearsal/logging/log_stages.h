// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <vector>

#include "rehearsal/logging/log_parser.h"
#include "rehearsal/logging/log_query.h"

namespace lockstep::rehearsal {

struct SortKey {
  LogExpression value;
  bool descending = false;
};

/// count() count(e) sum avg min max first last.
struct Aggregate {
  enum class Kind { Count, Sum, Average, Minimum, Maximum, First, Last };
  Kind kind = Kind::Count;
  LogExpression value;  // empty: count()
  std::string name;
};

LogStageMaker filterStage(LogExpression condition);
LogStageMaker extendStage(std::vector<NamedExpression> columns);
LogStageMaker selectStage(std::vector<NamedExpression> columns, bool withAll);
/// With a limit: the first so many of that order.
LogStageMaker sortStage(std::vector<SortKey> keys, std::size_t limit);
LogStageMaker dedupStage(std::vector<NamedExpression> keys);
LogStageMaker countStage();
LogStageMaker summarizeStage(std::vector<Aggregate> aggregates, std::vector<NamedExpression> groups);

}  // namespace lockstep::rehearsal
