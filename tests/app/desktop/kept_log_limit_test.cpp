// SPDX-License-Identifier: GPL-3.0-or-later
// How much of the lines of a run stays on disk.
#include <QTest>
#include <filesystem>

#include "app/desktop/runs/kept_lines.h"
#include "logs/store/log_reader.h"
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

/// The texts of the log that the last look leaves.
std::vector<std::string> textsOf(const RunPollFactory& open) {
  std::shared_ptr<const LogSnapshot> log;
  const Result<RunPoll> poll = open({});
  for (bool ended = !poll; !ended;) {
    const RunUpdate update = (*poll)({});
    if (update.log) log = update.log;
    ended = update.ended;
  }
  std::vector<std::string> texts;
  LogReader reader(log);
  for (std::uint64_t i = 0; i < reader.size(); ++i) texts.emplace_back(reader.line(i).text);
  return texts;
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
    const auto shown = textsOf(keepingLines(bringing(kLines), dir.path() / "run", limits));
    QVERIFY2(bytesIn(dir.path() / "run") <= limits.bytes, "of some 200 kB");
    QVERIFY(!shown.empty() && shown.size() < kLines);
    QCOMPARE(shown.back(), "text " + std::to_string(kLines - 1));
    QCOMPARE(shown.front(), "text " + std::to_string(kLines - static_cast<int>(shown.size())));
    QCOMPARE(textsOf(keepingLines(bringing(0), dir.path() / "run", limits)), shown);
  }

  void withoutOneThereIsRoomForThem() {
    const TempDir dir;
    (void)textsOf(keepingLines(bringing(kLines), dir.path() / "run"));
    QVERIFY(bytesIn(dir.path() / "run") > 64 << 10);
    QCOMPARE(textsOf(keepingLines(bringing(0), dir.path() / "run")).size(), std::size_t{kLines});
  }
};

}  // namespace lockstep

QTEST_MAIN(lockstep::KeptLogLimitTest)
#include "kept_log_limit_test.moc"
