// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/merged_order.h"

#include <algorithm>
#include <functional>
#include <queue>

namespace lockstep {
namespace {

constexpr std::uint64_t kMaxOfBlock = 2 * kBlockBytes;  // all lines begin in it, and say their time

/// One file on its way through a merge.
class FileCursor {
 public:
  FileCursor(const LineFile& file, MergePoint::InFile at) : file_(&file), at_(at) { look(); }
  [[nodiscard]] bool isAtEnd() const { return at_.line >= file_->index.lines; }
  [[nodiscard]] std::int64_t time() const { return time_; }  // of the next line
  [[nodiscard]] const MergePoint::InFile& at() const { return at_; }
  void next() {
    ++at_.line;
    at_.time = time_;
    look();
  }

 private:
  void look() {
    if (isAtEnd()) return;
    const LineBlocks& blocks = file_->index.blocks;
    if (!isLoaded_ || at_.line < first_ || at_.line >= end_) {
      const std::size_t block = blocks.blockOf(at_.line);
      text_.load(*file_, block, kMaxOfBlock);
      first_ = blocks[block].firstLine;
      end_ = first_ + file_->linesIn(block);
      isLoaded_ = true;
    }
    time_ = std::max(at_.time, timeOf(file_->syntax, text_.line(at_.line - first_)));
  }

  const LineFile* file_;
  MergePoint::InFile at_;
  std::int64_t time_ = kNoTime;
  BlockText text_;
  bool isLoaded_ = false;
  std::uint64_t first_ = 0, end_ = 0;  // lines of the block
};

class Merge {
 public:
  Merge(const MergedOrder::Files& files, const MergePoint& from) : time_(from.time) {
    for (std::size_t i = 0; i < files.size(); ++i) cursors_.emplace_back(*files[i], from.files[i]);
    for (std::size_t i = 0; i < cursors_.size(); ++i) push(static_cast<std::uint32_t>(i));
  }
  [[nodiscard]] bool isAtEnd() const { return waiting_.empty(); }
  /// The next line, as a run of one.
  LineRun next() {
    const std::uint32_t file = waiting_.top().second;
    waiting_.pop();
    FileCursor& cursor = cursors_[file];
    const LineRun line{file, cursor.at().line, 1};
    time_ = cursor.time();
    cursor.next();
    push(file);
    return line;
  }
  [[nodiscard]] MergePoint point() const {
    MergePoint point;
    point.time = time_;
    for (const FileCursor& cursor : cursors_) point.files.push_back(cursor.at());
    return point;
  }

 private:
  using Waiting = std::pair<std::int64_t, std::uint32_t>;  // time and file: the smallest goes first
  void push(std::uint32_t file) {
    if (!cursors_[file].isAtEnd()) waiting_.emplace(cursors_[file].time(), file);
  }

  std::vector<FileCursor> cursors_;
  std::priority_queue<Waiting, std::vector<Waiting>, std::greater<>> waiting_;
  std::int64_t time_;
};

}  // namespace

std::shared_ptr<const MergedOrder> MergedOrder::make(Files files, const MergedOrder* older,
                                                     const std::stop_token& stop) {
  std::shared_ptr<MergedOrder> made(new MergedOrder);
  const std::size_t stay = older ? older->pointsThatStay(files) : 0;
  if (stay > 0)
    made->points_.assign(older->points_.begin(), older->points_.begin() + static_cast<std::ptrdiff_t>(stay));
  else
    made->points_.push_back(
        std::make_shared<MergePoint>(MergePoint{std::vector<MergePoint::InFile>(files.size())}));
  made->files_ = std::move(files);
  made->size_ = (made->points_.size() - 1) * kLinesInPart;
  Merge merge(made->files_, *made->points_.back());
  while (!merge.isAtEnd() && !stop.stop_requested()) {
    for (std::uint64_t i = 0; i < kLinesInPart && !merge.isAtEnd(); ++i, ++made->size_) merge.next();
    made->points_.push_back(std::make_shared<MergePoint>(merge.point()));
  }
  return made;
}

/// Nothing that is new in `newer` belongs before these. A last line may have become longer, with another time.
std::size_t MergedOrder::pointsThatStay(const Files& newer) const {
  if (newer.size() != files_.size()) return 0;
  std::size_t stay =
      static_cast<std::size_t>(size_ / kLinesInPart) + 1;  // the last part may be filled further
  for (std::size_t i = 0; i < newer.size(); ++i) {
    if (newer[i]->id != files_[i]->id) return 0;
    if (newer[i]->index.bytes == files_[i]->index.bytes) continue;
    const std::uint64_t whole = files_[i]->index.lines == 0 ? 0 : files_[i]->index.lines - 1;
    const auto isLate = [&](const std::shared_ptr<const MergePoint>& point) {
      return point->files[i].line > whole;
    };
    const auto end = points_.begin() + static_cast<std::ptrdiff_t>(std::min(stay, points_.size()));
    stay = static_cast<std::size_t>(std::partition_point(points_.begin(), end, std::not_fn(isLate)) -
                                    points_.begin());
    FileCursor last(*newer[i], points_[stay - 1]->files[i]);
    while (!last.isAtEnd() && last.at().line < whole) last.next();
    const std::int64_t firstNew = last.isAtEnd() ? INT64_MAX : last.time();
    const auto isBefore = [&](const std::shared_ptr<const MergePoint>& point) {
      return point->time < firstNew;
    };
    const auto limit = points_.begin() + static_cast<std::ptrdiff_t>(stay);
    // The very first point stands before every line.
    stay = static_cast<std::size_t>(std::partition_point(points_.begin() + 1, limit, isBefore) -
                                    points_.begin());
  }
  return std::min(stay, points_.size());
}

OrderPart MergedOrder::part(std::size_t number) const {
  OrderPart part{number * kLinesInPart, 0, {}};
  part.count = std::min(kLinesInPart, size_ - part.first);
  Merge merge(files_, *points_[number]);
  for (std::uint64_t i = 0; i < part.count; ++i) {
    const LineRun line = merge.next();
    if (!part.runs.empty() && part.runs.back().file == line.file)
      ++part.runs.back().count;
    else
      part.runs.push_back(line);
  }
  return part;
}

std::uint64_t MergedOrder::commonStart(const LineOrder& older) const {
  const auto* other = dynamic_cast<const MergedOrder*>(&older);
  if (!other) return 0;
  const std::size_t stay = other->pointsThatStay(files_);
  return stay == 0 ? 0 : std::min((stay - 1) * kLinesInPart, size_);
}

std::size_t MergedOrder::memory() const {
  return points_.size() * (sizeof(MergePoint) + files_.size() * sizeof(MergePoint::InFile));
}

}  // namespace lockstep
