// SPDX-License-Identifier: GPL-3.0-or-later
// Texts become tokens once, and again when text or vocabulary are other ones.
#include "trainer/data/encoded_text.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <thread>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "trainer/data/drawn_data.h"
#include "trainer/data/make_tokenizer.h"
#include "trainer/data/mapped_file.h"
#include "trainer/data/text_corpus.h"

namespace lockstep::trainer {
namespace {

namespace fs = std::filesystem;
using Order = std::vector<std::size_t>;

void quiet(const std::string&) {}

class EncodedText : public ::testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(writeDrawnData(DataKind::Text, dir_.path(), 400, 80, 5)); }
  void learn(std::size_t vocabulary) {
    const auto made = makeTokenizer(dir_.path(), vocabulary, true, 2, quiet);
    ASSERT_TRUE(made) << describe(made.error());
  }
  TextOptions options(TextTokens tokens = TextTokens::Auto) {
    return {16, tokens, {{}, 2, [this](const std::string& line) { said_.push_back(line); }}};
  }
  [[nodiscard]] std::size_t tokenFiles() const {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(dir_.path() / "lockstep-tokens"))
      count += entry.path().extension() == ".bin" ? 1 : 0;
    return count;
  }
  TempDir dir_;
  std::vector<std::string> said_;
};

TEST_F(EncodedText, IsMadeOnceAndAfterEveryChange) {
  learn(350);
  const auto first = openText(dir_.path(), options());
  ASSERT_TRUE(first) << describe(first.error());
  EXPECT_EQ(first->train->shape().classes, 384) << "a multiple of 64";
  ASSERT_EQ(said_.size(), 2U) << "train.txt and val.txt";
  EXPECT_NE(said_[0].find("tokens of"), std::string::npos) << said_[0];
  ASSERT_TRUE(openText(dir_.path(), options()));
  EXPECT_EQ(said_.size(), 2U) << "they are there";
  ASSERT_TRUE(writeFileAtomically(dir_.path() / "val.txt", *readFile(dir_.path() / "val.txt") + "more\n"));
  ASSERT_TRUE(openText(dir_.path(), options()));
  EXPECT_EQ(said_.size(), 3U) << "one text is another one";
  learn(300);
  const auto smaller = openText(dir_.path(), options());
  ASSERT_TRUE(smaller);
  EXPECT_EQ(said_.size(), 5U) << "the vocabulary is another one";
  EXPECT_EQ(smaller->train->shape().classes, 320);
  EXPECT_EQ(tokenFiles(), 2U) << "the older ones are gone";
}

TEST_F(EncodedText, HasTheTokensOfTheText) {
  learn(500);
  const auto data = openText(dir_.path(), options(TextTokens::Bpe));
  ASSERT_TRUE(data) << describe(data.error());
  const auto vocabulary = readVocabulary(**vocabularyFilesIn(dir_.path()));
  ASSERT_TRUE(vocabulary);
  std::string text;
  Batch batch;
  for (std::size_t i = 0; i < data->train->size(); ++i) {
    ASSERT_TRUE(data->train->gather(Order{i}, 0, batch));
    for (const auto token : batch.tokens) text += vocabulary->vocabulary.bytesOf(static_cast<Token>(token));
  }
  EXPECT_TRUE(readFile(dir_.path() / "train.txt")->starts_with(text));
  EXPECT_GT(text.size(), 2 * 16 * data->train->size()) << "more than two bytes per token";
}

TEST_F(EncodedText, IsMadeByOneOfSeveralAtOnce) {
  learn(300);
  const auto vocabulary = readVocabulary(**vocabularyFilesIn(dir_.path()));
  ASSERT_TRUE(vocabulary);
  std::atomic<int> made = 0;
  std::vector<std::thread> ranks;
  for (int rank = 0; rank < 4; ++rank)
    ranks.emplace_back([&] {
      const auto file =
          encodedText(dir_.path() / "train.txt", *vocabulary, {{}, 1, [&](const std::string&) { ++made; }});
      EXPECT_TRUE(file) << describe(file.error());
    });
  for (std::thread& rank : ranks) rank.join();
  EXPECT_EQ(made, 1);
  EXPECT_EQ(tokenFiles(), 1U);
}

TEST_F(EncodedText, WhatWasLeftByAKilledProcessIsNotTaken) {
  learn(300);
  ASSERT_TRUE(openText(dir_.path(), options()));
  for (const auto& entry : fs::directory_iterator(dir_.path() / "lockstep-tokens"))
    if (entry.path().extension() == ".bin") fs::rename(entry.path(), entry.path().string() + ".partial");
  ASSERT_TRUE(openText(dir_.path(), options()));
  EXPECT_EQ(said_.size(), 4U);
  EXPECT_EQ(tokenFiles(), 2U);
}

TEST_F(EncodedText, GoesElsewhereWhereTheDataCannotBeWritten) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  learn(300);
  const TempDir spare;
  fs::permissions(dir_.path(), fs::perms::owner_write, fs::perm_options::remove);
  TextOptions wanted = options();
  EXPECT_EQ(openText(dir_.path(), wanted).error().code, ErrorCode::PermissionDenied);
  wanted.encoding.spareFolder = spare.path() / "tokens";
  EXPECT_TRUE(openText(dir_.path(), wanted));
  EXPECT_TRUE(openText(dir_.path(), wanted));
  EXPECT_EQ(said_.size(), 2U);
  fs::permissions(dir_.path(), fs::perms::owner_write, fs::perm_options::add);
}

TEST_F(EncodedText, BytesAreTakenWhereNoVocabularyIsOrWhenAskedFor) {
  const auto bytes = openText(dir_.path(), options());
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->train->shape().classes, kByteVocabulary);
  const auto none = openText(dir_.path(), options(TextTokens::Bpe));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::NotFound);
  EXPECT_NE(none.error().remedy.find("make-tokenizer"), std::string::npos);
  learn(300);
  const auto asked = openText(dir_.path(), options(TextTokens::Bytes));
  ASSERT_TRUE(asked);
  EXPECT_EQ(asked->train->shape().classes, kByteVocabulary);
  EXPECT_TRUE(said_.empty());
  fs::remove(dir_.path() / "merges.txt");
  EXPECT_FALSE(openText(dir_.path(), options())) << "half a vocabulary is an error, not bytes";
}

TEST_F(EncodedText, MergesAreNoText) {
  fs::rename(dir_.path() / "train.txt", dir_.path() / "book.txt");
  fs::remove(dir_.path() / "val.txt");
  learn(300);
  const auto data = openText(dir_.path(), options());
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->train->shape().classes, 320);
  EXPECT_EQ(trainingTextIn(dir_.path())->file.filename(), "book.txt");
}

TEST_F(EncodedText, AVocabularyBesideTokenFilesSaysTheirSize) {
  learn(300);
  using std::string_literals::operator""s;
  for (const char* name : {"train.bin", "val.bin"})
    ASSERT_TRUE(writeFileAtomically(dir_.path() / name, std::string(200, '\x01')));
  const auto data = openText(dir_.path(), options());
  ASSERT_TRUE(data);
  EXPECT_EQ(data->train->shape().classes, 320);
  Batch batch;
  EXPECT_TRUE(data->train->gather(Order{0}, 0, batch)) << "257 is below it";
}

TEST_F(EncodedText, AVocabularyIsNotWrittenOverUnasked) {
  learn(300);
  const std::string before = *readFile(dir_.path() / "vocab.json");
  EXPECT_EQ(makeTokenizer(dir_.path(), 400, false, 1, quiet).error().code, ErrorCode::AlreadyExists);
  EXPECT_EQ(*readFile(dir_.path() / "vocab.json"), before);
  const TempDir empty;
  EXPECT_EQ(makeTokenizer(empty.path(), 400, false, 1, quiet).error().code, ErrorCode::NotFound);
}

}  // namespace
}  // namespace lockstep::trainer
