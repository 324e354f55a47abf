// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_error.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Meaning {
  ErrorCode code;
  const char* what;  // with one {} for the server
  const char* remedy;
};

constexpr const char* kCheckNetwork =
    "check the network, the VPN and the proxy settings (HTTPS_PROXY, NO_PROXY), then try again";
constexpr const char* kCheckProxy =
    "check the proxy settings (HTTPS_PROXY, http_proxy): scheme, host, port, user and password";

Meaning meaningOf(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {ErrorCode::Unavailable, "the name of {} could not be resolved",
              "check the region or the endpoint of the profile, and that this machine has a network"};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {ErrorCode::Unavailable, "the proxy for {} could not be resolved", kCheckProxy};
    case CURLE_COULDNT_CONNECT:
      return {ErrorCode::Unavailable, "could not connect to {}", kCheckNetwork};
    case CURLE_OPERATION_TIMEDOUT:
      return {ErrorCode::DeadlineExceeded, "no answer from {} in time", kCheckNetwork};
    case CURLE_SSL_CONNECT_ERROR:
      return {ErrorCode::Unavailable, "the TLS handshake with {} failed",
              "check that nothing between here and there intercepts TLS, and that the endpoint speaks https"};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return {ErrorCode::Unavailable, "the certificate of {} cannot be trusted",
              "if a proxy of your organization signs certificates, name its bundle in OCI_CLI_CERT_BUNDLE; "
              "check the "
              "clock of this machine"};
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
      return {ErrorCode::Unavailable, "{} closed the connection before it answered", kCheckNetwork};
    case CURLE_PARTIAL_FILE:
      return {ErrorCode::Unavailable, "{} closed the connection in the middle of its answer", kCheckNetwork};
    case CURLE_PROXY:
      return {ErrorCode::Unavailable, "the proxy for {} did not connect us", kCheckProxy};
    case CURLE_BAD_CONTENT_ENCODING:
      return {ErrorCode::DataLoss, "the packed answer of {} is damaged", kCheckNetwork};
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return {ErrorCode::Unavailable, "what answers at {} does not speak HTTP",
              "check the endpoint of the profile"};
    case CURLE_URL_MALFORMAT:
      return {ErrorCode::InvalidArgument, "the URL of {} cannot be used",
              "check the endpoint of the profile"};
    case CURLE_OUT_OF_MEMORY:
      return {ErrorCode::ResourceExhausted, "not enough memory to talk to {}", ""};
    default:
      return {ErrorCode::Unavailable, "the exchange with {} failed", kCheckNetwork};
  }
}

std::string timeOutReason(const CurlFailure& failed, const HttpRequest& request) {
  const auto seconds = [](std::chrono::milliseconds time) {
    return fmt::format("{} s", static_cast<double>(time.count()) / 1000);
  };
  if (failed.stalled) return fmt::format("no byte moved for {}", seconds(request.stallTimeout));
  if (failed.connecting && (request.timeout.count() == 0 || request.connectTimeout < request.timeout))
    return fmt::format("no connection after {}", seconds(request.connectTimeout));
  return fmt::format("not done after {}", seconds(request.timeout));
}

std::string reasonOf(const CurlFailure& failed, const HttpRequest& request) {
  if (failed.proxyStatus != 0) return fmt::format("the proxy answered HTTP {}", failed.proxyStatus);
  if (failed.code == CURLE_OPERATION_TIMEDOUT) return timeOutReason(failed, request);
  // libcurl quotes a proxy that it cannot read, password included.
  const bool mayTell = failed.detail.find('@') == std::string::npos;
  return mayTell && !failed.detail.empty() ? failed.detail : curl_easy_strerror(failed.code);
}

}  // namespace

Error curlError(const CurlFailure& failed, const HttpRequest& request, const UrlParts& url) {
  Meaning meaning = meaningOf(failed.code);
  if (failed.proxyStatus != 0) meaning = meaningOf(CURLE_PROXY);
  if (failed.code == CURLE_OPERATION_TIMEDOUT && failed.connecting)
    meaning.what = "could not connect to {} in time";
  Error error;
  error.code = meaning.code;
  error.what = fmt::format(fmt::runtime(meaning.what), url.origin());
  const std::string path = url.target.substr(0, url.target.find('?'));
  error.cause = fmt::format("{} {}: {}", request.method, path, reasonOf(failed, request));
  error.remedy = meaning.remedy;
  if (failed.code == CURLE_COULDNT_CONNECT && url.isLoopback()) {
    error.remedy = "nothing listens there: start the rehearsal region with 'lockstep rehearsal start'";
  }
  return error;
}

bool isTrustFailure(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_ISSUER_ERROR ||
         code == CURLE_SSL_CACERT_BADFILE;
}

}  // namespace lockstep
