// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <future>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "trainer/tokens/text_splitter.h"

namespace lockstep::trainer {

inline constexpr std::size_t kTextChunk = 4 << 20;

/// Cuts `text` into chunks of some 4 MiB where no word is torn, has `work(worker, chunk)` run on them by as
/// many threads as there are workers, and hands what it makes to `take(result, bytesDone)` on this thread, in
/// the order of the text. Never more than one chunk per worker is held, so memory stays bounded however long
/// the text is; the chunks are the same for any number of workers. The first failure ends it.
template <class Out, class Work, class Take>
Result<void> inChunks(std::string_view text, std::size_t workers, Work work, Take take) {
  auto splitter = TextSplitter::make();
  if (!splitter) return failure(splitter.error());
  for (std::size_t begin = 0; begin < text.size();) {
    std::vector<std::future<Result<Out>>> running;
    std::vector<std::size_t> ends;
    for (std::size_t w = 0; w < std::max<std::size_t>(workers, 1) && begin < text.size(); ++w) {
      const auto end = splitter->placeToCut(text, begin + kTextChunk);
      if (!end) return failure(end.error());
      running.push_back(std::async(std::launch::async, std::ref(work), w, text.substr(begin, *end - begin)));
      ends.push_back(*end);
      begin = *end;
    }
    for (std::size_t i = 0; i < running.size(); ++i) {
      auto made = running[i].get();
      if (!made) return failure(made.error());
      if (auto taken = take(std::move(*made), ends[i]); !taken) return taken;
    }
  }
  return {};
}

}  // namespace lockstep::trainer
