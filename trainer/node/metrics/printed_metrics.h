// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "metrics/lines/line_matcher.h"
#include "metrics/lines/line_recognizer.h"
#include "metrics/lines/output_pieces.h"

namespace lockstep::node {

/// Reads the metrics that ranks print. What they print is handed over by the thread that passes it on, which never waits;
/// rules are tried on another one. add(): one thread; the rest: another one.
class PrintedMetrics {
 public:
  struct Row {
    int rank = 0;
    PrintedRow row;
  };
  /// `ranks`: of this node. Lines that say that they are another's are not read.
  PrintedMetrics(LineMatcher matcher, const std::vector<int>& ranks);

  /// What `rank` has printed. Lines that a launcher has marked ("[1,3]<stdout>:") are those of the rank that they name. Of
  /// what comes faster than it is read, the oldest is given up.
  void add(int rank, std::string_view bytes);
  std::vector<Row> take();
  /// What there is to tell a person: which rule reads the lines of a rank, and which one was given up. Each once.
  std::vector<std::string> popNotes();

 private:
  struct Piece {
    int rank = 0;
    TimePoint time{};
    std::string text;
  };
  void noteChanges(int rank, const LineRecognizer& recognizer);

  LineMatcher matcher_;
  std::map<int, OutputPieces> pieces_;
  std::map<int, LineRecognizer> recognizers_;
  std::map<std::pair<int, std::size_t>, RuleUse> told_;
  std::vector<std::string> notes_;
  std::mutex mutex_;  // guards the two below
  std::deque<Piece> waiting_;
  std::size_t waitingBytes_ = 0;
};

}  // namespace lockstep::node
