// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/error.h"

namespace lockstep::trainer {

/// How often each word of a text occurs.
using WordCounts = std::unordered_map<std::string, std::uint64_t>;

/// Counts the words of `text` (those of TextSplitter; "<|endoftext|>" parts documents and is none) on
/// `workers` threads; `done` is told the bytes that are through, on this thread. The same text gives the same
/// counts on any number of threads. Words of more than 256 bytes are left out. Where a text has millions of
/// different words, the rarest go whenever there are more than `maxWords`, so memory stays bounded.
Result<WordCounts> countWords(std::string_view text, std::size_t workers,
                              const std::function<void(std::size_t)>& done, std::size_t maxWords = 4'000'000);

}  // namespace lockstep::trainer
