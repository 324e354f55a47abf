// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

namespace lockstep::rehearsal {

struct LogToken {
  enum class Kind { Word, Quoted, Text, Number, Symbol, End };
  Kind kind = Kind::End;
  std::string text;  // decoded; of a symbol: its characters
  std::size_t at = 0;
};

/// Cuts a log query into tokens; comments go. The last token is End.
tl::expected<std::vector<LogToken>, std::string> tokenizeLogQuery(std::string_view text);

}  // namespace lockstep::rehearsal
