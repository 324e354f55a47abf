// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/clock.h"
#include "rehearsal/api/http_types.h"
#include "rehearsal/api/principal.h"
#include "rehearsal/api/visibility.h"

namespace lockstep::rehearsal {

/// One authenticated request, on its way through an operation.
struct Call {
  const IncomingRequest& request;
  std::string operation;  // "CreateJobRun"
  Principal principal;
  TimePoint now;
  std::map<std::string, std::string> path;   // decoded values of the pattern's {names}
  std::map<std::string, std::string> query;  // decoded
  Visibility visibility = {};                // of what is listed or searched

  [[nodiscard]] std::optional<std::string> header(const std::string& name) const {
    return headerValue(request.headers, name);
  }
  /// A query value that is there and not empty.
  [[nodiscard]] std::optional<std::string> parameter(const std::string& name) const;
  /// `limit`, within 1..maximum.
  [[nodiscard]] tl::expected<int, ServiceError> limit(int fallback, int maximum) const;
};

using Operation = std::function<OperationResult(const Call&)>;

/// What a route takes as a body.
struct BodyRule {
  std::uint64_t maxBytes = 0;  // bytes; 0: what the server has for bodies of its kind
  bool isUpload = false;       // bytes for their own sake: as many as the server lets in, in a file when many
  /// Of a route that needs no signature: what the head says (link, token) is checked by this before the body
  /// is read. An answer: given instead. Such a route takes no body without a gate.
  std::function<std::optional<OperationResult>(const Call&)> gate = {};
};

struct Route {
  std::string method;
  std::vector<std::string> pattern;  // segments: literal | "{name}" | "{*name}" for all that is left
  std::string name;                  // "CreateJobRun": for access, retry tokens and the region's log
  Operation operation;
  BodyRule body = {};
};

/// Which operation a request means. Filled once at start, then read by all threads.
class Router {
 public:
  void add(const std::string& method, const std::string& pattern, const std::string& name,
           Operation operation, BodyRule body = {});

  struct Match {
    const Route* route = nullptr;  // null: none
    bool pathKnown = false;        // some other method would have matched
    std::map<std::string, std::string> values;
  };
  [[nodiscard]] const std::vector<Route>& routes() const { return routes_; }
  [[nodiscard]] Match find(const std::string& method, std::string_view rawPath) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace lockstep::rehearsal
