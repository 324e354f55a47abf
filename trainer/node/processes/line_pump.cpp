// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/processes/line_pump.h"

#include "base/atomic_file.h"

namespace lockstep::node {
namespace {
constexpr std::size_t kLongestLine = 64 * 1024;
}

void LinePump::add(std::string_view bytes) {
  pending_.append(bytes);
  std::size_t begin = 0;
  for (std::size_t end; (end = pending_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    emit(std::string_view(pending_).substr(begin, end - begin));
  }
  pending_.erase(0, begin);
  while (pending_.size() > kLongestLine) {
    emit(std::string_view(pending_).substr(0, kLongestLine));
    pending_.erase(0, kLongestLine);
  }
}

void LinePump::finish() {
  if (!pending_.empty()) emit(pending_);
  pending_.clear();
}

void LinePump::emit(std::string_view line) {
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  if (line.find_first_not_of(" \t-=*#") != std::string_view::npos) lastLine_ = line;  // a ruler says nothing
  std::string whole = prefix_;
  whole += line;
  whole += '\n';
  // A reader that went away must not end the training; the run's metrics and model do not depend on it.
  [[maybe_unused]] const bool written = writeAll(outFd_, whole);
}

}  // namespace lockstep::node
