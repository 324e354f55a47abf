// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <numeric>
#include <set>
#include <sstream>
#include <thread>

#include <jpeglib.h>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "temp_dir.h"
#include "trainer/data/batch_loader.h"
#include "trainer/data/cifar10.h"
#include "trainer/data/distributed_sampler.h"
#include "trainer/data/drawn_data.h"
#include "trainer/data/epoch_plan.h"
#include "trainer/data/image_folder.h"
#include "trainer/data/mnist.h"
#include "trainer/data/open_training_data.h"
#include "trainer/data/picture.h"
#include "trainer/data/text_corpus.h"

namespace lockstep::trainer {
namespace {

TEST(DrawnData, IsReadBackWithEveryImageAndClass) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path(), 203, 41, 7));
  const auto data = readCifar10(dir.path());
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->train.size(), 203U);
  EXPECT_EQ(data->test.size(), 41U);
  EXPECT_EQ(data->train.pixels.size(), 203U * kImageBytes);
  EXPECT_EQ(data->classNames.at(0), "disc");
  EXPECT_EQ(data->classNames.at(9), "dots");
  EXPECT_EQ(std::set<int>(data->train.labels.begin(), data->train.labels.end()).size(), 10U);
}

TEST(DrawnData, SameSeedSameBytesOtherSeedOtherBytes) {
  const TempDir a, b, c;
  ASSERT_TRUE(writeDrawnData(a.path(), 20, 5, 7));
  ASSERT_TRUE(writeDrawnData(b.path(), 20, 5, 7));
  ASSERT_TRUE(writeDrawnData(c.path(), 20, 5, 8));
  const auto first = *readFile(a.path() / "data_batch_2.bin");
  EXPECT_EQ(first, *readFile(b.path() / "data_batch_2.bin"));
  EXPECT_NE(first, *readFile(c.path() / "data_batch_2.bin"));
  EXPECT_NE(first, *readFile(a.path() / "data_batch_3.bin"));
}

TEST(DrawnData, LeavesWhatIsThereAlone) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path(), 20, 5, 7));
  const auto again = drawUnlessThere(DataKind::Cifar10, dir.path(), 500, 1);
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
  EXPECT_EQ(readCifar10(dir.path())->train.size(), 20U);
}

TEST(DrawnData, CreatesTheFolderWithAFifthForTesting) {
  const TempDir dir;
  const auto drawn = drawUnlessThere(DataKind::Cifar10, dir.path() / "deep" / "data", 100, 1);
  ASSERT_TRUE(drawn) << describe(drawn.error());
  EXPECT_TRUE(*drawn);
  const auto data = readCifar10(dir.path() / "deep" / "data");
  ASSERT_TRUE(data);
  EXPECT_EQ(data->train.size(), 100U);
  EXPECT_EQ(data->test.size(), 20U);
}

TEST(DrawnData, SaysWhichFolderCannotBeMade) {
  const TempDir dir;
  ASSERT_TRUE(writeFileAtomically(dir.path() / "file", "x"));
  const auto drawn = drawUnlessThere(DataKind::Cifar10, dir.path() / "file" / "data", 100, 1);
  ASSERT_FALSE(drawn);
  EXPECT_NE(drawn.error().what.find((dir.path() / "file" / "data").string()), std::string::npos);
}

// Red, green and blue planes on disk; pixels with their three colors together in memory.
TEST(Cifar10, TurnsPlanesIntoPixels) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path(), 5, 1, 7));
  std::string record(kRecordBytes, '\0');
  record[0] = 6;
  record[1] = 10;         // red of the first pixel
  record[1 + 1024] = 20;  // green
  record[1 + 2048] = 30;  // blue
  record[1 + 33] = 40;    // red of the second row's second pixel
  ASSERT_TRUE(writeFileAtomically(dir.path() / "test_batch.bin", record));
  const auto data = readCifar10(dir.path());
  ASSERT_TRUE(data);
  EXPECT_EQ(data->test.labels.at(0), 6);
  EXPECT_EQ(data->test.pixels.at(0), 10);
  EXPECT_EQ(data->test.pixels.at(1), 20);
  EXPECT_EQ(data->test.pixels.at(2), 30);
  EXPECT_EQ(data->test.pixels.at(33 * 3), 40);
}

TEST(Cifar10, ListsMissingFiles) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path(), 5, 1, 7));
  std::filesystem::remove(dir.path() / "data_batch_4.bin");
  std::filesystem::remove(dir.path() / "test_batch.bin");
  const auto data = readCifar10(dir.path());
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, StatusCode::NotFound);
  EXPECT_EQ(data.error().cause, "missing: data_batch_4.bin, test_batch.bin");
}

TEST(Cifar10, RefusesATruncatedFileAndAWrongLabel) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path(), 10, 2, 7));
  const std::string good = *readFile(dir.path() / "data_batch_3.bin");
  ASSERT_TRUE(writeFileAtomically(dir.path() / "data_batch_3.bin", good.substr(0, good.size() - 1)));
  auto data = readCifar10(dir.path());
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, StatusCode::DataLoss);
  EXPECT_NE(data.error().what.find("data_batch_3.bin"), std::string::npos);
  std::string wrong = good;
  wrong[kRecordBytes] = 10;
  ASSERT_TRUE(writeFileAtomically(dir.path() / "data_batch_3.bin", wrong));
  data = readCifar10(dir.path());
  ASSERT_FALSE(data);
  EXPECT_NE(data.error().cause.find("record 1 has the label 10"), std::string::npos) << data.error().cause;
  ASSERT_TRUE(writeFileAtomically(dir.path() / "data_batch_3.bin", ""));
  EXPECT_FALSE(readCifar10(dir.path()));
}

TEST(Cifar10, FindsTheFolderOfTheOriginalArchive) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path() / "cifar-10-batches-bin", 10, 2, 7));
  EXPECT_TRUE(hasCifar10Files(dir.path()));
  EXPECT_TRUE(readCifar10(dir.path()));
}

using Order = std::vector<std::size_t>;

// The expected orders are what PyTorch 1.13 prints for the same seeds.
TEST(DistributedSampler, ShufflesAsTorchRandpermDoes) {
  EXPECT_EQ(randomOrder(12, 3), (Order{10, 9, 1, 6, 4, 11, 3, 7, 2, 0, 8, 5}));
}

TEST(DistributedSampler, PicksWhatPyTorchsSamplerPicks) {
  EXPECT_EQ(DistributedSampler(10, 0, 3, 5).indices(2), (Order{5, 4, 9, 2}));
  EXPECT_EQ(DistributedSampler(10, 1, 3, 5).indices(2), (Order{0, 1, 6, 5}));
  EXPECT_EQ(DistributedSampler(10, 2, 3, 5).indices(2), (Order{3, 7, 8, 0}));
}

// The same, asked of Python itself, over many seeds, sizes and epochs.
TEST(DistributedSampler, AgreesWithPython) {
  constexpr const char* kScript =
      "import torch\n"
      "from torch.utils.data import DistributedSampler\n"
      "for count, world, seed, epoch in [(1,1,0,0), (7,3,1,2), (1000,4,12345,0), (2500,2,2**32-1,7), "
      "(97,8,3,1)]:\n"
      "    for rank in range(world):\n"
      "        s = DistributedSampler(range(count), world, rank, shuffle=True, seed=seed); "
      "s.set_epoch(epoch)\n"
      "        print(count, world, rank, seed, epoch, *s)\n";
  const auto ran = runCaptured({"/usr/bin/python3", "-c", kScript}, std::chrono::minutes(2), {});
  if (!ran || !ran->exit.ok()) GTEST_SKIP() << "no torch for Python: apt-get install python3-torch";
  std::istringstream lines(ran->output);
  int compared = 0;
  for (std::string line; std::getline(lines, line); ++compared) {
    std::istringstream numbers(line);
    std::size_t count = 0;
    std::uint64_t seed = 0;
    int world = 0, rank = 0, epoch = 0;
    numbers >> count >> world >> rank >> seed >> epoch;
    const Order theirs{std::istream_iterator<std::size_t>(numbers), {}};
    EXPECT_EQ(DistributedSampler(count, rank, world, seed).indices(epoch), theirs) << line.substr(0, 40);
  }
  EXPECT_EQ(compared, 18);
}

TEST(DistributedSampler, GivesEveryRankTheSameNumberAndEverySampleAHome) {
  for (const int world : {1, 2, 3, 7, 16}) {
    for (const std::size_t count : {1U, 2U, 10U, 101U}) {
      std::set<std::size_t> seen;
      for (int rank = 0; rank < world; ++rank) {
        const auto mine = DistributedSampler(count, rank, world, 1).indices(0);
        EXPECT_EQ(mine.size(),
                  (count + static_cast<std::size_t>(world) - 1) / static_cast<std::size_t>(world));
        seen.insert(mine.begin(), mine.end());
      }
      EXPECT_EQ(seen.size(), count);
    }
  }
}

TEST(DistributedSampler, IsNewInEachEpochAndEmptyWithoutSamples) {
  const DistributedSampler sampler(50, 0, 2, 1);
  EXPECT_NE(sampler.indices(0), sampler.indices(1));
  EXPECT_EQ(sampler.indices(1), sampler.indices(1));
  EXPECT_TRUE(DistributedSampler(0, 0, 2, 1).indices(0).empty());
}

ImageSet twoImages() {
  ImageSet images;
  images.labels = {3, 8};
  images.pixels.assign(2 * kImageBytes, 0);
  images.pixels[kImageBytes] = 255;
  images.pixels[kImageBytes + 1] = 51;
  return images;
}

TEST(MemoryImages, ScaleAsToTensorAndNormalizeDo) {
  const MemoryImages images(twoImages(), {}, {}, false);
  Batch batch;
  ASSERT_TRUE(images.gather(Order{1, 0}, 0, batch));
  EXPECT_EQ(batch.samples, 2);
  EXPECT_NEAR(batch.pixels[0], (255 / 255.0 - 0.5) / 0.5, 1e-6);
  EXPECT_NEAR(batch.pixels[1], (51 / 255.0 - 0.5) / 0.5, 1e-6);
  EXPECT_NEAR(batch.pixels[kImageBytes], -1.0, 1e-6);
  EXPECT_EQ(batch.targets, (std::vector<std::int64_t>{8, 3}));
  const MemoryImages grey(twoImages(), {}, {0.1307F, 0.3081F}, false);
  ASSERT_TRUE(grey.gather(Order{1}, 0, batch));
  EXPECT_NEAR(batch.pixels[0], (1 - 0.1307) / 0.3081, 1e-5);
}

// One bright pixel in the middle of each image says where it has gone.
TEST(MemoryImages, AugmentationMovesAndMirrors) {
  constexpr std::size_t kImages = 2000;
  ImageSet images;
  images.labels.assign(kImages, 1);
  images.pixels.assign(kImages * kImageBytes, 0);
  for (std::size_t i = 0; i < kImages; ++i) images.pixels[i * kImageBytes + (16 * 32 + 10) * 3] = 255;
  const MemoryImages moved(std::move(images), {}, {}, true);
  Order all(kImages);
  std::iota(all.begin(), all.end(), std::size_t{0});
  Batch first, again, other;
  ASSERT_TRUE(moved.gather(all, 7, first));
  ASSERT_TRUE(moved.gather(all, 7, again));
  ASSERT_TRUE(moved.gather(all, 8, other));
  EXPECT_EQ(first.pixels, again.pixels);
  EXPECT_NE(first.pixels, other.pixels);
  std::set<std::pair<int, int>> places;
  for (std::size_t i = 0; i < kImages; ++i) {
    for (int pixel = 0; pixel < 32 * 32; ++pixel) {
      if (first.pixels[i * kImageBytes + static_cast<std::size_t>(pixel) * 3] > 0)
        places.emplace(pixel / 32, pixel % 32);
    }
  }
  EXPECT_EQ(places.size(), 9U * 9U * 2U) << "nine rows, nine columns, two directions";
  EXPECT_EQ(places.begin()->first, 12);
  EXPECT_EQ(places.rbegin()->first, 20);
}

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
      {idxBytes({1, 1, 3}, "abc"), "2 labels for 1 images"},
      {"\x1f\x8b gzip", "7 bytes"}};
  for (const auto& [bytes, cause] : broken) {
    put(kMnistTrainImages, bytes);
    const auto refused = readMnist(dir.path());
    ASSERT_FALSE(refused) << cause;
    EXPECT_EQ(refused.error().code, StatusCode::DataLoss);
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
  const auto data = openText(dir.path(), 3);
  ASSERT_TRUE(data) << describe(data.error());
  EXPECT_EQ(data->train->size(), 11U) << "36 of 40 letters, the last only as a target";
  EXPECT_EQ(data->test->size(), 1U);
  Batch batch;
  ASSERT_TRUE(data->train->gather(Order{10, 0}, 0, batch));
  EXPECT_EQ(batch.tokens, (std::vector<std::int64_t>{'E', 'F', 'G', 'a', 'b', 'c'}));
  EXPECT_EQ(batch.targets, (std::vector<std::int64_t>{'F', 'G', 'H', 'b', 'c', 'd'}));
  ASSERT_TRUE(data->test->gather(Order{0}, 0, batch));
  EXPECT_EQ(batch.tokens, (std::vector<std::int64_t>{'K', 'L', 'M'}));
  const auto tooLong = openText(dir.path(), 40);
  ASSERT_FALSE(tooLong);
  EXPECT_EQ(tooLong.error().code, StatusCode::DataLoss);
}

TEST(TextSamples, ReadsTokenizedFiles) {
  const TempDir dir;
  const auto put = [&](const char* name, const std::string& bytes) {
    ASSERT_TRUE(writeFileAtomically(dir.path() / name, bytes));
  };
  using std::string_literals::operator""s;
  put("train.bin", "\x01\x00\x50\xC3\x02\x00\x03\x01"s);  // 1, 50000, 2, 259
  put("val.bin", "\x01\x00\xFF\xFF\x02\x00\x03\x00"s);
  const auto data = openText(dir.path(), 3);
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
    EXPECT_EQ(read.error().code, StatusCode::DataLoss);
    EXPECT_NE(read.error().what.find("cats/7.png"), std::string::npos);
  }
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

TEST(EpochPlan, WeighsEveryPartByItsShareOfTheStep) {
  for (const auto rest : {DistributedSampler::Rest::Wrapped, DistributedSampler::Rest::Uneven}) {
    for (const std::size_t count : {7U, 100U, 101U, 103U}) {
      constexpr int kWorld = 3;
      std::vector<std::size_t> seen(kWorld, 0);
      std::size_t steps = 0;
      for (int rank = 0; rank < kWorld; ++rank)
        steps = EpochPlan(DistributedSampler(count, rank, kWorld, 1, rest), 4, 2).steps();
      for (std::size_t step = 0; step < steps; ++step) {
        double weight = 0;
        std::set<std::size_t> partCounts;
        for (int rank = 0; rank < kWorld; ++rank) {
          const EpochPlan plan(DistributedSampler(count, rank, kWorld, 1, rest), 4, 2);
          EXPECT_EQ(plan.steps(), steps);
          const auto parts = plan.parts(step);
          partCounts.insert(parts.size());
          for (const auto& part : parts) {
            EXPECT_LE(part.count, 4U);
            weight += part.weight;
            auto& mine = seen[static_cast<std::size_t>(rank)];
            if (part.count > 0) {
              EXPECT_EQ(part.first, mine);
            }
            mine += part.count;
          }
        }
        EXPECT_NEAR(weight, 1, 1e-12) << "the mean of a step";
        EXPECT_EQ(partCounts.size(), 1U) << "ranks with fewer samples still come along";
      }
      for (int rank = 0; rank < kWorld; ++rank)
        EXPECT_EQ(seen[static_cast<std::size_t>(rank)],
                  DistributedSampler(count, rank, kWorld, 1, rest).indices(0).size());
    }
  }
}

TEST(DistributedSampler, WithoutPaddingEverySampleComesOnce) {
  std::multiset<std::size_t> seen;
  for (int rank = 0; rank < 4; ++rank) {
    const auto mine = DistributedSampler(10, rank, 4, 1, DistributedSampler::Rest::Uneven).indices(3);
    seen.insert(mine.begin(), mine.end());
  }
  EXPECT_EQ(seen.size(), 10U);
  EXPECT_EQ(std::set<std::size_t>(seen.begin(), seen.end()).size(), 10U);
}

// Samples that take time, as pictures on a disk do; one of them cannot be read.
class SlowSamples final : public DataSet {
 public:
  [[nodiscard]] std::size_t size() const override { return 100; }
  [[nodiscard]] const SampleShape& shape() const override { return shape_; }
  [[nodiscard]] bool isCheap() const override { return false; }
  Result<void> gather(std::span<const std::size_t> indices, std::uint64_t seed, Batch& batch) const override {
    std::this_thread::sleep_for(std::chrono::microseconds(indices[0] * 37 % 400));
    batch.resize(shape_, indices.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (indices[i] == 99) return failure(StatusCode::DataLoss, "sample 99 is broken");
      batch.targets[i] = static_cast<std::int64_t>(indices[i] + seed);
    }
    return {};
  }

 private:
  SampleShape shape_{SampleShape::Kind::Image, 1, 1, 1, 0, 10};
};

TEST(BatchLoader, ReadsAheadInOrder) {
  const SlowSamples samples;
  for (const int workers : {0, 1, 3}) {
    BatchLoader loader(samples, workers);
    for (const std::uint64_t epoch : {0U, 1000U}) {
      std::vector<std::vector<std::size_t>> batches;
      for (std::size_t i = 0; i < 40; ++i) batches.push_back({i, i + 1});
      loader.begin(batches, epoch);
      const std::size_t taken = epoch == 0 ? 7 : 40;  // an epoch that is left half-way
      for (std::size_t i = 0; i < taken; ++i) {
        const auto batch = loader.next();
        ASSERT_TRUE(batch);
        const auto first = static_cast<std::int64_t>(i + epoch);
        ASSERT_EQ((*batch)->targets, (std::vector<std::int64_t>{first, first + 1})) << workers;
      }
    }
  }
}

TEST(BatchLoader, TellsOfTheBatchThatCannotBeRead) {
  const SlowSamples samples;
  for (const int workers : {0, 2}) {
    BatchLoader loader(samples, workers);
    loader.begin({{1}, {99}, {2}}, 0);
    EXPECT_TRUE(loader.next());
    const auto broken = loader.next();
    ASSERT_FALSE(broken);
    EXPECT_EQ(broken.error().what, "sample 99 is broken");
    EXPECT_TRUE(loader.next());
  }
}

}  // namespace
}  // namespace lockstep::trainer
