// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/make_tokenizer.h"

#include <fmt/format.h>

#include "trainer/data/mapped_file.h"
#include "trainer/data/seldom_lines.h"
#include "trainer/data/text_corpus.h"
#include "trainer/tokens/vocabulary_files.h"

namespace lockstep::trainer {
namespace {

using Tell = std::function<void(const std::string&)>;

}  // namespace

Result<void> makeTokenizer(const std::filesystem::path& folder, std::size_t vocabulary, bool replace,
                           std::size_t threads, const Tell& tell) {
  if (!replace)
    if (auto none = checkNoVocabulary(folder); !none) return none;
  const auto found = trainingTextIn(folder);
  if (!found) return failure(found.error());
  const auto file = MappedFile::open(found->file);
  if (!file) return failure(file.error());
  const auto bytes =
      file->bytes().first(file->bytes().size() - (found->endsInTests ? file->bytes().size() / 10 : 0));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  SeldomLines lines(tell);
  const auto counts = countWords(text, threads, [&](std::size_t done) {
    lines.say([&] {
      return fmt::format("Counting words: {:.0f} %",
                         100.0 * static_cast<double>(done) / static_cast<double>(text.size()));
    });
  });
  if (!counts) return failure(counts.error());
  const LearnedBpe learned = learnBpe(*counts, vocabulary, [&](std::size_t tokens) {
    lines.say([&] { return fmt::format("Learning: {} of {} tokens", tokens, vocabulary); });
  });
  if (auto wrote = writeVocabulary(folder, learned); !wrote) return wrote;
  tell(fmt::format("Learned {} tokens of {:.2f} bytes from {} different words of '{}'", learned.pieces.size(),
                   learned.bytesPerToken, counts->size(), found->file.string()));
  return {};
}

}  // namespace lockstep::trainer
