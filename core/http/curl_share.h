// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <curl/curl.h>

#include <array>
#include <mutex>

namespace lockstep {

/// What the transfer slots of one client know in common: resolved names, and TLS sessions to resume.
/// Connections are not among it, since libcurl does not share them safely between threads. Thread-safe; must
/// outlive the slots.
class CurlShare {
 public:
  CurlShare();
  CurlShare(const CurlShare&) = delete;
  CurlShare& operator=(const CurlShare&) = delete;
  ~CurlShare();
  [[nodiscard]] CURLSH* get() const { return share_; }  // null when libcurl cannot allocate

 private:
  static void lock(CURL* easy, curl_lock_data data, curl_lock_access access, void* self);
  static void unlock(CURL* easy, curl_lock_data data, void* self);

  std::array<std::mutex, CURL_LOCK_DATA_LAST> mutexes_;
  CURLSH* share_ = nullptr;
};

}  // namespace lockstep
