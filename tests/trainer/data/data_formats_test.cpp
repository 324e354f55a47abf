// SPDX-License-Identifier: GPL-3.0-or-later
// Data sets in the real formats: idx files, texts, pictures in folders, and the drawn ones in all of them.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <jpeglib.h>
#include <sys/resource.h>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "trainer/data/drawn_data.h"
#include "trainer/data/image_folder.h"
#include "trainer/data/mnist.h"
#include "trainer/data/open_training_data.h"
#include "trainer/data/picture.h"
#include "trainer/data/text_corpus.h"

namespace lockstep::trainer {
namespace {

using Order = std::vector<std::size_t>;

TEST(DrawnData, ComesBackInEveryForm) {
  for (const std::string& name : dataKindNames()) {
    const TempDir dir, other;
    const DataKind kind = *dataKindFrom(name);
    ASSERT_TRUE(writeDrawnData(kind, dir.path(), 60, 12, 3)) << name;
    EXPECT_EQ(kindIn(dir.path()), kind) << name;
    DataOptions options;
    options.folder = dir.path();
    options.imageSide = 32;
    options.sequenceLength = 16;
    const auto data = openTrainingData(options, [](const std::string&) {});
    ASSERT_TRUE(data) << name << describe(data.error());
    if (kind != DataKind::Text) {
      EXPECT_EQ(data->train->size(), 60U) << name;
      EXPECT_EQ(data->test->size(), 12U) << name;
      EXPECT_EQ(data->classNames.size(), 10U) << name;
    }
    options.folder = other.path();
    options.draw = 60;
    options.seed = 3;
    options.usualKind = kind;
    std::string said;
    const auto drawn = openTrainingData(options, [&said](const std::string& line) { said = line; });
    ASSERT_TRUE(drawn) << name;
    EXPECT_NE(said.find("Drew 60 training and 12 test"), std::string::npos) << said;
    Batch first, second;
    ASSERT_TRUE(data->train->gather(Order{0, 5}, 0, first));
    ASSERT_TRUE(drawn->train->gather(Order{0, 5}, 0, second));
    EXPECT_EQ(first.pixels, second.pixels) << name;
    EXPECT_EQ(first.tokens, second.tokens) << name;
    EXPECT_EQ(first.targets, second.targets) << name;
  }
}

TEST(Mnist, ReadsWhatTheFormatSays) {
  const TempDir dir;
  const auto put = [&](const char* name, const std::string& bytes) {
    ASSERT_TRUE(writeFileAtomically(dir.path() / "MNIST" / "raw" / name, bytes));
  };
  std::filesystem::create_directories(dir.path() / "MNIST" / "raw");
  using std::string_literals::operator""s;
  put(kMnistTrainImages, "\0\0\x08\x03\0\0\0\x02\0\0\0\x01\0\0\0\x03"s + "abcdef");
  put(kMnistTrainLabels, "\0\0\x08\x01\0\0\0\x02\x07\x09"s);
  put(kMnistTestImages, idxBytes({1, 1, 3}, "xyz"));
  put(kMnistTestLabels, idxBytes({1}, "\x01"));
  EXPECT_TRUE(hasMnistFiles(dir.path()));
  const auto data = readMnist(dir.path());
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->train.height, 1);
  EXPECT_EQ(data->train.width, 3);
  EXPECT_EQ(data->train.images.pixels, (std::vector<std::uint8_t>{'a', 'b', 'c', 'd', 'e', 'f'}));
  EXPECT_EQ(data->train.images.labels, (std::vector<std::uint8_t>{7, 9}));
  EXPECT_EQ(data->test.images.pixels[2], 'z');

  const std::vector<std::pair<std::string, std::string>> broken = {
      {idxBytes({2, 1, 3}, "abcde"), "21 bytes"},
      {idxBytes({2}, "ab"), "10 bytes"},
      {idxBytes({2, 3, 1, 1}, "abcdef"), "0x00000804"},
      {idxBytes({0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF}, "abcdef"), "header"},
      {idxBytes({1, 0, 0xFFFFFFFF}, ""), "holds nothing"},
      {idxBytes({1, 1, 3}, "abc"), "2 labels for 1 images"},
      {"\x1f\x8b gzip", "7 bytes"}};
  for (const auto& [bytes, cause] : broken) {
    put(kMnistTrainImages, bytes);
    const auto refused = readMnist(dir.path());
    ASSERT_FALSE(refused) << cause;
    EXPECT_EQ(refused.error().code, ErrorCode::DataLoss);
    EXPECT_NE(refused.error().cause.find(cause), std::string::npos) << refused.error().cause;
  }
  std::filesystem::remove(dir.path() / "MNIST" / "raw" / kMnistTestLabels);
  EXPECT_EQ(readMnist(dir.path()).error().cause, "missing: t10k-labels-idx1-ubyte");
}

TEST(TextSamples, TargetsAreTheNextTokens) {
  const TempDir dir;
  ASSERT_TRUE(writeFileAtomically(dir.path() / "book.txt",
                                  "abcdefghijklmnopqrst"
                                  "uvwxyzABCDEFGHIJKLMN"));
  const auto data = openText(dir.path(), {.length = 3});
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->train->size(), 11U) << "36 of 40 letters, the last only as a target";
  EXPECT_EQ(data->test->size(), 1U);
  Batch batch;
  ASSERT_TRUE(data->train->gather(Order{10, 0}, 0, batch));
  EXPECT_EQ(batch.tokens, (std::vector<std::int64_t>{'E', 'F', 'G', 'a', 'b', 'c'}));
  EXPECT_EQ(batch.targets, (std::vector<std::int64_t>{'F', 'G', 'H', 'b', 'c', 'd'}));
  ASSERT_TRUE(data->test->gather(Order{0}, 0, batch));
  EXPECT_EQ(batch.tokens, (std::vector<std::int64_t>{'K', 'L', 'M'}));
  const auto tooLong = openText(dir.path(), {.length = 40});
  ASSERT_FALSE(tooLong);
  EXPECT_EQ(tooLong.error().code, ErrorCode::DataLoss);
}

TEST(TextSamples, ReadsTokenizedFiles) {
  const TempDir dir;
  const auto put = [&](const char* name, const std::string& bytes) {
    ASSERT_TRUE(writeFileAtomically(dir.path() / name, bytes));
  };
  using std::string_literals::operator""s;
  put("train.bin", "\x01\x00\x50\xC3\x02\x00\x03\x01"s);  // 1, 50000, 2, 259
  put("val.bin", "\x01\x00\xFF\xFF\x02\x00\x03\x00"s);
  const auto data = openText(dir.path(), {.length = 3});
  ASSERT_TRUE(data) << describe(data.error());
  Batch batch;
  ASSERT_TRUE(data->train->gather(Order{0}, 0, batch));
  EXPECT_EQ(batch.tokens, (std::vector<std::int64_t>{1, 50'000, 2}));
  EXPECT_EQ(batch.targets, (std::vector<std::int64_t>{50'000, 2, 259}));
  EXPECT_EQ(data->train->shape().classes, kGpt2Vocabulary);
  const auto unknown = data->test->gather(Order{0}, 0, batch);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().cause.find("65535"), std::string::npos);
}

TEST(Pictures, OfBothFormatsComeBack) {
  Picture picture{3, 2, {255, 0, 0, 0, 255, 0, 0, 0, 255, 10, 20, 30, 40, 50, 60, 70, 80, 90}};
  const auto png = encodePng(picture);
  ASSERT_TRUE(png);
  const auto read = decodePicture(*png, "a.png");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->width, 3);
  EXPECT_EQ(read->height, 2);
  EXPECT_EQ(read->pixels, picture.pixels);
}

std::string jpegBytes(int width, int height, J_COLOR_SPACE space, std::vector<std::uint8_t> pixels) {
  jpeg_compress_struct info{};
  jpeg_error_mgr errors{};
  info.err = ::jpeg_std_error(&errors);
  jpeg_create_compress(&info);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  ::jpeg_mem_dest(&info, &memory, &size);
  info.image_width = static_cast<JDIMENSION>(width);
  info.image_height = static_cast<JDIMENSION>(height);
  info.input_components = space == JCS_GRAYSCALE ? 1 : 3;
  info.in_color_space = space;
  ::jpeg_set_defaults(&info);
  ::jpeg_set_quality(&info, 95, TRUE);
  ::jpeg_start_compress(&info, TRUE);
  while (info.next_scanline < info.image_height) {
    JSAMPROW row = pixels.data() + static_cast<std::size_t>(info.next_scanline) *
                                       static_cast<std::size_t>(width) *
                                       static_cast<std::size_t>(info.input_components);
    ::jpeg_write_scanlines(&info, &row, 1);
  }
  ::jpeg_finish_compress(&info);
  std::string bytes(reinterpret_cast<char*>(memory), size);
  ::jpeg_destroy_compress(&info);
  std::free(memory);
  return bytes;
}

TEST(Pictures, JpegsAreReadInColourAndInGrey) {
  std::vector<std::uint8_t> red;
  for (int i = 0; i < 64; ++i) red.insert(red.end(), {200, 10, 20});
  const auto colored = decodePicture(jpegBytes(16, 4, JCS_RGB, red), "a.jpg");
  ASSERT_TRUE(colored) << describe(colored.error());
  EXPECT_EQ(colored->width, 16);
  EXPECT_EQ(colored->height, 4);
  for (std::size_t i = 0; i < red.size(); ++i) ASSERT_NEAR(colored->pixels[i], red[i], 6);
  const auto grey = decodePicture(jpegBytes(8, 8, JCS_GRAYSCALE, std::vector<std::uint8_t>(64, 90)), "b.jpg");
  ASSERT_TRUE(grey) << describe(grey.error());
  ASSERT_EQ(grey->pixels.size(), 192U);
  for (const std::uint8_t value : grey->pixels) ASSERT_NEAR(value, 90, 2);
  const std::string whole = jpegBytes(64, 64, JCS_RGB, std::vector<std::uint8_t>(64 * 64 * 3, 33));
  EXPECT_FALSE(decodePicture(whole.substr(0, whole.size() / 2), "half.jpg")) << "not whole";
}

TEST(Pictures, ThatAreNoneAreNamed) {
  const auto png = encodePng({8, 8, std::vector<std::uint8_t>(192, 7)});
  for (const std::string& bytes : {std::string("GIF89a"), std::string(), std::string("\xFF\xD8 no JPEG"),
                                   png->substr(0, png->size() / 2)}) {
    const auto read = decodePicture(bytes, "cats/7.png");
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().code, ErrorCode::DataLoss);
    EXPECT_NE(read.error().what.find("cats/7.png"), std::string::npos);
  }
}

// The sides stand in the header, where nothing says that there are pixels behind them.
std::string jpegOfSides(int width, int height) {
  std::string bytes = jpegBytes(8, 8, JCS_RGB, std::vector<std::uint8_t>(192, 33));
  const std::size_t frame = bytes.find("\xFF\xC0");
  const std::string sides{static_cast<char>(height / 256), static_cast<char>(height % 256),
                          static_cast<char>(width / 256), static_cast<char>(width % 256)};
  return bytes.replace(frame + 5, 4, sides);
}

TEST(Pictures, ThatClaimToFillTheMemoryAreRefusedByName) {
  const auto begin = std::chrono::steady_clock::now();
  const auto huge = decodePicture(jpegOfSides(65'500, 65'500), "cats/huge.jpg");
  ASSERT_FALSE(huge);
  EXPECT_EQ(huge.error().code, ErrorCode::DataLoss);
  EXPECT_NE(huge.error().what.find("cats/huge.jpg"), std::string::npos);
  EXPECT_NE(huge.error().cause.find("65500 x 65500"), std::string::npos) << huge.error().cause;
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
  const auto png = encodePng({20, 10, std::vector<std::uint8_t>(600, 7)});
  ASSERT_TRUE(png);
  EXPECT_TRUE(decodePicture(*png, "a.png", 200));
  const auto large = decodePicture(*png, "a.png", 199);
  ASSERT_FALSE(large);
  EXPECT_NE(large.error().cause.find("20 x 10"), std::string::npos) << large.error().cause;
  const std::string jpeg = jpegBytes(8, 8, JCS_RGB, std::vector<std::uint8_t>(192, 33));
  EXPECT_TRUE(decodePicture(jpeg, "a.jpg", 64));
  EXPECT_FALSE(decodePicture(jpeg, "a.jpg", 63));
}

// A file of 700 bytes that says it is large would take half a gigabyte before its first missing byte were met.
TEST(Pictures, ThatCannotHoldTheirPixelsTakeNoMemory) {
  const std::string bytes = jpegOfSides(13'000, 13'000);
  struct rusage before {};
  ::getrusage(RUSAGE_SELF, &before);
  const auto read = decodePicture(bytes, "cats/hollow.jpg");
  struct rusage after {};
  ::getrusage(RUSAGE_SELF, &after);
  ASSERT_FALSE(read);
  EXPECT_NE(read.error().cause.find("not whole"), std::string::npos) << read.error().cause;
  EXPECT_LT(after.ru_maxrss - before.ru_maxrss, 100 * 1024) << "KiB";
  const std::vector<std::uint8_t> white(512 * 512 * 3, 255);
  EXPECT_TRUE(decodePicture(jpegBytes(512, 512, JCS_RGB, white), "white.jpg"))
      << "few bytes for a block are enough";
}

// A triangle three pixels to each side of the middle, as Pillow's BILINEAR has it when it shrinks to a third.
TEST(Pictures, ShrinkWithoutLosingPixels) {
  Picture ramp{9, 1, {}};
  for (int x = 0; x < 9; ++x) ramp.pixels.insert(ramp.pixels.end(), 3, static_cast<std::uint8_t>(x * 20));
  const Picture small = resized(ramp, {0, 0, 9, 1}, 3, 1);
  EXPECT_EQ(small.pixels[0], 25);  // (20 * 1 + 40 * 2/3 + 60 * 1/3) / (2/3 + 1 + 2/3 + 1/3)
  EXPECT_EQ(small.pixels[3], 80);
  EXPECT_EQ(small.pixels[6], 135);
  const Picture same = resized(ramp, {0, 0, 9, 1}, 9, 1);
  EXPECT_EQ(same.pixels, ramp.pixels);
  const Picture part = resized(ramp, {3, 0, 3, 1}, 3, 1);
  EXPECT_EQ(part.pixels[0], 60);
  EXPECT_EQ(part.pixels[6], 100);
}

TEST(ImageFolders, NumberClassesByName) {
  const TempDir dir;
  const auto put = [&](const std::string& place, std::uint8_t grey) {
    std::filesystem::create_directories((dir.path() / place).parent_path());
    ASSERT_TRUE(
        writeFileAtomically(dir.path() / place, *encodePng({10, 20, std::vector<std::uint8_t>(600, grey)})));
  };
  put("train/dogs/1.PNG", 0);
  put("train/cats/1.png", 255);
  put("test/dogs/9.png", 0);
  ASSERT_TRUE(writeFileAtomically(dir.path() / "train" / "dogs" / "notes.txt", "no picture"));
  ASSERT_TRUE(hasImageFolders(dir.path()));
  for (const bool augment : {false, true}) {
    const auto data = openImageFolders(dir.path(), 8, augment);
    ASSERT_TRUE(data) << describe(data.error());
    EXPECT_EQ(data->classNames, (std::vector<std::string>{"cats", "dogs"}));
    ASSERT_EQ(data->train->size(), 2U);
    Batch batch;
    ASSERT_TRUE(data->train->gather(Order{0, 1}, 5, batch));
    EXPECT_EQ(batch.targets, (std::vector<std::int64_t>{0, 1}));
    EXPECT_EQ(batch.pixels.size(), 2U * 8 * 8 * 3);
    EXPECT_NEAR(batch.pixels[0], (1 - 0.485) / 0.229, 1e-4);
    EXPECT_NEAR(batch.pixels[8 * 8 * 3 + 2], -0.406 / 0.225, 1e-4);
  }
  put("test/birds/1.png", 1);
  const auto unknown = openImageFolders(dir.path(), 8, false);
  ASSERT_FALSE(unknown);
  EXPECT_NE(unknown.error().what.find("'birds'"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::trainer
