// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/peer_check.h"

#include <curl/curl.h>
#include <fmt/format.h>

#include <memory>
#include <string_view>

#include "http/curl_error.h"

namespace lockstep {
namespace {

using Easy = std::unique_ptr<CURL, decltype(&curl_easy_cleanup)>;

Easy makeEasy(const std::string& url, std::chrono::milliseconds limit) {
  Easy easy(curl_easy_init(), &curl_easy_cleanup);
  if (easy == nullptr) return easy;
  curl_easy_setopt(easy.get(), CURLOPT_URL, url.c_str());
  curl_easy_setopt(easy.get(), CURLOPT_CONNECT_ONLY, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_NOSIGNAL, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_TIMEOUT_MS, static_cast<long>(limit.count()));
  return easy;
}

Result<void> connectWith(CURL* easy, const std::string& url, std::chrono::milliseconds limit) {
  char detail[CURL_ERROR_SIZE] = "";
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, detail);
  const CURLcode code = curl_easy_perform(easy);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, nullptr);
  if (code == CURLE_OK) return {};
  const auto parts = parseUrl(url);
  if (!parts) return failure(parts.error());
  HttpRequest request;
  request.connectTimeout = limit;
  request.timeout = limit;
  return failure(curlError({code, detail, true, false, 0}, request, *parts));
}

// "Subject:CN = a" of one certificate's list.
std::string fieldOf(const curl_slist* list, std::string_view name) {
  for (; list != nullptr; list = list->next) {
    const std::string_view line = list->data;
    if (line.starts_with(name) && line.substr(name.size()).starts_with(":"))
      return std::string(line.substr(name.size() + 1));
  }
  return {};
}

}  // namespace

Result<void> tryConnect(const std::string& host, int port, std::chrono::milliseconds limit) {
  const bool isBareV6 = host.find(':') != std::string::npos && !host.starts_with("[");
  const std::string url =
      isBareV6 ? fmt::format("http://[{}]:{}/", host, port) : fmt::format("http://{}:{}/", host, port);
  const Easy easy = makeEasy(url, limit);
  if (easy == nullptr) return failure(ErrorCode::ResourceExhausted, "cannot connect to " + url);
  curl_easy_setopt(easy.get(), CURLOPT_PROXY, "");
  return connectWith(easy.get(), url, limit);
}

Result<std::vector<PeerCertificate>> peerCertificates(const std::string& url, const CurlOptions& options,
                                                      std::chrono::milliseconds limit) {
  const auto parts = parseUrl(url);
  if (!parts) return failure(parts.error());
  const Easy easy = makeEasy(url, limit);
  if (easy == nullptr) return failure(ErrorCode::ResourceExhausted, "cannot connect to " + url);
  curl_easy_setopt(easy.get(), CURLOPT_CERTINFO, 1L);
  curl_easy_setopt(easy.get(), CURLOPT_SSL_VERIFYPEER, 0L);
  curl_easy_setopt(easy.get(), CURLOPT_SSL_VERIFYHOST, 0L);
  if (parts->isLoopback()) {
    curl_easy_setopt(easy.get(), CURLOPT_PROXY, "");
  } else if (options.proxy) {
    curl_easy_setopt(easy.get(), CURLOPT_PROXY, options.proxy->c_str());
    curl_easy_setopt(easy.get(), CURLOPT_NOPROXY, options.noProxy.c_str());
  }
  if (auto connected = connectWith(easy.get(), url, limit); !connected) return failure(connected.error());
  curl_certinfo* info = nullptr;
  curl_easy_getinfo(easy.get(), CURLINFO_CERTINFO, &info);
  std::vector<PeerCertificate> chain;
  for (int i = 0; info != nullptr && i < info->num_of_certs; ++i)
    chain.push_back({fieldOf(info->certinfo[i], "Subject"), fieldOf(info->certinfo[i], "Issuer")});
  return chain;
}

}  // namespace lockstep
