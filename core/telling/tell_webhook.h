// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <stop_token>
#include <string>

#include "http/http_client.h"
#include "telling/run_news.h"

namespace lockstep {

/// Whether that is an address for news: https, or http of this machine. InvalidArgument else; nothing of the address is in the
/// error, since it may hold a secret.
[[nodiscard]] Result<void> checkWebhook(const std::string& url);

/// Posts documentOf() there as application/json. Tried three times where nobody answers or the server is at fault; any answer of
/// 2xx is the end of it. Errors name the host alone. Blocks on the network.
Result<void> tellWebhook(HttpClient& http, const std::string& url, const RunNews& news,
                         const std::stop_token& stop);

}  // namespace lockstep
