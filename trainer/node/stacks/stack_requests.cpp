// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainer/node/stacks/stack_requests.h"

#include <unistd.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "base/child_process.h"
#include "trainer/node/processes/node_log.h"
#include "workdir/work_dir_uri.h"

namespace lockstep::node {
namespace {

constexpr std::chrono::seconds kToolLimit{60};  // gdb reads the symbols of all libraries first

}  // namespace

StackRequests::StackRequests(std::shared_ptr<ObjectStore> store, Place place, std::vector<StackTool> tools,
                             std::chrono::milliseconds interval)
    : store_(std::move(store)), place_(std::move(place)), tools_(std::move(tools)), interval_(interval) {}

std::unique_ptr<StackRequests> StackRequests::open(const std::map<std::string, std::string>& environment,
                                                   std::shared_ptr<ObjectStore> store, Place place) {
  if (environmentValue(environment, "LOCKSTEP_STACKS") == "0") return nullptr;
  return std::make_unique<StackRequests>(std::move(store), std::move(place));
}

StackRequests::~StackRequests() {
  end();
}

void StackRequests::begin(std::map<int, pid_t> ranks) {
  end();
  thread_ = std::jthread([this, ranks = std::move(ranks)](const std::stop_token& stop) {
    threadId_ = ::gettid();
    run(stop, ranks);
  });
}

void StackRequests::end() {
  if (thread_.joinable()) {
    thread_.request_stop();
    thread_.join();
  }
  threadId_ = 0;
}

void StackRequests::run(const std::stop_token& stop, const std::map<int, pid_t>& ranks) {
  std::mutex mutex;
  std::condition_variable_any woken;
  std::unique_lock lock(mutex);
  while (!stop.stop_requested()) {
    look(ranks, stop);
    woken.wait_for(lock, stop, interval_, [] { return false; });
  }
}

// A request that was there before the node came is of an earlier start, or of an earlier run in the same folder.
void StackRequests::look(const std::map<int, pid_t>& ranks, const std::stop_token& stop) {
  const auto text = store_->get(layout::stackRequest(place_.jobId), stop);
  const bool isFirst = isFirstLook_;
  if (text || text.error().code == ErrorCode::NotFound) isFirstLook_ = false;
  if (!text) return;
  const auto request = parseStackRequest(*text);
  if (!request || request->id == std::exchange(answered_, request->id) || isFirst) return;
  const auto& wanted = request->ranks;
  for (const auto& [rank, process] : ranks)
    if (process > 0 && (wanted.empty() || std::ranges::find(wanted, Rank(rank)) != wanted.end()))
      answer(*request, rank, process, stop);
}

void StackRequests::answer(const StackRequest& request, int rank, pid_t process,
                           const std::stop_token& stop) {
  say("the stacks of rank {} are wanted", rank);
  StackReport report{Rank(rank), place_.node, place_.host, std::chrono::system_clock::now(), {}};
  report.processes = processStacks(process, tools_, kToolLimit, stop);
  if (stop.stop_requested()) return;
  const auto put = store_->put(layout::stackReport(place_.jobId, request.id, rank), toJsonText(report), stop);
  if (!put) say("warning: the stacks of rank {} could not be stored: {}", rank, describe(put.error()));
}

}  // namespace lockstep::node
