// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>

#include "logs/store/line_file.h"
#include "logs/store/line_order.h"

namespace lockstep {

/// The lines of one file as they stand in it; a part is a block.
class FileOrder final : public LineOrder {
 public:
  explicit FileOrder(std::shared_ptr<const LineFile> file) : file_(std::move(file)) {}
  [[nodiscard]] std::uint64_t size() const override { return file_->index.lines; }
  [[nodiscard]] std::size_t partCount() const override { return file_->index.blocks.size(); }
  [[nodiscard]] std::size_t partOf(std::uint64_t index) const override {
    return file_->index.blocks.blockOf(index);
  }
  [[nodiscard]] std::uint64_t partStart(std::size_t number) const override {
    return file_->index.blocks[number].firstLine;
  }
  [[nodiscard]] OrderPart part(std::size_t number) const override {
    const std::uint64_t first = file_->index.blocks[number].firstLine, count = file_->linesIn(number);
    return {first, count, {{0, first, count}}};
  }
  /// All but the last line of the older one, which may have become longer.
  [[nodiscard]] std::uint64_t commonStart(const LineOrder& older) const override {
    const auto* other = dynamic_cast<const FileOrder*>(&older);
    if (!other || other->file_->id != file_->id || other->size() == 0) return 0;
    return other->file_->index.bytes == file_->index.bytes ? size() : other->size() - 1;
  }

 private:
  std::shared_ptr<const LineFile> file_;
};

}  // namespace lockstep
