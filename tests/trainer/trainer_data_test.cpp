// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "trainer/ddp/batch_loader.h"
#include "trainer/ddp/cifar10.h"
#include "trainer/ddp/distributed_sampler.h"
#include "trainer/ddp/drawn_data.h"

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
  const auto again = drawUnlessThere(dir.path(), 500, 1);
  ASSERT_TRUE(again);
  EXPECT_FALSE(*again);
  EXPECT_EQ(readCifar10(dir.path())->train.size(), 20U);
}

TEST(DrawnData, CreatesTheFolderWithAFifthForTesting) {
  const TempDir dir;
  const auto drawn = drawUnlessThere(dir.path() / "deep" / "data", 100, 1);
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
  const auto drawn = drawUnlessThere(dir.path() / "file" / "data", 100, 1);
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

TEST(BatchLoader, ScalesAsToTensorAndNormalizeDo) {
  ImageSet images;
  images.labels = {3, 8};
  images.pixels.assign(2 * kImageBytes, 0);
  images.pixels[kImageBytes] = 255;
  images.pixels[kImageBytes + 1] = 51;
  std::vector<float> pixels(2 * kImageBytes);
  std::array<std::int64_t, 2> labels{};
  const Order order{1, 0};
  gatherBatch(images, order, pixels, labels);
  EXPECT_NEAR(pixels[0], (255 / 255.0 - 0.5) / 0.5, 1e-6);
  EXPECT_NEAR(pixels[1], (51 / 255.0 - 0.5) / 0.5, 1e-6);
  EXPECT_NEAR(pixels[kImageBytes], -1.0, 1e-6);
  EXPECT_EQ(labels, (std::array<std::int64_t, 2>{8, 3}));
}

}  // namespace
}  // namespace lockstep::trainer
