// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the lines of a run stays on disk.
#include <QTest>
#include <filesystem>

#include "app/desktop/runs/kept_lines.h"
#include "temp_dir.h"

namespace lockstep {
namespace {

constexpr int kLines = 4'000;

/// A run that brings so many lines, a hundred with each look.
RunPollFactory bringing(int count) {
  return [count](const std::stop_token&) -> Result<RunPoll> {
    return RunPoll([count, next = std::make_shared<int>(0)](const std::stop_token&) {
      RunUpdate update;
      for (int i = 0; i < 100 && *next < count; ++i, ++*next) {
        LogLine line;
        line.id = "id" + std::to_string(*next);
        line.time = TimePoint(std::chrono::seconds(*next + 1));
        line.node = "main";
        line.text = "text " + std::to_string(*next);
        update.lines.push_back(line);
      }
      update.ended = *next >= count;
      return update;
    });
  };
}

std::vector<LogLine> linesOf(const RunPollFactory& open) {
  std::vector<LogLine> lines;
  const Result<RunPoll> poll = open({});
  for (bool ended = !poll; !ended;) {
    const RunUpdate update = (*poll)({});
    lines.insert(lines.end(), update.lines.begin(), update.lines.end());
    ended = update.ended;
  }
  return lines;
}

std::uintmax_t bytesIn(const std::filesystem::path& folder) {
  std::uintmax_t bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) bytes += entry.file_size();
  return bytes;
}

}  // namespace

class KeptLogLimitTest : public QObject {
  Q_OBJECT

 private slots:
  void beyondItTheOldestLinesGo() {
    const TempDir dir;
    const KeptLog::Limits limits{64 << 10};
    QCOMPARE(linesOf(keepingLines(bringing(kLines), dir.path() / "run", limits)).size(), std::size_t{kLines});
    QVERIFY2(bytesIn(dir.path() / "run") <= limits.bytes, "of some 200 kB");
    const auto kept = linesOf(keepingLines(bringing(0), dir.path() / "run", limits));
    QVERIFY(!kept.empty() && kept.size() < kLines);
    QCOMPARE(kept.back().text, "text " + std::to_string(kLines - 1));
    QCOMPARE(kept.front().text, "text " + std::to_string(kLines - static_cast<int>(kept.size())));
  }

  void withoutOneThereIsRoomForThem() {
    const TempDir dir;
    linesOf(keepingLines(bringing(kLines), dir.path() / "run"));
    QVERIFY(bytesIn(dir.path() / "run") > 64 << 10);
    QCOMPARE(linesOf(keepingLines(bringing(0), dir.path() / "run")).size(), std::size_t{kLines});
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::KeptLogLimitTest)
#include "kept_log_limit_test.moc"
