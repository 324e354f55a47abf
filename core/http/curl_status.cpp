// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_status.h"

#include <fmt/format.h>

namespace lockstep {
namespace {

struct Meaning {
  StatusCode code;
  const char* what;  // with one {} for the server
  const char* remedy;
};

constexpr const char* kCheckNetwork =
    "check the network, the VPN and the proxy settings (HTTPS_PROXY, NO_PROXY), then try again";

Meaning meaningOf(CURLcode code) {
  switch (code) {
    case CURLE_COULDNT_RESOLVE_HOST:
      return {StatusCode::Unavailable, "the name of {} could not be resolved",
              "check the region or the endpoint of the profile, and that this machine has a network"};
    case CURLE_COULDNT_RESOLVE_PROXY:
      return {StatusCode::Unavailable, "the proxy for {} could not be resolved",
              "check HTTPS_PROXY and HTTP_PROXY"};
    case CURLE_COULDNT_CONNECT:
      return {StatusCode::Unavailable, "could not connect to {}", kCheckNetwork};
    case CURLE_OPERATION_TIMEDOUT:
      return {StatusCode::DeadlineExceeded, "no answer from {} in time", kCheckNetwork};
    case CURLE_SSL_CONNECT_ERROR:
      return {StatusCode::Unavailable, "the TLS handshake with {} failed",
              "check that nothing between here and there intercepts TLS, and that the endpoint speaks https"};
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CACERT_BADFILE:
      return {StatusCode::Unavailable, "the certificate of {} cannot be trusted",
              "if a proxy of your organization signs certificates, name its bundle in OCI_CLI_CERT_BUNDLE; "
              "check the "
              "clock of this machine"};
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_GOT_NOTHING:
      return {StatusCode::Unavailable, "{} closed the connection before it answered", kCheckNetwork};
    case CURLE_PARTIAL_FILE:
      return {StatusCode::Unavailable, "{} closed the connection in the middle of its answer", kCheckNetwork};
    case CURLE_WEIRD_SERVER_REPLY:
    case CURLE_UNSUPPORTED_PROTOCOL:
    case CURLE_HTTP2:
      return {StatusCode::Unavailable, "what answers at {} does not speak HTTP",
              "check the endpoint of the profile"};
    case CURLE_URL_MALFORMAT:
      return {StatusCode::InvalidArgument, "the URL of {} cannot be used",
              "check the endpoint of the profile"};
    case CURLE_OUT_OF_MEMORY:
      return {StatusCode::ResourceExhausted, "not enough memory to talk to {}", ""};
    case CURLE_WRITE_ERROR:
      return {StatusCode::ResourceExhausted, "the answer of {} is too large", ""};
    default:
      return {StatusCode::Unavailable, "the exchange with {} failed", kCheckNetwork};
  }
}

}  // namespace

Status curlStatus(CURLcode code, const HttpRequest& request, const UrlParts& url, const std::string& detail) {
  const Meaning meaning = meaningOf(code);
  Status status;
  status.code = meaning.code;
  status.what = fmt::format(fmt::runtime(meaning.what), url.origin());
  const std::string path = url.target.substr(0, url.target.find('?'));
  status.cause =
      fmt::format("{} {}: {}", request.method, path, detail.empty() ? curl_easy_strerror(code) : detail);
  status.remedy = meaning.remedy;
  if (code == CURLE_COULDNT_CONNECT && url.isLoopback()) {
    status.remedy = "nothing listens there: start the rehearsal region with 'lockstep rehearsal start'";
  }
  return status;
}

bool isTrustFailure(CURLcode code) {
  return code == CURLE_PEER_FAILED_VERIFICATION || code == CURLE_SSL_ISSUER_ERROR ||
         code == CURLE_SSL_CACERT_BADFILE;
}

}  // namespace lockstep
