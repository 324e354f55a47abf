// SPDX-License-Identifier: GPL-3.0-or-later
// Byte-level BPE: words, merges, vocabularies, and that any bytes come back.
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>
#include <numeric>
#include <random>
#include <sstream>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "temp_dir.h"
#include "trainer/tokens/bpe_encoder.h"
#include "trainer/tokens/bpe_learner.h"
#include "trainer/tokens/byte_letters.h"
#include "trainer/tokens/text_chunks.h"
#include "trainer/tokens/vocabulary_files.h"

namespace lockstep::trainer {
namespace {

using Pieces = std::vector<std::string>;
using Tokens = std::vector<Token>;

constexpr const char* kPython = "/usr/bin/python3";

TextSplitter splitter() {
  auto made = TextSplitter::make();
  if (!made) throw std::runtime_error(describe(made.error()));
  return std::move(*made);
}

Pieces wordsOf(const std::string& text) {
  std::vector<std::string_view> views;
  EXPECT_TRUE(splitter().split(text, views));
  return {views.begin(), views.end()};
}

LearnedBpe learnedFrom(const std::string& text, std::size_t size) {
  const auto counts = countWords(text, 2, [](std::size_t) {});
  if (!counts) throw std::runtime_error(describe(counts.error()));
  return learnBpe(*counts, size, [](std::size_t) {});
}

BpeVocabulary vocabularyOf(const LearnedBpe& learned) {
  auto vocabulary = BpeVocabulary::parse(vocabJsonOf(learned), mergesTextOf(learned));
  if (!vocabulary) throw std::runtime_error(describe(vocabulary.error()));
  return std::move(*vocabulary);
}

Tokens encoded(const BpeVocabulary& vocabulary, const std::string& text) {
  Tokens tokens;
  const auto done = BpeEncoder(vocabulary, splitter()).append(text, tokens);
  if (!done) throw std::runtime_error(describe(done.error()));
  return tokens;
}

std::string decoded(const BpeVocabulary& vocabulary, const Tokens& tokens) {
  std::string text;
  for (const Token token : tokens) text += vocabulary.bytesOf(token);
  return text;
}

// Bytes and, in that order, what the pairs make; merges as they stand.
LearnedBpe handMade(const std::vector<std::pair<std::string, std::string>>& merges) {
  LearnedBpe bpe;
  std::map<std::string, Token> tokens;
  const auto add = [&](const std::string& piece) {
    if (tokens.emplace(piece, static_cast<Token>(bpe.pieces.size())).second) bpe.pieces.push_back(piece);
  };
  for (const std::uint8_t byte : bytesInTokenOrder()) add(std::string(1, static_cast<char>(byte)));
  for (const auto& [left, right] : merges) add(left + right);
  for (const auto& [left, right] : merges) bpe.merges.emplace_back(tokens.at(left), tokens.at(right));
  return bpe;
}

Pieces piecesOf(const BpeVocabulary& vocabulary, const std::string& text) {
  Pieces pieces;
  for (const Token token : encoded(vocabulary, text)) pieces.emplace_back(vocabulary.bytesOf(token));
  return pieces;
}

const std::vector<std::string>& awkwardTexts() {
  using std::string_literals::operator""s;
  static const std::vector<std::string> texts = {
      ""s,
      " "s,
      "Hello world! It's what we'll do: they've said I'd, you're, I'm, DON'T."s,
      "a  b   c\t\td\n\n\ne \n f\r\ng  "s,
      "   leading, and trailing   "s,
      "tabs\tand\vvertical\fforms\x1c\x1d\x1e\x1f\x85 in a row"s,
      "1234567890 3.14159 1e-5 0xFF ½ ² ٣٤٥ Ⅷ"s,
      "naïve café Straße ŻÓŁĆ Ελληνικά Русский עברית العربية हिन्दी ไทย"s,
      "日本語のテキスト、中文。全角　スペース 한국어"s,
      "emoji 😀👩‍👩‍👧‍👦🏳️‍🌈 👍🏽 and text"s,
      "no\u00a0break\u2003em\u2028line\u3000wide\u180emongolian\u200bzero\ufeffbom"s,
      "'s't're've'm'll'd 'S 'LL ’s"s,
      "e\u0301 combining \u0915\u094d\u0937"s,
      "if (x < 10) { return y[i]++ && !z; } // comment\n\tfor(;;);\n"s,
      "Ünïcödé… “quotes” — dashes – §¶•"s,
      std::string(300, ' '),
      std::string(300, '\n') + "x",
      std::string(5000, 'a'),
      "nul\0inside"s};
  return texts;
}

std::string proseToLearn() {
  std::string text;
  for (int i = 0; i < 3; ++i)
    for (const std::string& piece : awkwardTexts()) text += piece + "\nthe then there these other mother ";
  return text;
}

TEST(ByteLetters, AreThoseOfGpt2) {
  EXPECT_EQ(lettersOf(" \n"), "ĠĊ");
  EXPECT_EQ(lettersOf(std::string("\0\x7f\xad\xff", 4)), "ĀġŃÿ");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string one(1, static_cast<char>(byte));
    EXPECT_EQ(bytesOfLetters(lettersOf(one)), one) << byte;
  }
  for (const char* none : {" ", "\n", "ń", "ŀ€", "\xc4", "\xff", "日"})
    EXPECT_FALSE(bytesOfLetters(none)) << none;
}

// encoder.json has "!": 0, "\u0120": 220, "\u010a": 198.
TEST(ByteLetters, TokensOfBytesAreGpt2s) {
  const auto order = bytesInTokenOrder();
  EXPECT_EQ(order[0], '!');
  EXPECT_EQ(order[220], ' ');
  EXPECT_EQ(order[198], '\n');
  EXPECT_EQ(order[255], 0xAD);
}

TEST(TextSplitter, CutsAsGpt2sPatternDoes) {
  EXPECT_EQ(wordsOf("Hello world, it's 42!"), (Pieces{"Hello", " world", ",", " it", "'s", " 42", "!"}));
  EXPECT_EQ(wordsOf("a   b\n\n c"), (Pieces{"a", "  ", " b", "\n\n", " c"}));
  EXPECT_EQ(wordsOf("x \n"), (Pieces{"x", " \n"}));
  EXPECT_EQ(wordsOf("DON'T don't"), (Pieces{"DON", "'", "T", " don", "'t"}));
  EXPECT_EQ(wordsOf("größe２½x"), (Pieces{"größe", "２½", "x"}));
  EXPECT_EQ(wordsOf("日本。 語"), (Pieces{"日本", "。", " 語"}));
  EXPECT_EQ(wordsOf("a\u00a0b"), (Pieces{"a", "\u00a0", "b"}));
  EXPECT_EQ(wordsOf("ok\xff\xfe ok"), (Pieces{"ok", "\xff\xfe", " ok"})) << "no UTF-8 stands alone";
}

TEST(TextSplitter, PiecesSideBySideAreTheText) {
  std::mt19937 random(1);
  for (int i = 0; i < 300; ++i) {
    std::string bytes(random() % 200, '\0');
    for (char& byte : bytes) byte = static_cast<char>(random());
    const Pieces words = wordsOf(bytes);
    EXPECT_EQ(std::accumulate(words.begin(), words.end(), std::string()), bytes);
  }
}

TEST(TextSplitter, ACutTextHasTheSamePieces) {
  const std::string text = proseToLearn() + "\xe4\xff torn \xe3\x80";
  const Pieces whole = wordsOf(text);
  TextSplitter cutter = splitter();
  for (std::size_t from = 0; from < text.size(); from += 7) {
    const auto cut = cutter.placeToCut(text, from);
    ASSERT_TRUE(cut);
    ASSERT_GE(*cut, from);
    Pieces parts = wordsOf(text.substr(0, *cut));
    for (const std::string& word : wordsOf(text.substr(*cut))) parts.push_back(word);
    ASSERT_EQ(parts, whole) << "cut at " << *cut << " asked at " << from;
  }
}

TEST(TextChunks, ComeInOrderAndTearNoWord) {
  std::string text;
  while (text.size() < 3 * kTextChunk) text += "some words to fill a chunk with, again and again\n";
  std::string together;
  std::size_t last = 0;
  const auto done = inChunks<std::string>(
      text, 2, [](std::size_t, std::string_view chunk) -> Result<std::string> { return std::string(chunk); },
      [&](const std::string& chunk, std::size_t until) -> Result<void> {
        EXPECT_GT(until, last);
        EXPECT_TRUE(together.empty() || chunk.front() == ' ' || chunk.front() == '\n') << chunk.substr(0, 10);
        together += chunk;
        last = until;
        return {};
      });
  ASSERT_TRUE(done);
  EXPECT_EQ(together, text);
  EXPECT_EQ(last, text.size());
}

TEST(BpeEncoder, MergesTheLeastRankFirst) {
  const auto vocabulary = vocabularyOf(handMade({{"b", "c"}, {"a", "b"}, {"a", "bc"}, {"ab", "c"}}));
  EXPECT_EQ(piecesOf(vocabulary, "abc"), (Pieces{"abc"}));
  EXPECT_EQ(piecesOf(vocabulary, "abab"), (Pieces{"ab", "ab"}));
  EXPECT_EQ(piecesOf(vocabulary, "aab cbc"), (Pieces{"a", "ab", " ", "c", "bc"}));
  const auto runs = vocabularyOf(handMade({{"a", "a"}, {"aa", "aa"}}));
  EXPECT_EQ(piecesOf(runs, "aaaaaaa"), (Pieces{"aaaa", "aa", "a"})) << "from left to right";
}

// The pair "ab a" has a lower rank than "a b", which makes it possible: all places of "a b" come first all
// the same.
TEST(BpeEncoder, MergesAllPlacesOfAPairBeforeWhatTheyMakePossible) {
  const auto vocabulary = vocabularyOf(handMade({{"ab", "a"}, {"a", "b"}}));
  EXPECT_EQ(piecesOf(vocabulary, "abab"), (Pieces{"ab", "ab"}));
  EXPECT_EQ(piecesOf(vocabulary, "abac"), (Pieces{"aba", "c"}));
}

// The first 400 of GPT-2's 50,000 merges. Its tokens are numbered as the merges are, so these have GPT-2's
// numbers.
TEST(BpeEncoder, GivesTheTokensOfGpt2) {
  const auto text = readFile(std::filesystem::path(LOCKSTEP_TEST_DATA) / "tokens" / "gpt2_first_merges.txt");
  ASSERT_TRUE(text);
  std::vector<std::pair<std::string, std::string>> merges;
  std::istringstream lines(text->substr(text->find('\n') + 1));
  for (std::string left, right; lines >> left >> right;)
    merges.emplace_back(*bytesOfLetters(left), *bytesOfLetters(right));
  ASSERT_EQ(merges.size(), 400U);
  const auto vocabulary = BpeVocabulary::parse(vocabJsonOf(handMade(merges)), *text);
  ASSERT_TRUE(vocabulary) << describe(vocabulary.error());
  EXPECT_EQ(encoded(*vocabulary, " the of and"), (Tokens{262, 286, 290}));
  EXPECT_EQ(encoded(*vocabulary, "in the is,\n\nI was to\n\n"),
            (Tokens{259, 262, 318, 11, 198, 198, 40, 373, 284, 628}))
      << "the last line feed before a word stands alone";
}

TEST(BpeEncoder, AnyBytesComeBack) {
  const auto vocabulary = vocabularyOf(learnedFrom(proseToLearn(), 700));
  for (const std::string& text : awkwardTexts())
    EXPECT_EQ(decoded(vocabulary, encoded(vocabulary, text)), text) << text;
  std::mt19937 random(7);
  for (int i = 0; i < 300; ++i) {
    std::string bytes(random() % 400, '\0');
    for (char& byte : bytes)
      byte = static_cast<char>(i % 2 == 0 ? random() : "the \n\xc3\xa9'"[random() % 8]);
    EXPECT_EQ(decoded(vocabulary, encoded(vocabulary, bytes)), bytes);
  }
}

TEST(BpeEncoder, TheEndOfATextIsOneToken) {
  const auto vocabulary = vocabularyOf(learnedFrom("one <|endoftext|> two", 257));
  ASSERT_TRUE(vocabulary.endOfText());
  const Tokens tokens = encoded(vocabulary, "ab<|endoftext|><|endoftext|>c<|endoftext");
  ASSERT_EQ(tokens.size(), 2 + 2 + 1 + 11U);
  EXPECT_EQ(tokens[2], *vocabulary.endOfText());
  EXPECT_EQ(tokens[3], *vocabulary.endOfText());
  EXPECT_EQ(decoded(vocabulary, tokens), "ab<|endoftext|><|endoftext|>c<|endoftext");
  const auto without = vocabularyOf(handMade({{"a", "b"}}));
  EXPECT_EQ(encoded(without, "<|endoftext|>").size(), kEndOfText.size());
}

TEST(BpeEncoder, RefusesWhatIsNoLanguage) {
  const auto vocabulary = vocabularyOf(handMade({{"A", "C"}}));
  Tokens tokens;
  BpeEncoder encoder(vocabulary, splitter());
  EXPECT_TRUE(encoder.append(std::string(BpeEncoder::kLongestWord, 'A'), tokens));
  const auto refused = encoder.append(std::string(BpeEncoder::kLongestWord + 1, 'A'), tokens);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::DataLoss);
  EXPECT_NE(refused.error().remedy.find("--tokens bytes"), std::string::npos);
}

// The definition, without any of what makes the learner quick.
std::vector<std::pair<Token, Token>> learnedSlowly(const WordCounts& counts, std::size_t size) {
  std::vector<std::pair<Tokens, std::uint64_t>> words;
  LearnedBpe bpe = handMade({});
  std::map<std::string, Token> tokens;
  for (std::size_t i = 0; i < bpe.pieces.size(); ++i) tokens[bpe.pieces[i]] = static_cast<Token>(i);
  for (const auto& [word, count] : counts) {
    words.push_back({{}, count});
    for (const char byte : word) words.back().first.push_back(tokens.at(std::string(1, byte)));
  }
  while (tokens.size() + 1 < size) {
    std::map<std::pair<Token, Token>, std::uint64_t> pairs;
    for (const auto& [word, count] : words)
      for (std::size_t i = 0; i + 1 < word.size(); ++i) pairs[{word[i], word[i + 1]}] += count;
    const auto best = std::max_element(pairs.begin(), pairs.end(),
                                       [](const auto& a, const auto& b) { return a.second < b.second; });
    if (best == pairs.end() || best->second < 2) break;
    const auto [left, right] = best->first;
    const std::string piece = bpe.pieces[left] + bpe.pieces[right];
    const auto [made, isNew] = tokens.emplace(piece, static_cast<Token>(bpe.pieces.size()));
    if (isNew) bpe.pieces.push_back(piece);
    bpe.merges.push_back(best->first);
    for (auto& [word, count] : words)
      for (std::size_t i = 0; i + 1 < word.size(); ++i)
        if (word[i] == left && word[i + 1] == right) {
          word[i] = made->second;
          word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        }
  }
  return bpe.merges;
}

TEST(BpeLearner, LearnsWhatTheDefinitionSays) {
  std::mt19937 random(11);
  for (int i = 0; i < 40; ++i) {
    std::string text;
    for (int word = 0; word < 120; ++word) {
      text += ' ';
      for (std::uint32_t n = random() % 9 + 1; n > 0; --n) text += "aaabbc"[random() % (i % 2 == 0 ? 3 : 6)];
    }
    const auto counts = countWords(text, 1, [](std::size_t) {});
    ASSERT_TRUE(counts);
    const LearnedBpe learned = learnBpe(*counts, 320, [](std::size_t) {});
    EXPECT_EQ(learned.merges, learnedSlowly(*counts, 320)) << text;
  }
}

TEST(BpeLearner, GivesTheSameForTheSameText) {
  std::string text;
  while (text.size() < kTextChunk + kTextChunk / 2) text += proseToLearn();
  std::vector<std::string> made;
  for (const std::size_t workers : {1U, 3U}) {
    const auto counts = countWords(text, workers, [](std::size_t) {});
    ASSERT_TRUE(counts);
    const LearnedBpe learned = learnBpe(*counts, 600, [](std::size_t) {});
    made.push_back(vocabJsonOf(learned) + mergesTextOf(learned));
    EXPECT_EQ(learned.pieces.size(), 600U);
    EXPECT_EQ(learned.pieces.back(), kEndOfText);
    EXPECT_GT(learned.bytesPerToken, 2.0);
  }
  EXPECT_EQ(made[0], made[1]);
}

TEST(BpeLearner, ForgetsTheRarestWordsOfEndlessTexts) {
  std::string text;
  for (int i = 0; i < 2000; ++i)
    text += fmt::format(" common word{}x{}", char('a' + i % 26),
                        std::string(static_cast<std::size_t>(i / 26 % 40 + 1), 'q'));
  const auto all = countWords(text, 1, [](std::size_t) {});
  const auto few = countWords(
      text, 1, [](std::size_t) {}, 100);
  ASSERT_TRUE(all && few);
  EXPECT_GT(all->size(), 500U);
  EXPECT_LE(few->size(), 50U);
  EXPECT_EQ(few->at(" common"), 2000U);
}

TEST(BpeLearner, StopsWhereNothingComesTwice) {
  const LearnedBpe learned = learnedFrom("abc", 1000);
  EXPECT_EQ(learned.pieces.size(), 257U);
  EXPECT_TRUE(learned.merges.empty());
  EXPECT_EQ(learnedFrom("", 1000).pieces.size(), 257U);
}

TEST(BpeVocabulary, RefusesWhatIsNone) {
  const std::string good = vocabJsonOf(handMade({{"a", "b"}}));
  const auto with = [&good](const std::string& more) { return good.substr(0, good.size() - 2) + more + "}"; };
  struct Bad {
    std::string vocab, merges, where, cause;
  };
  const std::vector<Bad> all = {
      {"", "", "vocab.json", "no JSON"},
      {"[1]", "", "vocab.json", "no object"},
      {"{\"a\": [", "", "vocab.json", "an array"},
      {"{\"a\": {\"b\": 1}}", "", "vocab.json", "an object"},
      {"{\"a\": -1}", "", "vocab.json", "the token -1"},
      {"{\"a\": 65536}", "", "vocab.json", "the token 65536"},
      {"{\"a\": 1.5}", "", "vocab.json", "1.5"},
      {"{\"a\": \"x\"}", "", "vocab.json", "a text"},
      {"{\"a\": 1, \"a\": 2}", "", "vocab.json", "twice"},
      {"{\"a\": 1, \"b\": 1}", "", "vocab.json", "the token 1 of piece 'a'"},
      {"{\"a b\": 1}", "", "vocab.json", "stand for no bytes"},
      {"{\"\": 1}", "", "vocab.json", "stand for no bytes"},
      {"{\"a\": 1}", "", "vocab.json", "0x00 has no token"},
      {with(",\"ń\": 900"), "", "vocab.json", "stand for no bytes"},
      {good, "#version: 0.2\na b\nx\n", "merges.txt:3", "no pair"},
      {good, "a b\na  b\n", "merges.txt:2", "no pair"},
      {good, "a b\n\na c\n", "merges.txt:3", "'ac' has no token"},
      {good, "a b\r\na b\r\n", "merges.txt:2", "twice"},
      {good, "#version: 0.2\n#version: 0.2\n", "merges.txt:2", "'#version:' has no token"},
      {good, std::string("\0 \x01", 3), "merges.txt:1", "has no token"}};
  for (const Bad& bad : all) {
    const auto refused = BpeVocabulary::parse(bad.vocab, bad.merges);
    ASSERT_FALSE(refused) << bad.cause;
    EXPECT_EQ(refused.error().where, bad.where) << bad.cause;
    EXPECT_NE(refused.error().cause.find(bad.cause), std::string::npos) << refused.error().cause;
  }
  EXPECT_TRUE(BpeVocabulary::parse(good, "#version: 0.2\r\na b\r\n"));
  EXPECT_FALSE(BpeVocabulary::parse(std::string(100'000, '['), ""));
}

TEST(VocabularyFiles, ArePairs) {
  const TempDir dir;
  EXPECT_FALSE(*vocabularyFilesIn(dir.path()));
  ASSERT_TRUE(writeFileAtomically(dir.path() / "encoder.json", "{}"));
  const auto half = vocabularyFilesIn(dir.path());
  ASSERT_FALSE(half);
  EXPECT_NE(half.error().cause.find("'encoder.json' is there without 'vocab.bpe'"), std::string::npos);
  ASSERT_TRUE(writeFileAtomically(dir.path() / "vocab.bpe", "#version: 0.2\na b\nq\n"));
  ASSERT_TRUE(writeFileAtomically(dir.path() / "encoder.json", vocabJsonOf(handMade({{"a", "b"}}))));
  const auto found = vocabularyFilesIn(dir.path());
  ASSERT_TRUE(found && *found);
  const auto bad = readVocabulary(**found);
  ASSERT_FALSE(bad);
  EXPECT_EQ(bad.error().where, (dir.path() / "vocab.bpe").string() + ":3");
  EXPECT_EQ(bad.error().code, ErrorCode::DataLoss);
  std::filesystem::resize_file(dir.path() / "vocab.bpe", (16 << 20) + 1);
  EXPECT_EQ(readVocabulary(**found).error().code, ErrorCode::DataLoss);
  ASSERT_TRUE(writeVocabulary(dir.path(), handMade({{"b", "a"}})));
  EXPECT_EQ((*vocabularyFilesIn(dir.path()))->vocab, dir.path() / "vocab.json") << "comes first";
  EXPECT_EQ(checkNoVocabulary(dir.path()).error().code, ErrorCode::AlreadyExists);
}

// What OpenAI's encoder.py says of bytes and merges, written once more; its pattern needs the module regex.
constexpr const char* kReference = R"py(
import json, sys
import regex
folder, source, target = sys.argv[1:]
visible = list(range(33, 127)) + list(range(161, 173)) + list(range(174, 256))
letters = {b: chr(b) for b in visible}
for b in range(256):
    letters.setdefault(b, chr(256 + len(letters) - len(visible)))
vocabulary = json.load(open(folder + "/vocab.json", encoding="utf-8"))
lines = open(folder + "/merges.txt", encoding="utf-8", newline="\n").read().split("\n")[1:-1]
ranks = {tuple(line.split(" ")): i for i, line in enumerate(lines)}
pattern = regex.compile(r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+")

def merged(word):
    while len(word) > 1:
        pairs = set(zip(word, word[1:]))
        best = min(pairs, key=lambda pair: ranks.get(pair, float("inf")))
        if best not in ranks:
            break
        out, i = [], 0
        while i < len(word):
            if i + 1 < len(word) and (word[i], word[i + 1]) == best:
                out.append(word[i] + word[i + 1])
                i += 2
            else:
                out.append(word[i])
                i += 1
        word = out
    return word

text = open(source, "rb").read().decode("utf-8")
with open(target, "w") as out:
    for word in pattern.findall(text):
        for piece in merged([letters[b] for b in word.encode("utf-8")]):
            out.write("%d\n" % vocabulary[piece])
)py";

std::string linesOf(const Tokens& tokens) {
  std::string lines;
  for (const Token token : tokens) lines += std::to_string(token) + "\n";
  return lines;
}

// Letters of all scripts, signs and white space, in no order.
std::string randomUnicode(std::uint32_t seed) {
  std::mt19937 random(seed);
  constexpr std::array<std::pair<int, int>, 12> kRanges{{{0x20, 0x7E},
                                                         {0x09, 0x0D},
                                                         {0x20, 0x20},
                                                         {0xA0, 0x17F},
                                                         {0x370, 0x5FF},
                                                         {0x900, 0xDFF},
                                                         {0x2000, 0x206F},
                                                         {0x2150, 0x218B},
                                                         {0x3000, 0x30FF},
                                                         {0x4E00, 0x4FFF},
                                                         {0x1F300, 0x1F64F},
                                                         {'a', 'e'}}};
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    const auto [first, last] = kRanges[random() % kRanges.size()];
    const auto c =
        static_cast<std::uint32_t>(first) + random() % static_cast<std::uint32_t>(last - first + 1);
    if (c < 0x80) {
      text += static_cast<char>(c);
    } else if (c < 0x800) {
      text += static_cast<char>(0xC0 | c >> 6U);
      text += static_cast<char>(0x80 | (c & 0x3FU));
    } else {
      if (c >= 0x10000) text += static_cast<char>(0xF0 | c >> 18U);
      text += static_cast<char>(c < 0x10000 ? 0xE0 | c >> 12U : 0x80 | (c >> 12U & 0x3FU));
      text += static_cast<char>(0x80 | (c >> 6U & 0x3FU));
      text += static_cast<char>(0x80 | (c & 0x3FU));
    }
  }
  return text;
}

class Reference : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto there = runCaptured({kPython, "-c", "import regex"}, std::chrono::minutes(1), {});
    if (!there || !there->exit.ok())
      GTEST_SKIP() << kPython << " has no regex: apt-get install python3-regex";
  }
  void expectSame(const BpeVocabulary& vocabulary, const std::string& text) const {
    ASSERT_TRUE(writeFileAtomically(dir_.path() / "text", text));
    const auto ran = runCaptured({kPython, "-X", "utf8", "-c", kReference, dir_.path().string(),
                                  (dir_.path() / "text").string(), (dir_.path() / "tokens").string()},
                                 std::chrono::minutes(2), {});
    ASSERT_TRUE(ran) << describe(ran.error());
    ASSERT_TRUE(ran->exit.ok()) << ran->errors;
    EXPECT_EQ(linesOf(encoded(vocabulary, text)), *readFile(dir_.path() / "tokens"));
  }
  TempDir dir_;
};

TEST_F(Reference, GivesTheSameTokens) {
  const LearnedBpe learned = learnedFrom(proseToLearn() + randomUnicode(1), 900);
  ASSERT_TRUE(writeVocabulary(dir_.path(), learned));
  const auto vocabulary = vocabularyOf(learned);
  std::string all;
  for (const std::string& text : awkwardTexts())
    if (text.find('\x85') == std::string::npos) all += text + " | ";  // that one is no UTF-8
  expectSame(vocabulary, all);
  for (const std::uint32_t seed : {2U, 3U, 4U}) expectSame(vocabulary, randomUnicode(seed));
}

// Merges in any order, also such as no learner would write.
TEST_F(Reference, GivesTheSameTokensForStrangeMerges) {
  std::mt19937 random(5);
  for (int i = 0; i < 6; ++i) {
    std::vector<std::pair<std::string, std::string>> merges;
    std::map<std::string, bool> seen;
    Pieces pieces{"a", "b", "c"};
    while (merges.size() < 40) {
      const std::string left = pieces[random() % pieces.size()], right = pieces[random() % pieces.size()];
      if (!seen.emplace(left + " " + right, true).second || left.size() + right.size() > 6) continue;
      merges.emplace_back(left, right);
      pieces.push_back(left + right);
    }
    std::shuffle(merges.begin(), merges.end(), random);
    const LearnedBpe bpe = handMade(merges);
    ASSERT_TRUE(writeVocabulary(dir_.path(), bpe));
    std::string text;
    for (int word = 0; word < 400; ++word) {
      text += ' ';
      for (std::uint32_t n = random() % 14 + 1; n > 0; --n) text += static_cast<char>('a' + random() % 3);
    }
    expectSame(vocabularyOf(bpe), text);
  }
}

}  // namespace
}  // namespace lockstep::trainer
