// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/error.h"
#include "trainer/node/exporters/exporter_settings.h"

namespace lockstep::node {

/// Answers GET /metrics with a text, one connection at a time and each for some seconds at most, on a thread of its own. That is
/// all of HTTP that Prometheus needs; whoever sends something else is told so, and whoever is slow is left.
class ScrapeServer {
 public:
  using Text = std::function<std::string()>;  // called on the server's thread

  /// Io, AlreadyExists: it cannot listen there.
  static Result<std::unique_ptr<ScrapeServer>> open(const ScrapeAddress& where, Text text);
  ScrapeServer(const ScrapeServer&) = delete;
  ScrapeServer& operator=(const ScrapeServer&) = delete;
  ~ScrapeServer();

 private:
  ScrapeServer(int listener, int wake, Text text);
  void run();
  void serve(int connection);
  /// False: time is up, or it is to end.
  bool waitFor(int connection, short events, long long until) const;

  int listener_, wake_;
  Text text_;
  std::thread thread_;
};

}  // namespace lockstep::node
