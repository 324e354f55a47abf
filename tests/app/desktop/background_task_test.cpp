// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/support/background_task.h"

#include <QElapsedTimer>
#include <QSignalSpy>
#include <QTest>
#include <QThread>
#include <atomic>
#include <optional>
#include <semaphore>
#include <stdexcept>

#include "base/clock.h"

namespace lockstep {
namespace {

constexpr int kTimeout = 30'000;

/// Blocks until asked to stop.
bool waitForStop(const std::stop_token& stop) {
  return !SystemClock().sleepFor(std::chrono::minutes(5), stop);
}

}  // namespace

class BackgroundTaskTest : public QObject {
  Q_OBJECT
 private slots:
  void worksElsewhereAndDeliversHere() {
    BackgroundTask task;
    QThread* workedOn = nullptr;
    QThread* deliveredOn = nullptr;
    int value = 0;
    task.start(
        [&workedOn](const std::stop_token&) {
          workedOn = QThread::currentThread();
          return 42;
        },
        [&](int result) {
          deliveredOn = QThread::currentThread();
          value = result;
        });
    QVERIFY(task.isRunning());
    QTRY_COMPARE_WITH_TIMEOUT(value, 42, kTimeout);
    QCOMPARE(deliveredOn, QThread::currentThread());
    QVERIFY(workedOn != QThread::currentThread());
    QTRY_VERIFY_WITH_TIMEOUT(!task.isRunning(), kTimeout);
  }

  void newWorkSupersedesOldWork() {
    BackgroundTask task;
    std::atomic<bool> stopped = false;
    int delivered = 0;
    std::binary_semaphore begun(0);
    task.start(
        [&](const std::stop_token& stop) {
          begun.release();
          stopped = waitForStop(stop);
          return 1;
        },
        [&delivered](int value) { delivered = value; });
    begun.acquire();
    QSignalSpy finished(&task, &BackgroundTask::finished);
    task.start([](const std::stop_token&) { return 2; }, [&delivered](int value) { delivered = value; });
    QTRY_COMPARE_WITH_TIMEOUT(delivered, 2, kTimeout);
    QTRY_VERIFY_WITH_TIMEOUT(stopped.load(), kTimeout);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kTimeout);
    QTest::qWait(50);  // the old work's delivery, if there wrongly was one, is in the queue by now
    QCOMPARE(delivered, 2);
    QCOMPARE(finished.size(), 1);
  }

  void canceledWorkDeliversNothing() {
    BackgroundTask task;
    bool delivered = false;
    std::atomic<bool> ended = false;
    task.run([&](const std::stop_token& stop, const BackgroundTask::Post& post) {
      waitForStop(stop);
      post([&delivered] { delivered = true; });
      ended = true;
    });
    task.cancel();
    QVERIFY(!task.isRunning());
    QTRY_VERIFY_WITH_TIMEOUT(ended.load(), kTimeout);
    QTest::qWait(50);
    QVERIFY(!delivered);
  }

  void postsArriveInOrderWhileTheWorkGoesOn() {
    BackgroundTask task;
    std::binary_semaphore goOn(0);
    std::vector<int> seen;
    task.run([&](const std::stop_token&, const BackgroundTask::Post& post) {
      for (int i = 0; i < 3; ++i) post([&seen, i] { seen.push_back(i); });
      goOn.acquire();
    });
    QTRY_COMPARE_WITH_TIMEOUT(seen.size(), std::size_t(3), kTimeout);
    QCOMPARE(seen, (std::vector<int>{0, 1, 2}));
    QVERIFY(task.isRunning());
    goOn.release();
  }

  void destroyingStopsTheWorkAndDropsItsDelivery() {
    bool delivered = false;
    std::atomic<bool> stopped = false;
    {
      BackgroundTask task;
      task.start(
          [&stopped](const std::stop_token& stop) {
            stopped = waitForStop(stop);
            return 1;
          },
          [&delivered](int) { delivered = true; });
    }
    QVERIFY(stopped);  // waited for
    QTest::qWait(20);
    QVERIFY(!delivered);
  }

  void whatIsThrownIsDeliveredAsAFailure() {
    BackgroundTask task;
    QSignalSpy failed(&task, &BackgroundTask::failed);
    std::optional<Result<int>> got;
    task.start([](const std::stop_token&) -> Result<int> { throw std::runtime_error("type must be string"); },
               [&got](Result<int> result) { got = std::move(result); });
    QTRY_VERIFY_WITH_TIMEOUT(got.has_value(), kTimeout);
    QVERIFY(!*got);
    QCOMPARE(got->error().cause, std::string("type must be string"));
    QVERIFY(!got->error().remedy.empty());
    QTRY_VERIFY_WITH_TIMEOUT(!task.isRunning(), kTimeout);
    QCOMPARE(failed.size(), 0);
  }

  void whatCannotBeDeliveredIsTold() {
    BackgroundTask task;
    QSignalSpy finished(&task, &BackgroundTask::finished);
    std::vector<Error> told;
    connect(&task, &BackgroundTask::failed, this, [&told](const Error& error) { told.push_back(error); });
    bool isDelivered = false;
    task.start([](const std::stop_token&) -> int { throw std::bad_alloc(); },
               [&](int) { isDelivered = true; });
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), std::size_t(1), kTimeout);
    QCOMPARE(told[0].code, ErrorCode::ResourceExhausted);
    QTRY_COMPARE_WITH_TIMEOUT(finished.size(), 1, kTimeout);
    QVERIFY(!isDelivered);
    task.run([](const std::stop_token&, const BackgroundTask::Post&) { throw 1; });
    QTRY_COMPARE_WITH_TIMEOUT(told.size(), std::size_t(2), kTimeout);
    QVERIFY(!told[1].cause.empty());
    task.run([](const std::stop_token& stop, const BackgroundTask::Post&) {
      waitForStop(stop);
      throw std::runtime_error("too late");
    });
    task.cancel();
    QTest::qWait(100);
    QCOMPARE(told.size(), std::size_t(2));  // nobody waits for it any more
  }

  // A work that looks at its stop token late does not hold the window, and finds nobody to post to.
  void deafWorkDoesNotHoldTheWindow() {
    const auto isDone = std::make_shared<std::atomic<bool>>(false);
    std::atomic<bool> delivered = false;
    QElapsedTimer timer;
    {
      BackgroundTask task;
      task.run([isDone, &delivered](const std::stop_token&, const BackgroundTask::Post& post) {
        std::this_thread::sleep_for(std::chrono::seconds(5));
        post([&delivered] { delivered = true; });
        *isDone = true;
      });
      timer.start();
    }
    QVERIFY2(timer.elapsed() < 4'000, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(!isDone->load());
    QTRY_VERIFY_WITH_TIMEOUT(isDone->load(), kTimeout);
    QTest::qWait(20);
    QVERIFY(!delivered);
  }

  void startingAgainFromADeliveryWorks() {
    BackgroundTask task;
    int rounds = 0;
    std::function<void()> again = [&] {
      task.start([](const std::stop_token&) { return 0; },
                 [&](int) {
                   if (++rounds < 20) again();
                 });
    };
    again();
    QTRY_COMPARE_WITH_TIMEOUT(rounds, 20, kTimeout);
  }
};

}  // namespace lockstep

QTEST_GUILESS_MAIN(lockstep::BackgroundTaskTest)
#include "background_task_test.moc"
