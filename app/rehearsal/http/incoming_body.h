// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "rehearsal/api/body_file.h"
#include "rehearsal/api/http_types.h"
#include "rehearsal/http/request_head.h"

namespace lockstep::rehearsal {

/// What the bodies in memory may take together. Thread-safe.
class BodyMemory {
 public:
  explicit BodyMemory(std::uint64_t max) : max_(max) {}
  /// False: no room for so many bytes more.
  bool take(std::uint64_t bytes) {
    if (held_.fetch_add(bytes) + bytes <= max_) return true;
    held_ -= bytes;
    return false;
  }
  void give(std::uint64_t bytes) { held_ -= bytes; }

 private:
  const std::uint64_t max_;
  std::atomic<std::uint64_t> held_{0};
};

/// The body of one request while it comes in: in memory, or in a file where the operation takes large ones.
class IncomingBody {
 public:
  /// `max`: bytes, of a body in chunks; the length of any other has been looked at. `files` null: memory.
  IncomingBody(const RequestHead& head, std::uint64_t max, BodyFiles* files, BodyMemory& memory)
      : left_(head.contentLength), files_(files), memory_(memory) {
    if (head.chunked) chunks_.emplace(max);
  }
  ~IncomingBody() { memory_.give(held_); }
  IncomingBody(const IncomingBody&) = delete;
  IncomingBody& operator=(const IncomingBody&) = delete;

  enum class State { NeedsMore, Complete, Malformed, TooLarge, NoMemory, NoDisk };
  /// Takes what belongs to the body from the front of `input`.
  State take(std::string& input);
  /// After Complete.
  void moveInto(IncomingRequest& request);
  /// After NoDisk.
  [[nodiscard]] const Error& problem() const { return problem_; }

  /// Up to this size a body stays in memory.
  static constexpr std::size_t kInMemory = 64 * 1024;

 private:
  State keep(std::string_view bytes);
  State keepInFile(std::string_view bytes);
  State complete();

  std::uint64_t left_;
  std::optional<ChunkedReader> chunks_;
  BodyFiles* files_;
  BodyMemory& memory_;
  std::uint64_t held_ = 0;
  std::string bytes_;
  std::shared_ptr<BodyFile> file_;
  Error problem_;
};

}  // namespace lockstep::rehearsal
