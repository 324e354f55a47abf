// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <memory>
#include <string>

#include "base/status.h"
#include "rehearsal/front/dispatcher.h"

namespace lockstep::rehearsal {

/// The HTTP server on loopback. It knows the HTTP library and nothing of OCI.
class HttpFront {
 public:
  explicit HttpFront(Dispatcher& dispatcher);
  ~HttpFront();

  /// From here on the kernel accepts connections. Port 0: a free one. Returns the port.
  Result<int> bind(int port);
  /// Serves until stop(). Blocks.
  void serve();
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace lockstep::rehearsal
