// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>

#include <optional>
#include <string>

#include "http/http_client.h"

namespace lockstep {

/// What the callbacks of libcurl work on during one transfer: the bytes that go out and what came back. One
/// thread; must stand still while the transfer runs.
class CurlExchange {
 public:
  /// `request` must outlive this. `maxBytes` bounds a body in memory, and one that is unpacked.
  CurlExchange(const HttpRequest& request, std::uint64_t maxBytes) : request_(request), maxBytes_(maxBytes) {}
  CurlExchange(const CurlExchange&) = delete;
  CurlExchange& operator=(const CurlExchange&) = delete;
  ~CurlExchange() { curl_slist_free_all(headers_); }

  /// Sets headers, body and callbacks of `easy`.
  void attach(CURL* easy);
  /// The failure that our own side caused, if it did: no room, nobody who wants the answer, an upload that
  /// cannot be read.
  [[nodiscard]] std::optional<Error> ownFailure(const std::string& origin) const;
  [[nodiscard]] std::string errorText() const { return error_; }
  /// The status line is there, at least.
  [[nodiscard]] bool hasAnswer() const { return status_ != 0; }
  /// Call once, at the end of a transfer that succeeded.
  [[nodiscard]] HttpResponse popResponse(CURL* easy);

 private:
  static std::size_t onBody(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t onHeader(char* data, std::size_t size, std::size_t count, void* self);
  static std::size_t onRead(char* to, std::size_t size, std::size_t count, void* self);
  static int onSeek(void* self, curl_off_t offset, int origin);
  void addHeaders();
  void addBody(CURL* easy);
  std::size_t receiveBody(std::string_view piece);
  void receiveHeader(std::string_view line);
  std::size_t readSource(char* to, std::size_t max);

  const HttpRequest& request_;
  const std::uint64_t maxBytes_;
  HttpResponse response_;
  int status_ = 0;
  std::uint64_t bodyBytes_ = 0;
  std::uint64_t sourceOffset_ = 0;
  bool tooLarge_ = false;
  bool declined_ = false;
  std::optional<Error> sourceFailure_;
  curl_slist* headers_ = nullptr;
  char error_[CURL_ERROR_SIZE] = "";
};

}  // namespace lockstep
