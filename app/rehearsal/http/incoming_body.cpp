// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/http/incoming_body.h"

#include <algorithm>

namespace lockstep::rehearsal {

IncomingBody::State IncomingBody::keepInFile(std::string_view bytes) {
  if (!file_) {
    auto file = files_->begin();
    if (!file) {
      problem_ = file.error();
      return State::NoDisk;
    }
    file_ = *std::move(file);
    const std::string before = std::move(bytes_);
    bytes_.clear();
    if (const State state = keepInFile(before); state != State::NeedsMore) return state;
  }
  if (bytes.empty()) return State::NeedsMore;
  if (auto written = file_->append(bytes); !written) {
    problem_ = written.error();
    return State::NoDisk;
  }
  return State::NeedsMore;
}

IncomingBody::State IncomingBody::keep(std::string_view bytes) {
  if (file_ || (files_ != nullptr && bytes_.size() + bytes.size() > kInMemory)) return keepInFile(bytes);
  if (!memory_.take(bytes.size())) return State::NoMemory;
  held_ += bytes.size();
  bytes_.append(bytes);
  return State::NeedsMore;
}

IncomingBody::State IncomingBody::complete() {
  if (!file_) return State::Complete;
  if (auto finished = file_->finish(); !finished) {
    problem_ = finished.error();
    return State::NoDisk;
  }
  return State::Complete;
}

IncomingBody::State IncomingBody::take(std::string& input) {
  if (!chunks_) {
    const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(left_, input.size()));
    if (const State state = keep(std::string_view(input).substr(0, size)); state != State::NeedsMore)
      return state;
    input.erase(0, size);
    left_ -= size;
    return left_ == 0 ? complete() : State::NeedsMore;
  }
  std::string data;
  const ChunkedReader::State state = chunks_->take(input, data);
  if (state == ChunkedReader::State::Malformed) return State::Malformed;
  if (state == ChunkedReader::State::TooLarge) return State::TooLarge;
  if (const State kept = keep(data); kept != State::NeedsMore) return kept;
  return state == ChunkedReader::State::Complete ? complete() : State::NeedsMore;
}

void IncomingBody::moveInto(IncomingRequest& request) {
  request.body = std::move(bytes_);
  request.file = std::move(file_);
}

}  // namespace lockstep::rehearsal
