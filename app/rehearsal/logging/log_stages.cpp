// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/logging/log_stages.h"

#include <algorithm>
#include <map>
#include <set>

namespace lockstep::rehearsal {
namespace {

bool isTrue(const LogValue& value) {
  return value.is_boolean() && value.get<bool>();
}

class Filter final : public LogStage {
 public:
  explicit Filter(LogExpression condition) : condition_(std::move(condition)) {}
  void take(LogRow row, const Sink& out) override {
    if (isTrue(condition_(row))) out(std::move(row));
  }

 private:
  LogExpression condition_;
};

class Extend final : public LogStage {
 public:
  explicit Extend(std::vector<NamedExpression> columns) : columns_(std::move(columns)) {}
  void take(LogRow row, const Sink& out) override {
    for (const auto& column : columns_) row.names[column.name] = column.value(row);
    out(std::move(row));
  }

 private:
  std::vector<NamedExpression> columns_;
};

class Select final : public LogStage {
 public:
  Select(std::vector<NamedExpression> columns, bool withAll)
      : columns_(std::move(columns)), withAll_(withAll) {}
  void take(LogRow row, const Sink& out) override {
    LogRow chosen;
    if (withAll_) chosen.names = shownRow(row);
    for (const auto& column : columns_) {
      const bool isContent = row.record && column.path == std::vector<std::string>{"logContent"};
      chosen.names[column.name] = isContent ? row.record->content : column.value(row);
    }
    out(std::move(chosen));
  }

 private:
  std::vector<NamedExpression> columns_;
  bool withAll_;
};

class Sort final : public LogStage {
 public:
  Sort(std::vector<SortKey> keys, std::size_t limit) : keys_(std::move(keys)), limit_(limit) {}
  void take(LogRow row, const Sink&) override {
    Keyed keyed{{}, std::move(row)};
    for (const auto& key : keys_) keyed.values.push_back(key.value(keyed.row));
    rows_.push_back(std::move(keyed));
    if (limit_ != 0 && rows_.size() >= 2 * limit_ + 1000) order();
  }
  void finish(const Sink& out) override {
    order();
    for (Keyed& keyed : rows_) out(std::move(keyed.row));
    rows_.clear();
  }
  std::size_t held() const override { return rows_.size(); }

 private:
  struct Keyed {
    std::vector<LogValue> values;
    LogRow row;
  };
  bool isBefore(const Keyed& a, const Keyed& b) const {
    for (std::size_t i = 0; i < keys_.size(); ++i) {
      if (logValueLess(a.values[i], b.values[i])) return !keys_[i].descending;
      if (logValueLess(b.values[i], a.values[i])) return keys_[i].descending;
    }
    return false;
  }
  void order() {
    std::stable_sort(rows_.begin(), rows_.end(),
                     [this](const Keyed& a, const Keyed& b) { return isBefore(a, b); });
    if (limit_ != 0 && rows_.size() > limit_)
      rows_.erase(rows_.begin() + static_cast<long>(limit_), rows_.end());
  }

  std::vector<SortKey> keys_;
  std::size_t limit_;
  std::vector<Keyed> rows_;
};

class Dedup final : public LogStage {
 public:
  explicit Dedup(std::vector<NamedExpression> keys) : keys_(std::move(keys)) {}
  void take(LogRow row, const Sink& out) override {
    LogValue key = LogValue::array();
    for (const auto& part : keys_) key.push_back(part.value(row));
    if (seen_.insert(key.dump(-1, ' ', false, LogValue::error_handler_t::replace)).second)
      out(std::move(row));
  }
  std::size_t held() const override { return seen_.size(); }

 private:
  std::vector<NamedExpression> keys_;
  std::set<std::string> seen_;
};

class Count final : public LogStage {
 public:
  void take(LogRow, const Sink&) override { ++count_; }
  void finish(const Sink& out) override { out(LogRow{nullptr, {{"count", count_}}}); }

 private:
  long long count_ = 0;
};

struct Tally {
  long long count = 0;
  double sum = 0;
  bool isWhole = true;
  LogValue value;  // minimum, maximum, first or last

  void take(Aggregate::Kind kind, const LogValue& v) {
    if (v.is_null()) return;
    ++count;
    if (v.is_number()) sum += v.get<double>();
    isWhole = isWhole && v.is_number_integer();
    const bool isNew = value.is_null();
    const bool isTaken = kind == Aggregate::Kind::Last || isNew ||
                         (kind == Aggregate::Kind::Minimum && logValueLess(v, value)) ||
                         (kind == Aggregate::Kind::Maximum && logValueLess(value, v));
    if (isTaken) value = v;
  }
  [[nodiscard]] LogValue result(Aggregate::Kind kind) const {
    if (kind == Aggregate::Kind::Count) return count;
    if (count == 0) return nullptr;
    if (kind == Aggregate::Kind::Average) return sum / static_cast<double>(count);
    if (kind != Aggregate::Kind::Sum) return value;
    if (isWhole && sum > -9e15 && sum < 9e15) return static_cast<long long>(sum);
    return sum;
  }
};

class Summarize final : public LogStage {
 public:
  Summarize(std::vector<Aggregate> aggregates, std::vector<NamedExpression> groups)
      : aggregates_(std::move(aggregates)), by_(std::move(groups)) {}

  void take(LogRow row, const Sink&) override {
    LogRow named;
    LogValue key = LogValue::array();
    for (const auto& group : by_) key.push_back(named.names[group.name] = group.value(row));
    const std::string text = key.dump(-1, ' ', false, LogValue::error_handler_t::replace);
    const auto [found, isNew] = places_.emplace(text, groups_.size());
    if (isNew) groups_.push_back({std::move(named), std::vector<Tally>(aggregates_.size())});
    Group& group = groups_[found->second];
    for (std::size_t i = 0; i < aggregates_.size(); ++i)
      group.tallies[i].take(aggregates_[i].kind,
                            aggregates_[i].value ? aggregates_[i].value(row) : LogValue(true));
  }
  void finish(const Sink& out) override {
    if (groups_.empty() && by_.empty()) groups_.push_back({{}, std::vector<Tally>(aggregates_.size())});
    for (Group& group : groups_) {
      for (std::size_t i = 0; i < aggregates_.size(); ++i)
        group.row.names[aggregates_[i].name] = group.tallies[i].result(aggregates_[i].kind);
      out(std::move(group.row));
    }
    groups_.clear();
    places_.clear();
  }
  std::size_t held() const override { return groups_.size(); }

 private:
  struct Group {
    LogRow row;
    std::vector<Tally> tallies;
  };
  std::vector<Aggregate> aggregates_;
  std::vector<NamedExpression> by_;
  std::map<std::string, std::size_t> places_;
  std::vector<Group> groups_;  // as they were met
};

template <class Stage, class... Arguments>
LogStageMaker maker(Arguments... arguments) {
  return [=] { return std::make_unique<Stage>(arguments...); };
}

}  // namespace

LogStageMaker filterStage(LogExpression condition) {
  return maker<Filter>(std::move(condition));
}
LogStageMaker extendStage(std::vector<NamedExpression> columns) {
  return maker<Extend>(std::move(columns));
}
LogStageMaker selectStage(std::vector<NamedExpression> columns, bool withAll) {
  return maker<Select>(std::move(columns), withAll);
}
LogStageMaker sortStage(std::vector<SortKey> keys, std::size_t limit) {
  return maker<Sort>(std::move(keys), limit);
}
LogStageMaker dedupStage(std::vector<NamedExpression> keys) {
  return maker<Dedup>(std::move(keys));
}
LogStageMaker countStage() {
  return maker<Count>();
}
LogStageMaker summarizeStage(std::vector<Aggregate> aggregates, std::vector<NamedExpression> groups) {
  return maker<Summarize>(std::move(aggregates), std::move(groups));
}

}  // namespace lockstep::rehearsal
