// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/tokens/bpe_vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <unordered_set>

#include "base/text/encoding.h"
#include "trainer/tokens/byte_letters.h"

namespace lockstep::trainer {
namespace {

constexpr std::size_t kQuoted = 40;
constexpr const char* kVocabFile = "vocab.json";

// For messages: short, and printable.
std::string quotePiece(std::string_view text) {
  std::string shown = toValidUtf8(text.substr(0, kQuoted));
  for (char& c : shown)
    if (static_cast<unsigned char>(c) < ' ') c = '?';
  return fmt::format("'{}{}'", shown, text.size() > kQuoted ? "…" : "");
}

tl::unexpected<Error> badVocabulary(std::string cause, std::string where = kVocabFile) {
  return failure(ErrorCode::DataLoss, "the vocabulary is none of a byte-level BPE", std::move(cause),
                 "take vocab.json and merges.txt of one tokenizer of GPT-2's kind, or make them with "
                 "`lockstep-trainer make-tokenizer`",
                 std::move(where));
}

/// Takes {"piece": number, …} and nothing else. Reading it as a document would hide pieces that are there
/// twice, and build whatever else somebody put into the file.
class FlatNumbers : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::vector<std::pair<std::string, Token>> entries;
  std::string wrong;

  bool null() override { return refuse("null"); }
  bool boolean(bool) override { return refuse("true or false"); }
  bool number_integer(number_integer_t value) override { return refuse(fmt::format("the token {}", value)); }
  bool number_unsigned(number_unsigned_t value) override {
    if (!open_ || value >= kMaxTokens) return refuse(fmt::format("the token {}", value));
    entries.emplace_back(key_, static_cast<Token>(value));
    return true;
  }
  bool number_float(number_float_t, const string_t& text) override { return refuse("the token " + text); }
  bool string(string_t&) override { return refuse("a text"); }
  bool binary(binary_t&) override { return refuse("binary data"); }
  bool start_object(std::size_t) override { return std::exchange(open_, true) ? refuse("an object") : true; }
  bool key(string_t& text) override {
    key_ = text;
    return seen_.insert(text).second || refuse("the same piece twice");
  }
  bool end_object() override { return true; }
  bool start_array(std::size_t) override { return refuse("an array"); }
  bool end_array() override { return true; }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::detail::exception&) override {
    wrong = fmt::format("it is no JSON at byte {}", at);
    return false;
  }

 private:
  bool refuse(const std::string& what) {
    wrong = open_ ? fmt::format("piece {} has {}, and tokens are numbers from 0 to {}", quotePiece(key_),
                                what, kMaxTokens - 1)
                  : "it is no object of pieces and their tokens";
    return false;
  }
  bool open_ = false;
  std::string key_;
  std::unordered_set<std::string> seen_;
};

}  // namespace

Result<BpeVocabulary> BpeVocabulary::parse(std::string_view vocabJson, std::string_view merges) {
  FlatNumbers read;
  if (!nlohmann::json::sax_parse(vocabJson, &read)) return badVocabulary(read.wrong);
  BpeVocabulary vocabulary;
  if (auto taken = vocabulary.parsePieces(read.entries); !taken) return failure(taken.error());
  const TokenByPiece tokens(std::make_move_iterator(read.entries.begin()),
                            std::make_move_iterator(read.entries.end()));
  if (auto taken = vocabulary.parseMerges(merges, tokens); !taken) return failure(taken.error());
  return vocabulary;
}

Result<void> BpeVocabulary::parsePieces(const std::vector<std::pair<std::string, Token>>& entries) {
  std::array<bool, 256> hasByte{};
  for (const auto& [letters, token] : entries) {
    const auto bytes = bytesOfLetters(letters);
    if (!bytes || bytes->empty())
      return badVocabulary(fmt::format("piece {} has letters that stand for no bytes", quotePiece(letters)));
    if (token >= pieces_.size()) pieces_.resize(std::size_t{token} + 1);
    if (!pieces_[token].empty())
      return badVocabulary(fmt::format("piece {} has the token {} of piece {}", quotePiece(letters), token,
                                       quotePiece(lettersOf(pieces_[token]))));
    pieces_[token] = *bytes;
    if (bytes->size() == 1) {
      const auto byte = static_cast<unsigned char>(bytes->front());
      byteTokens_[byte] = token;
      hasByte[byte] = true;
    }
    if (letters == kEndOfText) endOfText_ = token;
  }
  const auto missing = std::ranges::find(hasByte, false);
  if (missing == hasByte.end()) return {};
  return badVocabulary(fmt::format("the byte 0x{:02X} has no token", missing - hasByte.begin()));
}

Result<void> BpeVocabulary::parseMerges(std::string_view merges, const TokenByPiece& tokens) {
  for (int number = 1; !merges.empty(); ++number) {
    const std::size_t end = std::min(merges.find('\n'), merges.size());
    std::string_view line = merges.substr(0, end);
    merges.remove_prefix(std::min(end + 1, merges.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (line.empty() || (number == 1 && line.starts_with("#version"))) continue;
    if (auto taken = parseMerge(line, tokens); !taken) {
      Error error = taken.error();
      error.where = fmt::format("merges.txt:{}", number);
      return failure(error);
    }
  }
  return {};
}

Result<void> BpeVocabulary::parseMerge(std::string_view line, const TokenByPiece& tokens) {
  const std::size_t blank = line.find(' ');
  if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos)
    return badVocabulary(fmt::format("{} is no pair of pieces with a blank between them", quotePiece(line)));
  const std::string left(line.substr(0, blank)), right(line.substr(blank + 1));
  std::array<Token, 3> found{};
  const std::array<std::string, 3> pieces{left, right, left + right};
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    const auto token = tokens.find(pieces[i]);
    if (token == tokens.end())
      return badVocabulary(fmt::format("piece {} has no token in {}", quotePiece(pieces[i]), kVocabFile));
    found[i] = token->second;
  }
  const Merge merge{static_cast<std::uint32_t>(merges_.size()), found[2]};
  if (merges_.emplace(key(found[0], found[1]), merge).second) return {};
  return badVocabulary(fmt::format("the pair {} is there twice", quotePiece(line)));
}

}  // namespace lockstep::trainer
