// SPDX-License-Identifier: GPL-3.0-or-later
#include "logs/store/text_log.h"

#include <algorithm>
#include <chrono>

#include "logs/store/file_order.h"
#include "logs/store/merged_order.h"

namespace lockstep {
namespace {

constexpr std::chrono::milliseconds kBetweenReports{50};

}  // namespace

struct TextLog::Parts {
  struct OneFile {
    std::shared_ptr<const LogBytes> bytes;
    FileIndex index;
    std::uint64_t id = 0;
    std::shared_ptr<SeenRanks> ranks = std::make_shared<SeenRanks>();
    std::string head;  // its first bytes: a file that is written over from the beginning has others
  };
  std::vector<OneFile> files;
  std::vector<std::string> nodes;
  std::uint64_t nextId = 0;
  std::shared_ptr<const MergedOrder> merged;  // of several files
  std::shared_ptr<const LogSnapshot> snapshot;

  [[nodiscard]] bool renewIfReplaced(OneFile& file);
  void begin(OneFile& file, std::shared_ptr<const LogBytes> bytes);
  void makeSnapshot(const std::stop_token& stop);
};

namespace {

constexpr std::uint64_t kHeadBytes = 256;

}  // namespace

void TextLog::Parts::begin(OneFile& file, std::shared_ptr<const LogBytes> bytes) {
  file = OneFile{std::move(bytes), {}, nextId++, std::make_shared<SeenRanks>(), {}};
}

bool TextLog::Parts::renewIfReplaced(OneFile& file) {
  if (file.bytes->isReplaced()) {
    // Nothing has its name just now, as between the two steps of a rotation: what was read stays until something has.
    auto bytes = LogBytes::open(file.bytes->path());
    if (!bytes) return false;
    begin(file, *std::move(bytes));
    return true;
  }
  const bool isCut = file.bytes->size() < file.index.bytes;
  if (!isCut && file.bytes->read(0, file.head.size()) == file.head) return false;
  begin(file, file.bytes);
  return true;
}

void TextLog::Parts::makeSnapshot(const std::stop_token& stop) {
  std::vector<std::shared_ptr<const LineFile>> lines;
  for (std::size_t i = 0; i < files.size(); ++i) {
    auto file = std::make_shared<LineFile>();
    file->bytes = files[i].bytes;
    file->index = files[i].index;
    file->syntax = LineSyntax::Text;
    file->id = files[i].id;
    file->node = nodes[i];
    file->ranks = files[i].ranks;
    lines.push_back(std::move(file));
  }
  std::shared_ptr<const LineOrder> order;
  if (lines.size() == 1) {
    order = std::make_shared<FileOrder>(lines.front());
  } else {
    merged = MergedOrder::make(lines, merged.get(), stop);
    order = merged;
  }
  snapshot = std::make_shared<LogSnapshot>(std::move(lines), std::move(order), nodes, std::vector<Rank>());
}

Result<TextLog> TextLog::open(const std::vector<std::filesystem::path>& files) {
  if (files.empty())
    return failure(ErrorCode::InvalidArgument, "cannot open a log", "no file was named",
                   "name one file or several");
  auto parts = std::make_unique<Parts>();
  for (const auto& path : files) {
    auto bytes = LogBytes::open(path);
    if (!bytes) return failure(std::move(bytes.error()));
    parts->begin(parts->files.emplace_back(), *std::move(bytes));
    parts->nodes.push_back(path.filename().string());
  }
  parts->makeSnapshot({});
  return TextLog(std::move(parts));
}

TextLog::TextLog(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TextLog::TextLog(TextLog&& other) noexcept = default;
TextLog& TextLog::operator=(TextLog&& other) noexcept = default;
TextLog::~TextLog() = default;

Result<TextLog::Change> TextLog::refresh(const std::stop_token& stop, int threads, const Progress& progress) {
  Change change = Change::None;
  std::uint64_t known = 0, all = 0;
  for (auto& file : parts_->files) {
    if (parts_->renewIfReplaced(file)) change = Change::Replaced;
    known += file.index.bytes;
    all += std::max(file.bytes->size(), file.index.bytes);
  }
  auto reported = std::chrono::steady_clock::now();
  for (auto& file : parts_->files) {
    const std::uint64_t before = file.index.bytes, size = file.bytes->size();
    if (size <= before) continue;
    if (change == Change::None) change = Change::Grown;
    extendIndex(file.index, *file.bytes, LineSyntax::Text, size, threads, stop, [&](std::uint64_t bytes) {
      const auto now = std::chrono::steady_clock::now();
      if (!progress || now - reported < kBetweenReports) return;
      reported = now;
      progress(known + bytes - before, all);
    });
    known += file.index.bytes - before;
    if (file.head.size() < kHeadBytes)
      file.head = file.bytes->read(0, std::min(kHeadBytes, file.index.bytes));
  }
  const bool isMerging = parts_->merged && parts_->merged->size() < [&] {
    std::uint64_t lines = 0;
    for (const auto& file : parts_->files) lines += file.index.lines;
    return lines;
  }();
  if (change != Change::None || isMerging) parts_->makeSnapshot(stop);
  return change;
}

std::shared_ptr<const LogSnapshot> TextLog::snapshot() const {
  return parts_->snapshot;
}

std::size_t TextLog::memory() const {
  std::size_t bytes = parts_->merged ? parts_->merged->memory() : 0;
  for (const auto& file : parts_->files) bytes += file.index.blocks.memory();
  return bytes;
}

}  // namespace lockstep
