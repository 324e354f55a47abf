// SPDX-License-Identifier: GPL-3.0-or-later
#include "metrics/events/event_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "event_bytes.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

using namespace events;
namespace fs = std::filesystem;

constexpr std::size_t kAll = 1 << 20;

class EventFiles : public testing::Test {
 protected:
  EventFile open() { return EventFile::open(path_).value(); }
  /// The steps of what is new; -1: it failed.
  static std::vector<Step> steps(EventFile& file, std::size_t maxBytes = kAll) {
    const auto scalars = file.readNew(maxBytes);
    if (!scalars) return {-1};
    std::vector<Step> all;
    for (const EventScalar& one : *scalars) all.push_back(one.step);
    return all;
  }
  static ErrorCode failureOf(EventFile& file) {
    const auto scalars = file.readNew(kAll);
    return scalars ? ErrorCode::Internal : scalars.error().code;
  }

  using Steps = std::vector<Step>;
  TempDir folder_;
  fs::path path_ = folder_.path() / "events.out.tfevents.1.host.1";
};

TEST_F(EventFiles, GiveWhatIsAppended) {
  write(path_, "");
  EventFile file = open();
  EXPECT_EQ(steps(file), Steps());
  append(path_, version() + scalar("loss", 1, 1));
  EXPECT_EQ(steps(file), Steps{1});
  EXPECT_EQ(steps(file), Steps()) << "nothing is given twice";
  append(path_, scalar("loss", 2, 1) + scalar("loss", 3, 1));
  EXPECT_EQ(steps(file), (Steps{2, 3}));
  EXPECT_EQ(file.restarts(), 0);
  EXPECT_EQ(file.bytesRead(), fs::file_size(path_));
}

TEST_F(EventFiles, WaitForTheRestOfARecord) {
  write(path_, "");
  EventFile file = open();
  const std::string text = version() + scalar("loss", 1, 1) + scalar("loss", 2, 1);
  Steps all;
  for (const char c : text) {
    append(path_, std::string_view(&c, 1));
    for (const Step step : steps(file)) all.push_back(step);
  }
  EXPECT_EQ(all, (Steps{1, 2}));
}

TEST_F(EventFiles, ReadNoMoreThanTheyMay) {
  std::string text = version();
  for (int i = 0; i < 10; ++i) text += scalar("loss", i, 1);
  write(path_, text);
  EventFile file = open();
  Steps all;
  for (std::uint64_t before = 0; before < text.size(); before = file.bytesRead()) {
    for (const Step step : steps(file, 50)) all.push_back(step);
    ASSERT_LE(file.bytesRead() - before, 50U);
    ASSERT_GT(file.bytesRead(), before);
  }
  EXPECT_EQ(all, (Steps{0, 1, 2, 3, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(steps(file, 0), Steps());
}

TEST_F(EventFiles, BeginAgainWithAnotherFile) {
  write(path_, version(1) + scalar("loss", 1, 1));
  EventFile file = open();
  EXPECT_EQ(steps(file), Steps{1});
  const fs::path other = folder_.path() / "other";
  write(other, version(2) + scalar("loss", 5, 1) + scalar("loss", 6, 1));
  fs::rename(other, path_);
  EXPECT_EQ(steps(file), (Steps{5, 6}));
  EXPECT_EQ(file.restarts(), 1);
}

TEST_F(EventFiles, BeginAgainWithAnotherFileOfTheSameNumber) {
  write(path_, version(1) + scalar("loss", 1, 1));
  EventFile file = open();
  EXPECT_EQ(steps(file), Steps{1});
  write(path_, version(2) + scalar("loss", 5, 1) + scalar("loss", 6, 1));  // longer, and the same inode
  EXPECT_EQ(steps(file), (Steps{5, 6}));
  EXPECT_EQ(file.restarts(), 1);
}

TEST_F(EventFiles, BeginAgainWhenCut) {
  write(path_, version() + scalar("loss", 1, 1) + scalar("loss", 2, 1));
  EventFile file = open();
  EXPECT_EQ(steps(file), (Steps{1, 2}));
  fs::resize_file(path_, fs::file_size(path_) - 3);
  EXPECT_EQ(steps(file), Steps{1}) << "what was given comes again";
  EXPECT_EQ(file.restarts(), 1);
}

TEST_F(EventFiles, ReadOnWhenTheyComeBack) {
  write(path_, version() + scalar("loss", 1, 1));
  EventFile file = open();
  EXPECT_EQ(steps(file), Steps{1});
  const fs::path away = folder_.path() / "away";
  fs::rename(path_, away);
  EXPECT_EQ(failureOf(file), ErrorCode::NotFound);
  append(away, scalar("loss", 2, 1));
  fs::rename(away, path_);
  EXPECT_EQ(steps(file), Steps{2});
  EXPECT_EQ(file.restarts(), 0);
}

TEST_F(EventFiles, StopWhereTheyAreTorn) {
  write(path_, version() + scalar("loss", 1, 1) + std::string(20, 'x'));
  EventFile file = open();
  EXPECT_EQ(steps(file), Steps{1});
  EXPECT_EQ(failureOf(file), ErrorCode::DataLoss);
  append(path_, scalar("loss", 2, 1));
  EXPECT_EQ(failureOf(file), ErrorCode::DataLoss);
  const auto failed = file.readNew(kAll);
  EXPECT_NE(failed.error().what.find(path_.string()), std::string::npos);
  EXPECT_FALSE(failed.error().cause.empty());
  fs::remove(path_);
  write(folder_.path() / "keeps the number of the removed one", "");
  write(path_, version(2) + scalar("loss", 7, 1));
  EXPECT_EQ(steps(file), Steps{7}) << "another file is another beginning";
}

TEST_F(EventFiles, CountWhatTheySkip) {
  std::string bad = scalar("loss", 1, 1);
  bad[20] = 'x';
  write(path_, version() + bad);
  EventFile file = open();
  EXPECT_EQ(steps(file), Steps());
  EXPECT_EQ(file.skipped(), 1U);
  fs::resize_file(path_, version().size());
  EXPECT_EQ(steps(file), Steps());
  EXPECT_EQ(file.skipped(), 1U) << "also of what is gone";
}

TEST_F(EventFiles, AreRegularOnes) {
  EXPECT_EQ(EventFile::open(path_).error().code, ErrorCode::NotFound);
  fs::create_directory(path_);
  EXPECT_EQ(EventFile::open(path_).error().code, ErrorCode::InvalidArgument);
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(EventFile::open(path_).error().code, ErrorCode::InvalidArgument) << "and nobody waits";
  fs::remove(path_);
  write(path_, version() + scalar("loss", 1, 1));
  EventFile file = open();
  fs::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  EXPECT_EQ(failureOf(file), ErrorCode::InvalidArgument);
}

TEST_F(EventFiles, MayBeLinks) {
  const fs::path real = folder_.path() / "real";
  write(real, version() + scalar("loss", 1, 1));
  fs::create_symlink(real, path_);
  EventFile file = open();
  EXPECT_EQ(steps(file), Steps{1});
}

TEST_F(EventFiles, RefuseWhatIsNone) {
  write(path_, "only some text that was given such a name");
  EventFile file = open();
  EXPECT_EQ(failureOf(file), ErrorCode::InvalidArgument);
  append(path_, version());
  EXPECT_EQ(failureOf(file), ErrorCode::InvalidArgument);
  EXPECT_LT(file.bytesRead(), fs::file_size(path_)) << "it was not read again";
}

}  // namespace
}  // namespace lockstep
