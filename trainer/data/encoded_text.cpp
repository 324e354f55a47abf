// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/data/encoded_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/digest.h"
#include "base/text/encoding.h"
#include "trainer/data/folder_lock.h"
#include "trainer/data/mapped_file.h"
#include "trainer/data/seldom_lines.h"
#include "trainer/data/streamed_file.h"
#include "trainer/tokens/bpe_encoder.h"
#include "trainer/tokens/text_chunks.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFolder = "lockstep-tokens";
constexpr std::size_t kKeyLetters = 32;
constexpr double kMega = 1e6;

std::string_view textOf(const MappedFile& file) {
  return {reinterpret_cast<const char*>(file.bytes().data()), file.bytes().size()};
}

std::string littleEndian(const std::vector<Token>& tokens) {
  std::string bytes(2 * tokens.size(), '\0');
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    bytes[2 * i] = static_cast<char>(tokens[i] & 0xFF);
    bytes[2 * i + 1] = static_cast<char>(tokens[i] >> 8);
  }
  return bytes;
}

Result<std::vector<BpeEncoder>> makeEncoders(const BpeVocabulary& vocabulary, std::size_t count) {
  std::vector<BpeEncoder> encoders;
  for (std::size_t i = 0; i < count; ++i) {
    auto splitter = TextSplitter::make();
    if (!splitter) return failure(splitter.error());
    encoders.emplace_back(vocabulary, std::move(*splitter));
  }
  return encoders;
}

// How many tokens were written.
Result<std::size_t> encodeInto(const fs::path& target, std::string_view text, const BpeVocabulary& vocabulary,
                               const EncodingOptions& options) {
  auto encoders = makeEncoders(vocabulary, std::max<std::size_t>(options.threads, 1));
  if (!encoders) return failure(encoders.error());
  auto file = StreamedFile::create(target);
  if (!file) return failure(file.error());
  std::size_t count = 0;
  SeldomLines lines(options.tell);
  const auto encode = [&](std::size_t worker, std::string_view chunk) -> Result<std::vector<Token>> {
    std::vector<Token> tokens;
    tokens.reserve(chunk.size() / 3);
    if (auto done = (*encoders)[worker].append(chunk, tokens); !done) return failure(done.error());
    return tokens;
  };
  const auto write = [&](const std::vector<Token>& tokens, std::size_t done) {
    count += tokens.size();
    lines.say([&] {
      return fmt::format("Encoding into '{}': {:.0f} % of {:.1f} MB", target.string(),
                         100.0 * static_cast<double>(done) / static_cast<double>(text.size()),
                         static_cast<double>(text.size()) / kMega);
    });
    return file->append(littleEndian(tokens));
  };
  if (auto done = inChunks<std::vector<Token>>(text, encoders->size(), encode, write); !done)
    return failure(done.error());
  if (auto done = file->finish(); !done) return failure(done.error());
  return count;
}

// "train.txt.<checksum>.bin", and the same with ".partial", that are not `wanted`.
void removeOthers(const fs::path& wanted, const std::string& textName) {
  std::error_code ignored;
  const std::size_t length = textName.size() + 1 + kKeyLetters;
  for (const auto& entry : fs::directory_iterator(wanted.parent_path(), ignored)) {
    const std::string name = entry.path().filename().string();
    const bool isOurs = name.starts_with(textName + ".") && name.size() > length &&
                        (name.substr(length) == ".bin" || name.substr(length) == ".bin.partial");
    if (isOurs && entry.path() != wanted) fs::remove(entry.path(), ignored);
  }
}

Result<fs::path> encodedIn(const fs::path& folder, const std::string& name, const fs::path& text,
                           const MappedFile& file, const BpeVocabulary& vocabulary,
                           const EncodingOptions& options) {
  const auto lock = FolderLock::take(folder, ".lock");
  if (!lock) return failure(lock.error());
  const fs::path target = folder / name;
  std::error_code ignored;
  if (fs::is_regular_file(target, ignored)) return target;  // somebody else has just made it
  const std::string textName = text.filename().string();
  const auto count = encodeInto(target, textOf(file), vocabulary, options);
  if (!count) {
    Error error = count.error();
    if (error.where.empty()) error.where = text.string();
    return failure(error);
  }
  removeOthers(target, textName);
  options.tell(fmt::format(
      "Encoded '{}' into {} tokens of {:.2f} bytes", text.string(), *count,
      static_cast<double>(file.bytes().size()) / static_cast<double>(std::max<std::size_t>(*count, 1))));
  return target;
}

}  // namespace

Result<fs::path> encodedText(const fs::path& text, const ReadVocabulary& vocabulary,
                             const EncodingOptions& options) {
  const auto file = MappedFile::open(text);
  if (!file) return failure(file.error());
  const std::string key = toHex(sha256(sha256(textOf(*file)) + vocabulary.digest)).substr(0, kKeyLetters);
  const std::string name = fmt::format("{}.{}.bin", text.filename().string(), key);
  std::vector<fs::path> folders{text.parent_path() / kFolder};
  if (!options.spareFolder.empty()) folders.push_back(options.spareFolder);
  for (const fs::path& folder : folders) {
    std::error_code ignored;
    if (fs::is_regular_file(folder / name, ignored)) return folder / name;
  }
  auto encoded = encodedIn(folders.front(), name, text, *file, vocabulary.vocabulary, options);
  const bool cannotWrite = !encoded && encoded.error().code == ErrorCode::PermissionDenied;
  if (!cannotWrite || folders.size() == 1) return encoded;
  return encodedIn(folders.back(), name, text, *file, vocabulary.vocabulary, options);
}

}  // namespace lockstep::trainer
