// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QLabel>
#include <QScrollBar>
#include <QTest>
#include <memory>

#include "made_up_log.h"
#include "widgets/logs/log_model.h"
#include "widgets/logs/log_table.h"
#include "widgets/logs/log_view.h"

namespace lockstep {

/// A log pane that is on the screen, active and empty. Lines come once a second, of rank 0 and 1 in turn, every tenth
/// an error of rank 1.
class LogViewFixture : public QObject {
 protected:
  static std::vector<LogLine> lines(int from, int count, int ranks = 2) {
    std::vector<LogLine> result;
    for (int i = from; i < from + count; ++i) {
      LogLine line;
      line.time = TimePoint(std::chrono::seconds(i));
      line.rank = Rank(i % ranks);
      line.node = "worker_" + std::to_string(i % ranks);
      line.text = i % 10 == 7 ? "ERROR: line " + std::to_string(i) : "line " + std::to_string(i);
      line.level = levelOf(line.text);
      result.push_back(line);
    }
    return result;
  }

  void open() {
    log_ = MadeUpLog();
    view_ = std::make_unique<LogView>();
    view_->resize(800, 300);
    view_->show();
    QVERIFY(QTest::qWaitForWindowExposed(view_.get()));
    view_->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(view_.get()));
    view_->table()->setFocus();
  }
  void add(std::vector<LogLine> fresh) { view_->setLog(log_.add(std::move(fresh))); }

  [[nodiscard]] QScrollBar* bar() const { return view_->table()->verticalScrollBar(); }
  [[nodiscard]] bool isAtEnd() const { return bar()->value() == bar()->maximum(); }
  template <class T>
  T* child(const char* name) {
    return view_->findChild<T*>(QString::fromLatin1(name));
  }
  QString counts() { return child<QLabel>("counts")->text(); }
  [[nodiscard]] int topLine() const {
    return static_cast<int>(view_->model()->lineOfRow(view_->table()->rowAt(0)));
  }

  MadeUpLog log_;
  std::unique_ptr<LogView> view_;
};

}  // namespace lockstep
