// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>
#include <optional>

#include "logs/search/range_search.h"

namespace lockstep {

/// Searches a log for a model that shows it, so that the window goes on meanwhile. Whoever wires the program decides in
/// which thread. One search at a time: another one takes its place, and nothing comes of the first any more. All members
/// and signals belong to the UI thread.
class LogSearcher : public QObject {
  Q_OBJECT
 public:
  struct Request {
    std::shared_ptr<const LogSnapshot> log;
    LogQuery query;
    std::vector<LineRange> ranges;  // ascending, not empty; the last lines are the most urgent ones
  };
  using QObject::QObject;

  /// found() may come before it returns.
  virtual void search(Request request) = 0;
  virtual void cancel() = 0;

 signals:
  /// What is new since the last one; the last one says so.
  void found(const std::shared_ptr<const lockstep::LogSnapshot>& log, const lockstep::RangesFound& what);
};

/// Makes the searcher of one model.
using MakeLogSearcher = std::function<std::unique_ptr<LogSearcher>()>;

/// Searches in the UI thread, in slices between which the window goes on: where nobody brought another one, as for
/// pictures and in tests.
class SlicedLogSearcher : public LogSearcher {
  Q_OBJECT
 public:
  /// How long the slice in search() may take, and each one after it.
  explicit SlicedLogSearcher(std::chrono::nanoseconds first = std::chrono::milliseconds(30),
                             std::chrono::nanoseconds other = std::chrono::milliseconds(8),
                             QObject* parent = nullptr);
  ~SlicedLogSearcher() override;

  void search(Request request) override;
  void cancel() override;

 private:
  void searchOn(std::chrono::nanoseconds budget);

  std::chrono::nanoseconds first_, other_;
  std::shared_ptr<const LogSnapshot> log_;
  std::optional<RangeSearch> search_;
  QTimer slices_;
};

}  // namespace lockstep
