// SPDX-License-Identifier: GPL-3.0-or-later
#include "rehearsal/support/line_capture.h"

#include "base/text/encoding.h"

namespace lockstep::rehearsal {

void LineCapture::take(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t end = bytes.find('\n');
    const std::string_view piece = bytes.substr(0, end);
    begun_ = true;
    if (line_.size() < kKeptBytes) line_.append(piece.substr(0, kKeptBytes - line_.size()));
    if (end == std::string_view::npos) return;
    emit();
    bytes.remove_prefix(end + 1);
  }
}

void LineCapture::finish() {
  if (begun_) emit();
}

void LineCapture::emit() {
  if (!line_.empty() && line_.back() == '\r') line_.pop_back();
  sink_(line_);
  line_.clear();
  begun_ = false;
}

std::string cutToCharacters(std::string_view text, std::size_t maximum) {
  std::string valid = toValidUtf8(text);
  std::size_t characters = 0;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const bool begins = (static_cast<unsigned char>(valid[i]) & 0xC0) != 0x80;
    if (begins && characters++ == maximum) {
      valid.resize(i);
      break;
    }
  }
  return valid;
}

}  // namespace lockstep::rehearsal
