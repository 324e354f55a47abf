// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/ddp/metrics/tensor_board.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <bit>
#include <cerrno>

#include "base/digest.h"
#include "base/plain_nan.h"
#include "trainer/ddp/base/sockets.h"

namespace lockstep::trainer {
namespace {

template <class Number>
void appendLittleEndian(std::string& to, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) to.push_back(static_cast<char>(number >> (8 * i)));
}

void appendVarint(std::string& to, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) to.push_back(static_cast<char>(value | 0x80));
  to.push_back(static_cast<char>(value));
}

// protobuf: field number and wire type.
enum Wire : std::uint64_t { kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
void appendKey(std::string& to, std::uint64_t field, Wire wire) {
  appendVarint(to, field << 3 | wire);
}
void appendBytes(std::string& to, std::uint64_t field, std::string_view bytes) {
  appendKey(to, field, kBytes);
  appendVarint(to, bytes.size());
  to.append(bytes);
}

std::uint32_t maskedCrc(std::string_view bytes) {
  const std::uint32_t crc = crc32c(bytes);
  return ((crc >> 15) | (crc << 17)) + 0xa282ead8U;
}

std::string eventHead(double wallSeconds) {
  std::string event;
  appendKey(event, 1, kFixed64);
  appendLittleEndian(event, std::bit_cast<std::uint64_t>(wallSeconds));
  return event;
}

double secondsOf(TimePoint time) {
  return std::chrono::duration<double>(time.time_since_epoch()).count();
}

bool writeWhole(int fd, std::string_view text) {
  while (!text.empty()) {
    const ssize_t n = ::write(fd, text.data(), text.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    text.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

std::string tfRecord(std::string_view bytes) {
  std::string record;
  appendLittleEndian(record, static_cast<std::uint64_t>(bytes.size()));
  appendLittleEndian(record, maskedCrc(record));
  record.append(bytes);
  appendLittleEndian(record, maskedCrc(bytes));
  return record;
}

std::string scalarEvent(double wallSeconds, Step step, const std::vector<NamedValue>& values) {
  std::string summary;
  for (const auto& [tag, number] : values) {
    std::string value;
    appendBytes(value, 1, tag);
    appendKey(value, 2, kFixed32);
    appendLittleEndian(value, std::bit_cast<std::uint32_t>(static_cast<float>(plainNan(number))));
    appendBytes(summary, 1, value);
  }
  std::string event = eventHead(wallSeconds);
  appendKey(event, 2, kVarint);
  appendVarint(event, static_cast<std::uint64_t>(step));
  appendBytes(event, 5, summary);
  return event;
}

Result<std::unique_ptr<TensorBoardWriter>> TensorBoardWriter::open(const std::filesystem::path& directory,
                                                                   int rank) {
  const auto folder = directory / fmt::format("rank-{}", rank);
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  const double now = secondsOf(SystemClock().now());
  const auto path = folder / fmt::format("events.out.tfevents.{:010}.{}.{}", static_cast<long long>(now),
                                         hostName(), ::getpid());
  const int fd = error ? -1 : ::open(path.c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0644);
  const int reason = error ? error.value() : errno;
  if (fd < 0) {
    return failure(errnoError(fmt::format("cannot write TensorBoard's events to '{}'", folder.string()),
                              reason, "check --tensorboard"));
  }
  std::unique_ptr<TensorBoardWriter> writer(new TensorBoardWriter(fd, path));
  std::string version = eventHead(now);
  appendBytes(version, 3, "brain.Event:2");
  writer->pending_ = tfRecord(version);
  if (!writer->flush()) return failure(errnoError(fmt::format("cannot write '{}'", path.string()), errno));
  return writer;
}

TensorBoardWriter::TensorBoardWriter(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

TensorBoardWriter::~TensorBoardWriter() {
  thread_.request_stop();
  thread_.join();
  flush();
  ::close(fd_);
}

void TensorBoardWriter::record(Step step, TimePoint time, const std::vector<NamedValue>& values) {
  const std::string record = tfRecord(scalarEvent(secondsOf(time), step, values));
  const std::lock_guard lock(mutex_);
  pending_ += record;
}

bool TensorBoardWriter::flush() {
  const std::lock_guard file(fileMutex_);
  std::string text;
  {
    const std::lock_guard lock(mutex_);
    text.swap(pending_);
  }
  // After a torn write the rest of the file would be unreadable: nothing more is written.
  if (!broken_ && !writeWhole(fd_, text)) broken_ = true;
  return !broken_;
}

void TensorBoardWriter::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, stop, std::chrono::seconds(1), [] { return false; });
    }
    flush();
  }
}

}  // namespace lockstep::trainer
