// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <string>

#include "base/error.h"
#include "http/http_client.h"

namespace lockstep::oci {

/// The body of a refusal: {"code","message"}. A gateway may answer HTML or nothing; then `code` is empty and
/// `message` says what came instead.
struct ServiceError {
  std::string code;
  std::string message;
};

[[nodiscard]] ServiceError parseServiceError(const HttpResponse& response);

/// A refusal as an Error. `answer` has service and operation; its httpStatus, errorCode and requestId are
/// filled here (a requestId that is there already stays when the answer has none).
[[nodiscard]] Error errorOfAnswer(const HttpResponse& response, const ServiceError& error,
                                  ServiceAnswer answer);

/// DataLoss: a 2xx answer that does not have the shape it should have.
[[nodiscard]] Error malformedAnswer(const HttpResponse& response, ServiceAnswer answer,
                                    const std::string& cause);

}  // namespace lockstep::oci
