// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <iterator>
#include <new>
#include <numeric>
#include <set>
#include <sstream>
#include <stdexcept>
#include <thread>

#include "base/atomic_file.h"
#include "base/captured_process.h"
#include "temp_dir.h"
#include "trainer/data/batch_loader.h"
#include "trainer/data/cifar10.h"
#include "trainer/data/distributed_sampler.h"
#include "trainer/data/drawn_data.h"
#include "trainer/data/epoch_plan.h"
#include "trainer/data/memory_images.h"

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
  EXPECT_EQ(data.error().code, ErrorCode::NotFound);
  EXPECT_EQ(data.error().cause, "missing: data_batch_4.bin, test_batch.bin");
}

TEST(Cifar10, RefusesATruncatedFileAndAWrongLabel) {
  const TempDir dir;
  ASSERT_TRUE(writeDrawnData(dir.path(), 10, 2, 7));
  const std::string good = *readFile(dir.path() / "data_batch_3.bin");
  ASSERT_TRUE(writeFileAtomically(dir.path() / "data_batch_3.bin", good.substr(0, good.size() - 1)));
  auto data = readCifar10(dir.path());
  ASSERT_FALSE(data);
  EXPECT_EQ(data.error().code, ErrorCode::DataLoss);
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
      if (indices[i] == 97) throw std::bad_alloc();
      if (indices[i] == 98) throw std::runtime_error("the library has had enough");
      if (indices[i] == 99) return failure(ErrorCode::DataLoss, "sample 99 is broken");
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

// Tells which thread read a sample.
class CheapSamples final : public DataSet {
 public:
  [[nodiscard]] std::size_t size() const override { return 100; }
  [[nodiscard]] const SampleShape& shape() const override { return shape_; }
  Result<void> gather(std::span<const std::size_t> indices, std::uint64_t, Batch& batch) const override {
    batch.resize(shape_, indices.size());
    batch.targets.assign(indices.begin(), indices.end());
    (std::this_thread::get_id() == user_ ? byUser_ : byOthers_) += 1;
    return {};
  }
  [[nodiscard]] std::pair<int, int> readers() const { return {byUser_.load(), byOthers_.load()}; }

 private:
  std::thread::id user_ = std::this_thread::get_id();
  mutable std::atomic<int> byUser_ = 0, byOthers_ = 0;
  SampleShape shape_{SampleShape::Kind::Image, 1, 1, 1, 0, 10};
};

TEST(BatchLoader, ReadsWhatIsCheapAheadOnlyBesideAGpu) {
  for (const ReadAhead ahead : {ReadAhead::WhereSlow, ReadAhead::Always}) {
    const CheapSamples samples;
    {
      BatchLoader loader(samples, 2, ahead);
      loader.begin({{5, 6}, {7, 8}, {9}}, 0);
      for (const std::int64_t first : {5, 7, 9}) {
        const auto batch = loader.next();
        ASSERT_TRUE(batch);
        EXPECT_EQ((*batch)->targets.front(), first);
      }
    }
    EXPECT_EQ(samples.readers(), ahead == ReadAhead::Always ? std::pair(0, 3) : std::pair(3, 0));
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

TEST(BatchLoader, WhatADataSetThrowsIsAFailureOfItsBatch) {
  const SlowSamples samples;
  for (const int workers : {0, 2}) {
    BatchLoader loader(samples, workers);
    loader.begin({{97}, {1}, {98}, {2}}, 0);
    const auto large = loader.next();
    ASSERT_FALSE(large);
    EXPECT_EQ(large.error().code, ErrorCode::ResourceExhausted);
    EXPECT_TRUE(loader.next());
    const auto strange = loader.next();
    ASSERT_FALSE(strange);
    EXPECT_EQ(strange.error().cause, "the library has had enough");
    EXPECT_TRUE(loader.next());
  }
}

}  // namespace
}  // namespace lockstep::trainer
