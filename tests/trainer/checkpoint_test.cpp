// SPDX-License-Identifier: GPL-3.0-or-later
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <filesystem>

#include "base/atomic_file.h"
#include "temp_dir.h"
#include "trainer/checkpoint/checkpoint_store.h"
#include "trainer/checkpoint/checkpoint_writer.h"
#include "trainer/checkpoint/training_position.h"
#include "workdir/file_object_store.h"

namespace lockstep::trainer {
namespace {

class Checkpoints : public ::testing::Test {
 protected:
  [[nodiscard]] CheckpointStore store(int keep = 3) const { return {openFolder(dir_.path()), "c/", keep}; }
  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path() / "c"))
      names.push_back(entry.path().filename());
    std::ranges::sort(names);
    return names;
  }
  void overwrite(const std::string& name, const std::string& bytes) const {
    ASSERT_TRUE(writeFileAtomically(dir_.path() / "c" / name, bytes));
  }
  TempDir dir_;
};

TEST_F(Checkpoints, TheLastOneComesBack) {
  auto checkpoints = store();
  auto none = checkpoints.load({});
  ASSERT_TRUE(none) << describe(none.error());
  EXPECT_FALSE(*none);
  ASSERT_TRUE(checkpoints.save(10, "ten", {}));
  ASSERT_TRUE(checkpoints.save(20, "twenty", {}));
  const auto loaded = checkpoints.load({});
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->step, 20);
  EXPECT_EQ((*loaded)->bytes, "twenty");
  EXPECT_TRUE((*loaded)->passedOver.empty());
}

TEST_F(Checkpoints, OnlyTheNewestAreKept) {
  auto checkpoints = store(2);
  for (const int step : {1, 2, 3, 4}) ASSERT_TRUE(checkpoints.save(step, std::to_string(step), {}));
  EXPECT_EQ(files(), (std::vector<std::string>{"last-good", "step-0000000003.json", "step-0000000003.pt",
                                               "step-0000000004.json", "step-0000000004.pt"}));
}

// A training that went on from step 2 leaves behind what an earlier try had come to.
TEST_F(Checkpoints, WhatAnEarlierTryCameToGoesFirst) {
  auto checkpoints = store(2);
  for (const int step : {2, 8, 3}) ASSERT_TRUE(checkpoints.save(step, std::to_string(step), {}));
  EXPECT_EQ((*checkpoints.load({}))->step, 3);
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "c" / "step-0000000008.pt"));
  EXPECT_TRUE(std::filesystem::exists(dir_.path() / "c" / "step-0000000002.pt"));
}

TEST_F(Checkpoints, ABrokenOneIsPassedOverWithTheReason) {
  auto checkpoints = store();
  for (const int step : {1, 2, 3}) ASSERT_TRUE(checkpoints.save(step, "bytes " + std::to_string(step), {}));
  overwrite("step-0000000003.pt", "bytes X");
  overwrite("step-0000000002.pt", "byte");
  const auto loaded = checkpoints.load({});
  ASSERT_TRUE(loaded && *loaded);
  EXPECT_EQ((*loaded)->bytes, "bytes 1");
  ASSERT_EQ((*loaded)->passedOver.size(), 2U);
  EXPECT_NE((*loaded)->passedOver[0].find("step-0000000003' is broken: its checksum is wrong"),
            std::string::npos);
  EXPECT_NE((*loaded)->passedOver[1].find("it has 4 bytes instead of 7"), std::string::npos);
  overwrite("step-0000000001.json", "{");
  const auto none = checkpoints.load({});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::DataLoss);
}

// Killed between the bytes and the manifest, and between the manifest and the marker.
TEST_F(Checkpoints, AnUnfinishedOneIsNone) {
  auto checkpoints = store();
  ASSERT_TRUE(checkpoints.save(1, "one", {}));
  overwrite("step-0000000002.pt", "half");
  EXPECT_EQ((*checkpoints.load({}))->step, 1);
  ASSERT_TRUE(checkpoints.save(3, "three", {}));
  overwrite("last-good", "step-0000000001\n");
  EXPECT_EQ((*checkpoints.load({}))->step, 1) << "the marker decides";
  std::filesystem::remove(dir_.path() / "c" / "last-good");
  EXPECT_EQ((*checkpoints.load({}))->step, 3) << "without it the newest that is whole";
}

// Takes puts only when told to.
class Gate final : public ObjectStore {
 public:
  explicit Gate(std::shared_ptr<ObjectStore> inner) : inner_(std::move(inner)) {}
  Result<void> put(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    ++waiting;
    waiting.notify_all();
    open.wait(false);
    if (broken) return failure(ErrorCode::ResourceExhausted, "the disk is full");
    return inner_->put(name, bytes, stop);
  }
  Result<void> putNew(const std::string& name, std::string_view bytes, const std::stop_token& stop) override {
    return inner_->putNew(name, bytes, stop);
  }
  Result<std::string> get(const std::string& name, const std::stop_token& stop) override {
    return inner_->get(name, stop);
  }
  Result<std::vector<ObjectInfo>> list(const std::string& prefix, const std::string& after,
                                       const std::stop_token& stop) override {
    return inner_->list(prefix, after, stop);
  }
  Result<void> remove(const std::string& name, const std::stop_token& stop) override {
    return inner_->remove(name, stop);
  }
  [[nodiscard]] std::string describe() const override { return inner_->describe(); }

  std::atomic<bool> open{false};
  std::atomic<int> waiting{0};
  std::atomic<bool> broken{false};

 private:
  std::shared_ptr<ObjectStore> inner_;
};

TEST_F(Checkpoints, AreWrittenInTheBackgroundAndTheNewestWins) {
  auto gate = std::make_shared<Gate>(openFolder(dir_.path()));
  CheckpointWriter writer(CheckpointStore(gate, "c/", 5));
  writer.submit(1, "one");
  gate->waiting.wait(0);
  writer.submit(2, "two");  // gives way
  writer.submit(3, "three");
  EXPECT_FALSE(writer.flush(std::chrono::milliseconds(20)));
  gate->open = true;
  gate->open.notify_all();
  EXPECT_TRUE(writer.flush(std::chrono::minutes(1)));
  EXPECT_EQ((*store().load({}))->bytes, "three");
  EXPECT_FALSE(std::filesystem::exists(dir_.path() / "c" / "step-0000000002.pt"));
  const auto outcome = writer.popOutcome();
  ASSERT_TRUE(outcome);
  EXPECT_EQ(outcome->step, 3);
  EXPECT_TRUE(outcome->result);
  EXPECT_FALSE(writer.popOutcome());
}

TEST_F(Checkpoints, AFailureIsTold) {
  auto gate = std::make_shared<Gate>(openFolder(dir_.path()));
  gate->open = true;
  gate->broken = true;
  CheckpointWriter writer(CheckpointStore(gate, "c/", 5));
  writer.submit(1, "one");
  EXPECT_FALSE(writer.flush(std::chrono::minutes(1)));
  const auto outcome = writer.popOutcome();
  ASSERT_TRUE(outcome && !outcome->result);
  EXPECT_EQ(outcome->result.error().what, "the disk is full");
  gate->broken = false;
  writer.submit(2, "two");
  EXPECT_TRUE(writer.flush(std::chrono::minutes(1)));
}

TEST(TrainingPosition, SurvivesItsText) {
  TrainingPosition position;
  position.step = 12;
  position.epoch = 3;
  position.samplesDone = 640;
  position.seed = 18'446'744'073'709'551'615ULL;
  position.model = "resnet18";
  position.bestTestLoss = 0.25;
  position.epochsWithoutGain = 2;
  const auto read = positionFrom(toText(position));
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(*read, position);
  EXPECT_EQ(positionFrom("{}").error().code, ErrorCode::DataLoss);
  EXPECT_EQ(positionFrom("no").error().code, ErrorCode::DataLoss);
}

}  // namespace
}  // namespace lockstep::trainer
