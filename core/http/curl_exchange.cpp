// SPDX-License-Identifier: GPL-3.0-or-later
#include "http/curl_exchange.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/text/trimmed.h"
#include "base/version.h"

namespace lockstep {
namespace {

constexpr long kLargeBuffer = 256L << 10;

void appendHeader(curl_slist*& list, const std::string& line) {
  curl_slist* longer = curl_slist_append(list, line.c_str());
  if (longer != nullptr) list = longer;
}

// Of "HTTP/1.1 200 OK" or "HTTP/2 200".
int statusOf(std::string_view line) {
  const std::size_t blank = line.find(' ');
  int status = 0;
  if (blank != std::string_view::npos)
    std::from_chars(line.data() + blank + 1, line.data() + line.size(), status);
  return status;
}

int versionOf(long curlVersion) {
  switch (curlVersion) {
    case CURL_HTTP_VERSION_1_0:
      return 10;
    case CURL_HTTP_VERSION_1_1:
      return 11;
    case CURL_HTTP_VERSION_2_0:
      return 20;
    default:
      return 0;
  }
}

}  // namespace

std::size_t CurlExchange::onBody(char* data, std::size_t size, std::size_t count, void* self) {
  return static_cast<CurlExchange*>(self)->receiveBody({data, size * count});
}

std::size_t CurlExchange::onHeader(char* data, std::size_t size, std::size_t count, void* self) {
  static_cast<CurlExchange*>(self)->receiveHeader({data, size * count});
  return size * count;
}

std::size_t CurlExchange::onRead(char* to, std::size_t size, std::size_t count, void* self) {
  return static_cast<CurlExchange*>(self)->readSource(to, size * count);
}

// libcurl rewinds when it has to send again: a kept connection that was dead, a proxy that asks for a
// password.
int CurlExchange::onSeek(void* self, curl_off_t offset, int origin) {
  if (origin != SEEK_SET || offset < 0) return CURL_SEEKFUNC_CANTSEEK;
  static_cast<CurlExchange*>(self)->sourceOffset_ = static_cast<std::uint64_t>(offset);
  return CURL_SEEKFUNC_OK;
}

std::size_t CurlExchange::receiveBody(std::string_view piece) {
  bodyBytes_ += piece.size();
  const bool streams = request_.receive && status_ >= 200 && status_ < 300;
  tooLarge_ = bodyBytes_ > maxBytes_ && (!streams || request_.acceptCompressed);
  if (tooLarge_) return 0;
  if (!streams) {
    response_.body.append(piece);
    return piece.size();
  }
  declined_ = !request_.receive(piece);
  return declined_ ? 0 : piece.size();
}

void CurlExchange::receiveHeader(std::string_view line) {
  if (line.starts_with("HTTP/")) {
    response_.headers.clear();  // the answer after a "100 Continue"
    status_ = statusOf(line);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return;
  response_.headers.emplace_back(trimmed(line.substr(0, colon)), trimmed(line.substr(colon + 1)));
}

std::size_t CurlExchange::readSource(char* to, std::size_t max) {
  const std::uint64_t size = request_.source->size();
  const std::uint64_t left = size - std::min(size, sourceOffset_);
  if (left == 0) return 0;
  auto got = request_.source->read(sourceOffset_, to, std::min<std::uint64_t>(max, left));
  if (!got) {
    sourceFailure_ = std::move(got.error());
    return CURL_READFUNC_ABORT;
  }
  if (*got == 0 || *got > left) {
    Error error;
    error.code = ErrorCode::DataLoss;
    error.what = "what is being uploaded has changed meanwhile";
    error.cause = fmt::format("it ended after {} of {} bytes", sourceOffset_, size);
    error.remedy = "upload it again once nothing writes to it";
    sourceFailure_ = std::move(error);
    return CURL_READFUNC_ABORT;
  }
  sourceOffset_ += *got;
  return *got;
}

void CurlExchange::addHeaders() {
  for (const auto& [name, value] : request_.headers) {
    if (::strcasecmp(name.c_str(), "content-length") == 0) continue;  // libcurl counts the body itself
    appendHeader(headers_, value.empty() ? name + ";" : name + ": " + value);
  }
  appendHeader(headers_, "Expect:");
  if (!hasHeader(request_.headers, "content-type")) appendHeader(headers_, "Content-Type:");
  if (!hasHeader(request_.headers, "user-agent"))
    appendHeader(headers_, fmt::format("User-Agent: Lockstep/{}", LOCKSTEP_VERSION));
}

void CurlExchange::addBody(CURL* easy) {
  const std::string& method = request_.method;
  const bool mayHaveBody = method == "POST" || method == "PUT" || method == "PATCH";
  if (method == "HEAD") {
    curl_easy_setopt(easy, CURLOPT_NOBODY, 1L);
    return;
  }
  if (request_.source != nullptr) {
    curl_easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    curl_easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, static_cast<curl_off_t>(request_.source->size()));
    curl_easy_setopt(easy, CURLOPT_READFUNCTION, &onRead);
    curl_easy_setopt(easy, CURLOPT_READDATA, this);
    curl_easy_setopt(easy, CURLOPT_SEEKFUNCTION, &onSeek);
    curl_easy_setopt(easy, CURLOPT_SEEKDATA, this);
    curl_easy_setopt(easy, CURLOPT_UPLOAD_BUFFERSIZE, kLargeBuffer);
  } else if (mayHaveBody || !request_.body.empty()) {
    curl_easy_setopt(easy, CURLOPT_POST, 1L);
    curl_easy_setopt(easy, CURLOPT_POSTFIELDS, request_.body.c_str());
    curl_easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(request_.body.size()));
  }
  curl_easy_setopt(easy, CURLOPT_CUSTOMREQUEST, method.c_str());
}

void CurlExchange::attach(CURL* easy) {
  addHeaders();
  curl_easy_setopt(easy, CURLOPT_HTTPHEADER, headers_);
  curl_easy_setopt(easy, CURLOPT_WRITEFUNCTION, &onBody);
  curl_easy_setopt(easy, CURLOPT_WRITEDATA, this);
  curl_easy_setopt(easy, CURLOPT_HEADERFUNCTION, &onHeader);
  curl_easy_setopt(easy, CURLOPT_HEADERDATA, this);
  curl_easy_setopt(easy, CURLOPT_ERRORBUFFER, error_);
  if (request_.acceptCompressed) curl_easy_setopt(easy, CURLOPT_ACCEPT_ENCODING, "gzip");
  if (request_.receive) curl_easy_setopt(easy, CURLOPT_BUFFERSIZE, kLargeBuffer);
  addBody(easy);
}

std::optional<Error> CurlExchange::ownFailure(const std::string& origin) const {
  if (sourceFailure_) return sourceFailure_;
  Error error;
  if (declined_) {
    error.code = ErrorCode::Cancelled;
    error.what = fmt::format("the answer of {} was not taken to its end", origin);
    return error;
  }
  if (!tooLarge_) return std::nullopt;
  error.code = ErrorCode::ResourceExhausted;
  error.what = fmt::format("the answer of {} is too large", origin);
  const std::string path = request_.url.substr(0, request_.url.find('?'));
  error.cause = fmt::format("{} {}: more than {} bytes", request_.method, path, maxBytes_);
  return error;
}

HttpResponse CurlExchange::popResponse(CURL* easy) {
  long status = 0;
  long version = 0;
  curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &status);
  curl_easy_getinfo(easy, CURLINFO_HTTP_VERSION, &version);
  response_.status = static_cast<int>(status);
  response_.version = versionOf(version);
  if (request_.acceptCompressed && hasHeader(response_.headers, "content-encoding")) {
    // They described the packed bytes, which nobody sees any more.
    for (const char* name : {"content-encoding", "content-length"}) {
      std::erase_if(response_.headers,
                    [&](const auto& h) { return ::strcasecmp(h.first.c_str(), name) == 0; });
    }
  }
  return std::move(response_);
}

}  // namespace lockstep
