// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/metrics/metrics_inbox.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "base/atomic_file.h"
#include "temp_dir.h"

namespace lockstep::node {
namespace {

namespace fs = std::filesystem;

class Inbox : public testing::Test {
 protected:
  void put(const std::string& name, const std::string& bytes) const {
    const fs::path path = inbox_->folder() / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << bytes;
  }
  static std::string segment(int rank, std::uint64_t sequence, Step step) {
    MetricSegment segment;
    segment.rank = Rank(rank);
    segment.sequence = sequence;
    segment.append(step, TimePoint(std::chrono::seconds(1'800'000'000)), {{"loss", 0.5}});
    return encodeSegment(segment);
  }

  TempDir dir_;
  std::unique_ptr<MetricsInbox> inbox_ = MetricsInbox::open(dir_.path()).value();
};

TEST_F(Inbox, GivesEachSegmentOnceAndInOrder) {
  put("rank-00000/7-a/0000000001.lsm", segment(0, 1, 20));
  put("rank-00000/7-a/0000000000.lsm", segment(0, 0, 10));
  put("rank-00001/8-b/0000000000.lsm", segment(1, 0, 5));
  put("rank-00001/8-b/0000000001.lsm.part", "half of");
  const auto segments = inbox_->take();
  ASSERT_EQ(segments.size(), 3U);
  EXPECT_EQ(segments[0].rows[0].step, 10);
  EXPECT_EQ(segments[1].rows[0].step, 20);
  EXPECT_EQ(segments[2].rank, Rank(1));
  EXPECT_TRUE(inbox_->take().empty());
  EXPECT_EQ(inbox_->broken(), 0U);
}

TEST_F(Inbox, TakesAwayWhatIsNoSegmentAndLeavesTheRest) {
  put("rank-00000/7-a/0000000000.lsm", "no segment");
  put("rank-00000/7-a/0000000001.lsm", segment(0, 1, 20));
  put("stray.lsm", segment(0, 2, 30));
  fs::create_symlink("/etc/passwd", inbox_->folder() / "rank-00000/7-a/0000000003.lsm");
  fs::create_directory_symlink("/", inbox_->folder() / "rank-00002");
  EXPECT_EQ(inbox_->take().size(), 1U);
  EXPECT_EQ(inbox_->broken(), 1U);
  EXPECT_TRUE(fs::exists("/etc/passwd"));
  EXPECT_TRUE(inbox_->take().empty());
}

TEST_F(Inbox, IsForThisUserAloneAndGoesWithIt) {
  struct stat info {};
  ASSERT_EQ(::stat(inbox_->folder().c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0700);
  EXPECT_NE(readFile(inbox_->pythonFolder() / "lockstep.py").value_or("").find("def log("),
            std::string::npos);
  const fs::path folder = inbox_->folder();
  inbox_.reset();
  EXPECT_FALSE(fs::exists(folder));
}

TEST(MetricsInbox, SaysWhyThereIsNone) {
  const auto inbox = MetricsInbox::open("/nowhere/at/all");
  ASSERT_FALSE(inbox);
  EXPECT_NE(inbox.error().what.find("/nowhere/at/all"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::node
